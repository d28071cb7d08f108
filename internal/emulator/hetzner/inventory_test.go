// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestHandsOfOthers: what PATCH on the inventory changes shows in the vendor's answers.
func TestHandsOfOthers(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		planted, err := c.Plant("hetzner", "servers", emulator.Fields{"name": "theirs", "labels": map[string]string{"a": "b"}})
		if err != nil {
			t.Fatal(err)
		}
		path := "/servers/" + planted.ID
		want(t, "planted status", c.status(path), "running")
		want(t, "planted image", c.ask("GET", path, "").get("server", "image", "name"), "ubuntu-24.04")
		if _, err := c.Patch("hetzner", "servers", planted.ID, emulator.Fields{
			"name": "moved", "status": "off", "labels": map[string]string{"c": "d"}, "server_type": "cx33",
			"image": "debian-13", "location": map[string]any{"name": "hel1"},
			"protection": map[string]bool{"delete": true, "rebuild": true},
		}); err != nil {
			t.Fatal(err)
		}
		got := c.ask("GET", path, "")
		for what, wanted := range map[string]any{"name": "moved", "status": "off"} {
			want(t, what, got.get("server", what), wanted)
		}
		want(t, "labels", text(got.get("server", "labels")), `{"c":"d"}`)
		want(t, "type", got.get("server", "server_type", "name"), "cx33")
		want(t, "image", got.get("server", "image", "name"), "debian-13")
		want(t, "location", got.get("server", "location", "name"), "hel1")
		want(t, "protected", c.ask("DELETE", path, "").code(), "protected")
		if err := c.Vanish("hetzner", "servers", planted.ID); err != nil {
			t.Fatal(err)
		}
		want(t, "vanished", c.ask("GET", path, "").code(), "not_found")
		want(t, "addresses", len(c.Objects("hetzner", "primary_ips")), 0)
	})
}

func TestLockOfOthers(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		id := c.Objects("hetzner", "servers")[0].ID
		lock := func(locked bool) {
			if _, err := c.Patch("hetzner", "servers", id, emulator.Fields{"locked": locked}); err != nil {
				t.Fatal(err)
			}
		}
		lock(true)
		want(t, "busy", *c.Objects("hetzner", "servers")[0].Busy, "locked")
		want(t, "locked", c.ask("GET", path, "").get("server", "locked"), true)
		want(t, "delete", c.ask("DELETE", path, "").code(), "locked")
		lock(false)
		if busy := c.Objects("hetzner", "servers")[0].Busy; busy != nil {
			t.Errorf("busy: %s", *busy)
		}
		c.ask("POST", path+"/actions/reboot", "")
		lock(false)
		want(t, "delete of a server freed from its action", c.ask("DELETE", path, "").status, 200)
	})
}

func TestPlantInAnotherProject(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		planted, err := c.Plant("hetzner", "servers", emulator.Fields{"project": "foreign", "name": "web"})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "ours", c.ask("GET", "/servers/"+planted.ID, "").code(), "not_found")
		want(t, "theirs", c.askAs("Bearer "+c.Hetzner.Tokens["foreign"], "GET", "/servers/"+planted.ID, "").status, 200)
	})
}

// TestWrongFieldsChangeNothing: unknown fields and unfit values are errors, and none of the others is applied.
func TestWrongFieldsChangeNothing(t *testing.T) {
	for name, fields := range map[string]emulator.Fields{
		"unknown field":    {"name": "new", "colour": "red"},
		"unknown status":   {"name": "new", "status": "asleep"},
		"unknown type":     {"name": "new", "server_type": "cx99"},
		"unknown image":    {"name": "new", "image": 7},
		"unknown location": {"name": "new", "location": "xyz1"},
		"wrong shape":      {"name": "new", "labels": []string{"a"}},
		"project moves":    {"name": "new", "project": "foreign"},
	} {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				c.make()
				id := c.Objects("hetzner", "servers")[0].ID
				if _, err := c.Patch("hetzner", "servers", id, fields); err == nil {
					t.Error("no error")
				}
				want(t, "name", c.Objects("hetzner", "servers")[0].Name, "web")
			})
		})
	}
}

func TestInventoryRefusesWhatIsNotThere(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		if _, err := c.Plant("hetzner", "planets", nil); err == nil {
			t.Error("planted a kind that is not served")
		}
		if _, err := c.Plant("azure", "servers", nil); err == nil {
			t.Error("planted at a vendor that is not served")
		}
		if _, err := c.Plant("hetzner", "servers", emulator.Fields{"project": "third"}); err == nil {
			t.Error("planted in a project that is not there")
		}
		if _, err := c.Patch("hetzner", "servers", "1", nil); err == nil {
			t.Error("changed a server that is not there")
		}
		if err := c.Vanish("hetzner", "primary_ips", "x"); err == nil {
			t.Error("removed an address that is not there")
		}
	})
}

// TestAddressesMove: others put an address on another server, or take it away.
func TestAddressesMove(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		server := c.make()
		planted, err := c.Plant("hetzner", "primary_ips", emulator.Fields{"type": "ipv4", "ip": "198.51.100.7"})
		if err != nil {
			t.Fatal(err)
		}
		holder := c.ask("GET", server, "").get("server", "id")
		moved, err := c.Patch("hetzner", "primary_ips", planted.ID, emulator.Fields{"assignee_id": holder})
		if err != nil {
			t.Fatal(err)
		}
		want(t, "holder", "/servers/"+*moved.Holder, server)
		want(t, "address", c.ask("GET", server, "").get("server", "public_net", "ipv4", "ip"), "198.51.100.7")
		if err := c.Vanish("hetzner", "primary_ips", planted.ID); err != nil {
			t.Fatal(err)
		}
		want(t, "address gone", c.ask("GET", server, "").get("server", "public_net", "ipv4"), nil)
	})
}

// TestLag: a new server is out of sight for a while, apart by id and in lists; the inventory shows it at once.
func TestLag(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		if err := c.ChangeSettings(func(s *emulator.Settings) {
			s.Lag.Get, s.Lag.List = emulator.Duration(time.Minute), emulator.Duration(2*time.Minute)
		}); err != nil {
			t.Fatal(err)
		}
		path := c.ask("POST", "/servers", webBody).path("server")
		want(t, "inventory", len(c.Objects("hetzner", "servers")), 1)
		want(t, "get at once", c.ask("GET", path, "").status, 404)
		pass(time.Minute)
		want(t, "get a minute later", c.ask("GET", path, "").status, 200)
		want(t, "list a minute later", len(c.ask("GET", "/servers", "").list("servers")), 0)
		pass(time.Minute)
		want(t, "list two minutes later", len(c.ask("GET", "/servers", "").list("servers")), 1)
	})
}

// TestClock: the setting moves the vendor's time, so actions end and limits refill without waiting.
func TestClock(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: time.Hour}, func(c cloud) {
		path := c.ask("POST", "/servers", webBody).path("server")
		if err := c.ChangeSettings(func(s *emulator.Settings) { s.Clock = emulator.Duration(3 * time.Hour) }); err != nil {
			t.Fatal(err)
		}
		want(t, "status", c.status(path), "running")
		if created := c.ask("POST", "/servers", `{"name":"b","server_type":"cx23","image":"debian-13"}`).get("server", "created"); created != time.Now().Add(3*time.Hour).UTC().Format(time.RFC3339) {
			t.Errorf("created %s, three hours ahead of %s", created, time.Now())
		}
	})
}
