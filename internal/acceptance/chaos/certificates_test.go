// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

var certificatePlaces = map[string]place{
	"hetzner":      {"certificates", "/v1/certificates"},
	"digitalocean": {"certificates", "/v2/certificates"},
}

var certificates = resource{
	name: "certificate", typeName: "bettercompute_certificate", id: "certificate_id",
	required: never, operations: certificateOperations,
	plant: func(v vendor, world *emulator.Emulator) (emulator.Object, error) {
		return world.Plant(v.Name, "certificates", emulator.Fields{"name": "stranger"})
	},
}.at(certificatePlaces)

// uploaded is a certificate by reference, renewed the one that follows it; issued is one that the vendor issues.
var (
	uploaded = with(arguments{
		"kind": "custom", "certificate": "env://CHAOS_CERTIFICATE", "private_key": "env://CHAOS_KEY", "chain": "env://CHAOS_CHAIN",
		"references_version": "1",
	})
	renewed = with(arguments{
		"kind": "custom", "certificate": "env://CHAOS_RENEWED", "private_key": "env://CHAOS_RENEWED_KEY", "chain": "env://CHAOS_CHAIN",
		"references_version": "2",
	})
	issued     = with(arguments{"kind": "managed", "domains": []any{"www.example.com"}})
	issuedAnew = with(arguments{"kind": "managed", "domains": []any{"api.example.com", "www.example.com"}})
)

// certificateOperations are those that are interrupted. See addressOperations for the machine besides.
var certificateOperations = []operation{
	{name: "create", after: uploaded},
	{name: "create managed", after: issued},
	{name: "restore the marks", before: uploaded, after: uploaded, others: wiped},
	{name: "restore the marks, managed", before: issued, after: issued, others: wiped},
	{name: "replace", before: uploaded, after: renewed, replaces: true, companions: blue},
	{name: "replace managed", before: issued, after: issuedAnew, replaces: true},
	{name: "replace the tainted", before: uploaded, after: uploaded, tainted: true, replaces: true, companions: blue},
	{name: "rotate, create_before_destroy", before: uploaded, after: renewed, createBeforeDestroy: true, replaces: true},
	{name: "rotate managed, create_before_destroy", before: issued, after: issuedAnew, createBeforeDestroy: true, replaces: true},
	{name: "destroy", before: uploaded, companions: blue},
	{name: "destroy managed", before: issued},
}

// texts are what is behind the references of certificates, by the names of their variables; made for an operation that is
// about one.
func (s subject) texts(t *testing.T) map[string]string {
	t.Helper()
	if s.resource != &certificates {
		return nil
	}
	authority := certpemtest.NewAuthority(t, time.Now())
	until := time.Now().Add(30 * 24 * time.Hour)
	leaf, next := authority.Leaf(t, until, "www.example.com"), authority.Leaf(t, until.Add(24*time.Hour), "www.example.com")
	return map[string]string{
		"CHAOS_CERTIFICATE": certpemtest.PEM(leaf), "CHAOS_KEY": certpemtest.KeyPEM(t, leaf), "CHAOS_CHAIN": authority.Chain(),
		"CHAOS_RENEWED": certpemtest.PEM(next), "CHAOS_RENEWED_KEY": certpemtest.KeyPEM(t, next),
	}
}
