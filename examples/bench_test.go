// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package examples_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// benched is a vendor as the benchmarks use it.
type benched struct {
	// account is the account's argument.
	account, offer, image string
	// list is the path of the vendor's list of machines.
	list string
	// refreshed machines may take so many list calls, created ones so many calls of all sorts.
	refreshed, lists, created, calls int
}

// vendors are what is accepted of each: a refresh costs pages, and a create little more than its own requests.
var vendors = map[string]benched{
	"hetzner": {
		account: `hetzner_cloud = { token = "env://HCLOUD_TOKEN", endpoint = var.hetzner_endpoint }`,
		offer:   "cx23", image: "debian-13", list: "/v1/servers", refreshed: 100, lists: 3, created: 30, calls: 100,
	},
	"digitalocean": {
		account: `digitalocean = { token = "env://DIGITALOCEAN_TOKEN", region = "fra1", endpoint = var.digitalocean_endpoint }`,
		offer:   "s-1vcpu-1gb", image: "debian-13-x64", list: "/v2/droplets", refreshed: 300, lists: 2, created: 20, calls: 70,
	},
}

// machines is a configuration with that many machines.
func (v benched) machines(number int) string {
	return fmt.Sprintf(`
terraform {
  required_providers {
    bettercompute = { source = "better-compute/bettercompute" }
  }
}

variable "hetzner_endpoint" {
  type = string
}

variable "digitalocean_endpoint" {
  type = string
}

data "bettercompute_provider_account" "main" {
  name = "main"
  %s
}

resource "bettercompute_instance" "machine" {
  count            = %d
  provider_account = data.bettercompute_provider_account.main
  name             = "machine-${count.index}"
  offer_id         = %q
  image            = %q
}
`, v.account, number, v.offer, v.image)
}

// nothing has as many resources of a provider that does nothing: the one that is built into the CLIs.
const nothing = `
resource "terraform_data" "nothing" {
  count = %d
  input = "machine-${count.index}"
}
`

// BenchmarkRefresh plans machines that are there.
func BenchmarkRefresh(b *testing.B) {
	for name, vendor := range vendors {
		b.Run(name, func(b *testing.B) { vendor.refresh(b) })
	}
}

func (v benched) refresh(b *testing.B) {
	b.Helper()
	number, most := v.refreshed, v.lists
	path, binary := testCLIs(b)[0], buildProvider(b)
	cloud := startEmulator(b, binary)
	ours := configured(b, newCLI(b, path, binary, cloud), v.machines(number))
	ours.run(b, "apply", "-auto-approve")
	theirs := configured(b, newCLI(b, path, binary, cloud), fmt.Sprintf(nothing, number))
	theirs.run(b, "init")
	theirs.run(b, "apply", "-auto-approve")

	for b.Loop() {
		before, lists := cloud.requests(b, isAny), cloud.requests(b, v.isList)
		took := elapsed(func() { ours.run(b, "plan", "-detailed-exitcode") })
		lists = cloud.requests(b, v.isList) - lists
		b.ReportMetric(float64(cloud.requests(b, isAny)-before), "calls")
		b.ReportMetric(float64(lists), "lists")
		b.ReportMetric(took/elapsed(func() { theirs.run(b, "plan", "-detailed-exitcode") }), "times-nothing")
		if lists > most {
			b.Errorf("the refresh of %d machines took %d list calls, at most %d are accepted", number, lists, most)
		}
	}
}

// BenchmarkCreate makes machines at once, at a vendor whose actions take 5 s.
func BenchmarkCreate(b *testing.B) {
	for name, vendor := range vendors {
		b.Run(name, func(b *testing.B) { vendor.create(b) })
	}
}

func (v benched) create(b *testing.B) {
	b.Helper()
	number, most := v.created, v.calls
	path, binary := testCLIs(b)[0], buildProvider(b)
	for b.Loop() {
		cloud := startEmulator(b, binary, "-action-time", "5s")
		ours := configured(b, newCLI(b, path, binary, cloud), v.machines(number))
		took := elapsed(func() { ours.run(b, "apply", "-auto-approve", fmt.Sprintf("-parallelism=%d", number)) })
		calls := cloud.requests(b, isAny)

		theirs := configured(b, newCLI(b, path, binary, cloud), fmt.Sprintf(nothing, number))
		theirs.run(b, "init")
		b.ReportMetric(float64(calls), "calls")
		b.ReportMetric(took/elapsed(func() { theirs.run(b, "apply", "-auto-approve") }), "times-nothing")
		if calls > most {
			b.Errorf("the create of %d machines took %d calls, at most %d are accepted", number, calls, most)
		}
	}
}

func isAny(request) bool { return true }

func (v benched) isList(r request) bool { return r.Method == http.MethodGet && r.Path == v.list }

// configured writes the configuration into the CLI's folder.
func configured(t testing.TB, c cli, text string) cli {
	t.Helper()
	if err := os.WriteFile(filepath.Join(c.folder, "main.tf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return c
}

// elapsed is how long it takes, in seconds.
func elapsed(do func()) float64 {
	start := time.Now()
	do()
	return time.Since(start).Seconds()
}
