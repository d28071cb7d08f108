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

// joining is when a resource was put into a project.
type joining struct {
	project *project
	when    time.Time
}

// resource is something of a team that belongs to a project. Addresses keep their older name in these calls (DigitalOcean
// API document, Reserved IPs); IPv6 addresses and certificates belong to none (the same, Project Resources).
type resource struct {
	urn, path string
	// leader is the droplet that the address is on, and whose project is its own too.
	leader *droplet
}

func (d *droplet) urn() string { return "do:droplet:" + text(d.id) }

func (r *reservedIP) urn() string { return "do:floatingip:" + r.ip }

// resources are all of a team.
func (t *team) resources() []resource {
	var all []resource
	for _, d := range t.droplets {
		all = append(all, resource{urn: d.urn(), path: "/v2/droplets/" + text(d.id)})
	}
	for _, r := range t.addresses {
		if !r.isIPv6() && r.prefix == nil {
			all = append(all, resource{urn: r.urn(), path: "/v2/floating_ips/" + r.ip, leader: r.holder})
		}
	}
	for _, name := range t.domains {
		all = append(all, resource{urn: "do:domain:" + name, path: "/v2/domains/" + name})
	}
	for _, b := range t.balancers {
		all = append(all, resource{urn: "do:loadbalancer:" + b.id, path: "/v2/load_balancers/" + b.id})
	}
	return all
}

// join puts a resource into a project.
func (t *team) join(urn string, p *project, now time.Time) {
	t.joined[urn] = joining{project: p, when: now}
}

// projectOf is the project of a resource; one that has been put nowhere is in the default one.
func (t *team) projectOf(urn string) joining {
	if own, there := t.joined[urn]; there && slices.Contains(t.projects, own.project) {
		return own
	}
	return joining{project: t.defaultProject, when: t.identity.since}
}

// projectOfAddress: an address on a droplet is where the droplet is (inferred: the vendor refuses to move it by itself).
func (t *team) projectOfAddress(r *reservedIP) *project {
	if r.holder != nil {
		return t.projectOf(r.holder.urn()).project
	}
	return t.projectOf(r.urn()).project
}

// members are the resources of a project.
func (c *call) members(p *project) []resource {
	return slices.DeleteFunc(c.team.resources(), func(one resource) bool {
		urn := one.urn
		if one.leader != nil {
			urn = one.leader.urn()
		}
		return c.team.projectOf(urn).project != p
	})
}

// resourceBody: DigitalOcean API document, model resource.
func (c *call) resourceBody(one resource, status string) object {
	return object{
		"urn": one.urn, "assigned_at": timestamp(c.team.projectOf(one.urn).when), "status": status,
		"links": object{"self": baseURL(c.Request) + one.path},
	}
}

func listProjectResources(c *call, p *project) core.Answer {
	found := c.members(p)
	return c.replyList("resources", len(found), func(i int) any { return c.resourceBody(found[i], "ok") })
}

// urnPattern and its refusal: pulumi-digitalocean, issue 82.
var urnPattern = regexp.MustCompile(`^do:[a-z0-9]+:.+$`)

// assignResources puts resources into a project, out of the one where they are. What is not found is told by its status
// alone (DigitalOcean API document, "Resource Status Codes"). An address that is on a droplet cannot be moved by itself
// (terraform-provider-digitalocean, issue 445): nothing is moved then.
func assignResources(c *call, p *project) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return about(*wrong, p.id)
	}
	var urns []string
	in.read("resources", &urns, "a list of strings")
	if in.problem != nil {
		return about(*in.problem, p.id)
	}
	all := c.team.resources()
	for _, urn := range urns {
		if !urnPattern.MatchString(urn) {
			return about(failure(http.StatusBadRequest, "resource objects must have an urn in the following format: do:resource_type:resource_id"), p.id)
		}
		if one := resourceNamed(all, urn); one != nil && one.leader != nil && c.team.projectOf(one.leader.urn()).project != p {
			return about(failure(http.StatusPreconditionFailed, "Cannot move a Reserved IP with an associated Droplet. Move the Droplet instead"), p.id)
		}
	}
	return reply(http.StatusOK, object{"resources": c.assigned(all, urns, p), "links": object{}, "meta": object{"total": len(c.members(p))}}, p.id)
}

// assigned moves what was asked for and answers it with its status, and then everything else of the project.
func (c *call) assigned(all []resource, urns []string, p *project) []object {
	bodies := []object{}
	for _, urn := range urns {
		one := resourceNamed(all, urn)
		status := "assigned"
		switch {
		case one == nil:
			bodies = append(bodies, object{"urn": urn, "assigned_at": nil, "status": "not_found", "links": object{"self": ""}})
			continue
		case c.team.projectOf(one.urn).project == p:
			status = "already_assigned"
		default:
			c.team.join(one.urn, p, c.now)
		}
		bodies = append(bodies, c.resourceBody(*one, status))
	}
	for _, one := range c.members(p) {
		if !slices.ContainsFunc(urns, func(urn string) bool { return sameURN(urn, one.urn) }) {
			bodies = append(bodies, c.resourceBody(one, "ok"))
		}
	}
	return bodies
}

// sameURN knows an address by its newer name too, which the vendor's library uses.
func sameURN(asked, known string) bool {
	return asked == known || strings.Replace(asked, "do:reservedip:", "do:floatingip:", 1) == known
}

func resourceNamed(all []resource, urn string) *resource {
	at := slices.IndexFunc(all, func(one resource) bool { return sameURN(urn, one.urn) })
	if at < 0 {
		return nil
	}
	return &all[at]
}
