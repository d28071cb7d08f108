// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// tag is a name that droplets bear. It stays when the last of them is gone.
type tag struct {
	name string // the spelling of the first time is canonical
	last *droplet
}

// tagging is one droplet's bearing of a tag.
type tagging struct {
	tag  *tag
	when time.Time
}

// tagName: DigitalOcean API document, model tags.
var tagName = regexp.MustCompile(`^[a-zA-Z0-9_\-:]{1,255}$`)

// tag finds a tag by its canonical spelling, which is the only one that URLs know.
func (t *team) tag(name string) *tag {
	for _, known := range t.tags {
		if known.name == name {
			return known
		}
	}
	return nil
}

// makeTag gives the tag of a name in any spelling, a new one where there is none.
func (t *team) makeTag(name string) *tag {
	for _, known := range t.tags {
		if strings.EqualFold(known.name, name) {
			return known
		}
	}
	made := &tag{name: name}
	t.tags = append(t.tags, made)
	return made
}

// bears says whether the droplet has the tag, seen or not.
func (d *droplet) bears(t *tag) bool {
	return slices.ContainsFunc(d.tags, func(b tagging) bool { return b.tag == t })
}

func (d *droplet) putOn(t *tag, now time.Time) {
	t.last = d
	if !d.bears(t) {
		d.tags = append(d.tags, tagging{tag: t, when: now})
	}
}

func (d *droplet) takeOff(t *tag) {
	d.tags = slices.DeleteFunc(d.tags, func(b tagging) bool { return b.tag == t })
}

// shows says whether a tag of the droplet can be seen yet, on it and in the lists by tag.
func (c *call) shows(d *droplet, t *tag) bool {
	lag := c.settings.Lag.Tag
	return slices.ContainsFunc(d.tags, func(b tagging) bool { return b.tag == t && !c.hidden(b.when, lag) })
}

// tagged are the droplets that the tag's index knows.
func (c *call) tagged(t *tag) []*droplet {
	var found []*droplet
	for _, d := range c.team.droplets {
		if c.shows(d, t) {
			found = append(found, d)
		}
	}
	return found
}

func (c *call) tagBody(t *tag) object {
	tagged := c.tagged(t)
	droplets, all := object{"count": len(tagged)}, object{"count": len(tagged)}
	if slices.Contains(tagged, t.last) {
		uri := baseURL(c.Request) + "/v2/droplets/" + text(t.last.id)
		droplets["last_tagged_uri"], all["last_tagged_uri"] = uri, uri
	}
	all["droplets"] = droplets
	for _, kind := range []string{"images", "volumes", "volume_snapshots", "databases"} {
		all[kind] = object{"count": 0}
	}
	return object{"name": t.name, "resources": all}
}

func listTags(c *call) core.Answer {
	return c.replyList("tags", len(c.team.tags), func(i int) any { return c.tagBody(c.team.tags[i]) })
}

func withTag(handle func(*call, *tag) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.team.tag(unescaped(c.Params["tag"]))
		if found == nil {
			return notFound()
		}
		return handle(c, found)
	}
}

func getTag(c *call, t *tag) core.Answer {
	return reply(http.StatusOK, object{"tag": c.tagBody(t)}, t.name)
}

// createTag succeeds for a tag that is there already: terraform-provider-digitalocean makes every tag before it uses it.
// Characters that are not allowed are refused in another shape than all other errors (DigitalOcean API document,
// tags_bad_request).
func createTag(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name := in.text("name")
	if in.problem != nil {
		return *in.problem
	}
	if !tagName.MatchString(name) {
		return invalidTag(name)
	}
	made := c.team.makeTag(name)
	return reply(http.StatusCreated, object{"tag": c.tagBody(made)}, made.name)
}

func invalidTag(name string) core.Answer {
	reason := "contains invalid characters"
	if name == "" {
		reason = "cannot be empty"
	}
	if len(name) > 255 {
		reason = "is too long"
	}
	message := "Error validating resource tag: \"tag-name \\\"" + name + "\\\" " + reason + "\""
	return reply(http.StatusBadRequest, object{
		"error": message, "messages": nil,
		"root_causes": []string{"rpc error: code = InvalidArgument desc = " + message},
	}, "")
}

// deleteTag takes the tag off everything that bears it.
func deleteTag(c *call, t *tag) core.Answer {
	c.team.drop(t)
	return noContent(t.name)
}

func (t *team) drop(gone *tag) {
	for _, d := range t.droplets {
		d.takeOff(gone)
	}
	for _, f := range t.firewalls {
		f.tags = except(f.tags, []*tag{gone})
	}
	t.tags = slices.DeleteFunc(t.tags, func(other *tag) bool { return other == gone })
}
