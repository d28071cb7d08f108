// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const certificateNamed = `
resource "bettercompute_certificate" "named" {
  provider_account = data.bettercompute_provider_account.main
  name             = "named"
  kind             = "custom"
  certificate      = "env://NAMED_CERTIFICATE"
  private_key      = "env://NAMED_KEY"
}
`

// certificateStrikes are the requests of a create at which CLI and provider are killed, one apply after the other: before
// the order is carried out, with its answer held, and at the first mark that is written after it.
func certificateStrikes(cloud *Cloud) []emulator.Fault {
	order, mark := "/certificates$", emulator.Fault{Method: http.MethodPut, Path: "/certificates/"}
	if cloud.Name == "digitalocean" {
		mark = emulator.Fault{Method: http.MethodPost, Path: "/tags$"}
	}
	mark.Point = "after"
	return []emulator.Fault{
		{Method: http.MethodPost, Path: order, Point: "before"},
		{Method: http.MethodPost, Path: order, Point: "after"},
		mark,
	}
}

// Killed again and again while a certificate is made: it is ordered once, and the apply that comes through owns it.
func TestKilledWhileACertificateIsMade(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		if cloud.Name == "proxmox" {
			t.Skip("Proxmox VE has no certificates")
		}
		t.Parallel() // it mostly waits: an apply lets a create that may still be alive come to its end first
		workspace := NewWorkspace(t, cloud, cli)
		authority := certpemtest.NewAuthority(t, time.Now())
		leaf := authority.Leaf(t, time.Now().Add(48*time.Hour), "named.example.com")
		workspace.Environment["NAMED_CERTIFICATE"] = certpemtest.PEM(leaf) + authority.Chain()
		workspace.Environment["NAMED_KEY"] = certpemtest.KeyPEM(t, leaf)
		workspace.Write(header + owned + accountMain + certificateNamed)
		workspace.Init()
		for i, fault := range certificateStrikes(cloud) {
			fault.Action = "hang"
			id := addFault(t, cloud, fault)
			apply := workspace.Start("apply")
			awaitHolding(t, cloud, id)
			apply.Kill()
			cloud.RemoveFault(id)
			if there := len(cloud.Objects(cloud.Name, "certificates")); there != min(i, 1) {
				t.Fatalf("%d certificates after kill %d", there, i+1)
			}
		}
		out := workspace.Must("apply")
		if there := cloud.Objects(cloud.Name, "certificates"); len(there) != 1 || workspace.Resources()["bettercompute_certificate.named"].Values["certificate_id"] != there[0].ID {
			t.Errorf("there is %+v, the state holds %+v\n%s", there, workspace.Resources(), out)
		}
		if orders := certificateOrders(cloud); orders != 1 {
			t.Errorf("%d certificates were ordered", orders)
		}
		workspace.MustBeEmpty()
		workspace.Must("destroy")
		if left := cloud.Objects(cloud.Name, "certificates"); len(left) > 0 || strings.Contains(tagNames(cloud), "better-compute:row:") {
			t.Errorf("after the destroy there are %+v and the tags %s", left, tagNames(cloud))
		}
	})
}

// certificateOrders counts the orders that the vendor has carried out.
func certificateOrders(cloud *Cloud) int {
	count := 0
	for _, entry := range cloud.Journal() {
		if entry.Method == http.MethodPost && entry.Accepted && strings.HasSuffix(entry.Path, "/certificates") {
			count++
		}
	}
	return count
}

func tagNames(cloud *Cloud) string {
	var names []string
	for _, tag := range cloud.Objects(cloud.Name, "tags") {
		names = append(names, tag.ID)
	}
	return strings.Join(names, " ")
}
