// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/url"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// unescaped is a part of a path as its client meant it: a colon in a tag's name arrives as it is or as %3A.
func unescaped(part string) string {
	meant, err := url.PathUnescape(part)
	if err != nil {
		return part
	}
	return meant
}

// tagResources puts a tag on. A tag that does not exist is not made here, in contrast to a create of a droplet.
func tagResources(c *call, t *tag) core.Answer {
	return c.eachResource(t, func(d *droplet) { d.putOn(t, c.now) })
}

func untagResources(c *call, t *tag) core.Answer {
	return c.eachResource(t, func(d *droplet) { d.takeOff(t) })
}

// eachResource reads the resources of a request. All of them are there or nothing changes.
func (c *call) eachResource(t *tag, change func(*droplet)) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return about(*wrong, t.name)
	}
	var named []struct {
		ID   string `json:"resource_id"`
		Kind string `json:"resource_type"`
	}
	in.read("resources", &named, "a list of objects with resource_id and resource_type")
	if len(named) == 0 {
		in.refuse(unprocessable("resources can't be blank"))
	}
	if in.problem != nil {
		return about(*in.problem, t.name)
	}
	var found []*droplet
	for _, resource := range named {
		id, _ := strconv.ParseInt(resource.ID, 10, 64) // what is no number is the id of nothing
		d := c.team.droplet(id)
		if resource.Kind != "droplet" || d == nil {
			return about(notFound(), t.name)
		}
		found = append(found, d)
	}
	for _, d := range found {
		change(d)
	}
	return noContent(t.name)
}
