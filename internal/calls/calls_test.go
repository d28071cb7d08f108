// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package calls_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
)

func TestRoutesAreFreeOfObjects(t *testing.T) {
	tests := map[string]struct{ path, route string }{
		"a number":                {"/v1/servers/4711", "GET /v1/servers/ID"},
		"an action of a number":   {"/v1/servers/4711/actions/poweron", "GET /v1/servers/ID/actions/poweron"},
		"a tag":                   {"/v2/tags/better-compute:key:inst_0a/resources", "GET /v2/tags/ID/resources"},
		"an address":              {"/v2/reserved_ips/192.0.2.7/actions", "GET /v2/reserved_ips/ID/actions"},
		"a word with a digit":     {"/v2/reserved_ipv6/2001:db8::1", "GET /v2/reserved_ipv6/ID"},
		"a node and its machine":  {"/api2/json/nodes/pve1/qemu/100000007/status/current", "GET /api2/json/nodes/ID/qemu/ID/status/current"},
		"a certificate's uuid":    {"/v2/certificates/5a1c7f6e-8a9b-4c0d-9e1f-000000000000", "GET /v2/certificates/ID"},
		"a domain":                {"/v2/domains/example.com", "GET /v2/domains/ID"},
		"a collection's own name": {"/v1/load_balancers", "GET /v1/load_balancers"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if route := calls.Route("GET", test.path); route != test.route {
				t.Errorf("%s is %s, want %s", test.path, route, test.route)
			}
		})
	}
}

func TestTheLineCountsByVendorRouteAndCause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var count calls.Count
		refresh := count.Counted(t.Context(), "refresh")
		for range 2 {
			calls.Sent(calls.For(refresh, "poll"), "hetzner-cloud", "GET", "/v1/actions", false, time.Second)
		}
		calls.Sent(refresh, "hetzner-cloud", "GET", "/v1/servers", true, 500*time.Millisecond)
		calls.Sent(count.Counted(t.Context(), "create"), "digitalocean", "POST", "/v2/droplets", false, 0)
		for _, wait := range []calls.Wait{calls.ForLimits, calls.ForWork, calls.ForWork} {
			ended := calls.Waits(context.WithoutCancel(refresh), wait)
			<-time.After(time.Second)
			ended()
		}
		want := map[string]any{
			"calls": 4, "refused": 1,
			"hetzner-cloud":      "2 GET /v1/actions (poll), 1 GET /v1/servers (refresh)",
			"digitalocean":       "1 POST /v2/droplets (create)",
			"waited_for_answers": "2.5s", "waited_for_limits": "1.0s", "waited_for_work": "2.0s",
		}
		if diff := cmp.Diff(want, count.Fields()); diff != "" {
			t.Errorf("the line (-want +got):\n%s", diff)
		}
	})
}

func TestNothingIsCountedWhereNobodyReads(t *testing.T) {
	calls.Sent(t.Context(), "hetzner-cloud", "GET", "/v1/servers", false, 0)
	calls.Waits(t.Context(), calls.ForWork)()
	var none *calls.Count
	calls.Sent(none.Counted(t.Context(), "plan"), "hetzner-cloud", "GET", "/v1/servers", false, 0)
	if fields := new(calls.Count).Fields(); fields != nil {
		t.Errorf("a count of nothing says %v", fields)
	}
}
