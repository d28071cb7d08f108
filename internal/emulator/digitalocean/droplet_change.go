// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// rebuild writes an image over the disk: a slug or an id. The droplet keeps its addresses and runs afterwards.
func rebuild(c *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	wanted := c.imageNamed(in.reference("image"))
	if wanted == nil || c.imageStatus(wanted) == "retired" {
		return refusedWith("You specified an invalid image.")
	}
	return c.writeImage(d, wanted)
}

// restore does the same from a backup or a snapshot of the droplet.
func restore(c *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	wanted := c.imageNamed(in.reference("image"))
	if wanted == nil || wanted.from != d {
		return refusedWith("You specified an invalid image.")
	}
	return c.writeImage(d, wanted)
}

func (c *call) writeImage(d *droplet, wanted *image) (effect func(time.Time), refused *core.Answer) {
	if wanted.minDisk > d.disk {
		return refusedWith("The image you specified requires a larger disk than the Droplet has.")
	}
	if !slices.Contains(wanted.regions(), d.region) {
		return refusedWith("The image you specified is not available in the selected region.")
	}
	return func(at time.Time) {
		d.image = wanted
		c.at(at).becomes(d, "active")
	}, nil
}

// resize needs a droplet that is off, and leaves it off. Without "disk" only memory and CPUs change; with it the disk
// grows, for good. No size with a smaller disk than the droplet's is taken.
func resize(c *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	slug := in.text("size")
	withDisk := in.flag("disk", false)
	wanted, known := sizeNamed(slug)
	if in.problem != nil {
		return nil, in.problem
	}
	if !known {
		return refusedWith("You specified an invalid size.")
	}
	if problem := c.cannotResize(d, wanted); problem != "" {
		return refusedWith("%s", problem)
	}
	return func(time.Time) {
		d.size = wanted
		if withDisk {
			d.disk = wanted.disk
		}
	}, nil
}

// cannotResize says why a droplet cannot have a size, "" if it can. The texts are the vendor's where they are known:
// for a smaller disk, for a region without the size, and for a host without room (api-v2 issue 117).
func (c *call) cannotResize(d *droplet, wanted *size) string {
	l := c.shown()
	where, _ := regionNamed(d.region)
	switch {
	case d.status != "off":
		return "Droplet must be powered off to be resized."
	case wanted.slug == d.size.slug && wanted.disk == d.disk:
		return "Droplet already has this size."
	case wanted.disk < d.disk:
		return "This size is not available because it has a smaller disk."
	case wanted.isGPU() != d.size.isGPU(), !l.available(*wanted), !slices.Contains(wanted.sold, d.region):
		return "Size is not available in this region."
	case !l.settings.HasRoom(wanted.slug, d.region, l.sells(*wanted, where)):
		return "Size is too large to fit on your droplet's server"
	}
	return ""
}

func rename(_ *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	name := in.text("name")
	checkName(in, name)
	if in.problem != nil {
		return nil, in.problem
	}
	return func(time.Time) { d.name = name }, nil
}

// snapshot makes an image of the team's own, for the droplet's region.
func snapshot(c *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	name := in.text("name")
	if in.problem != nil {
		return nil, in.problem
	}
	return func(at time.Time) {
		made := &image{
			id: take(&c.api.ids.image), name: name, distribution: d.image.distribution, minDisk: d.disk,
			created: timestamp(at), kind: "snapshot", from: d, where: []string{d.region},
		}
		if made.name == "" {
			made.name = d.name + " " + made.created
		}
		c.team.images = append(c.team.images, made)
		d.snapshots = append(d.snapshots, made.id)
	}, nil
}

// enableIPv6 cannot be undone.
func enableIPv6(_ *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	if d.has("ipv6") {
		return refusedWith("IPv6 is already enabled on this Droplet.")
	}
	if d.network.public == "" {
		return refusedWith("ipv6 cannot be enabled without public networking")
	}
	return func(time.Time) {
		d.turnOn("ipv6")
		d.network.enableV6()
	}, nil
}
