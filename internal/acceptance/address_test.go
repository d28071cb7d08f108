// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const addressWeb = `
resource "bettercompute_provider_address" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web"
}
`

// place is where a vendor's addresses are made and listed.
type place struct {
	create, kind string
	// recorded is the request after which the vendor itself says whose the address is; empty: the create does.
	recorded string
}

var places = map[string]place{
	"hetzner":      {create: "/v1/floating_ips", kind: "floating_ips"},
	"digitalocean": {create: "/v2/reserved_ips", kind: "reserved_ips", recorded: "/v2/tags"},
}

func reserves(cloud *Cloud, create string) int {
	count := 0
	for _, entry := range cloud.Journal() {
		if entry.Accepted && entry.Method == "POST" && entry.Path == create {
			count++
		}
	}
	return count
}

// Killed while the answer of the reserve is held. Where the address bears our marks it is adopted; where it cannot, the next
// apply names it and reserves no second one.
func TestKilledWhileTheReserveIsAnswered(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		where, has := places[cloud.Name]
		if !has {
			t.Skip("the vendor has no addresses")
		}
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + addressWeb)
		workspace.Init()
		fault := addFault(t, cloud, emulator.Fault{Method: "POST", Path: "^" + where.create + "$", Point: "after", Action: "hang"})
		apply := workspace.Start("apply")
		awaitHolding(t, cloud, fault)
		apply.Kill()
		held := cloud.Objects(cloud.Name, where.kind)
		if len(held) != 1 {
			t.Fatalf("the reserve has left %+v", held)
		}
		if where.recorded != "" {
			workspace.MustFail([]string{"CONFLICT", held[0].ID}, "apply")
			if err := cloud.Vanish(cloud.Name, where.kind, held[0].ID); err != nil {
				t.Fatal(err)
			}
		} else if out := workspace.Must("apply"); !strings.Contains(out, "Warning") || !strings.Contains(Joined(out), held[0].ID) {
			t.Errorf("no warning names the address:\n%s", out)
		}
		if count := reserves(cloud, where.create); count != 1 {
			t.Errorf("%d reserves, want 1", count)
		}
	})
}

// Killed after the record: the address is adopted everywhere.
func TestKilledAfterTheRecord(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		where := places[cloud.Name]
		if where.recorded == "" {
			t.Skip("the record is made by the create itself, or there are no addresses")
		}
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + addressWeb)
		workspace.Init()
		// The intent is the first tag, the record the second.
		fault := addFault(t, cloud, emulator.Fault{Method: "POST", Path: "^" + where.recorded + "$", Skip: 1, Point: "after", Action: "hang"})
		apply := workspace.Start("apply")
		awaitHolding(t, cloud, fault)
		apply.Kill()
		out := workspace.Must("apply")
		held := cloud.Objects(cloud.Name, where.kind)
		if len(held) != 1 || reserves(cloud, where.create) != 1 || !strings.Contains(Joined(out), held[0].ID) {
			t.Errorf("there is %+v after %d reserves:\n%s", held, reserves(cloud, where.create), out)
		}
		workspace.MustBeEmpty()
		workspace.Must("destroy")
		for _, tag := range cloud.Objects(cloud.Name, "tags") {
			if strings.Contains(tag.ID, ":row:") {
				t.Errorf("row %s is left", tag.ID)
			}
		}
	})
}
