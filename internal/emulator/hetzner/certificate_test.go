// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const managedBody = `{"name":"www","type":"managed","domain_names":["www.example.com"],"labels":{"team":"shop"}}`

// TestManagedCertificate: nothing but the order is there until the action has ended.
func TestManagedCertificate(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: 2 * time.Second}, func(c cloud) {
		made := c.ask("POST", "/certificates", managedBody)
		want(c.t, "status", made.status, 201)
		want(c.t, "command", made.get("action", "command"), "create_certificate")
		path := made.path("certificate")
		want(c.t, "issuance", made.get("certificate", "status", "issuance"), "pending")
		want(c.t, "renewal", made.get("certificate", "status", "renewal"), "unavailable")
		for _, name := range []string{"certificate", "not_valid_after", "fingerprint"} {
			want(c.t, name, made.get("certificate", name), nil)
		}
		pass(3 * time.Second)
		got := c.ask("GET", path, "")
		want(c.t, "issuance", got.get("certificate", "status", "issuance"), "completed")
		want(c.t, "length of the fingerprint", len(fmt.Sprint(got.get("certificate", "fingerprint"))), 95)
		want(c.t, "by label", c.ask("GET", "/certificates?label_selector=team%3Dshop", "").names("certificates"), "www")
		want(c.t, "by another", c.ask("GET", "/certificates?label_selector=team%3Dx", "").names("certificates"), "")
		want(c.t, "name taken", c.ask("POST", "/certificates", managedBody).code(), "uniqueness_error")
		want(c.t, "retry of an issued one", c.ask("POST", path+"/actions/retry", "").code(), "unsupported_error")
		want(c.t, "relabelled", c.ask("PUT", path, `{"labels":{}}`).status, 200)
		want(c.t, "deleted", c.ask("DELETE", path, "").status, 204)
		want(c.t, "gone", c.ask("GET", path, "").code(), "not_found")
	})
}

// TestIssuanceThatFails: without a zone, or as the setting says; a retry may mend it.
func TestIssuanceThatFails(t *testing.T) {
	inCloud(t, emulator.Options{ActionTime: time.Second}, func(c cloud) {
		made := c.ask("POST", "/certificates", `{"name":"a","type":"managed","domain_names":["www.example.org"]}`)
		pass(2 * time.Second)
		path := made.path("certificate")
		want(c.t, "issuance", c.ask("GET", path, "").get("certificate", "status", "issuance"), "failed")
		want(c.t, "code", c.ask("GET", path, "").get("certificate", "status", "error", "code"), "dns_zone_not_found")
		if _, err := c.Plant("hetzner", "zones", emulator.Fields{"name": "example.org"}); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "command", c.ask("POST", path+"/actions/retry", "").get("action", "command"), "issue_certificate")
		pass(2 * time.Second)
		want(c.t, "issuance", c.ask("GET", path, "").get("certificate", "status", "issuance"), "completed")
	})
}

// TestRefusedCertificates: what is wrong is named, and nothing is made.
func TestRefusedCertificates(t *testing.T) {
	bodies := map[string]string{
		`{"type":"managed","domain_names":["www.example.com"]}`:              "invalid_input",
		`{"name":"a","type":"managed"}`:                                      "invalid_input",
		`{"name":"a","type":"managed","domain_names":["not a domain"]}`:      "invalid_input",
		`{"name":"a","type":"other"}`:                                        "invalid_input",
		`{"name":"a","type":"uploaded","certificate":"x","private_key":"y"}`: "invalid_input",
	}
	inCloud(t, emulator.Options{}, func(c cloud) {
		for body, code := range bodies {
			want(c.t, body, c.ask("POST", "/certificates", body).code(), code)
		}
		want(c.t, "made", len(c.Objects("hetzner", "certificates")), 0)
		want(c.t, "a foreign project's zones", len(c.askAs("Bearer "+c.Hetzner.Tokens["foreign"], "GET", "/zones", "").list("zones")), 0)
	})
}

// TestCertificateInUse: a load balancer keeps it.
func TestCertificateInUse(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		planted, err := c.Plant("hetzner", "certificates", emulator.Fields{"name": "theirs"})
		if err != nil {
			c.t.Fatal(err)
		}
		path := "/certificates/" + planted.ID
		used := emulator.Fields{"services": []any{map[string]any{"http": map[string]any{"certificates": []any{c.ask("GET", path, "").get("certificate", "id")}}}}}
		balancer, err := c.Plant("hetzner", "load_balancers", used)
		if err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "used by", c.ask("GET", path, "").get("certificate", "used_by", 0, "type"), "load_balancer")
		want(c.t, "delete", c.ask("DELETE", path, "").code(), "service_error")
		if err := c.Vanish("hetzner", "load_balancers", balancer.ID); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "delete afterwards", c.ask("DELETE", path, "").status, 204)
	})
}
