// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// providerTenant is the tenant that an account without one belongs to: unknown as long as the provider block is.
func providerTenant(accounts *cloud.Accounts) types.String {
	if accounts == nil {
		return types.StringUnknown()
	}
	return types.StringValue(accounts.TenantID())
}

// announce tells the process the account's newest config, before anything that depends on the account is read. One id
// with two configs in one command is a CONFLICT: which of them is the newest cannot be told.
func announce(accounts *cloud.Accounts, given compute.Reference) diag.Diagnostics {
	var diags diag.Diagnostics
	fresh := accounts.Note("provider account config", given.ID+" "+given.Config)
	first := accounts.Note("provider account", given.ID)
	if fresh && !first {
		diagnostics.Error(&diags, path.Root(attributeName), driver.Conflict, "Two accounts with one id", fmt.Sprintf(
			"Another bettercompute_provider_account of tenant %s has the same kind and name, or the same idempotency_key, and with it the id %s, "+
				"but another config. Give one of them another name, tenant_id or idempotency_key, or use one account in both places.",
			given.TenantID, given.ID))
		return diags
	}
	accounts.Announce(given)
	return diags
}

// phase says how much a vendor that is out of reach matters.
type phase int

const (
	planning phase = iota
	applying
)

// verify resolves the account's token and makes one authenticated call with it. What it finds stands at the token.
func verify(ctx context.Context, accounts *cloud.Accounts, given compute.Reference, chosen section, when phase) diag.Diagnostics {
	var diags diag.Diagnostics
	paths := manifestschema.Paths(chosen.manifest, chosen.path())
	paths[reference.Name] = chosen.path()
	fallback := chosen.path()
	if token, there := paths["token"]; there {
		fallback = token
	}
	err := try(ctx, accounts, given)
	if when == planning && outOfReach(err) {
		diagnostics.AppendWarning(&diags, err, fallback, paths)
		return diags
	}
	diagnostics.Append(&diags, err, fallback, paths)
	return diags
}

func try(ctx context.Context, accounts *cloud.Accounts, given compute.Reference) error {
	account, err := accounts.Open(ctx, given)
	if err != nil || !account.Has(compute.CapabilityVerify) {
		return err
	}
	return account.Verify(ctx)
}

// outOfReach says that the vendor did not judge the token: it may well be right.
func outOfReach(err error) bool {
	if err == nil || errors.Is(err, compute.ErrInterrupted) {
		return false
	}
	code := compute.CodeOf(err)
	return code == driver.ProviderError || code == driver.RateLimited || code == driver.Timeout
}

// leftovers warns of what still bears the mark of an account that goes.
func leftovers(ctx context.Context, accounts *cloud.Accounts, given compute.Reference, name string) diag.Diagnostics {
	var diags diag.Diagnostics
	what := fmt.Sprintf("The account %s (%s) is removed from the state and nothing is changed at the vendor.", name, given.ID)
	held, err := managed(ctx, accounts, given)
	if err != nil {
		summary, detail := diagnostics.Text(err)
		diags.AddWarning("What the account still holds could not be looked up",
			fmt.Sprintf("%s Machines that bear its mark may be left.\n\n%s\n%s", what, summary, detail))
		return diags
	}
	if len(held.machines)+len(held.addresses)+len(held.certificates) == 0 {
		return diags
	}
	diags.AddWarning(fmt.Sprintf("Account %s still holds %s", name, held.count()),
		fmt.Sprintf("%s These bear its mark, and machines go on running:\n%s\nTo manage them again, import them; to be rid of them, delete them at the vendor.",
			what, held.list()))
	return diags
}

// holdings are what bears the mark of an account.
type holdings struct {
	machines     []driver.Machine
	addresses    []driver.ReservedAddress
	certificates []driver.Certificate
}

func managed(ctx context.Context, accounts *cloud.Accounts, given compute.Reference) (holdings, error) {
	var held holdings
	account, err := accounts.Open(ctx, given)
	if err != nil {
		return held, err
	}
	if account.Has(compute.CapabilityList) {
		if held.machines, err = account.Managed(ctx); err != nil {
			return held, err
		}
	}
	if account.Has(compute.CapabilityCertificates) {
		if held.certificates, err = account.ManagedCertificates(ctx); err != nil {
			return held, err
		}
		// Where marks are rows they do not name the account.
		held.certificates = slices.DeleteFunc(held.certificates, func(one driver.Certificate) bool { return one.Marks.Account != given.ID })
	}
	if !account.Has(compute.CapabilityAddresses) {
		return held, nil
	}
	addresses, err := account.ManagedAddresses(ctx)
	for _, one := range addresses {
		// Where marks are rows they do not name the account.
		if one.Address.Marks.Account == given.ID {
			held.addresses = append(held.addresses, one.Address)
		}
	}
	return held, err
}

// listed is how many objects a warning names.
const listed = 20

func (h holdings) list() string {
	var lines []string
	for _, machine := range h.machines {
		lines = append(lines, fmt.Sprintf("  - %s (id %s, %s)\n", cmp.Or(machine.Name, "without a name"), machine.ID, machine.State))
	}
	for _, address := range h.addresses {
		lines = append(lines, fmt.Sprintf("  - address %s (%s)\n", address.Address, cmp.Or(address.Name, "without a name")))
	}
	for _, certificate := range h.certificates {
		lines = append(lines, fmt.Sprintf("  - certificate %s (id %s)\n", certificate.Name, certificate.ID))
	}
	text := strings.Join(lines[:min(listed, len(lines))], "")
	if more := len(lines) - listed; more > 0 {
		text += fmt.Sprintf("  and %d more\n", more)
	}
	return text
}

func (h holdings) count() string {
	var parts []string
	for _, one := range []struct {
		count            int
		singular, plural string
	}{{len(h.machines), "machine", "machines"}, {len(h.addresses), "address", "addresses"}, {len(h.certificates), "certificate", "certificates"}} {
		switch one.count {
		case 0:
		case 1:
			parts = append(parts, "1 "+one.singular)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", one.count, one.plural))
		}
	}
	return strings.Join(parts, " and ")
}
