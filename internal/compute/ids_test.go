// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

// The ids stand on vendors' objects: a changed one would hide every object made before. They were computed by an
// independent program.
func TestIDsStayWhatTheyAre(t *testing.T) {
	account := compute.AccountID("root", "hetzner-cloud", "main", "")
	for got, want := range map[string]string{
		account: "pacct_30zk0zt09hk8qrs1ed8ta1tyjeshgjgdear1yw91qbj12daskbdg",
		compute.AccountID("root", "hetzner-cloud", "ignored", "main"):                                         "pacct_gw5k3fnhr0744cmfpzbayqxq7kxtzhz1w6e4y58ybyex9845g3wg",
		compute.InstanceIdentity{Tenant: "root", AccountID: account, Name: "web", Image: "ubuntu-24.04"}.ID(): "inst_nwe83g0bx5225e44z0s91s8cjqpex4b1ywjjs8h2zpgpxqtrz580",
		compute.InstanceIdentity{Tenant: "root", AccountID: account, Name: "x", IdempotencyKey: "web-1"}.ID(): "inst_myd6vy6rddrb5vcpgd3v2rbpak798eecpn1qc8e9et8nz9hw5qs0",
		compute.InstanceIdentity{Tenant: "root", AccountID: account, Name: "web", Image: "ubuntu-24.04", Region: "nbg1", UserDataSHA256: "ab", UserDataVersion: "2", SSHAuthorizedKeys: []string{"ssh-ed25519 B", "ssh-ed25519 A"}}.ID(): "inst_9qmd3az6279agqcqjfayhqgqebpk8ph8m5dwa25f76qmv4c28c70",
	} {
		if got != want {
			t.Errorf("the id is %s, want %s", got, want)
		}
	}
}

func TestIDsTellArgumentsApart(t *testing.T) {
	base := compute.InstanceIdentity{Tenant: "root", AccountID: "pacct_x", Name: "web", Image: "debian"}
	seen := map[string]string{base.ID(): "base"}
	for name, change := range map[string]func(*compute.InstanceIdentity){
		"tenant":          func(i *compute.InstanceIdentity) { i.Tenant = "other" },
		"account":         func(i *compute.InstanceIdentity) { i.AccountID = "pacct_y" },
		"name":            func(i *compute.InstanceIdentity) { i.Name = "db" },
		"image":           func(i *compute.InstanceIdentity) { i.Image = "ubuntu" },
		"region":          func(i *compute.InstanceIdentity) { i.Region = "debian" },
		"user data":       func(i *compute.InstanceIdentity) { i.UserDataSHA256 = "aa" },
		"version":         func(i *compute.InstanceIdentity) { i.UserDataVersion = "aa" },
		"keys":            func(i *compute.InstanceIdentity) { i.SSHAuthorizedKeys = []string{"aa"} },
		"idempotency key": func(i *compute.InstanceIdentity) { i.IdempotencyKey = "web" },
	} {
		changed := base
		change(&changed)
		if earlier, there := seen[changed.ID()]; there {
			t.Errorf("%s and %s give one id", name, earlier)
		}
		seen[changed.ID()] = name
	}
}

func TestClaimsShowTheOwnerAndNothingElse(t *testing.T) {
	for owner, part := range map[string]string{"": "0", "shop/prod": "pabyf01pw5"} {
		first, second := compute.NewClaim(owner), compute.NewClaim(owner)
		if !compute.WellFormedClaim(first) || first == second || first[:len(part)+1] != part+"-" {
			t.Errorf("claims of %q: %s, %s", owner, first, second)
		}
		if len(first) > 63 {
			t.Errorf("a label's value has 63 characters, the claim %d", len(first))
		}
	}
	for _, broken := range []string{"", "0", "0-", "0-short", "1-0123456789abcdef", "pabyf01pw5-0123456789ABCDEF", "0-0123456789abcdef0"} {
		if compute.WellFormedClaim(broken) {
			t.Errorf("%q counts as a claim", broken)
		}
	}
}
