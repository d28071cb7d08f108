// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"
	"testing"
)

func TestLimitsOfCalls(t *testing.T) {
	step := func(name string, calls, shared int) life {
		return life{Subject: "ours", Vendor: "hetzner", Machines: 100, Parallelism: 100, Steps: []figures{
			{Step: name, Calls: calls + shared, Routes: map[string]int{"GET /v1/actions": shared}},
		}}
	}
	rival := step("refresh", 100, 0)
	rival.Subject = "rival"
	onProxmox := func(calls int) life {
		life := step("refresh", calls, 0)
		life.Vendor = "proxmox"
		return life
	}
	fewAtATime := func(reads int) life {
		life := step("create", 205+reads, 40)
		life.Parallelism, life.Steps[0].Routes["GET /v1/servers/ID"] = 10, reads
		return life
	}
	tests := map[string]struct {
		life life
		says string
	}{
		"a refresh of two pages":         {step("refresh", 3, 0), ""},
		"two reads for each machine":     {onProxmox(202), ""},
		"one read more":                  {onProxmox(203), "proxmox, refresh of 100 machines: 203 calls, at most 202"},
		"a refresh that asks once more":  {step("refresh", 4, 0), "hetzner, refresh of 100 machines: 4 calls, at most 3 are accepted"},
		"a create with polls":            {step("create", 205, 40), ""},
		"a create with one call more":    {step("create", 206, 40), "206 calls, at most 205"},
		"a create of a few at a time":    {fewAtATime(200), ""},
		"one that reads a machine more":  {fewAtATime(201), "206 calls, at most 205"},
		"a destroy that polls each":      {step("destroy", 200, 0), "200 calls, at most 115"},
		"a rival's refresh by its own":   {rival, ""},
		"a plan that reads the machines": {step("plan to create", 100, 0), "at most 5"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			said := strings.Join(passed(test.life), "; ")
			if (said == "") != (test.says == "") || !strings.Contains(said, test.says) {
				t.Errorf("it says %q, want %q", said, test.says)
			}
		})
	}
}
