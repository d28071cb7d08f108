// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/digitalocean/godo"
)

// tagging puts tags on droplets, takes them off and looks whether they are there, for many in one call.
type tagging struct {
	changes   gatherer[int, map[int]error]
	questions gatherer[string, existence]
	drops     gatherer[string, error]
}

// existence is the answer to whether tags are there.
type existence struct {
	found map[string]bool
	err   error
}

// tag puts a tag on a droplet.
func (c *cloud) tag(ctx context.Context, tag string, id int) error {
	return c.changeTag(ctx, "+"+tag, id, func(resources []godo.Resource) error {
		// A tag must be there before it can be put on; making it again does no harm.
		if err := c.makeTag(ctx, tag); err != nil {
			return err
		}
		_, err := c.client.Tags.TagResources(ctx, tag, &godo.TagResourcesRequest{Resources: resources})
		return c.failed(err)
	})
}

// untag takes a tag off a droplet. One that is not there is off.
func (c *cloud) untag(ctx context.Context, tag string, id int) error {
	err := c.changeTag(ctx, "-"+tag, id, func(resources []godo.Resource) error {
		_, err := c.client.Tags.UntagResources(ctx, tag, &godo.UntagResourcesRequest{Resources: resources})
		return c.failed(err)
	})
	if missing(err) {
		return nil
	}
	return err
}

func (c *cloud) changeTag(ctx context.Context, name string, id int, change func([]godo.Resource) error) error {
	errs, err := c.tagging.changes.do(ctx, name, id, func(ids []int) map[int]error { return changeAll(ids, change) })
	if err != nil {
		return err
	}
	return errs[id]
}

// changeAll answers an error for each droplet that it could not be done for. Where many are refused together, each is
// asked for by itself, so that one that is gone does not stand in the way of the others.
func changeAll(ids []int, change func([]godo.Resource) error) map[int]error {
	resources := make([]godo.Resource, len(ids))
	for i, id := range ids {
		resources[i] = godo.Resource{ID: strconv.Itoa(id), Type: godo.DropletResourceType}
	}
	err := change(resources)
	refused, ok := errors.AsType[*requestError](err)
	alone := len(ids) > 1 && ok && (refused.status == http.StatusNotFound || refused.status == http.StatusUnprocessableEntity)
	errs := map[int]error{}
	for i, id := range ids {
		if alone {
			err = change(resources[i : i+1])
		}
		errs[id] = err
	}
	return errs
}

func (c *cloud) makeTag(ctx context.Context, tag string) error {
	_, _, err := c.client.Tags.Create(ctx, &godo.TagCreateRequest{Name: tag})
	return c.failed(err)
}

// tagExists answers whether a tag is there. Askers at the same time share the list of all tags where that is shorter than
// asking for each.
func (c *cloud) tagExists(ctx context.Context, tag string) (bool, error) {
	answer, err := c.tagging.questions.do(ctx, "", tag, func(tags []string) existence { return c.tagsExist(ctx, tags) })
	if err != nil {
		return false, err
	}
	return answer.found[tag], answer.err
}

func (c *cloud) tagsExist(ctx context.Context, tags []string) existence {
	found := map[string]bool{}
	if len(tags) > 1 {
		all, complete, err := c.allTags(ctx, len(tags))
		if err != nil || complete {
			return existence{all, err}
		}
	}
	for _, tag := range tags {
		_, _, err := c.client.Tags.Get(ctx, tag)
		if err := c.failed(err); err != nil && !missing(err) {
			return existence{nil, err}
		}
		found[tag] = err == nil
	}
	return existence{found, nil}
}

// allTags reads all tags of the team; complete is false where that would take more than the given number of pages.
func (c *cloud) allTags(ctx context.Context, mostPages int) (names map[string]bool, complete bool, err error) {
	names = map[string]bool{}
	for page := 1; ; page++ {
		tags, response, err := c.client.Tags.List(ctx, &godo.ListOptions{Page: page, PerPage: pageSize})
		if err != nil {
			return nil, false, c.failed(err)
		}
		for _, tag := range tags {
			names[tag.Name] = true
		}
		switch {
		case response.Links == nil || response.Links.IsLastPage():
			return names, true, nil
		case response.Meta == nil || response.Meta.Total > mostPages*pageSize:
			return nil, false, nil
		}
	}
}
