// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Images answers the templates of the cluster, by VMID or name. Several of one name are INVALID_INPUT where a name is asked
// for, unless just one of them is on the account's node.
func (c *cloud) Images(ctx context.Context, query driver.ImageQuery) ([]driver.Image, error) {
	if query.Region != "" && query.Region != c.region {
		return nil, nil
	}
	all, err := c.stock(ctx)
	if err != nil {
		return nil, err
	}
	templates := c.templatesOf(all)
	if query.Name != "" {
		templates, err = c.named(templates, query.Name)
	}
	images := []driver.Image{}
	for _, template := range templates {
		images = append(images, driver.Image{ID: strconv.Itoa(template.VMID.int()), Name: template.Name})
	}
	return images, err
}

func (c *cloud) templates(ctx context.Context) ([]row, error) {
	rows, err := c.rows(ctx)
	return c.templatesOf(rows), err
}

// templatesOf answers the templates among rows, and remembers where they are.
func (c *cloud) templatesOf(rows []row) []row {
	templates := slices.DeleteFunc(slices.Clone(rows), func(row row) bool { return row.Type != typeVM || row.Template == 0 })
	slices.SortFunc(templates, func(a, b row) int { return a.VMID.int() - b.VMID.int() })
	c.memory.setTemplates(templates)
	return templates
}

func (c *cloud) named(templates []row, name string) ([]row, error) {
	for _, template := range templates {
		if strconv.Itoa(template.VMID.int()) == name {
			return []row{template}, nil
		}
	}
	all := slices.DeleteFunc(slices.Clone(templates), func(template row) bool { return template.Name != name })
	near := slices.DeleteFunc(slices.Clone(all), func(template row) bool { return template.Node != c.node })
	if len(near) == 1 {
		return near, nil
	}
	if len(templates) == 0 {
		return nil, &failure.Input{Field: "image", Message: "the token sees no template at all in the cluster",
			Next: "Give the token VM.Audit and VM.Clone on /vms/<template>, or make a template where there is none yet."}
	}
	if len(all) <= 1 {
		return all, nil
	}
	var places []string
	for _, template := range all {
		places = append(places, fmt.Sprintf("%d on node %s", template.VMID.int(), template.Node))
	}
	return nil, &failure.Input{Field: "image", Message: fmt.Sprintf("%d templates are named %s: %s. Write the VMID of the one that is meant, or name a node in the account that has just one of them.",
		len(all), name, strings.Join(places, ", "))}
}

// template answers where a template is, as this process has seen it. INVALID_INPUT where it is not there, or no template.
func (c *cloud) template(ctx context.Context, imageID string) (row, error) {
	if template, known := c.memory.template(imageID); known {
		return template, nil
	}
	templates, err := c.templates(ctx)
	if err != nil {
		return row{}, err
	}
	for _, template := range templates {
		if strconv.Itoa(template.VMID.int()) == imageID {
			return template, nil
		}
	}
	return row{}, &failure.Input{Field: "image", Message: fmt.Sprintf("there is no template with VMID %s that the token may see (VM.Audit and VM.Clone on /vms/%s)", imageID, imageID)}
}
