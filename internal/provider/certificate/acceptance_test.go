// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-testing/compare"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const address = "bettercompute_certificate.www"

// world is an emulated vendor and texts of certificates.
type world struct {
	*testing.T
	*emulator.Emulator
	pem texts
}

func newWorld(t *testing.T) *world {
	t.Helper()
	providertest.NeedCLI(t)
	return &world{T: t, Emulator: start(t), pem: newTexts(t)}
}

func (w *world) config(more string) string {
	return fmt.Sprintf(`
data "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = { token = "env://%s", endpoint = %q }
}
`, tokenVariable, w.Hetzner.Endpoint) + more
}

// custom is a certificate as PEM.
func (w *world) custom(certificate, key string) string {
	return w.config(fmt.Sprintf(`
resource "bettercompute_certificate" "www" {
  provider_account           = data.bettercompute_provider_account.main
  name                       = "www"
  kind                       = "custom"
  certificate_pem            = %s
  private_key_pem_wo         = %s
  private_key_pem_wo_version = "1"
  lifecycle {
    create_before_destroy = true
  }
}
`, quote(certificate), quote(key)))
}

// quote is a text as a string of the configuration language.
func quote(text string) string { return strconv.Quote(text) }

func (w *world) managed(more string) string {
	return w.config(fmt.Sprintf(`
resource "bettercompute_certificate" "www" {
  provider_account = data.bettercompute_provider_account.main
  name             = "www"
  kind             = "managed"
  %s
}
`, more))
}

func (w *world) certificates() []emulator.Object { return w.Objects("hetzner", "certificates") }

// posts counts the requests that have made a certificate.
func (w *world) posts() int {
	count := 0
	for _, entry := range w.Journal() {
		if entry.Method == http.MethodPost && entry.Path == "/v1/certificates" && entry.Accepted {
			count++
		}
	}
	return count
}

func (w *world) patch(kind, id string, fields emulator.Fields) {
	w.Helper()
	if _, err := w.Patch("hetzner", kind, id, fields); err != nil {
		w.Fatal(err)
	}
}

// run runs steps on the CLI, and expects nothing to be left at the vendor.
func (w *world) run(steps ...resource.TestStep) {
	w.Helper()
	resource.Test(w.T, resource.TestCase{
		ProtoV6ProviderFactories: providertest.Factories(), Steps: steps,
		CheckDestroy: func(*terraform.State) error {
			if left := w.certificates(); len(left) > 0 {
				return fmt.Errorf("left at the vendor: %+v", left)
			}
			return nil
		},
	})
}

func does(action plancheck.ResourceActionType) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, action)}}
}

func empty() resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}}
}

func holds(name string, value knownvalue.Check) statecheck.StateCheck {
	return statecheck.ExpectKnownValue(address, tfjsonpath.New(name), value)
}

func TestAccFiveSpellingsAreOneUpload(t *testing.T) {
	w := newWorld(t)
	spellings := certpemtest.Spellings(w.pem.leaf + w.pem.chain)
	steps := []resource.TestStep{{
		Config: w.custom(spellings[0], w.pem.key),
		ConfigStateChecks: []statecheck.StateCheck{
			holds("state", knownvalue.StringExact("ready")), holds("managed", knownvalue.Bool(true)),
			holds("fingerprint", knownvalue.StringRegexp(regexp.MustCompile("^[0-9a-f]{64}$"))),
			holds("domains", knownvalue.SetExact([]knownvalue.Check{knownvalue.StringExact("www.example.com")})),
			holds("not_after", knownvalue.NotNull()), holds("private_key_pem_wo", knownvalue.Null()),
		},
	}}
	for _, spelling := range spellings {
		steps = append(steps, resource.TestStep{Config: w.custom(spelling, w.pem.key), ConfigPlanChecks: empty()})
	}
	steps = append(steps, resource.TestStep{
		PreConfig: func() {
			if posts := w.posts(); posts != 1 {
				t.Errorf("%d uploads of five spellings", posts)
			}
		},
		Config:           w.custom(w.pem.otherLeaf+w.pem.chain, w.pem.otherKey),
		ConfigPlanChecks: does(plancheck.ResourceActionCreateBeforeDestroy),
	})
	w.run(steps...)
	if posts := w.posts(); posts != 2 {
		t.Errorf("%d uploads of two certificates", posts)
	}
}

