// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// Kinds of objects in the inventory: machines with the templates, volumes, and what machines are connected to and
// guarded by.
func (a *API) Kinds() []string {
	return []string{"vms", "volumes", "bridges", "zones", "vnets", "security_groups"}
}

// Objects gives the objects of a kind in order of creation.
func (a *API) Objects(kind string) []core.Object {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.advance(a.clock.Now())
	objects := []core.Object{}
	if kind == "vms" {
		for _, m := range a.machines {
			objects = append(objects, a.machineObject(m))
		}
		return objects
	}
	if kind != "volumes" {
		return append(objects, a.networkObjects(kind)...)
	}
	for _, v := range a.volumes {
		objects = append(objects, v.object())
	}
	return objects
}

// machineObject: busy is the lock of the configuration, else the kind of the task that holds the lock file.
func (a *API) machineObject(m *machine) core.Object {
	o := core.Object{
		ID: strconv.Itoa(m.id), Name: m.config["name"], State: m.state(), Tags: m.config.list("tags"),
		Description: m.config["description"], Node: m.node.name, Template: m.isTemplate(),
	}
	if m.config.has("lock") {
		o.Busy = new(m.config["lock"])
	} else if l := a.locks[m.id]; l != nil && l.holder != nil {
		o.Busy = new(l.holder.kind)
	}
	return o
}

// object: a volume's holder is the machine that it belongs to.
func (v *volume) object() core.Object {
	o := core.Object{ID: v.id(), Name: v.name, State: v.content}
	if v.node != nil {
		o.Node = v.node.name
	}
	if v.owner != 0 {
		o.Holder = new(strconv.Itoa(v.owner))
	}
	return o
}

// Bytes gives the content of an uploaded volume.
func (a *API) Bytes(kind, id string) ([]byte, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.advance(a.clock.Now())
	if v := a.anyVolume(id); kind == "volumes" && v != nil {
		return v.data, nil
	}
	return nil, fmt.Errorf("there is no %s %s", kind, id)
}

// anyVolume finds a volume by its id on whichever node.
func (a *API) anyVolume(id string) *volume {
	for _, v := range a.volumes {
		if v.id() == id {
			return v
		}
	}
	return nil
}

// Vanish removes an object at once, a machine with its volumes.
func (a *API) Vanish(kind, id string) error {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.advance(a.clock.Now())
	number, _ := strconv.Atoi(id) // what is no number is the id of nothing
	if m := a.machine(number); kind == "vms" && m != nil {
		a.remove(m, true)
		return nil
	}
	if v := a.anyVolume(id); kind == "volumes" && v != nil {
		a.removeVolume(v)
		return nil
	}
	if a.dropNetwork(kind, id) {
		return nil
	}
	return fmt.Errorf("there is no %s %s", kind, id)
}
