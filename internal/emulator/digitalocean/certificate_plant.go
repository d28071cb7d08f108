// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// startDomain is the domain that the team has from the start.
const startDomain = "example.com"

// balancer is as much of a load balancer as certificates know of it. It is planted; the API has none.
type balancer struct {
	id           string
	name         string
	certificates []string
}

func (own *certificate) object(owner *team) core.Object {
	return core.Object{ID: own.id, Name: own.name, State: own.state, Project: owner.name}
}

func (b *balancer) object(owner *team) core.Object {
	return core.Object{ID: b.id, Name: b.name, State: "active", Project: owner.name}
}

// certificateObjects are the objects of the kinds of this file.
func (t *team) certificateObjects(kind string) []core.Object {
	var objects []core.Object
	switch kind {
	case "certificates":
		for _, own := range t.certificates {
			objects = append(objects, own.object(t))
		}
	case "load_balancers":
		for _, b := range t.balancers {
			objects = append(objects, b.object(t))
		}
	case "domains":
		for _, name := range t.domains {
			objects = append(objects, core.Object{ID: name, Name: name, Project: t.name})
		}
	}
	return objects
}

// plantOther makes an object of the kinds of this file.
func (t *team) plantOther(kind string, fields map[string]json.RawMessage, now time.Time) (core.Object, error) {
	switch kind {
	case "certificates":
		own := &certificate{id: newUUID(), kind: typeLetsEncrypt, state: "verified", domains: []string{"www." + startDomain}, created: now}
		if err := own.patch(fields); err != nil {
			return core.Object{}, err
		}
		if own.leaf == nil && own.state == "verified" {
			own.set(now.Add(core.Lifetime))
		}
		t.certificates = append(t.certificates, own)
		return own.object(t), nil
	case "load_balancers":
		b := &balancer{id: newUUID(), name: "load-balancer"}
		if err := b.patch(fields); err != nil {
			return core.Object{}, err
		}
		t.balancers = append(t.balancers, b)
		return b.object(t), nil
	case "domains":
		name := ""
		if err := (core.Setters{"name": core.Into(&name)}).Apply(fields); err != nil {
			return core.Object{}, err
		}
		t.domains = append(t.domains, name)
		return core.Object{ID: name, Name: name, Project: t.name}, nil
	}
	return core.Object{}, fmt.Errorf("%s are not served, so none can be planted", kind)
}

// patch changes a certificate as others would. A new not_after is a renewal: another certificate under another id, with the
// same name (DigitalOcean API document, certificates: the id changes with each renewal).
func (own *certificate) patch(fields map[string]json.RawMessage) error {
	next, until, id := *own, time.Time{}, ""
	err := core.Setters{
		"id": core.Into(&id), "sha1_fingerprint": core.Into(&next.print),
		"name": core.Into(&next.name), "type": core.Into(&next.kind), "state": core.Into(&next.state),
		"dns_names": core.Into(&next.domains), "created_at": core.Into(&next.created), "not_after": core.Into(&until),
	}.Apply(fields)
	if err != nil {
		return err
	}
	if next.kind != typeCustom && next.kind != typeLetsEncrypt {
		return fmt.Errorf("type: %q is neither custom nor lets_encrypt", next.kind)
	}
	if !until.IsZero() {
		if _, given := fields["sha1_fingerprint"]; !given {
			next.print = ""
		}
		next.set(until)
		next.id = newUUID()
	}
	next.id = cmp.Or(id, next.id)
	*own = next
	return nil
}

// patch changes a load balancer; forwarding rules name the certificates that it uses.
func (b *balancer) patch(fields map[string]json.RawMessage) error {
	next, rules := *b, []struct {
		CertificateID string `json:"certificate_id"`
	}(nil)
	if err := (core.Setters{"name": core.Into(&next.name), "forwarding_rules": core.Into(&rules)}).Apply(fields); err != nil {
		return err
	}
	if _, given := fields["forwarding_rules"]; given {
		next.certificates = nil
		for _, rule := range rules {
			next.certificates = append(next.certificates, rule.CertificateID)
		}
	}
	*b = next
	return nil
}

func (t *team) balancer(id string) *balancer {
	for _, b := range t.balancers {
		if b.id == id {
			return b
		}
	}
	return nil
}

// dropOther removes an object of the kinds of this file; false when there is none.
func (t *team) dropOther(kind, id string) bool {
	own, b := t.certificate(id), t.balancer(id)
	switch {
	case kind == "certificates" && own != nil:
		t.dropCertificate(own)
	case kind == "load_balancers" && b != nil:
		t.balancers = slices.DeleteFunc(t.balancers, func(other *balancer) bool { return other == b })
	case kind == "domains" && slices.Contains(t.domains, id):
		t.domains = slices.DeleteFunc(t.domains, func(other string) bool { return other == id })
	default:
		return false
	}
	return true
}
