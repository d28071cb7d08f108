// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestCreateTakesTime: initializing, starting, running; the server is locked until both actions are done.
func TestCreateTakesTime(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: time.Minute}, func(c cloud) {
		created := c.ask("POST", "/servers", webBody)
		want(c.t, "status code", created.status, 201)
		want(c.t, "status", created.get("server", "status"), "initializing")
		want(c.t, "action", created.get("action", "command"), "create_server")
		want(c.t, "action's status", created.get("action", "status"), "running")
		want(c.t, "action's error", created.get("action", "error"), nil)
		want(c.t, "next action", created.get("next_actions", 0, "command"), "start_server")
		path := created.path("server")
		for _, step := range []struct {
			status string
			locked bool
		}{{"initializing", true}, {"starting", true}, {"running", false}} {
			got := c.ask("GET", path, "")
			want(c.t, "status", got.get("server", "status"), step.status)
			want(c.t, "locked", got.get("server", "locked"), step.locked)
			pass(time.Minute)
		}
		action := c.ask("GET", created.path("action"), "")
		want(c.t, "action's end", action.get("action", "status"), "success")
		want(c.t, "progress", action.get("action", "progress"), 100.0)
		if action.get("action", "finished") == nil {
			c.t.Error("a finished action has no time of its end")
		}
	})
}

func TestCreateWithoutStart(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		created := c.ask("POST", "/servers", strings.Replace(webBody, "{", `{"start_after_create":false,`, 1))
		want(c.t, "next actions", len(created.list("next_actions")), 0)
		pass(time.Second)
		want(c.t, "status", c.status(created.path("server")), "off")
	})
}

// TestRootPassword: only without SSH keys, and never the same.
func TestRootPassword(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		key := c.ask("POST", "/ssh_keys", `{"name":"k","public_key":"`+publicKey+`"}`)
		want(c.t, "key", key.status, 201)
		first := c.ask("POST", "/servers", webBody)
		second := c.ask("POST", "/servers", strings.Replace(webBody, "web", "second", 1))
		if first.get("root_password") == nil || first.get("root_password") == second.get("root_password") {
			c.t.Errorf("root passwords %v and %v", first.get("root_password"), second.get("root_password"))
		}
		third := c.ask("POST", "/servers", strings.Replace(webBody, `{"name":"web"`, `{"ssh_keys":["k"],"name":"third"`, 1))
		want(c.t, "status", third.status, 201)
		want(c.t, "root password with keys", third.get("root_password"), nil)
	})
}

// TestLockedServerRefusesChanges: while an action runs every change is answered 423, deletes included.
func TestLockedServerRefusesChanges(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: time.Minute}, func(c cloud) {
		path := c.ask("POST", "/servers", webBody).path("server")
		for _, request := range [][3]string{
			{"DELETE", path, ""}, {"PUT", path, `{"name":"b"}`}, {"POST", path + "/actions/poweron", ""},
			{"POST", path + "/actions/poweroff", ""}, {"POST", path + "/actions/shutdown", ""},
			{"POST", path + "/actions/reboot", ""}, {"POST", path + "/actions/reset", ""},
			{"POST", path + "/actions/rebuild", `{"image":"debian-13"}`},
			{"POST", path + "/actions/change_type", `{"server_type":"cx33","upgrade_disk":true}`},
			{"POST", path + "/actions/change_protection", `{"delete":true,"rebuild":true}`},
		} {
			got := c.ask(request[0], request[1], request[2])
			want(c.t, request[0]+" "+request[1]+" status", got.status, 423)
			want(c.t, request[0]+" "+request[1]+" code", got.code(), "locked")
		}
		want(c.t, "read", c.ask("GET", path, "").status, 200)
		want(c.t, "busy", *c.Objects("hetzner", "servers")[0].Busy, "create_server")
	})
}

