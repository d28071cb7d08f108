// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// model is configuration, plan or state of an instance. Every value may be unknown in a configuration or a plan.
type model struct {
	ProviderAccount       types.Object   `tfsdk:"provider_account"`
	Name                  types.String   `tfsdk:"name"`
	OfferID               types.String   `tfsdk:"offer_id"`
	OfferIDs              types.List     `tfsdk:"offer_ids"`
	Image                 types.String   `tfsdk:"image"`
	Region                types.String   `tfsdk:"region"`
	Regions               types.List     `tfsdk:"regions"`
	SSHAuthorizedKeys     types.Set      `tfsdk:"ssh_authorized_keys"`
	UserData              types.String   `tfsdk:"user_data"`
	UserDataWO            types.String   `tfsdk:"user_data_wo"`
	UserDataWOVersion     types.String   `tfsdk:"user_data_wo_version"`
	OnChange              types.Object   `tfsdk:"on_change"`
	Power                 types.String   `tfsdk:"power"`
	ShutdownTimeout       types.String   `tfsdk:"shutdown_timeout"`
	ShutdownBeforeDestroy types.Bool     `tfsdk:"shutdown_before_destroy"`
	AllowStopping         types.Bool     `tfsdk:"allow_stopping_for_update"`
	MaxPricePerHour       types.Number   `tfsdk:"max_price_per_hour"`
	WaitForAddress        types.Bool     `tfsdk:"wait_for_address"`
	Labels                types.Map      `tfsdk:"labels"`
	IdempotencyKey        types.String   `tfsdk:"idempotency_key"`
	Timeouts              timeouts.Value `tfsdk:"timeouts"`
	Options               options        `tfsdk:"-"`

	ID           types.String `tfsdk:"id"`
	TenantID     types.String `tfsdk:"tenant_id"`
	MachineID    types.String `tfsdk:"machine_id"`
	Managed      types.Bool   `tfsdk:"managed"`
	State        types.String `tfsdk:"state"`
	ImageID      types.String `tfsdk:"image_id"`
	Addresses    types.List   `tfsdk:"addresses"`
	IPv4Address  types.String `tfsdk:"ipv4_address"`
	IPv6Address  types.String `tfsdk:"ipv6_address"`
	VCPU         types.Int64  `tfsdk:"vcpu"`
	MemoryGiB    types.Number `tfsdk:"memory_gib"`
	DiskGiB      types.Number `tfsdk:"disk_gib"`
	PricePerHour types.Number `tfsdk:"price_per_hour"`
	Currency     types.String `tfsdk:"currency"`
	CreatedAt    types.String `tfsdk:"created_at"`
}

// keys answers the SSH keys; known is false while the set or one of its elements is unknown.
func (m model) keys() (keys []string, known bool) {
	if m.SSHAuthorizedKeys.IsUnknown() {
		return nil, false
	}
	for _, element := range m.SSHAuthorizedKeys.Elements() {
		key, ok := element.(types.String)
		if !ok || key.IsUnknown() {
			return nil, false
		}
		keys = append(keys, key.ValueString())
	}
	return keys, true
}

// knownLabels answers the labels whose values are known.
func (m model) knownLabels() map[string]string {
	labels := map[string]string{}
	for key, element := range m.Labels.Elements() {
		if value, ok := element.(types.String); ok && !value.IsUnknown() {
			labels[key] = value.ValueString()
		}
	}
	return labels
}

// userData answers what cloud-init gets before keys are merged in, from a configuration: only there the write-only
// argument has its value. Known is false while it cannot be told.
func (m model) userData() (data []byte, known bool) {
	if m.UserData.IsUnknown() || m.UserDataWO.IsUnknown() {
		return nil, false
	}
	if m.UserData.ValueString() != "" {
		return []byte(m.UserData.ValueString()), true
	}
	return []byte(m.UserDataWO.ValueString()), true
}

// wish is what compute is to make of a plan; user data comes from the configuration.
func (m model) wish(config model) compute.Wish {
	keys, _ := m.keys()
	data, _ := config.userData()
	offers, _ := texts(config.OfferIDs)
	regions, _ := texts(config.Regions)
	return compute.Wish{
		Key:               m.ID.ValueString(),
		Name:              m.Name.ValueString(),
		OfferID:           m.OfferID.ValueString(),
		OfferIDs:          offers,
		Image:             m.Image.ValueString(),
		Region:            m.Region.ValueString(),
		Regions:           regions,
		UserData:          data,
		SSHAuthorizedKeys: keys,
		Labels:            m.knownLabels(),
		Power:             m.Power.ValueString(),
		KeyCoversContent:  m.IdempotencyKey.ValueString() == "",
		ShutdownTimeout:   m.shutdownTimeout(),
		WaitForAddress:    m.WaitForAddress.IsNull() || m.WaitForAddress.ValueBool(),
		Options:           config.optionValues(),
	}
}

// optionValues answers the options that are written, as far as they are known; nil where there are none, or while the kind of
// the account is not known.
func (m model) optionValues() manifest.Values {
	kind, _ := kindOf(m)
	values, _ := m.Options.values(kind)
	if len(values) == 0 {
		return nil
	}
	return values
}
