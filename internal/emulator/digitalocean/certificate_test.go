// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const letsEncryptBody = `{"name":"www","type":"lets_encrypt","dns_names":["www.example.com"]}`

// TestLetsEncryptCertificate: it is verified a while after the order, and a renewal gives it another id.
func TestLetsEncryptCertificate(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: 2 * time.Second}, func(c cloud) {
		made := c.ask("POST", "/v2/certificates", letsEncryptBody)
		want(c.t, "status", made.status, 201)
		want(c.t, "state", made.get("certificate", "state"), "pending")
		first, _ := made.get("certificate", "id").(string)
		pass(3 * time.Second)
		want(c.t, "state", c.ask("GET", "/v2/certificates/"+first, "").get("certificate", "state"), "verified")
		want(c.t, "name taken", c.ask("POST", "/v2/certificates", letsEncryptBody).message(), "name is not unique")
		renewed, err := c.Patch("digitalocean", "certificates", first, emulator.Fields{"not_after": time.Now().Add(100 * 24 * time.Hour)})
		if err != nil || renewed.ID == first {
			c.t.Fatalf("%+v, %v", renewed, err)
		}
		want(c.t, "the old id", c.ask("GET", "/v2/certificates/"+first, "").status, 404)
		want(c.t, "by name", c.ask("GET", "/v2/certificates?name=www", "").values("certificates", "id"), renewed.ID)
		want(c.t, "by another name", len(c.ask("GET", "/v2/certificates?name=api", "").list("certificates")), 0)
		want(c.t, "deleted", c.ask("DELETE", "/v2/certificates/"+renewed.ID, "").status, 204)
	})
}

// TestRefusedCertificates: what is wrong is named, and nothing is made.
func TestRefusedCertificates(t *testing.T) {
	bodies := map[string]int{
		`{"type":"lets_encrypt","dns_names":["www.example.com"]}`:                             422,
		`{"name":"a","type":"lets_encrypt"}`:                                                  422,
		`{"name":"a","type":"lets_encrypt","dns_names":["www.example.org"]}`:                  422,
		`{"name":"a","type":"custom","leaf_certificate":"x","private_key":"y"}`:               422,
		`{"name":"a","type":"lets_encrypt","dns_names":["www.example.com"],"private_key":""}`: 503,
	}
	inCloud(t, emulator.Options{}, func(c cloud) {
		for body, status := range bodies {
			want(c.t, body, c.ask("POST", "/v2/certificates", body).status, status)
		}
		want(c.t, "made", len(c.Objects("digitalocean", "certificates")), 0)
		want(c.t, "domain", c.ask("GET", "/v2/domains/example.com", "").get("domain", "name"), "example.com")
		want(c.t, "another domain", c.ask("GET", "/v2/domains/example.org", "").status, 404)
	})
}

// TestCertificateInUse: a load balancer keeps it, with a 403.
func TestCertificateInUse(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		planted, err := c.Plant("digitalocean", "certificates", emulator.Fields{"name": "theirs"})
		if err != nil {
			c.t.Fatal(err)
		}
		balancer, err := c.Plant("digitalocean", "load_balancers", emulator.Fields{"forwarding_rules": []any{map[string]any{"certificate_id": planted.ID}}})
		if err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "delete", c.ask("DELETE", "/v2/certificates/"+planted.ID, "").status, 403)
		if err := c.Vanish("digitalocean", "load_balancers", balancer.ID); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "delete afterwards", c.ask("DELETE", "/v2/certificates/"+planted.ID, "").status, 204)
	})
}
