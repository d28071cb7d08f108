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
	volumes map[string]*volume // of the disks
	full    bool
	storage *storage // nil: that of each disk
	node    *node    // where it will be
	pool    *pool
}

func cloneMachine(c *call, source *machine) core.Answer {
	o := order{source: source, newid: c.in.number("newid", 0), node: c.node, pool: c.api.pool(c.in["pool"])}
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
		if o.node = c.api.node(name); o.node == nil {
			return new(c.died(fmt.Sprintf("no such cluster node '%s'", name)))
		}
	}
	if name := c.in["storage"]; name != "" {
		if o.storage = c.api.storage(name); o.storage == nil {
			return new(c.died(fmt.Sprintf("storage '%s' does not exist", name)))
		}
	}
	if o.node != c.node && o.storage != nil && !o.storage.shared {
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
	o.volumes = map[string]*volume{}
	for _, key := range o.disks {
		v := c.api.volumeOf(c.node, o.source.config[key])
		o.volumes[key] = v
		if o.node != c.node && !v.storage.shared {
			return new(c.died(fmt.Sprintf("can't clone VM to node '%s' (VM uses local storage)", o.node.name)))
		}
		if !o.full && !o.source.isTemplate() && !v.isCloudInit() {
			return new(c.died(fmt.Sprintf("Linked clone feature is not supported for '%s' (%s)", v.id(), key)))
		}
		if where := "/storage/" + o.target(v).id; !c.may(where, "Datastore.AllocateSpace") {
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
