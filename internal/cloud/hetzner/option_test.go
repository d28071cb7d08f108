// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"maps"
	"net/http"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// TestOptionsThatDependOnEachOther.
func TestOptionsThatDependOnEachOther(t *testing.T) {
	inNoPublicNet := func(more manifest.Values) manifest.Values {
		written := manifest.Values{driver.OptionPublicIPv4: false, driver.OptionPublicIPv6: false}
		maps.Copy(written, more)
		return written
	}
	for name, test := range map[string]struct {
		written manifest.Values
		at      string
	}{
		"an address in no network":              {manifest.Values{optionNetworkIP: "10.0.1.7"}, optionNetworkIP},
		"no address at all":                     {inNoPublicNet(nil), driver.OptionNetwork},
		"a network alone":                       {inNoPublicNet(manifest.Values{driver.OptionNetwork: "1"}), ""},
		"a host name of no public address":      {inNoPublicNet(manifest.Values{driver.OptionNetwork: "1", driver.OptionReverseDNS: "web.example.com"}), driver.OptionReverseDNS},
		"no host name of no public address":     {inNoPublicNet(manifest.Values{driver.OptionNetwork: "1", driver.OptionReverseDNS: ""}), ""},
		"a host name of the IPv6 address alone": {manifest.Values{driver.OptionPublicIPv4: false, driver.OptionReverseDNS: "web.example.com"}, ""},
	} {
		faults := checkOptions(test.written)
		if test.at == "" && len(faults) > 0 || test.at != "" && (len(faults) != 1 || faults[0].Path[0] != test.at) {
			t.Errorf("%s: %v", name, faults)
		}
	}
}

// TestAnAnswerWithoutAServerSetsNoOption: it would look like a server on which nothing is left to do.
func TestAnAnswerWithoutAServerSetsNoOption(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		if _, err := p.AddFault(emulator.Fault{Method: http.MethodGet, Path: "/servers/", Action: "status", Status: http.StatusOK, Body: `{}`, Times: new(0)}); err != nil {
			p.Fatal(err)
		}
		for option, value := range map[string]any{
			driver.OptionReverseDNS: "web.example.com", driver.OptionBackups: false, driver.OptionNetwork: "", optionFirewalls: []string{}, optionGroup: "",
			driver.OptionDeleteProtection: false,
		} {
			operations, err := p.open("env://HCLOUD_TOKEN").SetOption(p.Context(), machine, driver.Setting{Name: option, Value: value, All: manifest.Values{option: value}})
			if err == nil || !strings.Contains(err.Error(), "no object with an id") {
				t.Errorf("%s: %v, %v", option, operations, err)
			}
		}
	})
}
