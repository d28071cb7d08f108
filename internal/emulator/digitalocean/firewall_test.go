// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const anywhere = `{"addresses":["0.0.0.0/0","::/0"]}`

const sshRule = `"inbound_rules":[{"protocol":"tcp","ports":"22","sources":` + anywhere + `}]`

// TestFirewallsAreAppliedLater: 202, waiting with the droplets that change, then succeeded without any.
func TestFirewallsAreAppliedLater(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: time.Minute}, func(c cloud) {
		named, tagged := c.plant(emulator.Fields{"name": "named"}), c.plant(emulator.Fields{"name": "tagged", "tags": []string{"web"}})
		created := c.ask("POST", "/v2/firewalls", `{"name":"edge",`+sshRule+`,"droplet_ids":[`+named.ID+`],"tags":["web"]}`)
		want(c.t, "create", created.status, 202)
		want(c.t, "status", created.get("firewall", "status"), "waiting")
		want(c.t, "pending", len(created.get("firewall", "pending_changes").([]any)), 2)
		path := "/v2/firewalls/" + fmt.Sprint(created.get("firewall", "id"))
		pass(time.Minute)
		got := c.ask("GET", path, "")
		want(c.t, "status", got.get("firewall", "status"), "succeeded")
		want(c.t, "pending", len(got.get("firewall", "pending_changes").([]any)), 0)
		want(c.t, "rule", fmt.Sprint(got.get("firewall", "inbound_rules", 0)), "map[ports:22 protocol:tcp sources:map[addresses:[0.0.0.0/0 ::/0]]]")
		for _, id := range []string{named.ID, tagged.ID} {
			want(c.t, "of the droplet", c.ask("GET", "/v2/droplets/"+id+"/firewalls", "").values("firewalls", "name"), "edge")
		}
		want(c.t, "take off", c.ask("DELETE", path+"/droplets", `{"droplet_ids":[`+named.ID+`]}`).status, 204)
		want(c.t, "removing", c.ask("GET", path, "").get("firewall", "pending_changes", 1, "removing"), true)
		if err := c.Vanish("digitalocean", "droplets", tagged.ID); err != nil {
			c.t.Fatal(err)
		}
		pass(time.Minute)
		want(c.t, "of the droplet", c.ask("GET", "/v2/droplets/"+named.ID+"/firewalls", "").get("meta", "total"), 0.0)
		want(c.t, "delete", c.ask("DELETE", path, "").status, 204)
		want(c.t, "afterwards", c.ask("GET", path, "").status, 404)
	})
}

// TestFirewallsCanFail or never be applied.
func TestFirewallsCanFail(t *testing.T) {
	for result, status := range map[string]string{"error": "failed", "never": "waiting"} {
		inCloud(t, emulator.Options{}, func(c cloud) {
			d := c.plant(emulator.Fields{})
			c.set(func(s *emulator.Settings) { s.ActionResults["apply_firewall"] = emulator.Result{Status: result} })
			created := c.ask("POST", "/v2/firewalls", `{"name":"edge",`+sshRule+`,"droplet_ids":[`+d.ID+`]}`)
			pass(time.Hour)
			got := c.ask("GET", "/v2/firewalls/"+fmt.Sprint(created.get("firewall", "id")), "")
			want(c.t, "status", got.get("firewall", "status"), status)
		})
	}
}

// TestAnUpdateReplacesEverything: what it does not give is reset.
func TestAnUpdateReplacesEverything(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		d := c.plant(emulator.Fields{"tags": []string{"web"}})
		created := c.ask("POST", "/v2/firewalls", `{"name":"edge",`+sshRule+`,"droplet_ids":[`+d.ID+`],"tags":["web"]}`)
		path := "/v2/firewalls/" + fmt.Sprint(created.get("firewall", "id"))
		changed := c.ask("PUT", path, `{"name":"edge-2","outbound_rules":[{"protocol":"icmp","destinations":`+anywhere+`}]}`)
		want(c.t, "status", changed.status, 200)
		want(c.t, "droplets", fmt.Sprint(changed.get("firewall", "droplet_ids")), "[]")
		want(c.t, "tags", fmt.Sprint(changed.get("firewall", "tags")), "[]")
		want(c.t, "inbound", fmt.Sprint(changed.get("firewall", "inbound_rules")), "[]")
		want(c.t, "ports of ICMP", changed.get("firewall", "outbound_rules", 0, "ports"), "0")
		want(c.t, "created", changed.get("firewall", "created_at"), created.get("firewall", "created_at"))
	})
}

