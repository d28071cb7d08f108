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

// TestDropletOptions: what an order asks for is in the droplet's features, and nothing else.
func TestDropletOptions(t *testing.T) {
	cases := map[string]struct{ asked, features string }{
		"nothing":    {``, "[droplet_agent private_networking]"},
		"backups":    {`"backups":true,`, "[backups droplet_agent private_networking]"},
		"ipv6":       {`"ipv6":true,`, "[droplet_agent ipv6 private_networking]"},
		"monitoring": {`"monitoring":true,`, "[droplet_agent monitoring private_networking]"},
		"no agent":   {`"with_droplet_agent":false,`, "[private_networking]"},
		"no public":  {`"public_networking":false,`, "[droplet_agent private_networking]"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				created := c.ask("POST", "/v2/droplets", strings.Replace(webBody, "{", "{"+test.asked, 1))
				pass(time.Second)
				got := c.ask("GET", "/v2/droplets/"+created.id("droplet"), "")
				want(c.t, "features", fmt.Sprint(got.get("droplet", "features")), test.features)
				want(c.t, "IPv6 addresses", len(got.get("droplet", "networks", "v6").([]any)), strings.Count(test.asked, "ipv6"))
				want(c.t, "IPv4 addresses", len(got.get("droplet", "networks", "v4").([]any)), 2-strings.Count(test.asked, "public"))
			})
		})
	}
}

// TestBackupPolicies: the policy of the order, of the actions, and its refusals.
func TestBackupPolicies(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		order := func(fields string) answer {
			return c.ask("POST", "/v2/droplets", strings.Replace(webBody, "{", "{"+fields, 1))
		}
		want(c.t, "policy without backups", order(`"backup_policy":{"plan":"daily","hour":4},`).message(), "backup_policy can only be set when backups are enabled")
		for _, wrong := range []string{`{"plan":"hourly"}`, `{"plan":"daily","hour":5}`, `{"plan":"weekly","weekday":"Monday","hour":4}`} {
			want(c.t, wrong, order(`"backups":true,"backup_policy":`+wrong+`,`).message(), "backup_policy is not valid")
		}
		created := order(`"backups":true,"backup_policy":{"plan":"weekly","weekday":"MON","hour":4},`)
		pass(time.Second)
		path := "/v2/droplets/" + created.id("droplet")
		policy := c.ask("GET", path+"/backups/policy", "")
		want(c.t, "plan", policy.get("policy", "backup_policy", "plan"), "weekly")
		want(c.t, "days kept", policy.get("policy", "backup_policy", "retention_period_days"), 28.0)
		start, err := time.Parse(time.RFC3339, fmt.Sprint(c.ask("GET", path, "").get("droplet", "next_backup_window", "start")))
		if err != nil || start.Weekday() != time.Monday || start.Hour() != 4 {
			c.t.Errorf("next backup at %v, %v", start, err)
		}
		want(c.t, "change", c.act(path, `{"type":"change_backup_policy","backup_policy":{"plan":"daily","hour":8}}`).status, 201)
		pass(time.Second)
		want(c.t, "days kept", c.ask("GET", path+"/backups/policy", "").get("policy", "backup_policy", "retention_period_days"), 7.0)
		c.act(path, `{"type":"disable_backups"}`)
		pass(time.Second)
		want(c.t, "next backup", c.ask("GET", path, "").get("droplet", "next_backup_window"), nil)
		want(c.t, "change without backups", c.act(path, `{"type":"change_backup_policy","backup_policy":{"plan":"daily","hour":8}}`).message(), "Backups are not enabled for this Droplet.")
	})
}

func TestVendorsClientReadsBackups(t *testing.T) {
	inClient(t, func(t *testing.T, _ *emulator.Emulator, client *godo.Client) {
		request := createRequest("web-1")
		request.Backups, request.BackupPolicy = true, &godo.DropletBackupPolicyRequest{Plan: "daily", Hour: godo.PtrTo(12)}
		made, _, err := client.Droplets.Create(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		got, _, err := client.Droplets.GetBackupPolicy(t.Context(), made.ID)
		if err != nil || !got.BackupEnabled || got.BackupPolicy.Plan != "daily" || got.BackupPolicy.Hour != 12 {
			t.Errorf("policy: %+v, %v", got, err)
		}
		all, _, err := client.Droplets.ListBackupPolicies(t.Context(), nil)
		if err != nil || len(all) != 1 || all[made.ID] == nil {
			t.Errorf("policies: %v, %v", all, err)
		}
		plans, _, err := client.Droplets.ListSupportedBackupPolicies(t.Context())
		if err != nil || len(plans) != 2 {
			t.Errorf("plans: %v, %v", plans, err)
		}
		backups, _, err := client.Droplets.Backups(t.Context(), made.ID, nil)
		if err != nil || len(backups) != 0 {
			t.Errorf("backups: %v, %v", backups, err)
		}
	})
}
