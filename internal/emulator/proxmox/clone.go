// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// temporary is what stands in a clone's configuration while its first disk is copied: the comment line of the file
// "# qmclone temporary file", read as a description with its blank (qs API2/Qemu.pm, clone_vm).
const temporary = " qmclone temporary file"

func cloneParams() []param {
	return []param{
		must(vmidParam("newid")), formatted("name", dnsName), text("description"), formatted("pool", poolName), text("snapname"),
		text("storage"), choice("format", "raw", "qcow2", "vmdk"), flag("full"), text("target"), number("bwlimit", 0, 1<<40),
	}
}

// mayClone: VM.Clone on the source, and VM.Allocate on the new VMID or in the pool (clone_vm, permissions).
func mayClone(c *call) *core.Answer {
	if answer := every("/vms/{vmid}", "VM.Clone")(c); answer != nil {
		return answer
	}
	pool := c.in["pool"]
	if !c.may("/vms/"+c.in["newid"], "VM.Allocate") && (pool == "" || !c.may("/pool/"+pool, "VM.Allocate")) {
		return c.forbidden("")
	}
	return c.poolExists()
}

// order is one clone.
type order struct {
	source  *machine
	newid   int
	config  values // what the clone will have
	disks   []string
	full    bool
	storage *storage // nil: that of each disk
	target  *node
	pool    *pool
}

func cloneMachine(c *call, source *machine) core.Answer {
	o := order{source: source, newid: c.in.number("newid", 0), target: c.node, pool: c.api.pool(c.in["pool"])}
	o.full = c.in["full"] == "1" || c.in["full"] == "" && !source.isTemplate()
	if answer := c.checkClone(&o); answer != nil {
		return *answer
	}
	answer := c.fork("qmclone", c.in["vmid"], func(w *worker) { w.clone(o) })
	answer.Object = c.in["newid"]
	return answer
}

// checkClone is what the vendor looks at before it starts the task.
func (c *call) checkClone(o *order) *core.Answer {
	if name := c.in["target"]; name != "" {
		if o.target = c.api.node(name); o.target == nil {
			return new(c.died(fmt.Sprintf("no such cluster node '%s'", name)))
		}
	}
	if name := c.in["storage"]; name != "" {
		if o.storage = c.api.storage(name); o.storage == nil {
			return new(c.died(fmt.Sprintf("storage '%s' does not exist", name)))
		}
	}
	if o.target != c.node && o.storage != nil && !o.storage.shared {
		return new(c.died(fmt.Sprintf("can't clone to non-shared storage '%s'", o.storage.id)))
	}
	if c.in.has("snapname") {
		return new(c.died(fmt.Sprintf("snapshot '%s' does not exist", c.in["snapname"])))
	}
	if lock := o.source.config["lock"]; lock != "" {
		return new(c.died("VM is locked (" + lock + ")"))
	}
	if c.api.onNode(c.node, o.newid) != nil {
		return new(c.died(collision(o.newid)))
	}
	return c.checkDisks(o)
}

func collision(id int) string {
	return fmt.Sprintf("unable to create VM %d: config file already exists", id)
}

func (c *call) checkDisks(o *order) *core.Answer {
	o.disks = slices.DeleteFunc(c.api.disks(o.source), func(key string) bool { return family(key) == "unused" })
	for _, key := range o.disks {
		v := c.api.volumeOf(c.node, o.source.config[key])
		if o.target != c.node && !v.storage.shared {
			return new(c.died(fmt.Sprintf("can't clone VM to node '%s' (VM uses local storage)", o.target.name)))
		}
		if !o.full && !o.source.isTemplate() && !v.isCloudInit() {
			return new(c.died(fmt.Sprintf("Linked clone feature is not supported for '%s' (%s)", v.id(), key)))
		}
		to := v.storage
		if o.storage != nil {
			to = o.storage
		}
		if where := "/storage/" + to.id; !c.may(where, "Datastore.AllocateSpace") {
			return c.forbidden(where + ", Datastore.AllocateSpace")
		}
	}
	if !o.full && (o.storage != nil || c.in.has("format")) {
		name := "storage"
		if o.storage == nil {
			name = "format"
		}
		return new(c.died(fmt.Sprintf("parameter '%s' not allowed for linked clones", name)))
	}
	if o.storage != nil && !o.storage.holds("images") {
		return new(c.died(fmt.Sprintf("storage '%s' does not support content-type 'images'", o.storage.id)))
	}
	o.config = c.cloneConfig(o.source)
	return c.checkBridges(o.config)
}

func (c *call) checkBridges(config values) *core.Answer {
	for _, key := range sortedKeys(config) {
		if answer := c.checkBridge(key, config[key]); answer != nil {
			return answer
		}
	}
	return nil
}

// cloneConfig is everything that the source has, tags and description too, with new addresses and identities. An empty
// description counts as none.
func (c *call) cloneConfig(source *machine) values {
	config := cloneValues(source.config)
	for _, key := range []string{"template", "lock", "parent", "snaptime"} {
		delete(config, key)
	}
	for key, value := range config {
		switch {
		case family(key) == "unused":
			delete(config, key)
		case family(key) == "net":
			model, rest, _ := strings.Cut(value, ",")
			model, _, _ = strings.Cut(model, "=")
			config[key] = withAddress(model + "," + rest)
		}
	}
	config["smbios1"] = "uuid=" + newUUID()
	if config.has("vmgenid") {
		config["vmgenid"] = newUUID()
	}
	config["name"] = c.in["name"]
	if config["name"] == "" {
		config["name"] = "Copy-of-VM-" + source.copyName()
	}
	if description := strings.TrimRight(c.in["description"], " \t\r\n"); description != "" {
		config["description"] = description
	}
	return config
}