func TestFirewallRefusals(t *testing.T) {
	rule := func(protocol, ports, sources string) string {
		return `{"name":"edge-2","inbound_rules":[{"protocol":"` + protocol + `","ports":"` + ports + `","sources":` + sources + `}]}`
	}
	eleven := strings.TrimSuffix(strings.Repeat("%s,", 11), ",")
	cases := map[string]struct {
		body, message string
		status        int
	}{
		"no name":          {`{` + sshRule + `}`, "name is invalid", 422},
		"taken name":       {`{"name":"edge",` + sshRule + `}`, "duplicate name", 409},
		"no rules":         {`{"name":"edge-2"}`, "must have at least one rule", 422},
		"protocol":         {rule("sctp", "22", anywhere), "you must specify a valid protocol", 422},
		"ports":            {rule("tcp", "http", anywhere), "you must specify a valid range for ports", 422},
		"ports backwards":  {rule("tcp", "90-80", anywhere), "you must specify a valid range for ports", 422},
		"ports of ICMP":    {rule("icmp", "22", anywhere), "You must specify a positive value for ports.", 422},
		"address":          {rule("tcp", "22", `{"addresses":[""]}`), "invalid address", 422},
		"no sources":       {`{"name":"edge-2","inbound_rules":[{"protocol":"tcp","ports":"22"}]}`, "a rule needs sources or destinations", 422},
		"tag of sources":   {rule("tcp", "22", `{"tags":["nobody"]}`), "tag nobody not found", 422},
		"tag":              {`{"name":"edge-2",` + sshRule + `,"tags":["nobody"]}`, "tag nobody not found", 422},
		"droplet":          {`{"name":"edge-2",` + sshRule + `,"droplet_ids":[7]}`, "droplet 7 not found", 422},
		"eleven droplets":  {`{"name":"edge-2",` + sshRule + `,"droplet_ids":[` + eleven + `]}`, "must have no more than 10 droplets", 422},
		"a rule two times": {`{"name":"edge-2","inbound_rules":[` + twice(`{"protocol":"tcp","ports":"22","sources":`+anywhere+`}`) + `]}`, "duplicate rules", 422},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				var ids []any
				for range 11 {
					ids = append(ids, c.plant(emulator.Fields{}).ID)
				}
				c.ask("POST", "/v2/firewalls", `{"name":"edge",`+sshRule+`}`)
				body := test.body
				if strings.Contains(body, "%s") {
					body = fmt.Sprintf(body, ids...)
				}
				got := c.ask("POST", "/v2/firewalls", body)
				want(c.t, "status", got.status, test.status)
				want(c.t, "message", got.message(), test.message)
				want(c.t, "firewalls", len(c.Objects("digitalocean", "firewalls")), 1)
			})
		})
	}
}

func twice(text string) string { return text + "," + text }

// TestVendorsClientUsesFirewalls: every call of godo's service.
func TestVendorsClientUsesFirewalls(t *testing.T) {
	inClient(t, func(t *testing.T, e *emulator.Emulator, client *godo.Client) {
		d, _, err := client.Droplets.Create(t.Context(), createRequest("web-1"))
		if err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		all := &godo.Sources{Addresses: []string{"0.0.0.0/0"}}
		made, _, err := client.Firewalls.Create(t.Context(), &godo.FirewallRequest{
			Name: "edge", InboundRules: []godo.InboundRule{{Protocol: "tcp", PortRange: "all", Sources: all}},
		})
		if err != nil || made.Status != "succeeded" || made.InboundRules[0].PortRange != "0" {
			t.Fatalf("create: %+v, %v", made, err)
		}
		rules := &godo.FirewallRulesRequest{OutboundRules: []godo.OutboundRule{{
			Protocol: "udp", PortRange: "53", Destinations: &godo.Destinations{Tags: []string{"app:shop"}, DropletIDs: []int{d.ID}},
		}}}
		calls := map[string]func() (*godo.Response, error){
			"1 droplets": func() (*godo.Response, error) { return client.Firewalls.AddDroplets(t.Context(), made.ID, d.ID) },
			"2 tags":     func() (*godo.Response, error) { return client.Firewalls.AddTags(t.Context(), made.ID, "app:shop") },
			"3 rules":    func() (*godo.Response, error) { return client.Firewalls.AddRules(t.Context(), made.ID, rules) },
		}
		for what, call := range calls {
			if response, err := call(); err != nil || response.StatusCode != 204 {
				t.Fatalf("%s: %v", what, err)
			}
		}
		got, _, err := client.Firewalls.ListByDroplet(t.Context(), d.ID, nil)
		if err != nil || len(got) != 1 || len(got[0].OutboundRules) != 1 || got[0].Tags[0] != "app:shop" || got[0].DropletIDs[0] != d.ID {
			t.Fatalf("by droplet: %+v, %v", got, err)
		}
		if _, err := client.Firewalls.RemoveRules(t.Context(), made.ID, rules); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Firewalls.RemoveTags(t.Context(), made.ID, "app:shop"); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Firewalls.RemoveDroplets(t.Context(), made.ID, d.ID); err != nil {
			t.Fatal(err)
		}
		left, _, err := client.Firewalls.Get(t.Context(), made.ID)
		if err != nil || len(left.OutboundRules)+len(left.Tags)+len(left.DropletIDs) != 0 {
			t.Errorf("afterwards: %+v, %v", left, err)
		}
		if _, err := client.Firewalls.Delete(t.Context(), made.ID); err != nil {
			t.Fatal(err)
		}
		want(t, "left", len(e.Objects("digitalocean", "firewalls")), 0)
	})
}
