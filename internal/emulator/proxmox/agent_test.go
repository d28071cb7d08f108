// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const interfaces = "/agent/network-get-interfaces"

// TestAgentAddresses: loopback first, then the NICs of the configuration, with DHCP or static addresses.
func TestAgentAddresses(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		static := url.QueryEscape("ip=192.0.2.7/24,gw=192.0.2.1,ip6=2001:db8::7/64")
		c.ask("PUT", path+"/config", "net0="+url.QueryEscape("virtio=BC:24:11:0A:0B:0C,bridge=vmbr0")+"&net1="+url.QueryEscape("virtio,bridge=vmbr0")+"&ipconfig1="+static)
		c.start(path)
		got := c.ask("GET", path+interfaces, "")
		want(t, "first", got.get("result", 0, "name"), "lo")
		want(t, "second", got.get("result", 1, "hardware-address"), "bc:24:11:0a:0b:0c")
		want(t, "DHCP", got.get("result", 1, "ip-addresses", 0, "ip-address"), "10.0.1.2")
		want(t, "type", got.get("result", 1, "ip-addresses", 0, "ip-address-type"), "ipv4")
		want(t, "link-local", got.get("result", 1, "ip-addresses", 1, "ip-address"), "fe80::be24:11ff:fe0a:b0c")
		want(t, "static", got.get("result", 2, "ip-addresses", 0, "ip-address"), "192.0.2.7")
		want(t, "prefix", got.get("result", 2, "ip-addresses", 0, "prefix"), 24.0)
		want(t, "static IPv6", got.get("result", 2, "ip-addresses", 1, "ip-address"), "2001:db8::7")
		want(t, "host name", c.ask("GET", path+"/agent/get-host-name", "").get("result", "host-name"), "web")
		want(t, "system", c.ask("GET", path+"/agent/get-osinfo", "").get("result", "id"), "debian")
		want(t, "ping", c.ask("POST", path+"/agent/ping", "").status, 200)
		c.do("POST", path+"/status/stop", "")
		c.start(path)
		want(t, "the same after a restart", c.ask("GET", path+interfaces, "").get("result", 1, "ip-addresses", 0, "ip-address"), "10.0.1.2")
	})
}

// TestSilentAgents: three texts, of which one takes 3 s to find out.
func TestSilentAgents(t *testing.T) {
	for name, test := range map[string]struct {
		config  string
		running bool
		agent   map[string]string
		text    string
		took    time.Duration
	}{
		"not configured": {"delete=agent", true, nil, "No QEMU guest agent configured", 0},
		"stopped":        {"agent=1", false, nil, "VM 100 is not running", 0},
		"disabled":       {"agent=0", true, nil, "QEMU guest agent is not running", 3 * time.Second},
		"off":            {"agent=1", true, map[string]string{"": "off"}, "QEMU guest agent is not running", 3 * time.Second},
		"off here":       {"agent=1", true, map[string]string{"": "on", "100": "off"}, "QEMU guest agent is not running", 3 * time.Second},
		"late":           {"agent=1", true, map[string]string{"": "1m"}, "QEMU guest agent is not running", 3 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				c.ask("PUT", path+"/config", test.config)
				if test.running {
					c.start(path)
				}
				if test.agent != nil {
					c.set(func(s *emulator.Settings) { s.Agent = test.agent })
				}
				began := time.Now()
				wantRefusal(t, name, c.ask("GET", path+interfaces, ""), refusal{500, test.text})
				want(t, "it took", time.Since(began), test.took)
				pass(time.Minute)
				if name == "late" {
					want(t, "a minute later", c.ask("GET", path+interfaces, "").status, 200)
				}
			})
		})
	}
}

// TestAgentPrivileges: other names in PVE 8 and 9.
func TestAgentPrivileges(t *testing.T) {
	for name, test := range map[string]struct {
		release, denied string
		status          int
		text            string
	}{
		"9, allowed": {"9.1", "VM.Monitor", 200, ""},
		"9, denied":  {"9.1", "VM.GuestAgent.Audit", 403, "Permission check failed (/vms/100, VM.GuestAgent.Audit|VM.GuestAgent.Unrestricted)"},
		"8, allowed": {"8.4", "VM.GuestAgent.Audit", 200, ""},
		"8, denied":  {"8.4", "VM.Monitor", 403, "Permission check failed (/vms/100, VM.Monitor)"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				c.start(path)
				c.set(func(s *emulator.Settings) { s.Release, s.Denied = test.release, []string{test.denied} })
				got := c.as("separated").ask("GET", path+interfaces, "")
				want(t, "status", got.status, test.status)
				want(t, "text", got.message, test.text)
			})
		})
	}
}
