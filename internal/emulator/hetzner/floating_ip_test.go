// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"testing"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestVendorsClientMovesFloatingIPs(t *testing.T) {
	inClient(t, func(t *testing.T, _ *emulator.Emulator, client *hcloud.Client) {
		ctx := t.Context()
		first, second := mustCreate(t, client, createOptions("a")), mustCreate(t, client, createOptions("b"))
		for _, family := range []hcloud.FloatingIPType{hcloud.FloatingIPTypeIPv4, hcloud.FloatingIPTypeIPv6} {
			made, _, err := client.FloatingIP.Create(ctx, hcloud.FloatingIPCreateOpts{Type: family, Server: first, Labels: map[string]string{"a": "b"}})
			if err != nil {
				t.Fatal(err)
			}
			await(t, client, made.Action)
			// From server to server without taking it off.
			action, _, err := client.FloatingIP.Assign(ctx, made.FloatingIP, second)
			if err != nil {
				t.Fatal(err)
			}
			await(t, client, action)
			seen, _, err := client.FloatingIP.GetByID(ctx, made.FloatingIP.ID)
			if err != nil || seen.Server == nil || seen.Server.ID != second.ID || seen.HomeLocation.Name != first.Location.Name {
				t.Fatalf("moved: %+v, %v", seen, err)
			}
			if isNetwork := seen.Network != nil; isNetwork != (family == hcloud.FloatingIPTypeIPv6) {
				t.Errorf("%s is a network: %t", family, isNetwork)
			}
			if _, err := client.FloatingIP.Delete(ctx, seen); !hcloud.IsError(err, "must_be_unassigned") {
				t.Errorf("the delete of an assigned one: %v", err)
			}
			action, _, err = client.FloatingIP.Unassign(ctx, seen)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := client.FloatingIP.Delete(ctx, seen); !hcloud.IsError(err, hcloud.ErrorCodeLocked) {
				t.Errorf("the delete while it is taken off: %v", err)
			}
			await(t, client, action)
			if _, err := client.FloatingIP.Delete(ctx, seen); err != nil {
				t.Error(err)
			}
		}
	})
}

func TestFloatingIPsAreRefusedAsTheVendorDoes(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		if err := c.ChangeSettings(func(s *emulator.Settings) { s.Quotas = map[string]int{"floating_ips": 2} }); err != nil {
			t.Fatal(err)
		}
		server := c.make()
		pass(time.Minute)
		id := c.ask("GET", server, "").get("server", "id")
		made := c.ask("POST", "/floating_ips", `{"type":"ipv4","home_location":"fsn1","name":"web"}`)
		want(t, "create", made.status, 201)
		want(t, "action of a create without a server", made.get("action"), nil)
		path := made.path("floating_ip")
		for name, test := range map[string]struct {
			method, path, body string
			status             int
			code               string
		}{
			"a name that is taken":           {"POST", "/floating_ips", `{"type":"ipv4","home_location":"fsn1","name":"web"}`, 409, "uniqueness_error"},
			"no type":                        {"POST", "/floating_ips", `{"home_location":"fsn1"}`, 422, "invalid_input"},
			"no place":                       {"POST", "/floating_ips", `{"type":"ipv4"}`, 422, "invalid_input"},
			"a location that is none":        {"POST", "/floating_ips", `{"type":"ipv4","home_location":"x1"}`, 422, "invalid_input"},
			"a server that is none":          {"POST", path + "/actions/assign", `{"server":1}`, 422, "invalid_input"},
			"taken off though it is on none": {"POST", path + "/actions/unassign", "", 422, "service_error"},
			"one that is none":               {"GET", "/floating_ips/1", "", 404, "not_found"},
		} {
			got := c.ask(test.method, test.path, test.body)
			want(t, name, got.status, test.status)
			want(t, name, got.code(), test.code)
		}
		want(t, "assign", c.ask("POST", path+"/actions/assign", `{"server":`+jsonNumber(id.(float64))+`}`).status, 201)
		pass(time.Minute)
		want(t, "assign to the same", c.ask("POST", path+"/actions/assign", `{"server":`+jsonNumber(id.(float64))+`}`).code(), "floating_ip_assigned")
		want(t, "the server shows it", c.ask("GET", server, "").get("server", "public_net", "floating_ips", 0), made.get("floating_ip", "id"))
		want(t, "second", c.ask("POST", "/floating_ips", `{"type":"ipv6","home_location":"fsn1"}`).status, 201)
		third := c.ask("POST", "/floating_ips", `{"type":"ipv6","home_location":"fsn1"}`)
		want(t, "over the quota", third.code(), "resource_limit_exceeded")
		want(t, "limit", third.get("error", "details", "limits", 0, "name"), "floating_ip_limit")
		want(t, "delete of the server", c.ask("DELETE", server, "").status, 200)
		pass(time.Minute)
		want(t, "the address outlives it", c.ask("GET", path, "").get("floating_ip", "server"), nil)
	})
}

func TestFloatingIPsInTheInventory(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		planted, err := c.Plant("hetzner", "floating_ips", emulator.Fields{"type": "ipv6", "name": "six", "id": 42})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "by its vendor's id", c.ask("GET", "/floating_ips/42", "").get("floating_ip", "name"), "six")
		server, err := c.Plant("hetzner", "servers", emulator.Fields{"name": "a"})
		if err != nil {
			t.Fatal(err)
		}
		moved, err := c.Patch("hetzner", "floating_ips", planted.ID, emulator.Fields{"server": jsonID(server.ID), "blocked": true})
		if err != nil || moved.Holder == nil || *moved.Holder != server.ID || moved.State != "blocked" {
			t.Errorf("patched: %+v, %v", moved, err)
		}
		if _, err := c.Patch("hetzner", "floating_ips", planted.ID, emulator.Fields{"server": 1}); err == nil {
			t.Error("a server that is none is taken")
		}
		if err := c.Vanish("hetzner", "floating_ips", planted.ID); err != nil || len(c.Objects("hetzner", "floating_ips")) != 0 {
			t.Errorf("vanished: %v", err)
		}
	})
}

// jsonID is an id as a number.
func jsonID(id string) int64 {
	var number int64
	for _, digit := range id {
		number = number*10 + int64(digit-'0')
	}
	return number
}