func (m *machine) copyName() string {
	if m.config.has("name") {
		return m.config["name"]
	}
	return strconv.Itoa(m.id)
}

// clone is the task. The new machine is there from the moment that its lock file is had: first with a temporary
// configuration, after the first disk with its own and still locked, unlocked in the end, and only then on its target
// node and in its pool.
func (w *worker) clone(o order) {
	if w.api.isLocked(o.source.id) {
		w.after(cloneWait, func() { w.end(lockTimeout(o.source.id)) })
		return
	}
	w.lock(o.newid, cloneWait, func() {
		if problem := w.taken(o); problem != "" {
			w.end(problem)
			return
		}
		m := &machine{id: o.newid, node: w.node, pending: values{}, dropped: values{}, addresses: map[string]string{}}
		m.config = values{"description": temporary, "lock": "clone"}
		w.api.machines = append(w.api.machines, m)
		w.log("create %s clone of drive", map[bool]string{true: "full", false: "linked"}[o.full])
		w.copyDisks(o, m)
	})
}

// taken says why the VMID cannot be had any more: a file on the same node is found, one on another node is refused by
// the cluster file system (pve-cluster memdb.c, EEXIST).
func (w *worker) taken(o order) string {
	other := w.api.machine(o.newid)
	switch {
	case w.api.machine(o.source.id) != o.source:
		return "clone failed: " + notOnNode(w.node, strconv.Itoa(o.source.id))
	case other == nil:
		return ""
	case other.node == w.node:
		return collision(o.newid)
	}
	return fmt.Sprintf("close (rename) atomic file '/etc/pve/nodes/%s/qemu-server/%d.conf' failed: File exists", w.node.name, o.newid)
}

// copyDisks takes half of the task's time for the first disk and half for the rest.
func (w *worker) copyDisks(o order, m *machine) {
	undo := func() { w.api.remove(m) }
	if !w.api.settings.Get().HasRoom("", w.node.name, true) {
		w.after(w.during()/2, func() {
			undo()
			w.end("clone failed: " + o.noRoom(w.api))
		})
		return
	}
	copied := func() {
		m.config = o.config
		m.config["lock"] = "clone"
		for _, key := range o.disks {
			m.config[key] = w.api.cloneVolume(o, m, key)
		}
	}
	if w.result.Status != "" && strings.Contains(w.result.Code, temporaryCode) {
		copied = nothing
	}
	w.after(w.during()/2, func() {
		copied()
		w.finish(w.during()-w.during()/2, func() {
			copied = nothing
			delete(m.config, "lock")
			m.node = o.target
			if o.pool != nil {
				o.pool.add(m.id)
			}
		}, undo)
	})
}

// temporaryCode in the code of an action_results entry lets the task end before the first disk is copied.
const temporaryCode = "temporary"

// noRoom is what storages say when they are full.
func (o order) noRoom(a *API) string {
	for _, key := range o.disks {
		v := a.volumeOf(o.source.node, o.source.config[key])
		if o.storage == nil && v.storage.kind == "lvmthin" || o.storage != nil && o.storage.kind == "lvmthin" {
			return fmt.Sprintf("lvcreate 'pve/vm-%d-disk-0' error:   Cannot create new thin volume, free space in thin pool pve/data reached threshold.", o.newid)
		}
	}
	return "unable to create image: No space left on device"
}

// cloneVolume copies one drive and gives its new value. A cloud-init drive is always made anew.
func (a *API) cloneVolume(o order, m *machine, key string) string {
	drive := o.source.config[key]
	old := a.volumeOf(o.source.node, drive)
	to := old.storage
	if o.storage != nil {
		to = o.storage
	}
	_, options, _ := strings.Cut(drive, ",")
	if old.isCloudInit() {
		return a.newVolume(to, m, "cloudinit", old.size).id() + "," + options
	}
	if o.full {
		return a.newVolume(to, m, "disk", old.size).id() + "," + options
	}
	return a.linkedVolume(old, m).id() + "," + options
}

// convertToTemplate renames the disks and marks the machine (qs API2/Qemu.pm, template).
func convertToTemplate(c *call, m *machine) core.Answer {
	switch {
	case m.isTemplate():
		return c.died("you can't convert a template to a template")
	case m.running:
		return c.died("you can't convert a VM to template if VM is running")
	}
	return c.fork("qmtemplate", c.in["vmid"], func(w *worker) {
		w.lock(m.id, lockWait, func() {
			w.finish(w.during(), func() {
				for _, key := range c.api.disks(m) {
					if v := c.api.volumeOf(m.node, m.config[key]); !v.isCloudInit() {
						_, options, _ := strings.Cut(m.config[key], ",")
						v.toBase()
						m.config[key] = v.id() + "," + options
					}
				}
				m.config["template"] = "1"
			}, nothing)
		})
	})
}
