// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var null, unknown = types.StringNull(), types.StringUnknown()

const sshKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ0KmRZqm9hPgMvJb6hYkqQHDdrjVEVs7R5Hw4bH5R3p someone"

func accountOf(id, kind, config string) types.Object {
	return reference.Object(compute.Reference{ID: id, TenantID: "root", Kind: kind, Config: config})
}

func onChange(image, userData, keys types.String) types.Object {
	return types.ObjectValueMust(map[string]attr.Type{
		"image": types.StringType, "user_data": types.StringType, "ssh_authorized_keys": types.StringType,
	}, map[string]attr.Value{"image": image, "user_data": userData, "ssh_authorized_keys": keys})
}

func textSet(elements ...string) types.Set {
	values := []attr.Value{}
	for _, element := range elements {
		values = append(values, types.StringValue(element))
	}
	return types.SetValueMust(types.StringType, values)
}

func textList(elements ...string) types.List {
	values := []attr.Value{}
	for _, element := range elements {
		values = append(values, types.StringValue(element))
	}
	return types.ListValueMust(types.StringType, values)
}

func textMap(elements map[string]string) types.Map {
	values := map[string]attr.Value{}
	for key, element := range elements {
		values[key] = types.StringValue(element)
	}
	return types.MapValueMust(types.StringType, values)
}

// written is a configuration with the required arguments only.
func written() model {
	return model{
		ProviderAccount:   accountOf("pacct_a", "hetzner-cloud", "{}"),
		Name:              types.StringValue("web"),
		OfferID:           types.StringValue("cx23"),
		Image:             types.StringValue("debian-13"),
		SSHAuthorizedKeys: types.SetNull(types.StringType),
		OnChange: types.ObjectNull(map[string]attr.Type{
			"image": types.StringType, "user_data": types.StringType, "ssh_authorized_keys": types.StringType,
		}),
		OfferIDs:  types.ListNull(types.StringType),
		Regions:   types.ListNull(types.StringType),
		Labels:    types.MapNull(types.StringType),
		Timeouts:  attributes.NoTimeouts(),
		Addresses: types.ListNull(addressType),
	}
}

var running = driver.Machine{
	ID: "42", Name: "web", State: driver.StateRunning, OfferID: "cx23", Image: "debian-13", ImageID: "1001", Region: "fsn1",
	Addresses: []driver.Address{{Address: "192.0.2.7", Family: "ipv4", Scope: "public"}}, VCPU: 2, MemoryGiB: 4, DiskGiB: 40,
}

// made is the state of a finished machine of written().
func made() model {
	state := written()
	state.ID, state.TenantID = types.StringValue("inst_x"), types.StringValue("root")
	state.Region, state.Managed = types.StringValue("fsn1"), types.BoolValue(true)
	state.PricePerHour, state.Currency = decimal("0.0056"), types.StringValue("EUR")
	return state.observed(running)
}

// proposed is what the framework hands to ModifyPlan for a configuration that differs from the state: everything computed
// is unknown.
func proposed(config model) model {
	plan := config
	plan.UserDataWO = types.StringNull()
	plan.ID, plan.TenantID, plan.MachineID = types.StringUnknown(), types.StringUnknown(), types.StringUnknown()
	plan.Managed, plan.State, plan.ImageID = types.BoolUnknown(), types.StringUnknown(), types.StringUnknown()
	plan.Addresses = types.ListUnknown(addressType)
	plan.IPv4Address, plan.IPv6Address = types.StringUnknown(), types.StringUnknown()
	plan.VCPU, plan.MemoryGiB, plan.DiskGiB = types.Int64Unknown(), types.NumberUnknown(), types.NumberUnknown()
	plan.PricePerHour, plan.Currency, plan.CreatedAt = types.NumberUnknown(), types.StringUnknown(), types.StringUnknown()
	if config.Region.IsNull() {
		plan.Region = types.StringUnknown()
	}
	if config.OfferID.IsNull() {
		plan.OfferID = types.StringUnknown()
	}
	return plan
}

// planned plans the change from a state to a configuration, by a provider that is not configured: nothing is asked.
func planned(t *testing.T, state, config model, known private) (*planning, diag.Diagnostics) {
	t.Helper()
	var diags diag.Diagnostics
	p := &planning{resource: &Resource{}, config: config, prior: state, plan: proposed(config), private: known, diags: &diags}
	p.update(t.Context())
	return p, diags
}

func summaries(diags diag.Diagnostics) []string {
	var texts []string
	for _, diagnostic := range diags {
		texts = append(texts, diagnostic.Severity().String()+": "+diagnostic.Summary())
	}
	return texts
}

// Equal compares what a CLI would see of two.
func (o options) Equal(other options) bool {
	one, two := model{Options: o}.optionAttributes(), model{Options: other}.optionAttributes()
	return maps.EqualFunc(one, two, func(a, b attr.Value) bool { return a.Equal(b) })
}
