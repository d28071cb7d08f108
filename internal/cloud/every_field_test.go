// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// place is an emulated vendor with what there is besides a machine: kind and fields of the inventory.
type place struct {
	kind, name string
	of         func(*emulator.Emulator) *emulator.Vendor
	// address is the argument of an account for the vendor's URL, config are the others.
	address string
	config  manifest.Values
	machine driver.Spec
	besides []piece
}

type piece struct {
	kind   string
	fields emulator.Fields
}

var places = []place{
	{
		kind: "hetzner-cloud", name: "hetzner", of: func(e *emulator.Emulator) *emulator.Vendor { return e.Hetzner }, address: "endpoint",
		machine: driver.Spec{OfferID: "cx23", ImageID: "161547269", Region: "fsn1"},
		besides: []piece{
			{"floating_ips", emulator.Fields{"name": "front"}}, {"certificates", emulator.Fields{"name": "www"}}, {"networks", emulator.Fields{"name": "inner"}},
			{"firewalls", emulator.Fields{"name": "edge"}}, {"placement_groups", emulator.Fields{"name": "apart"}},
		},
	},
	{
		kind: "digitalocean", name: "digitalocean", of: func(e *emulator.Emulator) *emulator.Vendor { return e.DigitalOcean }, address: "endpoint",
		config: manifest.Values{"region": "fra1"}, machine: driver.Spec{OfferID: "s-2vcpu-4gb", ImageID: "ubuntu-24-04-x64", Region: "fra1"},
		besides: []piece{
			{"reserved_ips", emulator.Fields{"region": "fra1"}}, {"certificates", emulator.Fields{"name": "www"}}, {"vpcs", emulator.Fields{"name": "inner", "region": "fra1"}},
			{"firewalls", emulator.Fields{"name": "edge"}}, {"byoip_prefixes", emulator.Fields{"prefix": "203.0.113.0/24"}},
		},
	},
	{
		kind: "proxmox", name: "proxmox", of: func(e *emulator.Emulator) *emulator.Vendor { return e.Proxmox }, address: "url",
		machine: driver.Spec{OfferID: "2c-4g", ImageID: "9000", Region: "pve"}, besides: []piece{{"security_groups", emulator.Fields{"group": "edge"}}},
	},
}

// Every field of every answer that a driver reads is dropped, nulled and mistyped in turn: machines, addresses,
// certificates, and the catalogue, networks, firewalls, quotas and what options refer to. Nothing breaks, what is read can
// be kept in a state, and a spoilt answer never says that something is gone.
func TestEveryFieldOfEveryReading(t *testing.T) {
	for _, vendor := range places {
		var names []string
		synctest.Test(t, func(t *testing.T) {
			own := furnish(t, vendor)
			names = slices.Sorted(maps.Keys(own.readings(own.base)))
		})
		for _, name := range names {
			t.Run(vendor.name+"/"+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { furnish(t, vendor).spoilEach(t, name) })
			})
		}
	}
}

// furnished is a vendor with something of each sort.
type furnished struct {
	kind  driver.Kind
	there known
	base  http.RoundTripper
	open  func(base http.RoundTripper) driver.Driver
}

