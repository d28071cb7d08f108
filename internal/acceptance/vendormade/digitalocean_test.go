// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"context"
	"net/http"
	"testing"

	"github.com/digitalocean/godo"
	"golang.org/x/oauth2"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

// digitaloceanMachine: DigitalOcean tells neither the user data nor the keys that a droplet was made with, and has no protection
// of its own. Tags of others are never taken for our labels, so they are written too.
var digitaloceanMachine = machine{
	make: makeDigitalOcean,
	unread: map[string]any{
		"labels.tier": "web", "user_data": "#cloud-config\n{}\n", "digitalocean.ssh_key_ids": []any{"laptop"}, "delete_protection": true,
	},
	named:   map[string]any{"network": "backend"},
	follows: []string{"addresses", "digitalocean.vpc_uuid"},
	marks: []string{
		"POST /v2/tags", "POST /v2/tags/better-compute:key:ID/resources",
		"POST /v2/tags", "POST /v2/tags/better-compute:claim:ID/resources",
		"POST /v2/tags", "POST /v2/tags/better-compute:account:ID/resources",
		"POST /v2/tags", "POST /v2/tags/better-compute/resources",
	},
}

// makeDigitalOcean sends what terraform-provider-digitalocean 2.99 sends for terraform-provider-digitalocean.tf: everything goes
// with the order.
func makeDigitalOcean(t *testing.T, cloud *acceptance.Cloud) {
	t.Helper()
	carried := context.WithValue(t.Context(), oauth2.HTTPClient, &http.Client{Transport: cloud.DigitalOcean.Transport()})
	token := oauth2.StaticTokenSource(&oauth2.Token{AccessToken: cloud.DigitalOcean.Token})
	client, err := godo.New(oauth2.NewClient(carried, token), godo.SetBaseURL(cloud.DigitalOcean.Endpoint))
	noError(t, err)
	_, _, err = client.Tags.Create(t.Context(), &godo.TagCreateRequest{Name: "tier:web"})
	noError(t, err)
	vpc, _, err := client.VPCs.Create(t.Context(), &godo.VPCCreateRequest{Name: "backend", RegionSlug: "fra1", IPRange: "10.7.0.0/20"})
	noError(t, err)
	key, _, err := client.Keys.Create(t.Context(), &godo.KeyCreateRequest{Name: "laptop", PublicKey: publicKey})
	noError(t, err)
	droplet, _, err := client.Droplets.Create(t.Context(), &godo.DropletCreateRequest{
		Name: "web", Region: "fra1", Size: "s-2vcpu-4gb", Image: godo.DropletCreateImage{Slug: "ubuntu-24-04-x64"},
		SSHKeys: []godo.DropletCreateSSHKey{{ID: key.ID}}, Backups: true, IPv6: true, Monitoring: true, UserData: "#cloud-config\n{}\n",
		Tags: []string{"tier:web"}, VPCUUID: vpc.ID, BackupPolicy: &godo.DropletBackupPolicyRequest{Plan: "weekly", Weekday: "TUE", Hour: new(8)},
	})
	noError(t, err)
	if made, _, err := client.Droplets.Get(t.Context(), droplet.ID); err != nil || made.Status != "active" {
		t.Fatalf("the droplet is not there at once where actions take no time: %v, %v", made, err)
	}
}
