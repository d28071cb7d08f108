// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"regexp"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// vpcName and longestDescription: DigitalOcean API document, model vpc.
var vpcName = regexp.MustCompile(`^[a-zA-Z0-9\-.]+$`)

const longestDescription = 255

// createVPC: without ip_range the VPC gets a /20 that is free. The first one of a region is its default.
func createVPC(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	made := &vpc{region: in.text("region"), created: c.now}
	c.readVPC(in, made)
	if _, known := regionNamed(made.region); !known {
		in.refuse(unprocessable("region is not valid"))
	}
	c.readBlock(in, made)
	if in.problem != nil {
		return *in.problem
	}
	made.id, made.isDefault = newUUID(), c.team.defaultVPC(made.region) == nil
	c.team.vpcs = append(c.team.vpcs, made)
	return reply(http.StatusCreated, object{"vpc": made.body()}, made.id)
}

func (c *call) readBlock(in *fields, v *vpc) {
	wanted := in.text("ip_range")
	if wanted == "" {
		v.block = c.team.freeBlock()
		return
	}
	block, err := netip.ParsePrefix(wanted)
	if err != nil {
		in.refuse(unprocessable("ip_range is not a valid CIDR"))
		return
	}
	if problem := c.team.blockProblem(block); problem != "" {
		in.refuse(unprocessable("%s", problem))
	}
	v.block = block
}

// readVPC reads what can be changed later too: name, description.
func (c *call) readVPC(in *fields, v *vpc) {
	if in.has("name") || v.name == "" {
		v.name = in.text("name")
	}
	if in.has("description") {
		v.description = in.text("description")
	}
	if !vpcName.MatchString(v.name) {
		in.refuse(unprocessable("name is invalid: only alphanumeric characters, dashes, and periods are allowed"))
	}
	if len(v.description) > longestDescription {
		in.refuse(unprocessable("description is too long (maximum is %d characters)", longestDescription))
	}
	if c.team.nameTaken(v.name, c.team.vpcWithID(v.id)) {
		in.refuse(unprocessable("name is already in use"))
	}
}

// updateVPC serves PUT, which wants the name, and PATCH. A region's default passes to the VPC that asks for it and is
// never merely taken away (DigitalOcean API document, model vpc_default).
func updateVPC(c *call, v *vpc) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return about(*wrong, v.id)
	}
	next := *v
	if c.Method == http.MethodPut && !in.has("name") {
		in.refuse(unprocessable("name can't be blank"))
	}
	c.readVPC(in, &next)
	if wanted := in.flag("default", v.isDefault); v.isDefault && !wanted {
		in.refuse(unprocessable("default cannot be unset"))
	} else if wanted && !v.isDefault {
		next.isDefault = true
	}
	if in.problem != nil {
		return about(*in.problem, v.id)
	}
	if before := c.team.defaultVPC(v.region); next.isDefault && before != nil {
		before.isDefault = false
	}
	*v = next
	return reply(http.StatusOK, object{"vpc": v.body()}, v.id)
}

// object: a region's own default VPC is the vendor's doing and not listed in the inventory.
func (v *vpc) object(owner *team) core.Object {
	return core.Object{ID: v.id, Name: v.name, State: "active", Project: owner.name}
}

func (t *team) vpcObjects() []core.Object {
	var objects []core.Object
	for _, v := range t.vpcs {
		if v.id != t.vpc(v.region) {
			objects = append(objects, v.object(t))
		}
	}
	return objects
}

func plantVPC(owner *team, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	v := &vpc{id: newUUID(), region: "nyc3", block: owner.freeBlock(), created: now}
	if raw, given := fields["id"]; given {
		if err := json.Unmarshal(raw, &v.id); err != nil {
			return core.Object{}, fmt.Errorf("id: %w", err)
		}
		if owner.vpcWithID(v.id) != nil {
			return core.Object{}, fmt.Errorf("id: there is a VPC %s already", v.id)
		}
		fields = maps.Clone(fields)
		delete(fields, "id")
	}
	v.name = "vpc-" + v.id
	if err := v.patch(fields, owner); err != nil {
		return core.Object{}, err
	}
	owner.vpcs = append(owner.vpcs, v)
	return v.object(owner), nil
}

// patch changes a VPC as others would.
func (v *vpc) patch(fields map[string]json.RawMessage, owner *team) error {
	next, block := *v, v.block.String()
	err := core.Setters{
		"name": core.Into(&next.name), "description": core.Into(&next.description), "region": core.Into(&next.region),
		"ip_range": core.Into(&block), "default": core.Into(&next.isDefault), "created_at": core.Into(&next.created),
	}.Apply(fields)
	if err != nil {
		return err
	}
	if next.block, err = netip.ParsePrefix(block); err != nil {
		return fmt.Errorf("ip_range: %w", err)
	}
	if _, known := regionNamed(next.region); !known {
		return fmt.Errorf("region: there is no region %s", next.region)
	}
	if before := owner.defaultVPC(next.region); next.isDefault && before != nil {
		before.isDefault = false
	}
	*v = next
	return nil
}
