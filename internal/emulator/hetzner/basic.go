// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// basic is what networks, firewalls and placement groups have in common: names are unique within a project.
type basic struct {
	id      int64
	name    string
	labels  map[string]string
	created time.Time
	// kind is the vendor's word for it in the resources of an action, such as "network".
	kind    string
	running []*action
}

func (b *basic) base() *basic { return b }

type based interface{ base() *basic }

// ofID finds an object of a project.
func ofID[T based](all []T, id int64) (found T, there bool) {
	at := slices.IndexFunc(all, func(one T) bool { return one.base().id == id })
	if at < 0 {
		return found, false
	}
	return all[at], true
}

func without[T comparable](all []T, one T) []T {
	return slices.DeleteFunc(all, func(other T) bool { return other == one })
}

// withBased finds the object of the path; noun is the vendor's word in the answer to an unknown one.
func withBased[T based](all func(*project) []T, noun string, handle func(*call, T) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found, there := ofID(all(c.project), c.id("id"))
		if !there || (c.IsRead() && c.hidden(found.base().created, c.api.settings.Get().Lag.Get)) {
			return notFound(noun)
		}
		return handle(c, found)
	}
}

// listBased answers a page of objects, which can be filtered by name and label.
func listBased[T based](c *call, root string, all []T, body func(T) object) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	lag := c.api.settings.Get().Lag.List
	var rows []row
	for _, one := range all {
		b := one.base()
		if c.wanted("name", b.name) && selects(requirements, b.labels) && !c.hidden(b.created, lag) {
			keys := map[string]sortKey{"id": number(b.id), "name": word(b.name), "created": number(b.created.UnixNano())}
			rows = append(rows, row{body: body(one), keys: keys})
		}
	}
	return c.replyList(root, rows, "id", "name", "created")
}

// orderedBasic reads name and labels of a create.
func (c *call) orderedBasic(in *fields, kind string) basic {
	name, found := in.text("name")
	if !found && len(in.errors) == 0 || found && strings.TrimSpace(name) == "" {
		in.fail("name", "is required")
	}
	labels, _ := in.labels()
	return basic{name: name, labels: labels, created: c.now, kind: kind}
}

// refuseBasic: a taken name (409) and a full quota (403) speak against a create whose fields hold.
func refuseBasic[T based](c *call, all []T, made basic, quotas string) *core.Answer {
	if slices.ContainsFunc(all, func(other T) bool { return other.base().name == made.name }) {
		return new(taken("name", made.kind+" name is already used"))
	}
	if quota, set := c.api.settings.Get().Quotas[quotas]; set && len(all) >= quota {
		return new(overLimit(made.kind+"_limit", made.kind+" limit exceeded"))
	}
	return nil
}

// updateBased changes name and labels; labels replace the whole map.
func updateBased[T based](c *call, all []T, one T, answer func() core.Answer) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	b := one.base()
	name, hasName := in.text("name")
	labels, hasLabels := in.labels()
	if hasName && strings.TrimSpace(name) == "" {
		in.fail("name", "must not be empty")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, b.id)
	}
	if hasName && slices.ContainsFunc(all, func(other T) bool { return other.base().name == name && other.base() != b }) {
		return about(taken("name", b.kind+" name is already used"), b.id)
	}
	if hasName {
		b.name = name
	}
	if hasLabels {
		b.labels = labels
	}
	return answer()
}

// changeBased makes and runs an action on an object, which takes no other change meanwhile. Where it is about a server too,
// the server is locked in its place.
func (c *call) changeBased(command string, b *basic, s *server, o outcome) *action {
	made := &action{id: take(&c.api.ids.action), command: command, status: "running", started: c.now, server: s, on: b}
	c.project.actions = append(c.project.actions, made)
	if s != nil {
		s.running = append(s.running, made)
	} else {
		b.running = append(b.running, made)
	}
	c.run(made, c.api.settings.Get().TimeOf(command), o)
	return made
}

// conflicting: a change of an object that is being changed (Hetzner API document, "conflict").
func conflicting(b *basic) core.Answer {
	return about(failure(http.StatusConflict, "conflict", b.kind+" is currently being changed", nil), b.id)
}

func listActionsOf[T based](c *call, one T) core.Answer {
	rows := c.actionRows(c.project.actions, func(a *action) bool { return a.on == one.base() })
	return c.replyList("actions", rows, actionSorts...)
}

func getActionOf[T based](c *call, one T) core.Answer {
	return c.replyAction(func(a *action) bool { return a.on == one.base() })
}

func (b *basic) object(owner *project, state string) core.Object {
	o := core.Object{ID: text(b.id), Name: b.name, State: state, Labels: labelsBody(b.labels), Project: owner.name}
	if len(b.running) > 0 {
		o.Busy = new(b.running[0].command)
	}
	return o
}
