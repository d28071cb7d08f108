// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"testing"
	"testing/synctest"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestServerLivesThroughTheVendorsClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := emulator.InMemory(t, emulator.Options{})
		client := newClient(e, e.Hetzner.Token)
		server := mustCreate(t, client, createOptions("web-1"))
		if server.Status != hcloud.ServerStatusRunning || server.Locked {
			t.Fatalf("status %s, locked %t; want running and free", server.Status, server.Locked)
		}
		if server.PublicNet.IPv4.IP == nil || server.PublicNet.IPv6.Network.String() == "" {
			t.Fatalf("addresses missing: %+v", server.PublicNet)
		}
		deleted, _, err := client.Server.DeleteWithResult(t.Context(), server)
		if err != nil {
			t.Fatal(err)
		}
		await(t, client, deleted.Action)
		if left := e.Inventory()["hetzner"]; len(left["servers"]) != 0 || len(left["primary_ips"]) != 0 {
			t.Fatalf("left behind: %+v", left)
		}
	})
}
