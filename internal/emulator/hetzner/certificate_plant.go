// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// object is the certificate in the inventory.
func (own *certificate) object(owner *project) core.Object {
	o := core.Object{ID: text(own.id), Name: own.name, State: "uploaded", Labels: labelsBody(own.labels), Project: owner.name}
	if own.managed {
		o.State = own.issuance
	}
	return o
}

func (b *loadBalancer) object(owner *project) core.Object {
	return core.Object{ID: text(b.id), Name: b.name, State: "running", Project: owner.name}
}

// plantCertificate makes a certificate as others would have: a managed one that has been issued, where nothing else is said.
func (a *API) plantCertificate(owner *project, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	own := &certificate{managed: true, issuance: "completed", renewal: "scheduled", created: now, domains: []string{"www." + startZone}}
	if err := own.patch(fields); err != nil {
		return core.Object{}, err
	}
	own.id = take(&a.ids.certificate)
	if own.name == "" {
		own.name = "certificate-" + text(own.id)
	}
	if own.leaf == nil && own.issuance == "completed" {
		own.set(now.Add(core.Lifetime))
	}
	owner.certificates = append(owner.certificates, own)
	return own.object(owner), nil
}

// patch changes a certificate as others would: renamed, relabelled, failed. A new not_valid_after is a renewal, which brings
// another leaf.
func (own *certificate) patch(fields map[string]json.RawMessage) error {
	next, kind, status := *own, "", struct{ Issuance, Renewal string }{own.issuance, own.renewal}
	var until time.Time
	var text string
	err := core.Setters{
		"name": core.Into(&next.name), "labels": replaceLabels(&next.labels), "created": core.Into(&next.created),
		"type": core.Into(&kind), "domain_names": core.Into(&next.domains), "status": core.Into(&status), "not_valid_after": core.Into(&until),
		"certificate": core.Into(&text),
	}.Apply(fields)
	if err != nil {
		return err
	}
	if kind != "" && kind != "managed" && kind != "uploaded" {
		return fmt.Errorf("type: %q is neither managed nor uploaded", kind)
	}
	next.managed = kind == "managed" || kind == "" && own.managed
	next.issuance, next.renewal = status.Issuance, status.Renewal
	switch {
	case text != "":
		if next.leaf, err = core.ReadCertificate(text); err != nil {
			return fmt.Errorf("certificate: %w", err)
		}
		next.pem = text
	case !until.IsZero():
		next.set(until)
	}
	*own = next
	return nil
}

// plantBalancer makes a load balancer that uses certificates.
func (a *API) plantBalancer(owner *project, fields map[string]json.RawMessage) (core.Object, error) {
	balancer := &loadBalancer{}
	if err := balancer.patch(fields); err != nil {
		return core.Object{}, err
	}
	balancer.id = take(&a.ids.balancer)
	if balancer.name == "" {
		balancer.name = "load-balancer-" + text(balancer.id)
	}
	owner.balancers = append(owner.balancers, balancer)
	return balancer.object(owner), nil
}

// patch changes a load balancer; services name the certificates that it uses.
func (b *loadBalancer) patch(fields map[string]json.RawMessage) error {
	next, services := *b, []struct {
		HTTP struct{ Certificates []int64 } `json:"http"`
	}(nil)
	err := core.Setters{"name": core.Into(&next.name), "services": core.Into(&services)}.Apply(fields)
	if err != nil {
		return err
	}
	if _, given := fields["services"]; given {
		next.certificates = nil
		for _, service := range services {
			next.certificates = append(next.certificates, service.HTTP.Certificates...)
		}
	}
	*b = next
	return nil
}

func (p *project) balancer(id int64) *loadBalancer {
	for _, balancer := range p.balancers {
		if balancer.id == id {
			return balancer
		}
	}
	return nil
}

func (p *project) dropBalancer(balancer *loadBalancer) {
	p.balancers = slices.DeleteFunc(p.balancers, func(other *loadBalancer) bool { return other == balancer })
}

// certificateObjects adds the objects of the kinds of this file.
func (p *project) certificateObjects(kind string, byID map[int64]core.Object) {
	switch kind {
	case "certificates":
		for _, own := range p.certificates {
			byID[own.id] = own.object(p)
		}
	case "load_balancers":
		for _, balancer := range p.balancers {
			byID[balancer.id] = balancer.object(p)
		}
	case "zones":
		for _, z := range p.zones {
			byID[z.id] = z.object(p)
		}
	}
}

// dropNamed removes an object of the kinds of this file; false when there is none.
func (p *project) dropNamed(kind, name string, id int64) bool {
	own, balancer, z := p.certificate(id), p.balancer(id), p.zoneNamed(name)
	switch {
	case kind == "certificates" && own != nil:
		p.dropCertificate(own)
	case kind == "load_balancers" && balancer != nil:
		p.dropBalancer(balancer)
	case kind == "zones" && z != nil:
		p.dropZone(z)
	default:
		return false
	}
	return true
}
