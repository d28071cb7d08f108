// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

// computed are the attributes of an account that follow from its arguments, its prior state and the provider block.
type computed struct {
	id, tenantID, kind, config types.String
	version                    types.Int64
}

// prior is what a state says about an account.
type prior struct {
	computed
	idempotencyKey types.String
}

func readPrior(ctx context.Context, state attributes) (prior, diag.Diagnostics) {
	var before prior
	diags := state.GetAttribute(ctx, path.Root(attributeID), &before.id)
	diags.Append(state.GetAttribute(ctx, path.Root(attributeTenantID), &before.tenantID)...)
	diags.Append(state.GetAttribute(ctx, path.Root(attributeKind), &before.kind)...)
	diags.Append(state.GetAttribute(ctx, path.Root(attributeConfig), &before.config)...)
	diags.Append(state.GetAttribute(ctx, path.Root(attributeVersion), &before.version)...)
	diags.Append(state.GetAttribute(ctx, path.Root(attributeIdempotencyKey), &before.idempotencyKey)...)
	return before, diags
}

// computed answers the attributes of a new account. Tenant is the provider's, for where none is written; what follows from
// something unknown is unknown.
func (a arguments) computed(tenant types.String) (computed, error) {
	outcome := computed{
		id: types.StringUnknown(), tenantID: a.tenantID, kind: types.StringUnknown(), config: types.StringUnknown(),
		version: types.Int64Value(1),
	}
	if a.tenantID.IsNull() {
		outcome.tenantID = tenant
	}
	chosen, known := a.chosen()
	if !known {
		return outcome, nil
	}
	outcome.kind = types.StringValue(chosen.manifest.Kind)
	outcome.id = a.id(outcome.tenantID, outcome.kind)
	values, known := manifestschema.Decode(chosen.object)
	if !known {
		return outcome, nil
	}
	config, err := chosen.manifest.Canonical(values)
	outcome.config = types.StringValue(config)
	return outcome, err
}

// id answers the id as soon as it can be told: an idempotency_key takes the place of the name.
func (a arguments) id(tenant, kind types.String) types.String {
	key := a.idempotencyKey.ValueString()
	waits := tenant.IsUnknown() || kind.IsUnknown() || a.idempotencyKey.IsUnknown() || key == "" && a.name.IsUnknown()
	if waits {
		return types.StringUnknown()
	}
	return types.StringValue(compute.AccountID(tenant.ValueString(), kind.ValueString(), a.name.ValueString(), key))
}

// after carries over from the prior state what a change in place keeps: the id, and a version that counts the changes of
// the config.
func (c computed) after(before prior) computed {
	c.id, c.version = before.id, before.version
	switch {
	case c.config.IsUnknown():
		c.version = types.Int64Unknown()
	case !c.config.Equal(before.config):
		c.version = types.Int64Value(before.version.ValueInt64() + 1)
	}
	return c
}

// reference is the account object; false as long as a part of it is unknown.
func (c computed) reference() (compute.Reference, bool) {
	for _, part := range []types.String{c.id, c.tenantID, c.kind, c.config} {
		if part.IsUnknown() || part.IsNull() {
			return compute.Reference{}, false
		}
	}
	return compute.Reference{
		ID: c.id.ValueString(), TenantID: c.tenantID.ValueString(), Kind: c.kind.ValueString(), Config: c.config.ValueString(),
	}, true
}

// settable is a plan or a state.
type settable interface {
	SetAttribute(ctx context.Context, at path.Path, value any) diag.Diagnostics
}

func (c computed) set(ctx context.Context, target settable) diag.Diagnostics {
	diags := target.SetAttribute(ctx, path.Root(attributeID), c.id)
	diags.Append(target.SetAttribute(ctx, path.Root(attributeTenantID), c.tenantID)...)
	diags.Append(target.SetAttribute(ctx, path.Root(attributeKind), c.kind)...)
	diags.Append(target.SetAttribute(ctx, path.Root(attributeConfig), c.config)...)
	diags.Append(target.SetAttribute(ctx, path.Root(attributeVersion), c.version)...)
	return diags
}
