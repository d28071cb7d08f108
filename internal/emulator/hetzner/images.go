// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// images are the images that exist.
func (c *call) images() []image {
	settings := c.api.settings.Get()
	return slices.DeleteFunc(slices.Clone(images), func(i image) bool {
		d, gone := retirement(settings, "images", i.name, i.id)
		return gone || d.over(c.now)
	})
}

func (i image) deprecation(settings core.Settings) deprecation {
	if d, _ := retirement(settings, "images", i.name, i.id); !d.announced.IsZero() {
		return d
	}
	if i.deprecated == "" {
		return deprecation{}
	}
	announced := day(i.deprecated)
	return deprecation{announced, announced.AddDate(0, 3, 0)}
}

func day(date string) time.Time {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		panic(err) // the catalogue is a constant
	}
	return t
}

func (i image) body(settings core.Settings) object {
	deprecation := i.deprecation(settings)
	return object{
		"id": i.id, "type": i.kind, "status": "available", "name": i.name, "description": i.description,
		"image_size": nil, "disk_size": imageDisk, "created": timestamp(day(i.created)), "created_from": nil,
		"bound_to": nil, "os_flavor": i.flavor, "os_version": i.version, "architecture": i.architecture,
		"rapid_deploy": true, "protection": object{"delete": false}, "labels": object{},
		"deprecated": timestampOrNull(deprecation.announced), "deprecation": deprecation.body(), "deleted": nil,
	}
}

// listImages leaves deprecated images out unless include_deprecated is true (Hetzner API document, GET /images).
func listImages(c *call) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	settings := c.api.settings.Get()
	var rows []row
	for _, i := range c.images() {
		hidden := !i.deprecation(settings).announced.IsZero() && c.Query.Get("include_deprecated") != "true"
		fits := c.wanted("name", i.name) && c.wanted("type", i.kind) && c.wanted("architecture", i.architecture) &&
			c.wanted("status", "available") && len(c.Query["bound_to"]) == 0 && selects(requirements, nil)
		if fits && !hidden {
			keys := map[string]sortKey{"id": number(i.id), "name": word(i.name), "created": word(i.created)}
			rows = append(rows, row{body: i.body(settings), keys: keys})
		}
	}
	return c.replyList("images", rows, "id", "name", "created")
}

func getImage(c *call) core.Answer {
	id := c.id("id")
	for _, i := range c.images() {
		if i.id == id {
			return reply(http.StatusOK, object{"image": i.body(c.api.settings.Get())}, id)
		}
	}
	return notFound("image")
}

// selector reads the label_selector.
func (c *call) selector() ([]requirement, *core.Answer) {
	requirements, err := parseSelector(c.Query.Get("label_selector"))
	if err != nil {
		return nil, new(invalid("label_selector", err.Error()))
	}
	return requirements, nil
}
