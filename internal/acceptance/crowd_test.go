// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const manyOverThreeAccounts = `
locals {
  accounts = ["main", "second", "third"]
}

data "bettercompute_provider_account" "each" {
  for_each = toset(local.accounts)
  name     = each.key
  ACCOUNT
}

resource "bettercompute_instance" "web" {
  count            = HOW_MANY
  provider_account = data.bettercompute_provider_account.each[local.accounts[count.index % 3]]
  name             = "web-${count.index}"
  offer_id         = "OFFER"
  image            = "IMAGE"
}
`

// Many machines at once over three accounts, as many as the CLI is told to make at the same time, by a vendor whose answers
// come late, each by another time: each is made once, the second plan is empty, and all are destroyed. There are fifty of them
// where neither a limit of a minute nor clones make that long.
func TestManyMachinesAtOnce(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		count := 20
		if cloud.Name == "hetzner" {
			count = 50
		}
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + strings.ReplaceAll(manyOverThreeAccounts, "HOW_MANY", strconv.Itoa(count)))
		workspace.Init()
		jitter(t, cloud)
		workspace.Must("apply", "-parallelism=50")
		wantServers(t, cloud, count)
		if creates(cloud) != count {
			t.Errorf("%d creates were sent", creates(cloud))
		}
		if held := workspace.Resources(); len(held) != count {
			t.Errorf("the state holds %d machines", len(held))
		}
		workspace.MustBeEmpty()
		workspace.Must("destroy", "-parallelism=50")
		wantServers(t, cloud, 0)
	})
}

// jitter makes the next answers late by up to 200 milliseconds, a few at a time by the same.
func jitter(t *testing.T, cloud *Cloud) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		late := time.Millisecond + time.Duration(random.Int64N(int64(200*time.Millisecond)))
		addFault(t, cloud, emulator.Fault{Vendor: cloud.Name, Action: "delay", Delay: emulator.Duration(late), Times: new(3)})
	}
}
