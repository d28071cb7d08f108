// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// Plant makes a machine or a volume. A machine's fields are the keys of its configuration and vmid, node, status
// (running or stopped), qmpstatus (paused) and pool; disks are made as they are named. A volume's are volid, node,
// content, size and data (base64).
func (a *API) Plant(kind string, fields map[string]json.RawMessage) (core.Object, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.advance(a.clock.Now())
	if kind == "volumes" {
		v := &volume{content: "iso", made: a.now}
		if err := a.patchVolume(v, fields); err != nil {
			return core.Object{}, err
		}
		if v.storage == nil {
			return core.Object{}, fmt.Errorf("volid: a volume needs one")
		}
		a.volumes = append(a.volumes, v)
		return v.object(), nil
	}
	if kind != "vms" {
		return a.plantNetwork(kind, fields)
	}
	m := newMachine(0, a.nodes[0], values{
		"cores": "1", "memory": "1024", "net0": "virtio=" + newMAC() + ",bridge=" + bridge, "smbios1": "uuid=" + newUUID(),
	})
	if err := a.patchMachine(m, fields); err != nil {
		return core.Object{}, err
	}
	if m.id == 0 {
		for m.id = lowestNextID; a.machine(m.id) != nil; m.id++ {
		}
	}
	a.machines = append(a.machines, m)
	a.plantDisks(m)
	return a.machineObject(m), nil
}

// Patch changes an object as others would: by hand on the node, where no lock and no right counts. A null takes a key
// of a configuration away.
func (a *API) Patch(kind, id string, fields map[string]json.RawMessage) (core.Object, error) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.advance(a.clock.Now())
	number, _ := strconv.Atoi(id) // what is no number is the id of nothing
	if m := a.machine(number); kind == "vms" && m != nil {
		if err := a.patchMachine(m, fields); err != nil {
			return core.Object{}, err
		}
		a.plantDisks(m)
		return a.machineObject(m), nil
	}
	if v := a.anyVolume(id); kind == "volumes" && v != nil {
		if err := a.patchVolume(v, fields); err != nil {
			return core.Object{}, err
		}
		return v.object(), nil
	}
	return a.patchNetwork(kind, id, fields)
}

// plain is a JSON value as the configuration has it: text, numbers as written, booleans as 1 and 0, null as nothing.
func plain(raw json.RawMessage) (string, error) {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", err
	}
	switch v := value.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool:
		return map[bool]string{true: "1", false: "0"}[v], nil
	case float64:
		return strings.TrimSpace(string(raw)), nil
	}
	return "", fmt.Errorf("%s is neither text, a number nor a boolean", raw)
}

func (a *API) patchMachine(m *machine, fields map[string]json.RawMessage) error {
	next, texts := *m, values{}
	next.config = cloneValues(m.config)
	for name, raw := range fields {
		value, err := plain(raw)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		texts[name] = value
	}
	for _, name := range sortedKeys(texts) {
		if err := a.patchField(&next, name, texts[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if next.id != m.id && a.machine(next.id) != nil {
		return fmt.Errorf("vmid: VM %d already exists", next.id)
	}
	for _, v := range a.volumesOf(m) {
		if v.node != nil {
			v.node = next.node // a migration takes local disks along
		}
	}
	*m = next
	if id, given := texts["pool"]; given {
		a.plantPool(m, id)
	}
	return nil
}

func (a *API) patchField(m *machine, name, value string) error {
	switch name {
	case "vmid":
		if m.id != 0 {
			return fmt.Errorf("a machine keeps its VMID")
		}
		if problem := vmidParam("vmid").problem(value); problem != "" {
			return fmt.Errorf("%s", problem)
		}
		m.id, _ = strconv.Atoi(value) // a number, by its form
	case "node":
		if a.node(value) == nil {
			return fmt.Errorf("there is no node %q", value)
		}
		m.node = a.node(value)
	case "status":
		return a.plantStatus(m, value)
	case "qmpstatus":
		m.paused = value == "paused"
		m.running = m.running || m.paused
	case "pool":
		if value != "" && a.pool(value) == nil {
			return fmt.Errorf("there is no pool %q", value)
		}
	default:
		return plantKey(m, name, value)
	}
	return nil
}

func (a *API) plantStatus(m *machine, status string) error {
	switch {
	case status == "running" && !m.running:
		m.addresses = map[string]string{}
		a.powerOn(m, a.now)
	case status == "stopped":
		powerOff(m)
	case status != "running":
		return fmt.Errorf("%q is neither running nor stopped", status)
	}
	return nil
}

func plantKey(m *machine, key, value string) error {
	switch {
	case configParam(key).kind == "":
		return fmt.Errorf("a configuration has no such key")
	case value == "":
		delete(m.config, key)
	case key == "tags":
		m.config[key] = uniqueTags(value)
	default:
		m.config[key] = value
	}
	return nil
}

func (a *API) plantPool(m *machine, id string) {
	for _, p := range a.pools {
		p.remove(m.id)
	}
	if p := a.pool(id); p != nil {
		p.add(m.id)
	}
}

// plantDisks makes the volumes that the drives name and that are not there.
func (a *API) plantDisks(m *machine) {
	for _, key := range sortedKeys(m.config) {
		parts := properties(m.config[key])
		name, rest, found := strings.Cut(parts[""]+parts["file"], ":")
		s := a.storage(name)
		if !isDrive(key) || !found || s == nil || a.volume(m.node, name+":"+rest) != nil || strings.Contains(rest, "iso/") {
			continue
		}
		v := &volume{storage: s, node: m.node, name: rest, content: "images", size: max(sizeOf(parts["size"]), 4*mib), owner: m.id, made: a.now}
		if s.shared {
			v.node = nil
		}
		a.volumes = append(a.volumes, v)
	}
}

func (a *API) patchVolume(v *volume, fields map[string]json.RawMessage) error {
	next := *v
	for name, raw := range fields {
		var err error
		switch name {
		case "content":
			err = json.Unmarshal(raw, &next.content)
		case "size":
			err = json.Unmarshal(raw, &next.size)
		case "data":
			err = json.Unmarshal(raw, &next.data)
		case "node", "volid":
			err = a.placeVolume(&next, name, raw)
		default:
			err = fmt.Errorf("there is no such field")
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if next.storage != nil && next.storage.shared {
		next.node = nil
	} else if next.node == nil {
		next.node = a.nodes[0]
	}
	next.size = max(next.size, int64(len(next.data)))
	*v = next
	return nil
}

func (a *API) placeVolume(v *volume, name string, raw json.RawMessage) error {
	value, err := plain(raw)
	if err != nil {
		return err
	}
	if name == "node" {
		if v.node = a.node(value); v.node == nil {
			return fmt.Errorf("there is no node %q", value)
		}
		return nil
	}
	id, rest, _ := strings.Cut(value, ":")
	if v.storage = a.storage(id); v.storage == nil {
		return fmt.Errorf("there is no storage %q", id)
	}
	v.name = rest
	return nil
}
