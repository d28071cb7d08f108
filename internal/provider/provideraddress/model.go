// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// The defaults of timeouts.
const (
	defaultChange = 10 * time.Minute
	defaultRead   = 2 * time.Minute
)

// The states of an address and of its assignment.
const (
	statePending = "pending"
	stateReady   = "ready"
	stateError   = "error"
	stateNone    = "none"
	stateLeaving = "deleting"
)

// model is configuration, plan or state of an address. Every value may be unknown in a configuration or a plan.
type model struct {
	ProviderAccount types.Object   `tfsdk:"provider_account"`
	Name            types.String   `tfsdk:"name"`
	Description     types.String   `tfsdk:"description"`
	Region          types.String   `tfsdk:"region"`
	Family          types.String   `tfsdk:"family"`
	Prefix          types.String   `tfsdk:"prefix"`
	Instance        types.Object   `tfsdk:"instance"`
	ReverseDNS      types.String   `tfsdk:"reverse_dns"`
	IdempotencyKey  types.String   `tfsdk:"idempotency_key"`
	Timeouts        timeouts.Value `tfsdk:"timeouts"`

	ID                types.String `tfsdk:"id"`
	TenantID          types.String `tfsdk:"tenant_id"`
	Address           types.String `tfsdk:"address"`
	State             types.String `tfsdk:"state"`
	AssignmentState   types.String `tfsdk:"assignment_state"`
	AssignmentMessage types.String `tfsdk:"assignment_message"`
	ReservedAt        types.String `tfsdk:"reserved_at"`
}

// read takes a model out of a configuration, a plan or a state.
func read(ctx context.Context, from attributes.Source, diags *diag.Diagnostics) model {
	return attributes.Read[model](ctx, from, diags)
}

func (m model) allowed(operation string, standard time.Duration) time.Duration {
	return attributes.Allowed(m.Timeouts, operation, standard)
}

// machineID is the machine that the address is to be on, or is on; null without one.
func (m model) machineID() types.String { return attributes.TextOf(m.Instance, "machine_id") }

// wish is what compute is to make of a plan.
func (m model) wish() compute.AddressWish {
	return compute.AddressWish{
		Key:         m.ID.ValueString(),
		Name:        m.Name.ValueString(),
		Description: m.Description.ValueString(),
		Tenant:      m.TenantID.ValueString(),
		Region:      m.Region.ValueString(),
		Family:      m.Family.ValueString(),
		Prefix:      m.Prefix.ValueString(),
		MachineID:   m.machineID().ValueString(),
		ReverseDNS:  m.reverseDNS(),
	}
}

// reverseDNS is the host name that the address is to resolve to; nil: nothing is said about it.
func (m model) reverseDNS() *string {
	if m.ReverseDNS.IsUnknown() {
		return nil
	}
	return m.ReverseDNS.ValueStringPointer()
}

// plannedID answers the id of an address that is to be reserved, from its configuration; unknown while one of the
// arguments that the id is made of is unknown.
func plannedID(tenant string, config model) types.String {
	account := attributes.TextOf(config.ProviderAccount, "id")
	if tenant == "" || account.IsUnknown() || config.IdempotencyKey.IsUnknown() {
		return types.StringUnknown()
	}
	identity := compute.AddressIdentity{
		Tenant: tenant, AccountID: account.ValueString(), IdempotencyKey: config.IdempotencyKey.ValueString(),
		Name: config.Name.ValueString(), Region: config.Region.ValueString(), Family: config.Family.ValueString(), Prefix: config.Prefix.ValueString(),
	}
	for _, argument := range []types.String{config.Name, config.Region, config.Family, config.Prefix} {
		if argument.IsUnknown() && identity.IdempotencyKey == "" {
			return types.StringUnknown()
		}
	}
	if identity.Family == "" {
		identity.Family = compute.FamilyIPv4
	}
	return types.StringValue(identity.ID())
}

// observed answers the model with everything that the vendor tells of the address itself.
func (m model) observed(address driver.ReservedAddress) model {
	m.Address = types.StringValue(address.Address)
	m.ReservedAt = attributes.Moment(address.ReservedAt)
	if m.ReverseDNS.ValueString() != address.ReverseDNS {
		m.ReverseDNS = attributes.Text(address.ReverseDNS)
	}
	m.State = types.StringValue(stateReady)
	if address.Blocked {
		m.State = types.StringValue(stateError)
	}
	return m
}

// held answers the model with the machine that the address is on. What this resource has planned is kept as it is
// written; any other machine shows as no more than its id.
func (m model) held(address driver.ReservedAddress) model {
	switch wanted := m.machineID().ValueString(); {
	case address.Holder == "":
		m.Instance = types.ObjectNull(holderTypes)
	case address.Holder != wanted:
		m.Instance = otherHolder(address.Holder)
	}
	m.AssignmentState, m.AssignmentMessage = types.StringValue(stateNone), types.StringNull()
	switch {
	case address.Busy && address.Holder != "":
		m.AssignmentState = types.StringValue(stateLeaving)
	case address.Busy:
		m.AssignmentState = types.StringValue(statePending)
	case address.Holder != "":
		m.AssignmentState = types.StringValue(stateReady)
	}
	return m
}

func otherHolder(machineID string) types.Object {
	return types.ObjectValueMust(holderTypes, map[string]attr.Value{
		"id": types.StringNull(), "tenant_id": types.StringNull(), "machine_id": types.StringValue(machineID), "region": types.StringNull(),
		reference.Name: types.ObjectNull(holderAccount),
	})
}

// completed answers a plan with what it left open filled in. What the plan knew stays, whatever the address shows; the
// next read tells of a difference.
func (m model) completed(address driver.ReservedAddress) model {
	seen := m.observed(address)
	attributes.Fill(&m.Address, seen.Address)
	attributes.Fill(&m.ReservedAt, seen.ReservedAt)
	attributes.Fill(&m.State, seen.State)
	attributes.Fill(&m.ReverseDNS, attributes.Text(address.ReverseDNS))
	attributes.Fill(&m.Region, attributes.Text(address.Region))
	state := stateReady
	if m.Instance.IsNull() {
		state = stateNone
	}
	attributes.Fill(&m.AssignmentState, types.StringValue(state))
	attributes.Fill(&m.AssignmentMessage, types.StringNull())
	return m
}

// begun answers the plan of an address whose create has not come to its end.
func (m model) begun(address driver.ReservedAddress, failed error) model {
	m.State = types.StringValue(statePending)
	m = m.failed(address, failed)
	return m.completed(address)
}

// failed notes why an address is not on the machine that it was to be put on.
func (m model) failed(address driver.ReservedAddress, failed error) model {
	if failed == nil || address.Holder == m.machineID().ValueString() {
		return m
	}
	m.AssignmentState = types.StringValue(stateError)
	m.AssignmentMessage = types.StringValue(failed.Error())
	return m
}
