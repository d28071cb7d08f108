// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/config"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/knownvalue"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/statecheck"
	"github.com/hashicorp/terraform-plugin-testing/tfjsonpath"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const address = typeName + ".main"

// block is an account in HCL; more are further lines of it, lines those of its hetzner_cloud.
func block(e *emulator.Emulator, keyword, name, more, lines string) string {
	return fmt.Sprintf(`
%s "bettercompute_provider_account" "main" {
  name = %q
  %s
  hetzner_cloud = {
    token    = "env://%s"
    endpoint = %q
    %s
  }
}
`, keyword, name, more, variable, e.Hetzner.Endpoint, lines)
}

func steps(t *testing.T, steps ...resource.TestStep) {
	t.Helper()
	providertest.NeedCLI(t)
	resource.UnitTest(t, resource.TestCase{ProtoV6ProviderFactories: providertest.Factories(), Steps: steps})
}

func known(attribute string, value knownvalue.Check) plancheck.PlanCheck {
	return plancheck.ExpectKnownValue(address, tfjsonpath.New(attribute), value)
}

func before(checks ...plancheck.PlanCheck) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{
		PreApply: checks, PostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
	}
}

func action(action plancheck.ResourceActionType) plancheck.PlanCheck {
	return plancheck.ExpectResourceAction(address, action)
}

func TestAccAccountLife(t *testing.T) {
	e := start(t)
	id := knownvalue.StringExact(compute.AccountID("root", "hetzner-cloud", "main", ""))
	steps(t,
		resource.TestStep{
			Config: block(e, "resource", "main", "", ""),
			ConfigPlanChecks: before(action(plancheck.ResourceActionCreate), known("id", id),
				known("kind", knownvalue.StringExact("hetzner-cloud")), known("tenant_id", knownvalue.StringExact("root")),
				known("version", knownvalue.Int64Exact(1)), known("config", knownvalue.StringRegexp(regexp.MustCompile(`"format":1`)))),
		},
		resource.TestStep{
			Config: block(e, "resource", "renamed", "", ""),
			ConfigPlanChecks: before(action(plancheck.ResourceActionUpdate), known("id", id),
				known("version", knownvalue.Int64Exact(1))),
		},
		resource.TestStep{
			Config: block(e, "resource", "renamed", "", `location = "nbg1"`),
			ConfigPlanChecks: before(action(plancheck.ResourceActionUpdate), known("id", id),
				known("version", knownvalue.Int64Exact(2)), known("config", knownvalue.StringRegexp(regexp.MustCompile(`nbg1`)))),
		},
		resource.TestStep{
			Config: `provider "bettercompute" { tenant_id = "shop" }` + block(e, "resource", "renamed", "", `location = "nbg1"`),
			ConfigPlanChecks: resource.ConfigPlanChecks{
				PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},
			},
		},
		resource.TestStep{
			Config: block(e, "resource", "renamed", `tenant_id = "shop"`, `location = "nbg1"`),
			ConfigPlanChecks: before(action(plancheck.ResourceActionDestroyBeforeCreate),
				known("id", knownvalue.StringExact(compute.AccountID("shop", "hetzner-cloud", "renamed", ""))), known("version", knownvalue.Int64Exact(1))),
		},
		resource.TestStep{
			Config: block(e, "resource", "renamed", `tenant_id = "shop"`+"\n"+`idempotency_key = "k"`, `location = "nbg1"`),
			ConfigPlanChecks: before(action(plancheck.ResourceActionDestroyBeforeCreate),
				known("id", knownvalue.StringExact(compute.AccountID("shop", "hetzner-cloud", "", "k")))),
		},
	)
}

func TestAccDataSourceGivesTheSameObject(t *testing.T) {
	e := start(t)
	var checks []statecheck.StateCheck
	for _, attribute := range []string{"id", "tenant_id", "kind", "config", "version"} {
		path := tfjsonpath.New(attribute)
		checks = append(checks, statecheck.CompareValuePairs(address, path, "data."+address, path, same{}))
	}
	steps(t, resource.TestStep{
		Config:            block(e, "resource", "main", "", "") + block(e, "data", "main", "", ""),
		ConfigStateChecks: checks,
	})
}

// same compares the values of two attributes.
type same struct{}

// CompareValues finds fault with values that differ.
func (same) CompareValues(values ...any) error {
	for _, value := range values[1:] {
		if value != values[0] {
			return fmt.Errorf("%v is not %v", value, values[0])
		}
	}
	return nil
}

func TestAccValuesThatAreKnownAfterTheApply(t *testing.T) {
	e := start(t)
	for name, account := range map[string]string{
		"name": `
resource "bettercompute_provider_account" "main" {
  name          = terraform_data.late.output
  hetzner_cloud = { token = "env://%[1]s", endpoint = "%[2]s" }
}`,
		"location": `
resource "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = { token = "env://%[1]s", endpoint = "%[2]s", location = terraform_data.late.output }
}`,
		"tenant and key": `
resource "bettercompute_provider_account" "main" {
  name            = "main"
  tenant_id       = terraform_data.late.output
  idempotency_key = terraform_data.late.output
  hetzner_cloud   = { token = "env://%[1]s", endpoint = "%[2]s" }
}`,
		"the whole of the kind": `
resource "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = terraform_data.late.output == "fsn1" ? { token = "env://%[1]s", endpoint = "%[2]s" } : null
}`,
		"the provider's tenant": `
provider "bettercompute" {
  tenant_id = terraform_data.late.output
}
resource "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = { token = "env://%[1]s", endpoint = "%[2]s" }
}`,
	} {
		t.Run(name, func(t *testing.T) {
			steps(t, resource.TestStep{
				Config: fmt.Sprintf(`
resource "terraform_data" "late" {
  input = "fsn1"
}`+account, variable, e.Hetzner.Endpoint),
				ConfigPlanChecks: before(action(plancheck.ResourceActionCreate)),
			})
		})
	}
}

