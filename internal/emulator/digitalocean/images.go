// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// image is what a droplet is made from: the vendor's own, or a team's snapshot (without a slug).
type image struct {
	id           int64
	name         string
	distribution string
	slug         string
	minDisk      int // GB
	created      string
	kind         string   // base or snapshot; the vendor's applications are snapshots too
	from         *droplet // of a team's snapshot
	where        []string // regions of a team's snapshot; the vendor's own are in all
}

// Ids, names and disks of the base images are the vendor's of autumn 2025; debian-11, ubuntu-20-04 and the applications
// have ids made up in its style.
var images = []image{
	{135509519, "9 x64", "Rocky Linux", "rockylinux-9-x64", 10, "2023-06-28T21:06:21Z", "base", nil, nil},
	{143033891, "8 x64", "Rocky Linux", "rockylinux-8-x64", 10, "2023-10-25T11:45:21Z", "base", nil, nil},
	{147251099, "Docker on Ubuntu 22.04", "Ubuntu", "docker-20-04", 25, "2024-01-04T10:12:11Z", "snapshot", nil, nil},
	{147253110, "WordPress on Ubuntu 22.04", "Ubuntu", "wordpress-20-04", 25, "2024-01-04T11:40:52Z", "snapshot", nil, nil},
	{159649803, "20.04 (LTS) x64", "Ubuntu", "ubuntu-20-04-x64", 7, "2024-07-02T16:38:30Z", "base", nil, nil},
	{159650810, "11 x64", "Debian", "debian-11-x64", 7, "2024-07-02T16:40:05Z", "base", nil, nil},
	{159651797, "22.04 (LTS) x64", "Ubuntu", "ubuntu-22-04-x64", 7, "2024-07-02T16:43:14Z", "base", nil, nil},
	{194271330, "25.04 x64", "Ubuntu", "ubuntu-25-04-x64", 7, "2025-07-23T15:30:12Z", "base", nil, nil},
	{195932981, "24.04 (LTS) x64", "Ubuntu", "ubuntu-24-04-x64", 7, "2025-08-08T15:11:27Z", "base", nil, nil},
	{197014428, "AlmaLinux 10", "AlmaLinux", "almalinux-10-x64", 10, "2025-08-18T16:34:37Z", "base", nil, nil},
	{197131532, "9 Stream x64", "CentOS", "centos-stream-9-x64", 10, "2025-08-19T23:52:30Z", "base", nil, nil},
	{197216326, "10 x64", "Rocky Linux", "rockylinux-10-x64", 10, "2025-08-20T18:03:04Z", "base", nil, nil},
	{199561349, "42 x64", "Fedora", "fedora-42-x64", 10, "2025-09-12T20:14:39Z", "base", nil, nil},
	{199888143, "13 x64", "Debian", "debian-13-x64", 7, "2025-09-16T14:02:51Z", "base", nil, nil},
	{199888277, "10 Stream x64", "CentOS", "centos-stream-10-x64", 10, "2025-09-16T14:06:08Z", "base", nil, nil},
	{199996745, "12 x64", "Debian", "debian-12-x64", 7, "2025-09-17T19:31:10Z", "base", nil, nil},
	{200011362, "AlmaLinux 9", "AlmaLinux", "almalinux-9-x64", 10, "2025-09-17T23:05:44Z", "base", nil, nil},
	{200011382, "AlmaLinux 8", "AlmaLinux", "almalinux-8-x64", 10, "2025-09-17T23:06:12Z", "base", nil, nil},
	{203838782, "NVIDIA AI/ML Ready", "Ubuntu", "gpu-h100x1-base", 30, "2025-10-30T18:20:31Z", "base", nil, nil},
	{203839248, "NVIDIA AI/ML Ready with NVLink", "Ubuntu", "gpu-h100x8-base", 30, "2025-10-30T18:26:07Z", "base", nil, nil},
	{204596533, "25.10 x64", "Ubuntu", "ubuntu-25-10-x64", 7, "2025-11-07T16:48:22Z", "base", nil, nil},
	{214204353, "AMD AI/ML Ready Image", "Ubuntu", "gpu-amd-base", 30, "2026-02-03T09:30:00Z", "base", nil, nil},
}

// images are the vendor's and the team's own, without what the settings took from the list.
func (c *call) images() []*image {
	var found []*image
	for i := range images {
		if _, gone := retired(c.settings, "images", images[i].slug, c.now); !gone {
			found = append(found, &images[i])
		}
	}
	return append(found, c.team.images...)
}

// imageNamed finds an image by id or slug.
func (c *call) imageNamed(wanted string) *image {
	if wanted == "" {
		return nil
	}
	for _, i := range c.images() {
		if text(i.id) == wanted || i.slug == wanted {
			return i
		}
	}
	return nil
}

// status is retired when the settings say that an image's time is over.
func (c *call) imageStatus(i *image) string {
	if over, _ := retired(c.settings, "images", i.slug, c.now); over && i.slug != "" {
		return "retired"
	}
	return "available"
}

func (i *image) regions() []string {
	if i.where != nil {
		return i.where
	}
	slugs := make([]string, 0, len(regions))
	for _, r := range regions {
		slugs = append(slugs, r.slug)
	}
	return slugs
}

func (c *call) imageBody(i *image) object {
	body := object{
		"id": i.id, "name": i.name, "distribution": i.distribution, "slug": nil, "public": i.from == nil && i.slug != "",
		"regions": i.regions(), "created_at": i.created, "min_disk_size": i.minDisk, "type": i.kind,
		"size_gigabytes": 0.68, "description": i.distribution + " " + i.name, "tags": []string{},
		"status": c.imageStatus(i), "error_message": "",
	}
	if i.slug != "" {
		body["slug"] = i.slug
	}
	return body
}

// listImages: the query's type is distribution or application and has nothing to do with the image's own type
// (DigitalOcean API document, GET /v2/images). No image of the emulator bears a tag.
func listImages(c *call) core.Answer {
	found := slices.DeleteFunc(c.images(), func(i *image) bool {
		return !fitsType(i, c.Query.Get("type")) || (c.Query.Get("private") == "true" && i.slug != "") || c.Query.Has("tag_name")
	})
	return c.replyList("images", len(found), func(i int) any { return c.imageBody(found[i]) })
}

func fitsType(i *image, wanted string) bool {
	switch wanted {
	case "distribution":
		return i.kind == "base"
	case "application":
		return i.kind == "snapshot" && i.slug != ""
	}
	return true
}

func getImage(c *call) core.Answer {
	found := c.imageNamed(c.Params["image"])
	if found == nil {
		return notFound()
	}
	return reply(http.StatusOK, object{"image": c.imageBody(found)}, text(found.id))
}

// deleteImage removes a snapshot; the vendor's own images are not the team's to remove.
func deleteImage(c *call) core.Answer {
	id := c.id("image")
	for at, i := range c.team.images {
		if i.id == id {
			c.team.images = slices.Delete(c.team.images, at, at+1)
			return noContent(text(id))
		}
	}
	return notFound()
}

// listSnapshots gives the images that were made of a droplet.
func listSnapshots(c *call, d *droplet) core.Answer {
	found := slices.DeleteFunc(slices.Clone(c.team.images), func(i *image) bool { return i.from != d })
	return c.replyList("snapshots", len(found), func(i int) any { return c.imageBody(found[i]) })
}
