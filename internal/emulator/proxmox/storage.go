// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// storage is one storage definition: on every node its own, or shared by all.
type storage struct {
	id      string
	kind    string // dir, lvmthin, nfs
	shared  bool
	content []string
	total   int64 // bytes, on each node
}

func (s *storage) holds(content string) bool { return slices.Contains(s.content, content) }

func (s *storage) contentText() string { return strings.Join(s.content, ",") }

func (s *storage) sharedFlag() int { return map[bool]int{true: 1}[s.shared] }

// onFiles says whether volumes are files, whose names have the VMID as a directory.
func (s *storage) onFiles() bool { return s.kind != "lvmthin" }

func (a *API) storage(id string) *storage {
	i := slices.IndexFunc(a.storages, func(s *storage) bool { return s.id == id })
	if i < 0 {
		return nil
	}
	return a.storages[i]
}

// volume is a disk of a machine or an uploaded file.
type volume struct {
	storage *storage
	node    *node // nil on a shared storage
	name    string
	content string // images, iso, vztmpl, import, snippets
	size    int64
	owner   int // VMID, 0 for files
	parent  *volume
	data    []byte
	made    time.Time
}

func (v *volume) id() string { return v.storage.id + ":" + v.name }

func (v *volume) isCloudInit() bool { return strings.Contains(v.name, "cloudinit") }

func (v *volume) format() string {
	if _, ending, found := strings.Cut(v.name[strings.LastIndex(v.name, "/")+1:], "."); found && v.content == "images" {
		return ending
	}
	if v.content == "iso" {
		return "iso"
	}
	return "raw"
}

// volume finds a volume as a node sees it.
func (a *API) volume(n *node, volid string) *volume {
	for _, v := range a.volumes {
		if v.id() == volid && (v.node == nil || v.node == n) {
			return v
		}
	}
	return nil
}

func (a *API) volumesOf(m *machine) []*volume {
	var own []*volume
	for _, v := range a.volumes {
		if v.owner == m.id && (v.node == nil || v.node == m.node) {
			own = append(own, v)
		}
	}
	return own
}

func (a *API) hasClones(base *volume) bool {
	return slices.ContainsFunc(a.volumes, func(v *volume) bool { return v.parent == base })
}

func (a *API) removeVolume(v *volume) {
	a.volumes = slices.DeleteFunc(a.volumes, func(other *volume) bool { return other == v })
}

// newVolume makes a volume of a machine: kind is disk, base or cloudinit; disks are numbered.
func (a *API) newVolume(s *storage, m *machine, kind string, size int64) *volume {
	v := &volume{storage: s, node: m.node, content: "images", size: size, owner: m.id, made: a.now}
	if s.shared {
		v.node = nil
	}
	v.name = a.freeName(v, kind, "")
	a.volumes = append(a.volumes, v)
	return v
}

// linkedVolume makes a disk that rests on a template's; files show that in their names.
func (a *API) linkedVolume(base *volume, m *machine) *volume {
	v := &volume{storage: base.storage, node: base.node, content: "images", size: base.size, owner: m.id, parent: base, made: a.now}
	prefix := ""
	if base.storage.onFiles() {
		prefix = base.name + "/"
	}
	v.name = a.freeName(v, "disk", prefix)
	a.volumes = append(a.volumes, v)
	return v
}

func (a *API) freeName(v *volume, kind, prefix string) string {
	for n := 0; ; n++ {
		name := fmt.Sprintf("vm-%d-%s-%d", v.owner, kind, n)
		switch kind {
		case "cloudinit":
			name = fmt.Sprintf("vm-%d-cloudinit", v.owner)
		case "base":
			name = fmt.Sprintf("base-%d-disk-%d", v.owner, n)
		}
		if v.storage.onFiles() {
			name = fmt.Sprintf("%s%d/%s.qcow2", prefix, v.owner, name)
		}
		v.name = name
		if kind == "cloudinit" || !slices.ContainsFunc(a.volumes, func(other *volume) bool {
			return other.id() == v.id() && other.node == v.node
		}) {
			return name
		}
	}
}

// toBase renames a disk to that of a template.
func (v *volume) toBase() { v.name = strings.Replace(v.name, "vm-", "base-", 1) }

// used is how much of a storage is taken on a node, in bytes.
func (a *API) used(s *storage, n *node) int64 {
	used := int64(gib)
	for _, v := range a.volumes {
		if v.storage == s && (v.node == nil || v.node == n) && v.parent == nil {
			used += v.size
		}
	}
	return min(used, s.total)
}

// mayUseStorage is what listing a storage's status or content needs (st API2/Storage/Status.pm).
func mayUseStorage(c *call) *core.Answer {
	return oneOf("/storage/{storage}", "Datastore.Audit", "Datastore.AllocateSpace")(c)
}

func (c *call) storageBody(s *storage) object {
	used := c.api.used(s, c.node)
	return object{
		"type": s.kind, "content": s.contentText(), "shared": s.sharedFlag(), "enabled": 1, "active": 1, "total": s.total,
		"used": used, "avail": s.total - used, "used_fraction": float64(used) / float64(s.total),
	}
}

// listStorages gives a node's storages that the token may use, those for one content if asked.
func listStorages(c *call) core.Answer {
	rows := []object{}
	for _, s := range c.api.storages {
		wanted := c.in.list("content")
		fits := len(wanted) == 0 || slices.ContainsFunc(wanted, s.holds)
		if fits && (!c.in.has("storage") || c.in["storage"] == s.id) && c.mayAny("/storage/"+s.id, "Datastore.Audit", "Datastore.AllocateSpace") {
			row := c.storageBody(s)
			row["storage"] = s.id
			rows = append(rows, row)
		}
	}
	return c.reply(rows)
}

func withStorage(handle func(*call, *storage) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		s := c.api.storage(c.in["storage"])
		if s == nil {
			return c.died(fmt.Sprintf("storage '%s' does not exist", c.in["storage"]))
		}
		return handle(c, s)
	}
}

func getStorageStatus(c *call, s *storage) core.Answer { return c.reply(c.storageBody(s)) }

// definition is a storage's entry in storage.cfg.
func (s *storage) definition() object {
	body := object{"storage": s.id, "type": s.kind, "content": s.contentText(), "digest": "0123456789abcdef0123456789abcdef01234567"}
	switch s.kind {
	case "lvmthin":
		body["vgname"], body["thinpool"] = "pve", "data"
	case "nfs":
		body["server"], body["export"], body["path"], body["shared"] = "10.0.0.9", "/srv/pve", "/mnt/pve/"+s.id, 1
	default:
		body["path"] = "/var/lib/vz"
	}
	return body
}

func listDefinitions(c *call) core.Answer {
	rows := []object{}
	for _, s := range c.api.storages {
		if c.mayAny("/storage/"+s.id, "Datastore.Audit", "Datastore.AllocateSpace") {
			rows = append(rows, s.definition())
		}
	}
	return c.reply(rows)
}

func getDefinition(c *call, s *storage) core.Answer { return c.reply(s.definition()) }

func vmidText(id int) string { return strconv.Itoa(id) }
