// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// publicNet is where a server of Hetzner Cloud is reached, as its API answers.
type publicNet struct {
	Server struct {
		PublicNet struct{ IPv4, IPv6 primaryIP } `json:"public_net"`
	}
}

type primaryIP struct {
	ID int64
	IP string
}

// TestPublicAddressesThatOthersChangeAreSeen: host names and address families of a server, changed through the vendor's API.
func TestPublicAddressesThatOthersChangeAreSeen(t *testing.T) {
	tests := map[string]struct {
		change func(t *testing.T, s *providertest.Scene, server string, net publicNet)
		want   effect
	}{
		"reverse_dns": {func(t *testing.T, s *providertest.Scene, server string, net publicNet) {
			t.Helper()
			providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodPost, "/servers/"+server+"/actions/change_dns_ptr",
				map[string]any{"ip": net.Server.PublicNet.IPv4.IP, "dns_ptr": "other.example.com"}, nil)
		}, updates},
		"public_ipv4": {without(func(net publicNet) primaryIP { return net.Server.PublicNet.IPv4 }), replaces},
		"public_ipv6": {without(func(net publicNet) primaryIP { return net.Server.PublicNet.IPv6 }), replaces},
	}
	vendor := providertest.Vendors[0]
	for option, test := range tests {
		t.Run(option, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := furnished(t, vendor)
				config := s.Machine(optionMachines[vendor.Name].all)
				state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
				server := providertest.Text(t, state.Value, "machine_id")
				var net publicNet
				providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodGet, "/servers/"+server, nil, &net)
				test.change(t, s, server, net)
				plan := s.Plan(typeName, state, config)
				if _, seen := plan.Changed(t)[option]; !seen || effectOf(plan, option) != test.want {
					t.Errorf("the plan is %q and changes %v, want %q: %s", effectOf(plan, option), plan.Changed(t), test.want, plan.Diagnostics)
				}
				if test.want == updates {
					mustRepair(s, state, config)
				}
			})
		})
	}
}

// without takes one of a server's primary IPs off it, for which the server has to be off.
func without(which func(publicNet) primaryIP) func(*testing.T, *providertest.Scene, string, publicNet) {
	return func(t *testing.T, s *providertest.Scene, server string, net publicNet) {
		t.Helper()
		providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodPost, "/servers/"+server+"/actions/poweroff", nil, nil)
		providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodPost, fmt.Sprintf("/primary_ips/%d/actions/unassign", which(net).ID), nil, nil)
	}
}
