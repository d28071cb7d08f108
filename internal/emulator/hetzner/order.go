// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"slices"
)

// maxUserData is 32 KiB (Hetzner API document, POST /servers).
const maxUserData = 32 << 10

// order is a POST /servers whose fields hold.
type order struct {
	name       string
	offer      serverType
	image      image
	where      location
	labels     map[string]string
	userData   string
	withKeys   bool
	start      bool
	ipv4, ipv6 addressOrder
	networks   []*network
	firewalls  []*firewall
	group      *placementGroup
}

func (c *call) readOrder(in *fields) order {
	o := order{start: in.flag("start_after_create", true)}
	name, found := in.text("name")
	if !found && len(in.errors) == 0 {
		in.fail("name", "is required")
	} else if found {
		in.hostName("name", name)
	}
	o.name = name
	o.offer = c.orderedType(in)
	o.image = c.orderedImage(in, o.offer)
	o.where = c.orderedLocation(in, o.offer)
	o.labels, _ = in.labels()
	o.userData, _ = in.text("user_data")
	if len(o.userData) > maxUserData {
		in.fail("user_data", "is too long")
	}
	o.withKeys = c.orderedKeys(in)
	c.orderedAddresses(in, &o)
	c.orderedOptions(in, &o)
	return o
}

func (c *call) orderedType(in *fields) serverType {
	wanted := in.reference("server_type")
	if wanted == "" {
		if !in.has("server_type") {
			in.fail("server_type", "is required")
		}
		return serverType{}
	}
	found, ok := c.typeNamed(wanted)
	if !ok {
		in.refuse("server_type", "server type '"+wanted+"' not found")
	}
	return found
}

func (c *call) typeNamed(wanted string) (serverType, bool) {
	for _, t := range c.types() {
		if t.name == wanted || text(t.id) == wanted {
			return t, true
		}
	}
	return serverType{}, false
}

// orderedImage finds the image by id, or by name and the architecture of the type.
func (c *call) orderedImage(in *fields, offer serverType) image {
	wanted := in.reference("image")
	if wanted == "" {
		if !in.has("image") {
			in.fail("image", "is required")
		}
		return image{}
	}
	found, problem := c.imageNamed(wanted, offer.architecture)
	if problem != "" && offer.id != 0 {
		in.refuse("image", problem)
	}
	return found
}

// imageNamed says what is wrong: no such image, or one of another architecture only.
func (c *call) imageNamed(wanted, architecture string) (image, string) {
	problem := "image '" + wanted + "' not found"
	for _, i := range c.images() {
		if text(i.id) != wanted && i.name != wanted {
			continue
		}
		if i.architecture == architecture {
			return i, ""
		}
		problem = "image architecture '" + i.architecture + "' is incompatible with server type architecture '" + architecture + "'"
	}
	return image{}, problem
}

// orderedLocation: a name or an id; without one the first where the type is on stock.
func (c *call) orderedLocation(in *fields, offer serverType) location {
	wanted := in.reference("location")
	if wanted == "" {
		return c.anyLocation(offer)
	}
	for _, l := range locations {
		if l.name != wanted && text(l.id) != wanted {
			continue
		}
		if offer.id != 0 && !slices.Contains(offer.sold, l.name) {
			in.refuse("location", "unsupported location for server type")
		}
		return l
	}
	in.refuse("location", "location '"+wanted+"' not found")
	return location{}
}

func (c *call) anyLocation(offer serverType) location {
	settings := c.api.settings.Get()
	for _, l := range locations {
		if slices.Contains(offer.sold, l.name) && offer.availableIn(settings, l.name, c.now) {
			return l
		}
	}
	return locations[0]
}

// orderedKeys resolves ssh_keys: ids or names of keys in the project.
func (c *call) orderedKeys(in *fields) bool {
	var wanted []json.RawMessage
	in.read("ssh_keys", &wanted, "a list")
	for _, raw := range wanted {
		var value any
		if json.Unmarshal(raw, &value) != nil || c.project.keyNamed(referenceText(raw, value)) == nil {
			in.refuse("ssh_keys", "SSH key "+string(raw)+" not found")
		}
	}
	return len(wanted) > 0
}

// refuseUnknown: a project of the emulator has no volumes, so naming one names none that exists. "datacenter" was removed
// on 1 July 2026.
func refuseUnknown(in *fields) {
	var volumes []json.RawMessage
	if in.read("volumes", &volumes, "a list") && len(volumes) > 0 {
		in.fail("volumes", "not found")
	}
	if in.has("datacenter") {
		in.fail("datacenter", "is not supported")
	}
}
