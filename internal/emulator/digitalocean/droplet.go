// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// droplet is one droplet of a team. What it was given for its first boot is never shown, so it is not kept.
type droplet struct {
	id        int64
	name      string
	created   time.Time
	status    string // new, active, off or archive
	size      *size
	disk      int // GB; stays smaller than the size's after a resize without disk
	image     *image
	region    string
	tags      []tagging
	features  []string
	network   network
	backups   backupPolicy // zero without backups
	snapshots []int64
	locked    bool    // by an administrator; stays false during events
	event     *action // the one that runs; a destroy is one without an id
	power     int     // counts changes of power, so that a guest's late shutdown knows that it is stale
}

func (d *droplet) setStatus(status string) {
	d.status = status
	d.power++
}

// has says whether a feature is on.
func (d *droplet) has(feature string) bool { return slices.Contains(d.features, feature) }

func (d *droplet) turnOn(feature string) {
	if !d.has(feature) {
		d.features = append(d.features, feature)
	}
}

func (d *droplet) turnOff(feature string) {
	d.features = slices.DeleteFunc(d.features, func(other string) bool { return other == feature })
}

// dropletBody is the droplet as a list or a GET shows it.
func (c *call) dropletBody(d *droplet) object {
	tags := []string{}
	for _, b := range d.tags {
		if c.shows(d, b.tag) {
			tags = append(tags, b.tag.name)
		}
	}
	return c.dropletWith(d, tags)
}

func (c *call) dropletWith(d *droplet, tags []string) object {
	body := object{
		"id": d.id, "name": d.name, "memory": d.size.memory, "vcpus": d.size.vcpus, "disk": d.disk,
		"disk_info": d.size.disks(d.disk), "locked": d.locked, "status": d.status, "kernel": nil,
		"created_at": timestamp(d.created), "features": orEmpty(d.features), "backup_ids": []int64{},
		"next_backup_window": d.nextBackup(c.now), "snapshot_ids": orEmpty(d.snapshots), "image": c.imageBody(d.image),
		"volume_ids": []string{}, "size": c.shown().size(*d.size), "size_slug": d.size.slug,
		"networks": d.network.body(c.now), "region": c.shown().region(d.region), "tags": tags,
		"vpc_uuid": d.network.vpc.id,
	}
	if d.size.isGPU() {
		body["gpu_info"] = gpus[d.size.slug].body()
	}
	return body
}

// orEmpty makes JSON's [] of no list.
func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func (t *team) droplet(id int64) *droplet {
	for _, d := range t.droplets {
		if d.id == id {
			return d
		}
	}
	return nil
}

func (t *team) remove(d *droplet) {
	t.droplets = slices.DeleteFunc(t.droplets, func(other *droplet) bool { return other == d })
	for _, f := range t.firewalls {
		f.droplets = except(f.droplets, []int64{d.id})
	}
	for _, r := range slices.Clone(t.addresses) {
		if r.holder == d {
			t.move(r, nil, r.moved)
		}
	}
}

// hidden says whether something is too young to be seen.
func (c *call) hidden(since time.Time, lag core.Duration) bool {
	return lag > 0 && c.now.Sub(since) < lag.Value()
}

// withDroplet finds the droplet of the path. A GET may answer 404 for a while after the create.
func withDroplet(handle func(*call, *droplet) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.team.droplet(c.id("droplet"))
		if found == nil || (c.IsRead() && c.hidden(found.created, c.settings.Lag.Get)) {
			return notFound()
		}
		return handle(c, found)
	}
}

func getDroplet(c *call, d *droplet) core.Answer {
	return reply(http.StatusOK, object{"droplet": c.dropletBody(d)}, text(d.id))
}

// listDroplets: tag_name cannot be combined with name or type; name is exact but for the case; GPU droplets are listed
// with type=gpus only (DigitalOcean API document, GET /v2/droplets). A list by tag has no type, so it leaves them out too
// (unverified). An unknown tag gives an empty list (unverified).
func listDroplets(c *call) core.Answer {
	byTag, byName, kind := c.Query.Get("tag_name"), c.Query.Get("name"), c.Query.Get("type")
	if byTag != "" && (byName != "" || kind != "") {
		return unprocessable("tag_name cannot be combined with name or type")
	}
	if !slices.Contains([]string{"", "droplets", "gpus"}, kind) {
		return unprocessable("type must be droplets or gpus")
	}
	lag, wantedTag := c.settings.Lag.List, c.team.tag(byTag)
	var found []*droplet
	for _, d := range c.team.droplets {
		fits := (byName == "" || strings.EqualFold(d.name, byName)) && d.size.isGPU() == (kind == "gpus")
		if byTag != "" {
			fits = fits && wantedTag != nil && c.shows(d, wantedTag)
		}
		if fits && !c.hidden(d.created, lag) {
			found = append(found, d)
		}
	}
	return c.replyList("droplets", len(found), func(i int) any { return c.dropletBody(found[i]) })
}