// TestDelete: 200 with an action; the name is taken until the action is done; the addresses go with the server.
func TestDelete(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		kept, err := c.Plant("hetzner", "primary_ips", emulator.Fields{"name": "kept", "type": "ipv6"})
		if err != nil {
			c.t.Fatal(err)
		}
		deleted := c.ask("DELETE", path, "")
		want(c.t, "status code", deleted.status, 200)
		want(c.t, "command", deleted.get("action", "command"), "delete_server")
		want(c.t, "status", c.status(path), "deleting")
		want(c.t, "name meanwhile", c.ask("POST", "/servers", webBody).code(), "uniqueness_error")
		pass(time.Second)
		want(c.t, "gone", c.ask("GET", path, "").code(), "not_found")
		want(c.t, "again", c.ask("DELETE", path, "").code(), "not_found")
		want(c.t, "action", c.ask("GET", deleted.path("action"), "").get("action", "status"), "success")
		left := c.Objects("hetzner", "primary_ips")
		want(c.t, "addresses left", len(left), 1)
		want(c.t, "address left", left[0].ID, kept.ID)
		want(c.t, "name again", c.ask("POST", "/servers", webBody).status, 201)
	})
}

func TestPower(t *testing.T) {
	cases := []struct {
		from, action, command, meanwhile, after string
	}{
		{"off", "poweron", "start_server", "starting", "running"},
		{"running", "poweron", "start_server", "running", "running"},
		{"running", "poweroff", "stop_server", "stopping", "off"},
		{"off", "poweroff", "stop_server", "off", "off"},
		{"running", "reboot", "reboot_server", "running", "running"},
		{"running", "reset", "reset_server", "running", "running"},
		{"off", "reset", "reset_server", "off", "off"},
	}
	for _, test := range cases {
		t.Run(test.action+" of "+test.from, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				planted, err := c.Plant("hetzner", "servers", emulator.Fields{"status": test.from})
				if err != nil {
					c.t.Fatal(err)
				}
				path := "/servers/" + planted.ID
				got := c.ask("POST", path+"/actions/"+test.action, "")
				want(c.t, "status code", got.status, 201)
				want(c.t, "command", got.get("action", "command"), test.command)
				want(c.t, "meanwhile", c.status(path), test.meanwhile)
				pass(time.Second)
				want(c.t, "after", c.status(path), test.after)
			})
		})
	}
}

// TestShutdownOnlyAsks: the action succeeds while the server still runs; the guest obeys later, or never.
func TestShutdownOnlyAsks(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		if err := c.ChangeSettings(func(s *emulator.Settings) {
			s.ActionTimes["guest_off"] = emulator.Duration(time.Minute)
		}); err != nil {
			c.t.Fatal(err)
		}
		action := c.ask("POST", path+"/actions/shutdown", "").path("action")
		pass(time.Second)
		want(c.t, "action", c.ask("GET", action, "").get("action", "status"), "success")
		want(c.t, "status when the action is done", c.status(path), "running")
		pass(time.Minute)
		want(c.t, "status a minute later", c.status(path), "off")
	})
}

func TestGuestThatIgnoresShutdown(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		if err := c.ChangeSettings(func(s *emulator.Settings) {
			s.ActionResults["guest_off"] = emulator.Result{Status: "never"}
		}); err != nil {
			c.t.Fatal(err)
		}
		c.ask("POST", path+"/actions/shutdown", "")
		pass(time.Hour)
		want(c.t, "status", c.status(path), "running")
		c.ask("POST", path+"/actions/shutdown", "")
		pass(time.Hour)
		want(c.t, "status after the next one", c.status(path), "off")
	})
}

// TestLateShutdownIsStale: a guest that was powered off and on meanwhile does not go off.
func TestLateShutdownIsStale(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		if err := c.ChangeSettings(func(s *emulator.Settings) {
			s.ActionTimes["guest_off"] = emulator.Duration(time.Minute)
		}); err != nil {
			c.t.Fatal(err)
		}
		for _, action := range []string{"shutdown", "poweroff", "poweron"} {
			want(c.t, action, c.ask("POST", path+"/actions/"+action, "").status, 201)
			pass(time.Second)
		}
		pass(time.Hour)
		want(c.t, "status", c.status(path), "running")
	})
}