func TestAccBadTokens(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for _, keyword := range []string{"resource", "data"} {
			for name, test := range map[string]struct{ value, says string }{
				"wrong":          {value: planted, says: `ACCESS_DENIED`},
				"with a newline": {value: planted[:20] + "\n" + planted[20:], says: `position\s+21`},
				"empty":          {value: "", says: `INVALID_INPUT`},
			} {
				t.Run(keyword+"/"+name, func(t *testing.T) {
					e := start(t)
					t.Setenv(variable, test.value)
					logs := traced(t)
					steps(t, resource.TestStep{
						Config: fmt.Sprintf("%s \"bettercompute_provider_account\" \"main\" {\n  name = \"main\"\n  %s\n}\n",
							keyword, vendor.BlockOn(e, "env://"+variable)),
						ExpectError: regexp.MustCompile(test.says),
					})
					for _, request := range e.Journal() {
						if request.Method != "GET" {
							t.Errorf("the vendor was sent %s %s", request.Method, request.Path)
						}
					}
					hasNot(t, logs, planted[:20])
				})
			}
		}
	})
}

func TestAccPlainTokenWhereAReferenceBelongs(t *testing.T) {
	e := start(t)
	logs := traced(t)
	steps(t, resource.TestStep{
		Config: `
variable "token" {
  sensitive = true
}
data "bettercompute_provider_account" "main" {
  name          = "main"
  hetzner_cloud = { token = var.token }
}`,
		ConfigVariables: config.Variables{"token": config.StringVariable(planted)},
		ExpectError:     regexp.MustCompile(`(?s)must be a reference.*env://`),
	})
	if len(e.Journal()) > 0 {
		t.Errorf("%d requests were sent", len(e.Journal()))
	}
	hasNot(t, logs, planted)
}

// TestAccTokenStaysOutOfStateAndLogs keeps the working directories of the CLI and searches them, plans and states included.
func TestAccTokenStaysOutOfStateAndLogs(t *testing.T) {
	e := start(t)
	logs, work := traced(t), t.TempDir()
	t.Setenv("TF_ACC_TEMP_DIR", work)
	t.Setenv("TF_ACC_PERSIST_WORKING_DIR", "1")
	steps(t, resource.TestStep{Config: block(e, "resource", "main", "", "") + block(e, "data", "main", "", "")})
	if !has(t, logs, "GET") || !has(t, work, variable) {
		t.Fatal("neither the logs nor the state show what they surely hold: the search proves nothing")
	}
	for _, directory := range []string{logs, work} {
		hasNot(t, directory, e.Hetzner.Token)
	}
}

func TestAccVariableBehindTheTokenIsRenamed(t *testing.T) {
	e := start(t)
	steps(t,
		resource.TestStep{Config: block(e, "resource", "main", "", "")},
		resource.TestStep{
			PreConfig: func() {
				t.Setenv(variable, planted)
				t.Setenv(variable+"_NEW", e.Hetzner.Token)
			},
			Config:           strings.Replace(block(e, "resource", "main", "", ""), variable, variable+"_NEW", 1),
			ConfigPlanChecks: before(action(plancheck.ResourceActionUpdate), known("version", knownvalue.Int64Exact(2))),
		},
	)
}

func TestAccTwoConfigsOfOneAccount(t *testing.T) {
	e := start(t)
	second := strings.Replace(block(e, "resource", "main", "", `location = "nbg1"`), `"main" {`, `"second" {`, 1)
	steps(t, resource.TestStep{
		Config: block(e, "resource", "main", "", "") + second, ExpectError: regexp.MustCompile(`CONFLICT`),
	})
}

// traced makes the CLI and the provider log all that they can, and answers the directory of the logs.
func traced(t *testing.T) string {
	t.Helper()
	logs := t.TempDir()
	t.Setenv("TF_LOG_PATH_MASK", filepath.Join(logs, "%s.log"))
	t.Setenv("TF_LOG", "TRACE")
	t.Setenv("TF_ACC_LOG", "TRACE")
	return logs
}

// has says whether any file below a directory holds the text. Plan files are ZIP archives: they are looked into.
func has(t *testing.T, directory, text string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(directory, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if archive, notZip := zip.NewReader(bytes.NewReader(content), int64(len(content))); notZip == nil {
			content = append(content, unpacked(t, archive)...)
		}
		found = found || strings.Contains(string(content), text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func unpacked(t *testing.T, archive *zip.Reader) []byte {
	t.Helper()
	var all []byte
	for _, file := range archive.File {
		reader, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(reader)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, content...)
	}
	return all
}

func hasNot(t *testing.T, directory, text string) {
	t.Helper()
	if has(t, directory, text) {
		t.Errorf("a secret stands in a file below %s", directory)
	}
}
