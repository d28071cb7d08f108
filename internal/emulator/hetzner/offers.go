// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// deprecation is announced and, some time later, in force. The zero value is none.
type deprecation struct {
	announced, unavailableAfter time.Time
}

func (d deprecation) body() any {
	if d.announced.IsZero() {
		return nil
	}
	return object{"announced": timestamp(d.announced), "unavailable_after": timestamp(d.unavailableAfter)}
}

// over says whether it is in force.
func (d deprecation) over(now time.Time) bool {
	return !d.announced.IsZero() && now.After(d.unavailableAfter)
}

// retirement finds what the settings say about a part of the catalogue.
func retirement(settings core.Settings, kind, name string, id int64) (deprecation, bool) {
	for _, r := range settings.Retired {
		if r.Kind != kind || (r.ID != name && r.ID != text(id)) {
			continue
		}
		if r.Announced.IsZero() {
			return deprecation{}, r.Gone
		}
		after := r.UnavailableAfter
		if after.IsZero() {
			after = r.Announced.AddDate(0, 3, 0) // the vendor gives about three months
		}
		return deprecation{r.Announced, after}, r.Gone
	}
	return deprecation{}, false
}

// types are the server types that are listed.
func (c *call) types() []serverType {
	settings := c.api.settings.Get()
	return slices.DeleteFunc(slices.Clone(serverTypes), func(t serverType) bool {
		_, gone := retirement(settings, "server_types", t.name, t.id)
		return gone
	})
}

// deprecationIn is a type's deprecation in one location.
func (t serverType) deprecationIn(settings core.Settings, where string) deprecation {
	if d, _ := retirement(settings, "server_types", t.name, t.id); !d.announced.IsZero() {
		return d
	}
	if slices.Contains(t.retired, where) {
		return deprecation{typesAnnounced, typesGone}
	}
	return deprecation{}
}

// availableIn is the catalogue's word on the stock in a location.
func (t serverType) availableIn(settings core.Settings, where string, now time.Time) bool {
	own := !slices.Contains(t.retired, where) && !t.deprecationIn(settings, where).over(now)
	return settings.InCatalogue(t.name, where, own)
}

func (t serverType) body(settings core.Settings, now time.Time) object {
	where := make([]object, 0, len(t.sold))
	for _, l := range locations {
		if !slices.Contains(t.sold, l.name) {
			continue
		}
		available := t.availableIn(settings, l.name, now)
		where = append(where, object{
			"id": l.id, "name": l.name, "available": available, "recommended": available && t.category == regular,
			"deprecation": t.deprecationIn(settings, l.name).body(),
		})
	}
	whole := t.deprecation(settings)
	return object{
		"id": t.id, "name": t.name, "description": descriptionOf(t.name), "category": t.category, "cores": t.cores,
		"memory": float64(t.memory), "disk": t.disk, "storage_type": "local", "cpu_type": t.cpu,
		"architecture": t.architecture, "prices": t.prices(), "locations": where,
		"deprecated": !whole.announced.IsZero(), "deprecation": whole.body(),
	}
}

// deprecation of the type as a whole is what all its locations agree on.
func (t serverType) deprecation(settings core.Settings) deprecation {
	whole := t.deprecationIn(settings, t.sold[0])
	for _, where := range t.sold {
		if t.deprecationIn(settings, where) != whole {
			return deprecation{}
		}
	}
	return whole
}

func descriptionOf(name string) string {
	upper := []byte(name)
	for i, c := range upper {
		if 'a' <= c && c <= 'z' {
			upper[i] = c - 'a' + 'A'
		}
	}
	return string(upper)
}

func listServerTypes(c *call) core.Answer {
	settings := c.api.settings.Get()
	var rows []row
	for _, t := range c.types() {
		if c.wanted("name", t.name) {
			rows = append(rows, row{body: t.body(settings, c.now)})
		}
	}
	return c.replyList("server_types", rows)
}

func getServerType(c *call) core.Answer {
	id := c.id("id")
	for _, t := range c.types() {
		if t.id == id {
			return reply(http.StatusOK, object{"server_type": t.body(c.api.settings.Get(), c.now)}, id)
		}
	}
	return notFound("server type")
}

func (l location) body() object {
	return object{
		"id": l.id, "name": l.name, "description": l.description, "country": l.country, "city": l.city,
		"latitude": l.latitude, "longitude": l.longitude, "network_zone": l.zone,
	}
}

func listLocations(c *call) core.Answer {
	var rows []row
	for _, l := range locations {
		if c.wanted("name", l.name) {
			rows = append(rows, row{body: l.body(), keys: map[string]sortKey{"id": number(l.id), "name": word(l.name)}})
		}
	}
	return c.replyList("locations", rows, "id", "name")
}

func getLocation(c *call) core.Answer {
	id := c.id("id")
	for _, l := range locations {
		if l.id == id {
			return reply(http.StatusOK, object{"location": l.body()}, id)
		}
	}
	return notFound("location")
}

// soldIn says whether the type is offered in a location at all.
func (t serverType) soldIn(where string) bool { return slices.Contains(t.sold, where) }