func TestRebuild(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		got := c.ask("POST", path+"/actions/rebuild", `{"image":"debian-13","user_data":"#!/bin/sh\n"}`)
		want(c.t, "status code", got.status, 201)
		if got.get("root_password") == nil {
			c.t.Error("a server without SSH keys got no root password")
		}
		want(c.t, "meanwhile", c.status(path), "rebuilding")
		pass(time.Second)
		server := c.ask("GET", path, "")
		want(c.t, "image", server.get("server", "image", "name"), "debian-13")
		want(c.t, "status", server.get("server", "status"), "running")
		want(c.t, "other CPU", c.ask("POST", path+"/actions/rebuild", `{"image":161547270}`).code(), "invalid_input")
		want(c.t, "no image", c.ask("POST", path+"/actions/rebuild", "").code(), "invalid_input")
	})
}

func TestProtection(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		want(c.t, "one without the other", c.ask("POST", path+"/actions/change_protection", `{"delete":true}`).code(), "invalid_input")
		done := c.ask("POST", path+"/actions/change_protection", `{"delete":true,"rebuild":true}`)
		want(c.t, "action", done.get("action", "status"), "success")
		want(c.t, "delete", c.ask("DELETE", path, "").code(), "protected")
		want(c.t, "rebuild", c.ask("POST", path+"/actions/rebuild", `{"image":"debian-13"}`).code(), "protected")
		want(c.t, "power", c.ask("POST", path+"/actions/reboot", "").status, 201)
		pass(time.Second)
		c.ask("POST", path+"/actions/change_protection", `{"delete":false,"rebuild":false}`)
		want(c.t, "delete at last", c.ask("DELETE", path, "").status, 200)
	})
}

// TestUserDataNeverShows: neither in answers nor in the inventory nor in the journal.
func TestUserDataNeverShows(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		const planted = "planted-user-data"
		body := strings.Replace(webBody, "{", `{"user_data":"`+planted+`",`, 1)
		created := c.ask("POST", "/servers", body)
		pass(time.Second)
		for what, shown := range map[string]any{
			"create": created.body, "get": c.ask("GET", created.path("server"), "").body, "journal": c.Journal(),
			"inventory": c.Inventory(),
		} {
			if strings.Contains(text(shown), planted) {
				t.Errorf("%s shows the user data", what)
			}
		}
	})
}

func TestRenameAndRelabel(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		path := c.make()
		if _, err := c.Plant("hetzner", "servers", emulator.Fields{"name": "other"}); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "labels", text(c.ask("PUT", path, `{"labels":{"a":"1","b":"2"}}`).get("server", "labels")), `{"a":"1","b":"2"}`)
		want(c.t, "labels replaced", text(c.ask("PUT", path, `{"labels":{"c":"3"}}`).get("server", "labels")), `{"c":"3"}`)
		renamed := c.ask("PUT", path, `{"name":"web.example.com"}`)
		want(c.t, "name", renamed.get("server", "name"), "web.example.com")
		want(c.t, "labels after a rename", text(renamed.get("server", "labels")), `{"c":"3"}`)
		want(c.t, "labels cleared", text(c.ask("PUT", path, `{"labels":{}}`).get("server", "labels")), `{}`)
		want(c.t, "taken name", c.ask("PUT", path, `{"name":"other"}`).code(), "uniqueness_error")
		want(c.t, "own name", c.ask("PUT", path, `{"name":"web.example.com"}`).status, 200)
		want(c.t, "bad name", c.ask("PUT", path, `{"name":"a_b"}`).code(), "invalid_input")
		want(c.t, "reserved label", c.ask("PUT", path, `{"labels":{"hetzner.cloud/a":""}}`).code(), "invalid_input")
	})
}
