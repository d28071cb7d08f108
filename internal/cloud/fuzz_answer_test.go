// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// mostAlike is how many requests are answered alike: a list that names a next page for ever takes long to be given up.
const mostAlike = 20

// parrot answers every request with the same status and text.
type parrot struct {
	status   int
	text     string
	answered atomic.Int64
}

var errSilent = errors.New("the parrot has fallen silent")

// RoundTrip is that of http.RoundTripper.
func (p *parrot) RoundTrip(request *http.Request) (*http.Response, error) {
	if p.answered.Add(1) > mostAlike {
		return nil, errSilent
	}
	return &http.Response{
		Status: http.StatusText(p.status), StatusCode: p.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: request,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(p.text)), ContentLength: int64(len(p.text)),
	}, nil
}

// statuses are those that no request is repeated after.
var statuses = []int{http.StatusOK, http.StatusNotFound, http.StatusForbidden, http.StatusUnprocessableEntity}

var answersOfVendors = []string{
	`{"servers":[{"id":42,"name":"web","status":"running","created":"2026-11-30T00:00:00Z","labels":{"better-compute/key":"inst_x"},` +
		`"public_net":{"ipv4":{"ip":"192.0.2.1"},"ipv6":{"ip":"2001:db8::/64"}},"server_type":{"name":"cx23","cores":2,"memory":4,"disk":40},"image":null,"location":{"name":"fsn1"}}],` +
		`"meta":{"pagination":{"page":1,"next_page":2,"last_page":2}}}`,
	`{"server":{"id":42,"server_type":null},"actions":[{"id":1,"status":"error","error":{"code":"x","message":"y"}}],"server_types":[{"name":"cx23","prices":[{"location":"fsn1","price_hourly":{"gross":"0.006"}}]}]}`,
	`{"floating_ips":[{"id":1,"ip":"2001:db8::/64","type":"ipv6","server":42}],"certificates":[{"id":1,"certificate":"x","not_valid_after":null}],"zones":[{"name":"example.com"}],"networks":[{}],"firewalls":[{"rules":[{"port":"1-2"}]}]}`,
	`{"droplets":[{"id":42,"name":"web","status":"active","memory":4096,"size_slug":"s-2vcpu-4gb","tags":["better-compute:key:inst_x"],"networks":{"v4":[{"ip_address":"192.0.2.1","type":"public"}]},` +
		`"region":null,"image":{"slug":null}}],"links":{"pages":{"next":"https://api.digitalocean.com/v2/droplets?page=2"}},"meta":{"total":1}}`,
	`{"droplet":{"id":42},"sizes":[{"slug":"s-1vcpu-1gb","price_hourly":1e308,"regions":["fra1"],"available":true}],"images":[{"id":1,"slug":"x","regions":["fra1"]}],"tags":[{"name":"better-compute:row:k"}],"account":{"droplet_limit":-1}}`,
	`{"reserved_ips":[{"ip":"192.0.2.9","droplet":{"id":1},"region":{"slug":"fra1"}}],"domains":[{"name":"example.com"}],"vpcs":[{"ip_range":"x"}],"firewalls":[{"inbound_rules":[{"ports":"all"}]}],"byoip_prefixes":[{}]}`,
	`{"data":[{"vmid":"100","type":"qemu","node":"pve1","status":"running","tags":"better-compute","mem":1e300,"maxmem":"x","storage":"local","content":"iso"}]}`,
	`{"data":{"cores":"2","description":"better-compute inst_x","status":"stopped","exitstatus":"OK","result":[{"hardware-address":"x"}]}}`,
	`{"id":"not_found","message":"The resource you requested could not be found."}`, `{"error":{"code":"not_found","message":"x","details":null}}`,
	`{"data":null,"message":"Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist\n"}`, "<html></html>", "null", "[]", "{}", "",
}

// Whatever a vendor answers, it is read or explained, and what was read can be kept in a state: no number in it is without
// end.
func FuzzAnswer(f *testing.F) {
	for number := range cloud.Kinds() {
		for _, text := range answersOfVendors {
			f.Add(number, 0, text)
		}
		f.Add(number, 1, answersOfVendors[8])
	}
	f.Fuzz(func(t *testing.T, number, status int, text string) {
		kinds := cloud.Kinds()
		kind := kinds[uint(number)%uint(len(kinds))]
		vendor := &parrot{status: statuses[uint(status)%uint(len(statuses))], text: text}
		for name, read := range readings(openOn(t, kind, vendor), kind.Options, anything) {
			vendor.answered.Store(0)
			if err := read(t.Context()).isSound(); err != nil {
				t.Errorf("%s, %s: %v", kind.Manifest.Kind, name, err)
			}
		}
	})
}

// anything are ids that each vendor would take for its own.
var anything = known{
	machine: "100", address: "192.0.2.1", certificate: "892071a0-bb95-49bc-8021-3afd67a210bf", prefix: "x",
	operations: []driver.Operation{{ID: "1", MachineID: "100"}, {ID: "UPID:pve1:00000001:00000001:00000001:qmclone:100:root@pam:", MachineID: "100"}},
}

// openOn opens a kind with nothing but what is required.
func openOn(t *testing.T, kind driver.Kind, base http.RoundTripper) driver.Driver {
	t.Helper()
	required := map[string]manifest.Values{
		"hetzner-cloud": {"token": "env://T"}, "digitalocean": {"token": "env://T", "region": "fra1"},
		"proxmox": {"token": "env://T", "url": "https://pve.example.com:8006"},
	}
	opened, err := kind.Open(kind.Manifest.WithDefaults(required[kind.Manifest.Kind]), driver.Environment{
		Base: base, Resolve: func(context.Context, string) (string, error) { return "a@b!c=d", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return opened
}
