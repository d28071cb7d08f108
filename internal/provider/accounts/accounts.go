// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package accounts opens the provider account that a resource or a data source names, with the accounts that the provider
// has made for the command.
package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/importid"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Opener opens accounts. It is empty until the provider is configured, and stays so where validation alone is asked for.
type Opener struct {
	*cloud.Accounts
}

// Take takes what the provider hands to everything that it serves.
func (o *Opener) Take(data any, diags *diag.Diagnostics) {
	if data == nil {
		return
	}
	accounts, ok := data.(*cloud.Accounts)
	if !ok {
		diags.AddError("Unexpected provider data", fmt.Sprintf("The provider handed over %T. Please report this to its authors.", data))
		return
	}
	o.Accounts = accounts
}

// Tenant is the provider's, which owns what is made; empty while it is not known.
func (o *Opener) Tenant() string {
	if o.Accounts == nil {
		return ""
	}
	return o.TenantID()
}

// A CLI plans what is tainted as something new, with no private state, and hands the private state of that plan to the
// destroy of the old object (tried on Terraform 1.11.4): claim and id would be lost on the way, and without them nothing may
// be deleted. So a read keeps them for the rest of the command, and the plan of a new object that looks like the replacement
// hands them over.

// KeepPrivate remembers what a state knows of an object besides its attributes, by all names under which a replacement of it
// would be planned. Sort is the resource's.
func (o *Opener) KeepPrivate(sort string, known any, names ...types.String) {
	if o.Accounts == nil {
		return
	}
	text, err := json.Marshal(known)
	if err != nil {
		panic("texts and flags can always be written as JSON: " + err.Error())
	}
	for _, name := range names {
		if name.ValueString() != "" {
			o.Keep("private state of a "+sort, name.ValueString(), string(text))
		}
	}
}

// KeptPrivate fills in what KeepPrivate has remembered under the first of the names that has something; false: none has.
func (o *Opener) KeptPrivate(sort string, into any, names ...types.String) bool {
	if o.Accounts == nil {
		return false
	}
	for _, name := range names {
		text := o.Kept("private state of a "+sort, name.ValueString())
		if name.ValueString() != "" && text != "" {
			return json.Unmarshal([]byte(text), into) == nil
		}
	}
	return false
}

// RefuseUnknownClaim refuses to delete an object of a sort and name: without its claim nothing shows whether another state
// has taken it over.
func RefuseUnknownClaim(diags *diag.Diagnostics, sort, name string) {
	diagnostics.Error(diags, path.Empty(), driver.InvalidState, "Unable to delete "+sort+" "+name+": its claim is not known here",
		"The CLI has handed over none of what the provider had stored about the "+sort+", which tells whether it still belongs to this state. "+
			"That happens when a tainted "+sort+" is replaced without a refresh, or by one with another name. Nothing was changed. "+
			"Apply without -refresh=false and with the name that the "+sort+" has, or run `untaint` and change idempotency_key, which replaces it too.")
}

// RefuseUnmarked refuses a deed at an object, such as "a machine", that was imported without marks: it may be anybody's until
// an apply has marked it, which shown tells how to see.
func RefuseUnmarked(diags *diag.Diagnostics, object, deed, shown string) {
	_, sort, _ := strings.Cut(object, " ")
	diagnostics.Error(diags, path.Empty(), driver.InvalidState, "Refusing to "+deed+" "+object+" that is not marked yet",
		"The "+sort+" was imported without marks of this provider, so nothing at the vendor says that it belongs to this state. "+
			"Apply once with the "+sort+" in the configuration: that marks it ("+shown+"), and then it can be destroyed or replaced. "+
			"To let go of it without touching it, remove it from the state with a `removed` block or `state rm`.")
}

// Preflight says whether plans may ask the vendor.
func (o *Opener) Preflight() bool { return o.Accounts != nil && o.Accounts.Preflight() }

// Open makes the account ready that an argument or a state names, with the newest config that was announced for it. It
// makes no request. Nil without an error means that the account is not known yet.
func (o *Opener) Open(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	named, known, problems := reference.Decode(ctx, object)
	diags.Append(problems...)
	if problems.HasError() || !known || o.Accounts == nil {
		return nil
	}
	account, err := o.Accounts.Open(ctx, named)
	if err != nil {
		diagnostics.Append(diags, err, path.Root(reference.Name), nil)
		return nil
	}
	return account
}

// MustOpen is Open for operations that cannot go on without the account.
func (o *Opener) MustOpen(ctx context.Context, object types.Object, diags *diag.Diagnostics) *compute.Account {
	account := o.Open(ctx, object, diags)
	if account == nil && !diags.HasError() {
		diagnostics.Error(diags, path.Root(reference.Name), driver.InvalidConfig, "The provider account is not known",
			"The provider is not configured, or provider_account has no value. Pass the whole bettercompute_provider_account.")
	}
	return account
}

// Import opens the account that an import id names, and answers the object on it. A nil account: the diagnostics say why,
// with the advice where the id cannot be read.
func (o *Opener) Import(ctx context.Context, id, advice string, diags *diag.Diagnostics) (account *compute.Account, object string) {
	named, object, err := importid.Parse(id)
	if err != nil {
		diagnostics.Error(diags, path.Empty(), driver.InvalidInput, "The import id cannot be read", err.Error()+"\n\n"+advice)
		return nil, ""
	}
	return o.MustOpen(ctx, reference.Object(named), diags), object
}