func furnish(t *testing.T, vendor place) *furnished {
	t.Helper()
	world := emulator.InMemory(t, emulator.Options{})
	kind, _ := cloud.KindByName(vendor.kind)
	served := vendor.of(world)
	own := &furnished{kind: kind, base: served.Transport()}
	config := manifest.Values{"token": "env://T", vendor.address: served.Endpoint}
	maps.Copy(config, vendor.config)
	own.open = func(base http.RoundTripper) driver.Driver {
		opened, err := kind.Open(kind.Manifest.WithDefaults(config), driver.Environment{
			Base: base, Resolve: func(context.Context, string) (string, error) { return served.Token, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		return opened
	}
	for _, piece := range vendor.besides {
		planted, err := world.Plant(vendor.name, piece.kind, piece.fields)
		if err != nil {
			t.Fatal(err)
		}
		switch piece.kind {
		case "certificates":
			own.there.certificate = planted.ID
		case "byoip_prefixes":
			own.there.prefix = planted.ID
		}
	}
	own.moveIn(t, vendor)
	return own
}

// moveIn makes a machine, and learns the id of the address that is there.
func (f *furnished) moveIn(t *testing.T, vendor place) {
	t.Helper()
	opened := f.open(f.base)
	order := vendor.machine
	order.Name, order.Marks = "web", driver.Marks{Managed: true, Key: "inst_x", Account: "pacct_y", Claim: "0-z", Creating: true}
	created, err := opened.Create(t.Context(), order)
	if err != nil {
		t.Fatal(err)
	}
	f.there.machine, f.there.operations = created.Machine.ID, created.Operations
	<-time.After(time.Minute) // until the vendor has done what it has begun
	can, ok := opened.(driver.Addresses)
	if !ok {
		return
	}
	addresses, err := can.ListAddresses(t.Context())
	if err != nil || len(addresses) == 0 {
		t.Fatalf("%v, %v", addresses, err)
	}
	f.there.address = addresses[0].ID
}

func (f *furnished) readings(base http.RoundTripper) map[string]reading {
	return readings(f.open(base), f.kind.Options, f.there)
}

// spoilEach reads once as it is, and then once for each field and way to spoil it.
func (f *furnished) spoilEach(t *testing.T, name string) {
	t.Helper()
	whole := &replay{base: f.base, answers: map[string][]byte{}}
	if read := f.readings(whole)[name](t.Context()); read.err != nil {
		t.Fatalf("unspoilt: %v", read.err)
	}
	for request, text := range whole.answers {
		for _, path := range drivertest.FieldPaths(text) {
			for _, how := range drivertest.Spoilings() {
				f.readSpoilt(t, name, &replay{base: f.base, answers: whole.answers, request: request, path: path, how: how})
			}
		}
	}
}

func (f *furnished) readSpoilt(t *testing.T, name string, spoilt *replay) {
	t.Helper()
	defer func() {
		if panicked := recover(); panicked != nil {
			t.Errorf("%s, %s %s: %v", spoilt.request, spoilt.path, spoilt.how, panicked)
		}
	}()
	read := f.readings(spoilt)[name](t.Context())
	if err := read.isSound(); err != nil {
		t.Errorf("%s, %s %s: %v", spoilt.request, spoilt.path, spoilt.how, err)
	}
	if read.failure.Code == driver.NotFound {
		t.Errorf("%s, %s %s: it is taken for gone: %v", spoilt.request, spoilt.path, spoilt.how, read.err)
	}
}

// replay answers as the vendor has answered before, with one field spoilt.
type replay struct {
	base  http.RoundTripper
	mutex sync.Mutex
	// answers are the vendor's, by method and URL; they are written while nothing is spoilt.
	answers            map[string][]byte
	request, path, how string
}

// RoundTrip is that of http.RoundTripper.
func (r *replay) RoundTrip(request *http.Request) (*http.Response, error) {
	own := request.Method + " " + request.URL.RequestURI()
	r.mutex.Lock()
	text, answered := r.answers[own]
	r.mutex.Unlock()
	if !answered {
		response, err := r.base.RoundTrip(request)
		if err != nil || r.how != "" || response.StatusCode != http.StatusOK {
			return response, err
		}
		if text, err = io.ReadAll(response.Body); err != nil {
			return nil, err
		}
		text = shortened(text)
		r.mutex.Lock()
		r.answers[own] = text
		r.mutex.Unlock()
	}
	if own == r.request {
		text = drivertest.Spoil(text, r.path, r.how)
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}, nil
}

// longest is how many elements of a list are kept: more show no more fields.
const longest = 4

// shortened is a JSON text with short lists.
func shortened(text []byte) []byte {
	var value any
	if json.Unmarshal(text, &value) != nil {
		return text
	}
	short, err := json.Marshal(shorten(value))
	if err != nil {
		panic(fmt.Sprintf("what was read as JSON is not written as such: %v", err))
	}
	return short
}

func shorten(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, inner := range value {
			value[name] = shorten(inner)
		}
	case []any:
		value = value[:min(len(value), longest)]
		for i, inner := range value {
			value[i] = shorten(inner)
		}
		return value
	}
	return value
}
