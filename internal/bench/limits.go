// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import "fmt"

// limit is what ours may ask of a vendor. Times are no limit: they depend on the machine.
type limit struct {
	// page is how many machines a list has on one page; 0: all.
	page int
	// read is how many calls the list needs besides for each machine.
	read int
	// shared are the routes that many machines share: lists, and polls for what is under way.
	shared []string
	// one is the route that reads one machine, which is right where fewer wait at a time than a list has pages.
	one string
	// create and destroy are how many further calls each machine may take.
	create, destroy int
}

// further is how many calls a process may make besides: what is sold, the account, the look-up before the first create.
const further = 5

// readsOfFew is how often a machine may be read by itself where the CLI works on few at a time: once it is ready, and once more
// when its marks are written; when it is to be deleted, and once it is gone.
const readsOfFew = 2

// limits are those of all vendors. The list of Proxmox VE tells neither what is configured for a machine nor its addresses,
// and its creates and destroys are many steps, each of which looks at the machine first.
var limits = map[string]limit{
	"hetzner":      {page: 50, shared: []string{"GET /v1/actions", "GET /v1/servers"}, one: "GET /v1/servers/ID", create: 2, destroy: 1},
	"digitalocean": {page: 200, shared: []string{"GET /v2/actions", "GET /v2/droplets"}, one: "GET /v2/droplets/ID", create: 3, destroy: 4},
	"proxmox": {
		read: 2, create: 17, destroy: 12,
		shared: []string{
			"GET /api2/json/nodes/pve1/tasks/ID/status", "GET /api2/json/cluster/nextid", "GET /api2/json/cluster/resources",
		},
	},
}

// passed answers the limits that a life has passed, as sentences; none for a rival.
func passed(life life) []string {
	limit, limited := limits[life.Vendor]
	if !limited || life.Subject != "ours" {
		return nil
	}
	var sentences []string
	for _, step := range life.Steps {
		// What the vendor's rate limit refused was sent again, and a spent one is no call that could have been saved.
		calls, most := step.Calls-step.Refused, limit.most(step.Step, life.Machines)
		if step.Step == "create" || step.Step == "destroy" {
			for _, route := range limit.shared {
				calls -= step.Routes[route]
			}
			if life.Parallelism < life.Machines {
				calls -= min(step.Routes[limit.one], readsOfFew*life.Machines)
			}
		}
		if calls > most {
			sentences = append(sentences, fmt.Sprintf("%s, %s of %d machines: %d calls, at most %d are accepted",
				life.Vendor, step.Step, life.Machines, calls, most))
		}
	}
	return sentences
}

// most is how many calls a step may take; of those that wait for machines the shared ones do not count.
func (l limit) most(step string, machines int) int {
	pages := 1
	if l.page > 0 {
		pages = (machines + l.page - 1) / l.page
	}
	switch step {
	case "plan to create":
		return further
	case "create":
		return l.create*machines + further
	case "change":
		return 2*pages + l.read*(machines+1) + further
	case "destroy":
		return l.destroy*machines + 3*further // the marks that machines share go with the last one
	}
	return pages + l.read*machines + 1
}
