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

// machines is a configuration with that many machines.
const machines = `
terraform {
  required_providers {
    bettercompute = { source = "better-compute/bettercompute" }
  }
}

variable "hetzner_endpoint" {
  type = string
}

data "bettercompute_provider_account" "main" {
  name = "main"
  hetzner_cloud = { token = "env://HCLOUD_TOKEN", endpoint = var.hetzner_endpoint }
}

resource "bettercompute_instance" "machine" {
  count            = %d
  provider_account = data.bettercompute_provider_account.main
  name             = "machine-${count.index}"
  offer_id         = "cx23"
  image            = "debian-13"
}
`

// nothing has as many resources of a provider that does nothing: the one that is built into the CLIs.
const nothing = `
resource "terraform_data" "nothing" {
  count = %d
  input = "machine-${count.index}"
}
`

// BenchmarkRefresh plans 100 machines that are there. The vendor's list has pages of 50, so two calls are needed and
// three are the most that is accepted.
func BenchmarkRefresh(b *testing.B) {
	const number, most = 100, 3
	path, binary := testCLIs(b)[0], buildProvider(b)
	cloud := startEmulator(b, binary)
	ours := configured(b, newCLI(b, path, binary, cloud), fmt.Sprintf(machines, number))
	ours.run(b, "apply", "-auto-approve")
	theirs := configured(b, newCLI(b, path, binary, cloud), fmt.Sprintf(nothing, number))
	theirs.run(b, "init")
	theirs.run(b, "apply", "-auto-approve")

	for b.Loop() {
		before, lists := cloud.requests(b, isAny), cloud.requests(b, isList)
		took := elapsed(func() { ours.run(b, "plan", "-detailed-exitcode") })
		lists = cloud.requests(b, isList) - lists
		b.ReportMetric(float64(cloud.requests(b, isAny)-before), "calls")
		b.ReportMetric(float64(lists), "lists")
		b.ReportMetric(took/elapsed(func() { theirs.run(b, "plan", "-detailed-exitcode") }), "times-nothing")
		if lists > most {
			b.Errorf("the refresh of %d machines took %d list calls, at most %d are accepted", number, lists, most)
		}
	}
}

// BenchmarkCreate makes 30 machines at once, at a vendor whose actions take 5 s.
func BenchmarkCreate(b *testing.B) {
	const number, most = 30, 100
	path, binary := testCLIs(b)[0], buildProvider(b)
	for b.Loop() {
		cloud := startEmulator(b, binary, "-action-time", "5s")
		ours := configured(b, newCLI(b, path, binary, cloud), fmt.Sprintf(machines, number))
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

func isList(r request) bool { return r.Method == http.MethodGet && r.Path == "/v1/servers" }

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
