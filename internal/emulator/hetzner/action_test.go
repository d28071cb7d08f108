// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// text is a value as JSON.
func text(value any) string {
	data, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// TestActionsByID: only the ids asked for, unknown ones are missing, sort and page are fine.
func TestActionsByID(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		created := c.ask("POST", "/servers", webBody)
		first, next := created.get("action", "id").(float64), created.get("next_actions", 0, "id").(float64)
		query := fmt.Sprintf("/actions?id=%.0f&id=%.0f&id=7&page=1&sort=status&sort=id", first, next)
		got := c.ask("GET", query, "")
		want(c.t, "actions", len(got.list("actions")), 2)
		want(c.t, "resource", got.get("actions", 0, "resources", 0, "type"), "server")
		if first < 1<<32 {
			c.t.Errorf("action id %.0f fits 32 bits", first)
		}
		foreign := c.askAs("Bearer "+c.Hetzner.Tokens["foreign"], "GET", query, "")
		want(c.t, "of another project", len(foreign.list("actions")), 0)
		path := created.path("server")
		want(c.t, "of the server", len(c.ask("GET", path+"/actions", "").list("actions")), 2)
		want(c.t, "one of the server", c.ask("GET", fmt.Sprintf("%s/actions/%.0f", path, next), "").get("action", "command"), "start_server")
		want(c.t, "of all servers", len(c.ask("GET", "/servers/actions?status=running", "").list("actions")), 2)
		want(c.t, "one of all", c.ask("GET", fmt.Sprintf("/servers/actions/%.0f", first), "").status, 200)
		want(c.t, "unknown", c.ask("GET", "/actions/7", "").code(), "not_found")
		want(c.t, "by command", c.ask("GET", path+"/actions?sort=command:desc", "").get("actions", 0, "command"), "start_server")
	})
}

// TestActionsOfAKind: the list of a kind has the actions that are about one of it, each of them by its id too.
func TestActionsOfAKind(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		server := c.ask("POST", "/servers", webBody)
		network := c.ask("POST", "/networks", `{"name":"backend","ip_range":"10.0.0.0/16"}`).path("network")
		subnet := c.ask("POST", network+"/actions/add_subnet", `{"type":"cloud","network_zone":"eu-central"}`)
		pass(time.Hour)
		attached := c.ask("POST", server.path("server")+"/actions/attach_to_network", `{"network":`+network[len("/networks/"):]+`}`)
		primary := c.ask("POST", "/primary_ips", `{"name":"kept","type":"ipv4","assignee_type":"server","location":"fsn1"}`)
		named := c.ask("POST", primary.path("primary_ip")+"/actions/change_dns_ptr",
			`{"ip":`+text(primary.get("primary_ip", "ip"))+`,"dns_ptr":"kept.example.com"}`)
		for collection, commands := range map[string][]any{
			"networks": {"add_subnet", "attach_to_network"}, "servers": {"create_server", "start_server", "attach_to_network"},
			"primary_ips": {"change_dns_ptr"}, "firewalls": nil, "floating_ips": nil, "certificates": nil,
		} {
			var got []any
			for _, one := range c.ask("GET", "/"+collection+"/actions?sort=id", "").list("actions") {
				got = append(got, one.(map[string]any)["command"])
			}
			want(c.t, collection, text(got), text(commands))
		}
		for path, status := range map[string]int{
			fmt.Sprintf("/networks/actions/%.0f", attached.get("action", "id")): 200, fmt.Sprintf("/servers/actions/%.0f", attached.get("action", "id")): 200,
			fmt.Sprintf("/servers/actions/%.0f", subnet.get("action", "id")): 404, fmt.Sprintf("/firewalls/actions/%.0f", subnet.get("action", "id")): 404,
			fmt.Sprintf("%s/actions/%.0f", primary.path("primary_ip"), named.get("action", "id")):  200,
			fmt.Sprintf("%s/actions/%.0f", primary.path("primary_ip"), subnet.get("action", "id")): 404,
		} {
			want(c.t, path, c.ask("GET", path, "").status, status)
		}
		want(c.t, "of the primary IP", len(c.ask("GET", primary.path("primary_ip")+"/actions", "").list("actions")), 1)
	})
}

func TestActionResults(t *testing.T) {
	failure := emulator.Result{Status: "error", Code: "resource_unavailable", Message: "error during placement"}
	cases := map[string]struct {
		operation string
		result    emulator.Result
		status    string // the action's
		server    string // the server's afterwards
		locked    bool
	}{
		"create fails, the server stays": {"create_server", failure, "error", "off", false},
		"create never ends":              {"create_server", emulator.Result{Status: "never"}, "running", "initializing", true},
		"create ends in a new word":      {"create_server", emulator.Result{Status: "cancelled"}, "cancelled", "running", false},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				if err := c.ChangeSettings(func(s *emulator.Settings) { s.ActionResults[test.operation] = test.result }); err != nil {
					c.t.Fatal(err)
				}
				created := c.ask("POST", "/servers", webBody)
				pass(time.Hour)
				action := c.ask("GET", created.path("action"), "")
				want(c.t, "action", action.get("action", "status"), test.status)
				server := c.ask("GET", created.path("server"), "")
				want(c.t, "server", server.get("server", "status"), test.server)
				want(c.t, "locked", server.get("server", "locked"), test.locked)
				if test.status == "error" {
					want(c.t, "code", action.get("action", "error", "code"), "resource_unavailable")
					want(c.t, "message", action.get("action", "error", "message"), "error during placement")
				}
			})
		})
	}
}

