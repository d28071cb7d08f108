// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// startZone is the DNS zone that every project has from the start.
const startZone = "example.com"

// zone is a DNS zone of a project. The emulator has no record sets.
type zone struct {
	id      int64
	name    string
	created time.Time
}

func (z *zone) body() object {
	servers := []string{"hydrogen.ns.hetzner.com.", "oxygen.ns.hetzner.com.", "helium.ns.hetzner.de."}
	return object{
		"id": z.id, "name": z.name, "created": timestamp(z.created), "ttl": 3600, "mode": "primary", "primary_nameservers": []object{},
		"protection": object{"delete": false}, "labels": object{}, "registrar": "hetzner", "status": "ok", "record_count": 2,
		"authoritative_nameservers": object{
			"assigned": servers, "delegated": servers, "delegation_last_check": timestamp(z.created), "delegation_status": "valid",
		},
	}
}

func (z *zone) object(owner *project) core.Object {
	return core.Object{ID: z.name, Name: z.name, State: "ok", Project: owner.name}
}

func (p *project) zoneNames() []string {
	var names []string
	for _, z := range p.zones {
		names = append(names, z.name)
	}
	return names
}

// zoneNamed finds a zone by id or name (Hetzner API document, GET /zones/{id_or_name}).
func (p *project) zoneNamed(wanted string) *zone {
	for _, z := range p.zones {
		if z.name == wanted || text(z.id) == wanted {
			return z
		}
	}
	return nil
}

func listZones(c *call) core.Answer {
	var rows []row
	for _, z := range c.project.zones {
		if c.wanted("name", z.name) {
			rows = append(rows, row{body: z.body(), keys: map[string]sortKey{"id": number(z.id), "name": word(z.name)}})
		}
	}
	return c.replyList("zones", rows, "id", "name", "created")
}

func getZone(c *call) core.Answer {
	found := c.project.zoneNamed(c.Params["id"])
	if found == nil {
		return notFound("zone")
	}
	return reply(http.StatusOK, object{"zone": found.body()}, found.id)
}

// plantZone makes a zone of a name.
func (a *API) plantZone(owner *project, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	made := &zone{created: now}
	if err := (core.Setters{"name": core.Into(&made.name)}).Apply(fields); err != nil {
		return core.Object{}, err
	}
	if made.name == "" || owner.zoneNamed(made.name) != nil {
		return core.Object{}, fmt.Errorf("name: %q is empty or taken", made.name)
	}
	made.id = take(&a.ids.zone)
	owner.zones = append(owner.zones, made)
	return made.object(owner), nil
}

func (p *project) dropZone(gone *zone) {
	p.zones = slices.DeleteFunc(p.zones, func(other *zone) bool { return other == gone })
}
