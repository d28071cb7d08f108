// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// publicNet is where a server of Hetzner Cloud is reached, as its API answers.
type publicNet struct{ IPv4, IPv6 primaryIP }

type primaryIP struct {
	ID int64
	IP string
}

func publicNetOf(t *testing.T, s *providertest.Scene, server string) publicNet {
	t.Helper()
	var answer struct {
		Server struct {
			PublicNet publicNet `json:"public_net"`
		}
	}
	providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodGet, "/servers/"+server, nil, &answer)
	return answer.Server.PublicNet
}

// renamedHost gives a server's IPv4 address another host name.
func renamedHost(t *testing.T, s *providertest.Scene, server string, _ map[string]string) {
	t.Helper()
	providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodPost, "/servers/"+server+"/actions/change_dns_ptr",
		map[string]any{"ip": publicNetOf(t, s, server).IPv4.IP, "dns_ptr": "other.example.com"}, nil)
}

// unassigned takes one of a server's primary IPs off it, for which the server has to be off.
func unassigned(which func(publicNet) primaryIP) byOthers {
	return func(t *testing.T, s *providertest.Scene, server string, _ map[string]string) {
		t.Helper()
		ip := which(publicNetOf(t, s, server))
		providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodPost, "/servers/"+server+"/actions/poweroff", nil, nil)
		providertest.AsOthers(t, s.Emulator.Hetzner, http.MethodPost, fmt.Sprintf("/primary_ips/%d/actions/unassign", ip.ID), nil, nil)
	}
}