// A load balancer takes the new certificate as soon as it is there, and lets go of the old one: one apply.
func TestAccRotationUnderALoadBalancer(t *testing.T) {
	w := newWorld(t)
	balancer := emulator.Object{}
	w.run(
		resource.TestStep{Config: w.custom(w.pem.leaf, w.pem.key)},
		resource.TestStep{
			PreConfig: func() {
				old := w.certificates()[0].ID
				planted, err := w.Plant("hetzner", "load_balancers", uses(old))
				if err != nil {
					t.Fatal(err)
				}
				balancer = planted
				go w.swap(balancer.ID, old)
			},
			Config:           w.custom(w.pem.otherLeaf, w.pem.otherKey),
			ConfigPlanChecks: does(plancheck.ResourceActionCreateBeforeDestroy),
			Check: func(*terraform.State) error {
				if left := w.certificates(); len(left) != 1 || !strings.HasPrefix(left[0].Name, "www-") {
					return fmt.Errorf("there is %+v", left)
				}
				return w.Vanish("hetzner", "load_balancers", balancer.ID)
			},
		},
	)
	refused := 0
	for _, entry := range w.Journal() {
		if entry.Method == http.MethodDelete && entry.Status == http.StatusUnprocessableEntity {
			refused++
		}
	}
	if refused == 0 {
		t.Error("the old certificate was never in use when it was to be deleted: nothing was tested")
	}
}

func uses(certificates ...string) emulator.Fields {
	var ids []int64
	for _, certificate := range certificates {
		id, _ := strconv.ParseInt(certificate, 10, 64)
		ids = append(ids, id)
	}
	return emulator.Fields{"name": "front", "services": []any{map[string]any{"http": map[string]any{"certificates": ids}}}}
}

// swap gives a load balancer the new certificate once the old one was refused to be deleted.
func (w *world) swap(balancer, old string) {
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.After(5 * time.Minute); ; {
		for _, entry := range w.Journal() {
			if entry.Method == http.MethodDelete && entry.Status == http.StatusUnprocessableEntity {
				for _, certificate := range w.certificates() {
					if certificate.ID != old {
						_, _ = w.Patch("hetzner", "load_balancers", balancer, uses(certificate.ID))
						return
					}
				}
			}
		}
		select {
		case <-ticker.C:
		case <-deadline:
			return
		}
	}
}

func TestAccInUseForEverNamesTheUsers(t *testing.T) {
	w := newWorld(t)
	config := w.managed(`domains = ["www.example.com"]
  timeouts = { delete = "5s" }`)
	balancer := emulator.Object{}
	w.run(
		resource.TestStep{Config: config},
		resource.TestStep{
			PreConfig: func() {
				planted, err := w.Plant("hetzner", "load_balancers", uses(w.certificates()[0].ID))
				if err != nil {
					t.Fatal(err)
				}
				balancer = planted
			},
			Config: w.config(""), ExpectError: regexp.MustCompile(`(?s)\(INVALID_STATE\).*still in use.*load_balancer\s+\d+`),
		},
		resource.TestStep{
			PreConfig: func() {
				if err := w.Vanish("hetzner", "load_balancers", balancer.ID); err != nil {
					t.Fatal(err)
				}
			},
			Config: config, ConfigPlanChecks: empty(),
		},
	)
}

func TestAccManagedCertificateAndItsRenewal(t *testing.T) {
	w := newWorld(t)
	same := statecheck.CompareValue(compare.ValuesSame())
	differs := statecheck.CompareValue(compare.ValuesDiffer())
	id := func() statecheck.StateCheck { return same.AddStateValue(address, tfjsonpath.New("id")) }
	until := func() statecheck.StateCheck { return differs.AddStateValue(address, tfjsonpath.New("not_after")) }
	config := w.managed(`domains = ["www.example.com", "*.example.com"]`)
	w.run(
		resource.TestStep{
			Config: config,
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectKnownValue(address, tfjsonpath.New("id"), knownvalue.StringRegexp(regexp.MustCompile("^pcert_[0-9a-hjkmnp-tv-z]{52}$"))),
			}},
			ConfigStateChecks: []statecheck.StateCheck{id(), until(), holds("state", knownvalue.StringExact("ready"))},
		},
		resource.TestStep{Config: w.managed(`domains = ["*.EXAMPLE.com", "www.example.com"]`), ConfigPlanChecks: empty()},
		resource.TestStep{
			PreConfig: func() {
				w.patch("certificates", w.certificates()[0].ID, emulator.Fields{"not_valid_after": time.Now().Add(100 * 24 * time.Hour).UTC()})
			},
			Config: config, ConfigPlanChecks: empty(), ConfigStateChecks: []statecheck.StateCheck{id(), until()},
		},
		resource.TestStep{
			PreConfig: func() {
				w.patch("certificates", w.certificates()[0].ID, emulator.Fields{"labels": map[string]string{}})
			},
			Config:           config,
			ConfigPlanChecks: does(plancheck.ResourceActionUpdate), ConfigStateChecks: []statecheck.StateCheck{id(), holds("managed", knownvalue.Bool(true))},
		},
		resource.TestStep{Config: w.managed(`domains = ["api.example.com"]`), ConfigPlanChecks: does(plancheck.ResourceActionDestroyBeforeCreate)},
	)
}