// TestFailedCreateFailsItsStart: next actions are awaited too, so they must end.
func TestFailedCreateFailsItsStart(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		change := func(s *emulator.Settings) { s.ActionResults["create_server"] = emulator.Result{Status: "error"} }
		if err := c.ChangeSettings(change); err != nil {
			c.t.Fatal(err)
		}
		created := c.ask("POST", "/servers", webBody)
		pass(time.Second)
		next := c.ask("GET", fmt.Sprintf("/actions/%.0f", created.get("next_actions", 0, "id")), "")
		want(c.t, "start", next.get("action", "status"), "error")
		want(c.t, "next create", c.ask("POST", "/servers", `{"name":"b","server_type":"cx23","image":"debian-13"}`).status, 201)
	})
}

// TestFailedActionChangesNothing: a server whose action failed is free again and as it was.
func TestFailedActionChangesNothing(t *testing.T) {
	for path, operation := range map[string]string{
		"poweroff": "stop_server", "rebuild": "rebuild_server", "": "delete_server",
	} {
		t.Run(operation, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				server := c.make()
				change := func(s *emulator.Settings) {
					s.ActionResults[operation] = emulator.Result{Status: "error", Times: new(1)}
				}
				if err := c.ChangeSettings(change); err != nil {
					c.t.Fatal(err)
				}
				method, where := "POST", server+"/actions/"+path
				if path == "" {
					method, where = "DELETE", server
				}
				c.ask(method, where, `{"image":"debian-13"}`)
				pass(time.Second)
				after := c.ask("GET", server, "")
				want(c.t, "status", after.get("server", "status"), "running")
				want(c.t, "locked", after.get("server", "locked"), false)
				want(c.t, "image", after.get("server", "image", "name"), "ubuntu-24.04")
			})
		})
	}
}

func TestChangeType(t *testing.T) {
	cases := map[string]struct {
		planted emulator.Fields
		body    string
		status  int
		code    string
	}{
		"larger":               {emulator.Fields{}, `{"server_type":"cx33","upgrade_disk":true}`, 201, ""},
		"running":              {emulator.Fields{"status": "running"}, `{"server_type":"cx33","upgrade_disk":true}`, 422, "server_not_stopped"},
		"smaller disk":         {emulator.Fields{"server_type": "cx33"}, `{"server_type":"cx23","upgrade_disk":false}`, 422, "invalid_server_type"},
		"smaller, disk kept":   {emulator.Fields{"server_type": "cx33", "primary_disk_size": 40}, `{"server_type":"cx23","upgrade_disk":false}`, 201, ""},
		"same type":            {emulator.Fields{}, `{"server_type":"cx23","upgrade_disk":true}`, 422, "invalid_server_type"},
		"other CPU":            {emulator.Fields{}, `{"server_type":"cax21","upgrade_disk":true}`, 422, "invalid_server_type"},
		"not sold there":       {emulator.Fields{"location": "ash", "server_type": "cpx11"}, `{"server_type":"cx33","upgrade_disk":true}`, 422, "invalid_server_type"},
		"unknown type":         {emulator.Fields{}, `{"server_type":"cx99","upgrade_disk":true}`, 422, "invalid_input"},
		"without upgrade_disk": {emulator.Fields{}, `{"server_type":"cx33"}`, 422, "invalid_input"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				if test.planted["status"] == nil {
					test.planted["status"] = "off"
				}
				planted, err := c.Plant("hetzner", "servers", test.planted)
				if err != nil {
					c.t.Fatal(err)
				}
				got := c.ask("POST", "/servers/"+planted.ID+"/actions/change_type", test.body)
				want(c.t, "status", got.status, test.status)
				want(c.t, "code", got.code(), test.code)
			})
		})
	}
}

// TestChangeTypeStartsTheServer: it migrates, grows the disk only if asked, and runs afterwards.
func TestChangeTypeStartsTheServer(t *testing.T) {
	for upgrade, disk := range map[bool]float64{true: 80, false: 40} {
		t.Run(fmt.Sprintf("upgrade_disk %t", upgrade), func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				planted, err := c.Plant("hetzner", "servers", emulator.Fields{"status": "off"})
				if err != nil {
					c.t.Fatal(err)
				}
				path := "/servers/" + planted.ID
				c.ask("POST", path+"/actions/change_type", fmt.Sprintf(`{"server_type":"cx33","upgrade_disk":%t}`, upgrade))
				want(c.t, "meanwhile", c.status(path), "migrating")
				pass(time.Second)
				server := c.ask("GET", path, "")
				want(c.t, "type", server.get("server", "server_type", "name"), "cx33")
				want(c.t, "disk", server.get("server", "primary_disk_size"), disk)
				want(c.t, "status", server.get("server", "status"), "running")
			})
		})
	}
}
