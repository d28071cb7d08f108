// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"regexp"
	"slices"
	"strings"
)

// maxUserData is 64 KiB, maxName 255 characters, maxNames 10 droplets a request (DigitalOcean API document, POST
// /v2/droplets).
const (
	maxUserData = 64 << 10
	maxName     = 255
	maxNames    = 10
)

// hostName: DigitalOcean API document, models droplet_single_create and droplet_multi_create. No underscore.
var hostName = regexp.MustCompile(`^[a-zA-Z0-9]?[a-z0-9A-Z.\-]*[a-z0-9A-Z]$`)

// order is a POST /v2/droplets whose fields hold.
type order struct {
	names    []string
	many     bool // asked for with names[], so the answer is a list
	size     *size
	image    *image
	region   string
	tags     []string
	features []string
	public   bool
	vpc      *vpc
	backups  backupPolicy
}

func (c *call) readOrder(in *fields) order {
	o := order{public: in.flag("public_networking", true)}
	o.names, o.many = readNames(in)
	o.size = c.orderedSize(in)
	o.image = c.orderedImage(in)
	o.region = c.orderedRegion(in, o)
	o.tags = readTags(in)
	c.checkKeys(in)
	if len(in.text("user_data")) > maxUserData {
		in.refuse(unprocessable("User data is too long, the maximum is 64 KiB"))
	}
	o.features = readFeatures(in)
	if !o.public && slices.Contains(o.features, "ipv6") {
		in.refuse(unprocessable("ipv6 cannot be enabled without public networking"))
	}
	o.backups = readBackups(in, slices.Contains(o.features, "backups"), c.now)
	refuseVolumes(in)
	if in.problem == nil {
		o.vpc = c.joins(in, o)
	}
	return o
}

func readNames(in *fields) (names []string, many bool) {
	many = in.read("names", &names, "a list of strings")
	if !many {
		name := in.text("name")
		names = []string{name}
	}
	if len(names) > maxNames {
		in.refuse(unprocessable("You can only create %d Droplets at a time", maxNames))
	}
	for _, name := range names {
		checkName(in, name)
	}
	return names, many
}

func checkName(in *fields, name string) {
	if name == "" {
		in.refuse(unprocessable("Name can't be blank"))
	}
	if len(name) > maxName {
		in.refuse(unprocessable("Name is too long (maximum is %d characters)", maxName))
	}
	if !hostName.MatchString(name) {
		in.refuse(unprocessable("Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)"))
	}
}

func (c *call) orderedSize(in *fields) *size {
	slug := in.text("size")
	found, known := sizeNamed(slug)
	if _, gone := retired(c.settings, "sizes", slug, c.now); !known || gone {
		in.refuse(unprocessable("You specified an invalid size for Droplet creation."))
		return nil
	}
	return found
}

func (c *call) orderedImage(in *fields) *image {
	found := c.imageNamed(in.reference("image"))
	if found == nil || c.imageStatus(found) == "retired" {
		in.refuse(unprocessable("You specified an invalid image for Droplet creation."))
		return nil
	}
	return found
}

// orderedRegion: a slug, a prefix such as nyc for any of nyc1, nyc2 and nyc3, or none for any region. Of several the
// first that has the size and room.
func (c *call) orderedRegion(in *fields, o order) string {
	wanted := in.text("region")
	if o.size == nil || o.image == nil {
		return ""
	}
	exact, isSlug := regionNamed(wanted)
	candidates := []region{exact}
	if !isSlug {
		candidates = slices.DeleteFunc(slices.Clone(regions), func(r region) bool {
			return strings.TrimRight(r.slug, "0123456789") != wanted && wanted != ""
		})
	}
	if len(candidates) == 0 {
		in.refuse(unprocessable("You specified an invalid region for Droplet creation."))
		return ""
	}
	problem := ""
	for _, r := range candidates {
		if problem = c.cannotStand(o, r); problem == "" {
			return r.slug
		}
	}
	in.refuse(unprocessable("%s", problem))
	return ""
}

// cannotStand says why a droplet of the order cannot stand in a region, "" if it can.
func (c *call) cannotStand(o order, r region) string {
	l := c.shown()
	switch {
	case !l.open(r):
		return "Region is not available"
	case !l.available(*o.size) || !slices.Contains(o.size.sold, r.slug):
		return "Size is not available in this region."
	case !l.settings.HasRoom(o.size.slug, r.slug, l.sells(*o.size, r)):
		return "size is unavailable"
	case !slices.Contains(o.image.regions(), r.slug):
		return "The image you specified is not available in the selected region."
	case o.size.disk < o.image.minDisk:
		return "The image you specified requires a larger disk than the selected size has."
	}
	return ""
}

// checkKeys: ssh_keys are ids or fingerprints of keys of the team.
func (c *call) checkKeys(in *fields) {
	for _, wanted := range in.references("ssh_keys") {
		if c.team.keyNamed(wanted) == nil {
			in.refuse(unprocessable("%s are invalid key identifiers for Droplet creation.", wanted))
		}
	}
}

func readTags(in *fields) []string {
	var names []string
	in.read("tags", &names, "a list of strings")
	for _, name := range names {
		if !tagName.MatchString(name) {
			in.refuse(unprocessable("Tag names may contain letters, numbers, colons, dashes, and underscores, not %q", name))
		}
	}
	return names
}

// readFeatures: the agent is there unless it is refused; private networking is always on, whatever is asked.
func readFeatures(in *fields) []string {
	features := []string{}
	for _, feature := range []string{"backups", "ipv6", "monitoring"} {
		if in.flag(feature, false) {
			features = append(features, feature)
		}
	}
	if in.flag("with_droplet_agent", true) {
		features = append(features, "droplet_agent")
	}
	features = append(features, "private_networking")
	slices.Sort(features)
	return features
}

// refuseVolumes: a team of the emulator has no volumes, so naming one names none that exists.
func refuseVolumes(in *fields) {
	var volumes []any
	if in.read("volumes", &volumes, "a list") && len(volumes) > 0 {
		in.refuse(unprocessable("volume not found"))
	}
}
