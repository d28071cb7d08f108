// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// Inventory is the truth, without lag: vendor, kind, objects in order of creation. Every served vendor and kind is
// there.
func (e *Emulator) Inventory() map[string]map[string][]Object {
	inventory := make(map[string]map[string][]Object, len(e.vendors))
	for _, v := range e.vendors {
		kinds := map[string][]Object{}
		for _, kind := range v.api.Kinds() {
			kinds[kind] = v.api.Objects(kind)
		}
		inventory[v.api.Name()] = kinds
	}
	return inventory
}

// Objects gives the objects of one kind, such as "hetzner" and "servers".
func (e *Emulator) Objects(vendor, kind string) []Object { return e.Inventory()[vendor][kind] }

// Fields are fields of an object as in the vendor's own answer.
type Fields map[string]any

// Plant makes an object. What is not given is filled in; no rule is checked and no action started.
func (e *Emulator) Plant(vendor, kind string, fields Fields) (Object, error) {
	raw, err := fields.raw()
	if err != nil {
		return Object{}, err
	}
	return e.plant(vendor, kind, raw)
}

// PlantAll makes the objects of a JSON text of the inventory's own shape, {vendor: {kind: [fields]}}, vendor by vendor and
// kind by kind in the order of Inventory.
func (e *Emulator) PlantAll(text []byte) error {
	wanted := map[string]map[string][]map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &wanted); err != nil {
		return err
	}
	for vendor, kinds := range wanted {
		for kind := range kinds {
			if _, err := e.served(vendor, kind); err != nil {
				return err
			}
		}
	}
	for _, v := range e.vendors {
		for _, kind := range v.api.Kinds() {
			for _, fields := range wanted[v.api.Name()][kind] {
				if _, err := v.api.Plant(kind, fields); err != nil {
					return fmt.Errorf("%s %s: %w", v.api.Name(), kind, err)
				}
			}
		}
	}
	return nil
}

// Patch changes an object, as others would.
func (e *Emulator) Patch(vendor, kind, id string, fields Fields) (Object, error) {
	raw, err := fields.raw()
	if err != nil {
		return Object{}, err
	}
	return e.patch(vendor, kind, id, raw)
}

// Bytes gives the content of an uploaded object, such as "proxmox", "volumes" and "local:iso/seed.iso".
func (e *Emulator) Bytes(vendor, kind, id string) ([]byte, error) {
	v, err := e.served(vendor, kind)
	if err != nil {
		return nil, err
	}
	keeper, keeps := v.api.(core.Bytes)
	if !keeps {
		return nil, fmt.Errorf("%s keeps no contents", vendor)
	}
	return keeper.Bytes(kind, id)
}

// Vanish removes an object at once.
func (e *Emulator) Vanish(vendor, kind, id string) error {
	v, err := e.served(vendor, kind)
	if err != nil {
		return err
	}
	return v.api.Vanish(kind, id)
}

func (e *Emulator) plant(vendor, kind string, fields map[string]json.RawMessage) (Object, error) {
	v, err := e.served(vendor, kind)
	if err != nil {
		return Object{}, err
	}
	return v.api.Plant(kind, fields)
}

func (e *Emulator) patch(vendor, kind, id string, fields map[string]json.RawMessage) (Object, error) {
	v, err := e.served(vendor, kind)
	if err != nil {
		return Object{}, err
	}
	return v.api.Patch(kind, id, fields)
}

func (e *Emulator) served(vendor, kind string) (*Vendor, error) {
	for _, v := range e.vendors {
		if v.api.Name() != vendor {
			continue
		}
		if !slices.Contains(v.api.Kinds(), kind) {
			return nil, fmt.Errorf("%s has no %q; known are %q", vendor, kind, v.api.Kinds())
		}
		return v, nil
	}
	return nil, fmt.Errorf("the vendor %q is not served", vendor)
}

func (f Fields) raw() (map[string]json.RawMessage, error) {
	data, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	return decodeFields(data)
}

// decodeFields reads a JSON object into its fields.
func decodeFields(data []byte) (map[string]json.RawMessage, error) {
	fields := map[string]json.RawMessage{}
	if len(bytes.TrimSpace(data)) == 0 {
		return fields, nil
	}
	return fields, json.Unmarshal(data, &fields)
}
