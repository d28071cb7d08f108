// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport/transporttest"
)

func (p *project) account(owner string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: Kind(), Driver: p.open("env://HCLOUD_TOKEN"), Owner: owner, Opened: time.Now(), Region: "fsn1",
		Reference: compute.Reference{ID: "pacct_" + exampleKey[5:], TenantID: "root", Kind: kindName},
	})
}

func certificateWish(t *testing.T, kind driver.CertificateKind) compute.CertificateWish {
	t.Helper()
	wish := compute.CertificateWish{Key: "pcert_" + exampleKey[5:], Name: "www", Kind: kind, Tenant: "root"}
	if kind == driver.CertificateManaged {
		wish.Domains = []string{"www.example.com"}
		return wish
	}
	material := certpemtest.Material(t)
	wish.Material = func(context.Context) (compute.Material, error) { return material, nil }
	return wish
}

// A process that is killed at any request of a create, before or after it is carried out, leaves one certificate at most,
// and the next apply has exactly one.
func TestAKillAtAnyRequestOfACreateEndsInOneCertificate(t *testing.T) {
	for _, kind := range []driver.CertificateKind{driver.CertificateManaged, driver.CertificateCustom} {
		deaths := 0
		for request := 1; ; request++ {
			whole := false
			for _, after := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/request %d/carried out %t", kind, request, after), func(t *testing.T) {
					inBubble(t, func(p *project) {
						wish, alive := certificateWish(p.T, kind), p.base
						p.base = &transporttest.Mortal{Base: alive, Last: request, Carried: after}
						ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
						defer cancel()
						_, err := p.account("shop/prod").CreateCertificate(ctx, wish)
						p.base = alive
						if err == nil {
							whole = true
							return
						}
						deaths++
						made, err := p.account("shop/prod").CreateCertificate(p.Context(), wish)
						found := p.Emulator.Objects("hetzner", "certificates")
						if err != nil || len(found) != 1 || found[0].ID != made.Certificate.ID || made.Unfinished {
							p.Errorf("%+v, %v; there is %+v", made, err, found)
						}
					})
				})
			}
			if whole {
				break
			}
		}
		if deaths < 8 {
			t.Errorf("only %d deaths of a %s certificate's create: too little was tested", deaths, kind)
		}
	}
}

// A lost answer of any request is made good inside the same create.
func TestALostAnswerOfACreateIsMadeGood(t *testing.T) {
	for _, kind := range []driver.CertificateKind{driver.CertificateManaged, driver.CertificateCustom} {
		for name, fault := range map[string]emulator.Fault{
			"of the order":        {Method: "POST", Path: "/certificates$"},
			"of the first mark":   {Method: "PUT", Path: "/certificates/"},
			"of a list":           {Method: "GET", Path: "/certificates$"},
			"of a look at zones":  {Method: "GET", Path: "/zones"},
			"of a look at action": {Method: "GET", Path: "/actions"},
		} {
			for _, point := range []string{"before", "after"} {
				t.Run(fmt.Sprintf("%s %s, %s", kind, name, point), func(t *testing.T) {
					inBubble(t, func(p *project) {
						fault.Vendor, fault.Action, fault.Point = "hetzner", "drop", point
						if _, err := p.AddFault(fault); err != nil {
							p.Fatal(err)
						}
						wish := certificateWish(p.T, kind)
						made, err := p.account("").CreateCertificate(p.Context(), wish)
						lostBefore := fault.Method == "POST" && point == "before"
						if (err != nil) != lostBefore {
							p.Errorf("%+v, %v", made, err)
						}
						if lostBefore {
							// It was never made, which nobody can know: the error says so, and the next apply makes it.
							made, err = p.account("").CreateCertificate(p.Context(), wish)
						}
						if found := p.Emulator.Objects("hetzner", "certificates"); err != nil || len(found) != 1 || found[0].ID != made.Certificate.ID {
							p.Errorf("%v; there is %+v", err, found)
						}
					})
				})
			}
		}
	}
}

func TestCertificateErrorsAreExplained(t *testing.T) {
	tests := map[string]struct {
		settings func(*emulator.Settings)
		code     driver.Code
		says     string
	}{
		"a full quota":          {func(s *emulator.Settings) { s.Quotas = map[string]int{"certificates": 0} }, driver.QuotaExceeded, "certificate_limit"},
		"an authority's limit":  {issuance("ca_too_many_duplicate_certificates"), driver.RateLimited, "weekly limit"},
		"a domain not pointed":  {issuance("could_not_verify_domain_delegated_to_zone"), driver.ProviderError, "name servers"},
		"a CAA record":          {issuance("caa_record_does_not_allow_ca"), driver.ProviderError, "CAA record"},
		"a failed verification": {issuance("ca_dns_validation_failed"), driver.ProviderError, "by its DNS"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *project) {
				if err := p.ChangeSettings(test.settings); err != nil {
					p.Fatal(err)
				}
				made, err := p.account("").CreateCertificate(p.Context(), certificateWish(p.T, driver.CertificateManaged))
				if compute.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.says) {
					p.Errorf("%+v, %v", made, err)
				}
				orders := 0
				for _, entry := range p.Journal() {
					if entry.Method == http.MethodPost {
						orders++
					}
				}
				if orders != 1 {
					p.Errorf("it was ordered %d times", orders)
				}
			})
		})
	}
}

func issuance(code string) func(*emulator.Settings) {
	return func(s *emulator.Settings) { s.Issuance = map[string]string{"www.example.com": code} }
}

// What has failed is asked for once more in place when the create is carried on.
func TestAFailedIssuanceIsRetriedInPlace(t *testing.T) {
	inBubble(t, func(p *project) {
		wish := certificateWish(p.T, driver.CertificateManaged)
		if err := p.ChangeSettings(issuance("ca_dns_validation_failed")); err != nil {
			p.Fatal(err)
		}
		made, err := p.account("").CreateCertificate(p.Context(), wish)
		if err == nil || made.Certificate.ID == "" || !made.Unfinished {
			p.Fatalf("%+v, %v", made, err)
		}
		if err := p.ChangeSettings(issuance("ok")); err != nil {
			p.Fatal(err)
		}
		held := compute.HeldCertificate{CertificateID: made.Certificate.ID, Key: wish.Key, Name: wish.Name, Kind: wish.Kind, Claim: made.Claim}
		again, err := p.account("").FinishCertificate(p.Context(), held, wish)
		if err != nil || again.Certificate.ID != made.Certificate.ID || again.Certificate.State != driver.CertificateReady || again.Unfinished {
			p.Errorf("%+v, %v", again, err)
		}
	})
}
