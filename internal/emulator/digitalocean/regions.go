// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// The catalogue is what the vendor sold in the autumn of 2026. Slugs, sizes and prices are its API's, as tools printed
// them; which family is sold in which region is known for some sizes only and alike for the rest, as are the
// terabytes of traffic that are included.

// region is where droplets stand.
type region struct {
	slug, name string
	closed     bool // to new droplets; stays in the list, without sizes
}

var regions = []region{
	{"nyc1", "New York 1", false},
	{"sfo1", "San Francisco 1", true},
	{"nyc2", "New York 2", false},
	{"ams2", "Amsterdam 2", true},
	{"sgp1", "Singapore 1", false},
	{"lon1", "London 1", false},
	{"nyc3", "New York 3", false},
	{"ams3", "Amsterdam 3", false},
	{"fra1", "Frankfurt 1", false},
	{"tor1", "Toronto 1", false},
	{"sfo2", "San Francisco 2", false},
	{"blr1", "Bangalore 1", false},
	{"sfo3", "San Francisco 3", false},
	{"syd1", "Sydney 1", false},
	{"atl1", "Atlanta 1", false},
	{"ric1", "Richmond 1", false},
}

// Where sizes are sold. Closed regions are still named by the sizes of their time.
var (
	smallestIn   = []string{"ams3", "fra1", "nyc1", "sfo3", "sgp1", "syd1"}
	largeRegions = []string{"ams3", "atl1", "fra1", "nyc1", "nyc3", "sfo3", "sgp1"}
	newerRegions = []string{"ams3", "atl1", "blr1", "fra1", "lon1", "nyc1", "nyc3", "sfo3", "sgp1", "syd1", "tor1"}
	openRegions  = []string{"ams3", "atl1", "blr1", "fra1", "lon1", "nyc1", "nyc2", "nyc3", "sfo2", "sfo3", "sgp1", "syd1", "tor1"}
	firstRegions = []string{"ams2", "ams3", "fra1", "lon1", "nyc1", "nyc2", "nyc3", "sfo1", "sfo2", "sgp1", "tor1"}
)

// regionFeatures are the same everywhere.
var regionFeatures = []string{"backups", "ipv6", "metadata", "install_agent", "storage", "image_transfer"}

// catalog is the catalogue as the settings of the moment show it. Every droplet repeats its size and its region with all
// sizes, so their JSON is made once a request.
type catalog struct {
	settings core.Settings
	now      time.Time
	sizes    map[string]json.RawMessage
	regions  map[string]json.RawMessage
}

// shown is the catalogue for this request.
func (c *call) shown() *catalog {
	if c.catalog == nil {
		c.catalog = &catalog{
			settings: c.settings, now: c.now, sizes: map[string]json.RawMessage{}, regions: map[string]json.RawMessage{},
		}
	}
	return c.catalog
}

func regionNamed(slug string) (region, bool) {
	i := slices.IndexFunc(regions, func(r region) bool { return r.slug == slug })
	if i < 0 {
		return region{}, false
	}
	return regions[i], true
}

// open says whether a region takes new droplets.
func (l *catalog) open(r region) bool {
	return !r.closed && !slices.Contains(l.settings.ClosedRegions, r.slug)
}

func (l *catalog) region(slug string) json.RawMessage {
	if made, found := l.regions[slug]; found {
		return made
	}
	r, _ := regionNamed(slug)
	sold := []string{}
	for _, s := range l.listed() {
		if l.sells(s, r) {
			sold = append(sold, s.slug)
		}
	}
	l.regions[slug] = raw(object{
		"name": r.name, "slug": r.slug, "features": regionFeatures, "available": l.open(r), "sizes": sold,
	})
	return l.regions[slug]
}

func raw(body object) json.RawMessage {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // bodies are made of plain values
	}
	return data
}

func listRegions(c *call) core.Answer {
	return c.replyList("regions", len(regions), func(i int) any { return c.shown().region(regions[i].slug) })
}
