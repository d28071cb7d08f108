// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// size is a size of droplet. Memory is in MB, disk in GB, transfer in TB, prices in US dollars a month and an hour.
type size struct {
	slug, description   string
	memory, vcpus, disk int
	transfer            float64
	monthly, hourly     float64
	sold                []string // regions
}

// sizes are in the order of the price, as in the vendor's list.
var sizes = sortedSizes()

func sortedSizes() []size {
	all := slices.Concat(basicSizes, retiredSizes, optimizedSizes, gpuSizes)
	slices.SortStableFunc(all, func(a, b size) int {
		if a.monthly < b.monthly {
			return -1
		}
		if a.monthly > b.monthly {
			return 1
		}
		return 0
	})
	return all
}

func sizeNamed(slug string) (*size, bool) {
	i := slices.IndexFunc(sizes, func(s size) bool { return s.slug == slug })
	if i < 0 {
		return nil, false
	}
	return &sizes[i], true
}

// isGPU says whether the size has GPUs.
func (s size) isGPU() bool { return gpus[s.slug].count > 0 }

// listed are the sizes that the settings have not taken from the list.
func (l *catalog) listed() []size {
	return slices.DeleteFunc(slices.Clone(sizes), func(s size) bool {
		_, gone := retired(l.settings, "sizes", s.slug, l.now)
		return gone
	})
}

// available says whether new droplets can have the size at all.
func (l *catalog) available(s size) bool {
	over, gone := retired(l.settings, "sizes", s.slug, l.now)
	return !over && !gone && !slices.ContainsFunc(retiredSizes, func(r size) bool { return r.slug == s.slug })
}

// sells says whether the catalogue offers the size in a region. Only that with available on both sides can be ordered.
func (l *catalog) sells(s size, r region) bool {
	return l.available(s) && l.open(r) && l.settings.InCatalogue(s.slug, r.slug, slices.Contains(s.sold, r.slug))
}

// retired says what the settings do to a part of the catalogue: whether its time is over, and whether it is no longer
// listed.
func retired(settings core.Settings, kind, slug string, now time.Time) (over, gone bool) {
	for _, r := range settings.Retired {
		if r.Kind == kind && r.ID == slug {
			return !now.Before(r.UnavailableAfter), r.Gone
		}
	}
	return false, false
}

func (l *catalog) size(s size) json.RawMessage {
	if made, found := l.sizes[s.slug]; found {
		return made
	}
	body := object{
		"slug": s.slug, "memory": s.memory, "vcpus": s.vcpus, "disk": s.disk, "transfer": s.transfer,
		"price_monthly": s.monthly, "price_hourly": s.hourly, "regions": l.regionsOf(s), "available": l.available(s),
		"description": s.description, "disk_info": s.disks(s.disk),
	}
	if s.isGPU() {
		body["gpu_info"] = gpus[s.slug].body()
	}
	l.sizes[s.slug] = raw(body)
	return l.sizes[s.slug]
}

// regionsOf: a size that is no longer sold keeps the regions where it was.
func (l *catalog) regionsOf(s size) []string {
	where := []string{}
	for _, r := range regions {
		own := slices.Contains(s.sold, r.slug)
		if l.sells(s, r) || (own && !l.available(s)) {
			where = append(where, r.slug)
		}
	}
	slices.Sort(where)
	return where
}

// disks is disk_info, with the droplet's own disk, which may be smaller than the size's.
func (s size) disks(disk int) []object {
	disks := []object{{"type": "local", "size": object{"amount": disk, "unit": "gib"}}}
	if scratch := gpus[s.slug].scratch; scratch > 0 {
		disks = append(disks, object{"type": "scratch", "size": object{"amount": scratch, "unit": "gib"}})
	}
	return disks
}

func listSizes(c *call) core.Answer {
	listed := c.shown().listed()
	return c.replyList("sizes", len(listed), func(i int) any { return c.shown().size(listed[i]) })
}