// An issuance that fails is kept, tainted, and replaced by the next apply.
func TestAccAFailedIssuance(t *testing.T) {
	codes := map[string]string{
		"could_not_verify_domain_delegated_to_zone": "PROVIDER_ERROR", "caa_record_does_not_allow_ca": "PROVIDER_ERROR",
		"ca_too_many_duplicate_certificates": "RATE_LIMITED",
	}
	for code, ours := range codes {
		t.Run(code, func(t *testing.T) {
			w := newWorld(t)
			config := w.managed(`domains = ["www.example.com"]`)
			w.issuance(code)
			w.run(
				resource.TestStep{
					Config:      config,
					ExpectError: regexp.MustCompile(`(?s)\(` + ours + `\).*www\.example\.com.*` + code + `.*untaint`),
				},
				resource.TestStep{
					PreConfig: func() {
						if left := w.certificates(); len(left) != 1 || left[0].State != "failed" || w.posts() != 1 {
							t.Errorf("after %d uploads there is %+v", w.posts(), left)
						}
						w.issuance("ok")
					},
					Config: config, ConfigPlanChecks: does(plancheck.ResourceActionDestroyBeforeCreate),
				},
			)
			if w.posts() != 2 {
				t.Errorf("%d certificates were ordered", w.posts())
			}
		})
	}
}

func (w *world) issuance(outcome string) {
	w.Helper()
	err := w.ChangeSettings(func(s *emulator.Settings) { s.Issuance = map[string]string{"www.example.com": outcome} })
	if err != nil {
		w.Fatal(err)
	}
}

func TestAccImport(t *testing.T) {
	w := newWorld(t)
	planted, err := w.Plant("hetzner", "certificates", emulator.Fields{"name": "www", "domain_names": []string{"www.example.com"}})
	if err != nil {
		t.Fatal(err)
	}
	block := `
import {
  to = bettercompute_certificate.www
  id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, "www")
}
`
	managed := w.managed(`domains = ["WWW.example.com"]`)
	w.run(
		resource.TestStep{Config: w.managed(`domains = ["api.example.com"]`) + block, ExpectError: regexp.MustCompile(`(?s)another one.*domains\s+www\.example\.com`)},
		resource.TestStep{
			Config: managed + block,
			ConfigStateChecks: []statecheck.StateCheck{
				holds("certificate_id", knownvalue.StringExact(planted.ID)), holds("managed", knownvalue.Bool(true)), holds("state", knownvalue.StringExact("ready")),
			},
		},
		resource.TestStep{Config: managed, ConfigPlanChecks: empty()},
		resource.TestStep{
			PreConfig: func() {
				if err := w.Vanish("hetzner", "certificates", planted.ID); err != nil {
					t.Fatal(err)
				}
				other := emulator.Fields{"name": "api", "labels": map[string]string{
					"better-compute.io/managed": "true", "better-compute.io/account": fmt.Sprint(account(t, "hetzner-cloud", hetznerConfig(w.Emulator))["id"]),
				}}
				if planted, err = w.Plant("hetzner", "certificates", other); err != nil {
					t.Fatal(err)
				}
			},
			Config: managed, ConfigPlanChecks: does(plancheck.ResourceActionCreate),
			Check: func(*terraform.State) error { return w.Vanish("hetzner", "certificates", planted.ID) },
		},
	)
}

func TestAccDataSourceListsWhatBearsTheMarks(t *testing.T) {
	w := newWorld(t)
	config := w.managed(`domains = ["www.example.com"]`) + `
data "bettercompute_certificates" "all" {
  provider_account = data.bettercompute_provider_account.main
  depends_on       = [bettercompute_certificate.www]
}
`
	first := func(name string) tfjsonpath.Path {
		return tfjsonpath.New("certificates").AtSliceIndex(0).AtMapKey(name)
	}
	const list = "data.bettercompute_certificates.all"
	w.run(resource.TestStep{
		Config: config,
		ConfigStateChecks: []statecheck.StateCheck{
			statecheck.ExpectKnownValue(list, tfjsonpath.New("certificates"), knownvalue.ListSizeExact(1)),
			statecheck.ExpectKnownValue(list, first("name"), knownvalue.StringExact("www")),
			statecheck.ExpectKnownValue(list, first("owned"), knownvalue.Bool(true)),
			statecheck.CompareValuePairs(list, first("id"), address, tfjsonpath.New("id"), compare.ValuesSame()),
			statecheck.CompareValuePairs(list, first("certificate_id"), address, tfjsonpath.New("certificate_id"), compare.ValuesSame()),
		},
	})
}
