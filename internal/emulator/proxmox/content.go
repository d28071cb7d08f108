// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// listContent lists the volumes of a storage as a node sees them. Snippets and the like need Datastore.Audit or
// AllocateSpace, which the route asks for (st API2/Storage/Content.pm, index).
func listContent(c *call, s *storage) core.Answer {
	rows := []object{}
	for _, v := range c.api.volumes {
		seen := v.storage == s && (v.node == nil || v.node == c.node)
		if seen && (!c.in.has("content") || c.in["content"] == v.content) && (!c.in.has("vmid") || c.in["vmid"] == vmidText(v.owner)) {
			rows = append(rows, v.body())
		}
	}
	return c.reply(rows)
}

func (v *volume) body() object {
	body := object{"volid": v.id(), "content": v.content, "format": v.format(), "size": v.size, "ctime": v.made.Unix()}
	if v.owner != 0 {
		body["vmid"] = v.owner
	}
	if v.parent != nil {
		body["parent"] = v.parent.name
	}
	return body
}

// volid completes the volume of the path, which may leave its storage out.
func (c *call) volid(s *storage) string {
	if strings.HasPrefix(c.in["volume"], s.id+":") {
		return c.in["volume"]
	}
	return s.id + ":" + c.in["volume"]
}

func getVolume(c *call, s *storage) core.Answer {
	v := c.api.volume(c.node, c.volid(s))
	if v == nil {
		return c.died(fmt.Sprintf("volume_size_info on '%s' failed - no such volume", c.volid(s)))
	}
	return c.reply(object{"path": "/var/lib/vz/" + v.name, "size": v.size, "used": v.size, "format": v.format()})
}

// deleteVolume needs Datastore.Allocate for files, AllocateSpace and the machine's rights for disks; it answers a task
// (Content.pm, delete). A volume that is not there fails in the task.
func deleteVolume(c *call, s *storage) core.Answer {
	volid := c.volid(s)
	v := c.api.volume(c.node, volid)
	if v != nil && v.owner != 0 && c.api.machine(v.owner) != nil && c.api.uses(v) {
		return c.died(fmt.Sprintf("cannot remove volume '%s', it is in use by VM %d", volid, v.owner))
	}
	answer := c.fork("imgdel", s.id+"@"+c.node.name, func(w *worker) {
		w.finish(w.during(), func() {
			if c.api.volume(c.node, volid) != v || v == nil {
				w.end(fmt.Sprintf("unable to remove '%s': no such volume", volid))
				return
			}
			c.api.removeVolume(v)
			w.log("Removed volume '%s'", volid)
		}, nothing)
	})
	answer.Object = volid
	return answer
}

// uses says whether the machine that owns a volume has it in its configuration.
func (a *API) uses(v *volume) bool {
	m := a.machine(v.owner)
	for key, value := range m.config {
		if isDrive(key) && a.volumeOf(m.node, value) == v {
			return true
		}
	}
	return false
}

func uploadParams() []param {
	return []param{
		must(choice("content", "iso", "vztmpl", "import")), must(text("filename")), text("checksum"), text("tmpfilename"),
		choice("checksum-algorithm", "md5", "sha1", "sha224", "sha256", "sha384", "sha512"),
	}
}

// unsafeName are the characters that the vendor replaces in an uploaded file's name (st API2/Storage/Status.pm, upload).
var unsafeName = regexp.MustCompile(`[^-a-zA-Z0-9_.]`)

// endings are what an uploaded file's name must end in, by content.
var endings = map[string]*regexp.Regexp{
	"iso": regexp.MustCompile(`(?i)\.(iso|img)$`), "vztmpl": regexp.MustCompile(`\.tar\.(gz|xz|zst)$`),
	"import": regexp.MustCompile(`\.(ova|qcow2|raw|vmdk)$`),
}

// upload stores a file; one of the same name is overwritten. It answers a task.
func upload(c *call, s *storage) core.Answer {
	content := c.in["content"]
	if !s.holds(content) {
		return c.died(fmt.Sprintf("storage '%s' does not support '%s' content", s.id, content))
	}
	sent, given := c.files["filename"]
	if !given {
		return c.invalid(map[string]string{"filename": "property is missing and it is not optional"})
	}
	name := unsafeName.ReplaceAllString(path.Base(sent.name), "_")
	if !endings[content].MatchString(name) {
		return c.invalid(map[string]string{"filename": "wrong file extension"})
	}
	v := &volume{storage: s, node: c.node, name: content + "/" + name, content: content, size: int64(len(sent.data)), data: sent.data, made: c.now}
	if s.shared {
		v.node = nil
	}
	answer := c.fork("imgcopy", "", func(w *worker) {
		w.finish(w.during(), func() {
			if old := c.api.volume(c.node, v.id()); old != nil {
				c.api.removeVolume(old)
			}
			c.api.volumes = append(c.api.volumes, v)
			w.log("finished file import successfully")
		}, nothing)
	})
	answer.Object = v.id()
	return answer
}

// allocate makes a disk for a machine.
func allocate(c *call, s *storage) core.Answer {
	id := c.in.number("vmid", 0)
	if !s.holds("images") {
		return c.died(fmt.Sprintf("storage '%s' does not support content-type 'images'", s.id))
	}
	v := &volume{storage: s, node: c.node, name: c.in["filename"], content: "images", owner: id, size: sizeOf(c.in["size"]), made: c.now}
	if s.shared {
		v.node = nil
	}
	if c.api.volume(c.node, v.id()) != nil {
		return c.died(fmt.Sprintf("unable to create image: volume '%s' already exists", v.id()))
	}
	c.api.volumes = append(c.api.volumes, v)
	return c.reply(v.id())
}
