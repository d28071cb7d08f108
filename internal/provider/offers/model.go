// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers

import (
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// offer is an offer as it is shown; null is what the vendor does not have.
type offer struct {
	ID           types.String  `tfsdk:"id"`
	Kind         types.String  `tfsdk:"kind"`
	Region       types.String  `tfsdk:"region"`
	VCPU         types.Int64   `tfsdk:"vcpu"`
	MemoryGiB    types.Float64 `tfsdk:"memory_gib"`
	DiskGiB      types.Float64 `tfsdk:"disk_gib"`
	GPUs         types.Int64   `tfsdk:"gpus"`
	GPUModel     types.String  `tfsdk:"gpu_model"`
	PricePerHour types.Number  `tfsdk:"price_per_hour"`
	Currency     types.String  `tfsdk:"currency"`
	Available    types.Bool    `tfsdk:"available"`
}

var offerTypes = map[string]attr.Type{
	"id":             types.StringType,
	"kind":           types.StringType,
	"region":         types.StringType,
	"vcpu":           types.Int64Type,
	"memory_gib":     types.Float64Type,
	"disk_gib":       types.Float64Type,
	"gpus":           types.Int64Type,
	"gpu_model":      types.StringType,
	"price_per_hour": types.NumberType,
	"currency":       types.StringType,
	"available":      types.BoolType,
}

func show(sold driver.Offer) (offer, error) {
	price, err := number(sold.PricePerHour)
	if err != nil {
		return offer{}, fmt.Errorf("offer %s in region %s: %w", sold.ID, sold.Region, err)
	}
	return offer{
		ID:           types.StringValue(sold.ID),
		Kind:         types.StringValue(sold.Kind),
		Region:       types.StringValue(sold.Region),
		VCPU:         types.Int64Value(int64(sold.VCPU)),
		MemoryGiB:    types.Float64Value(sold.MemoryGiB),
		DiskGiB:      types.Float64PointerValue(sold.DiskGiB),
		GPUs:         types.Int64Value(int64(sold.GPUs)),
		GPUModel:     text(sold.GPUModel),
		PricePerHour: price,
		Currency:     text(sold.Currency),
		Available:    types.BoolValue(sold.Available),
	}, nil
}

// precision is the one that Terraform reads numbers with, in bits: a decimal text comes out as it went in.
const precision = 512

// number answers the exact number of a decimal text, null for an empty one.
func number(decimal string) (types.Number, error) {
	if decimal == "" {
		return types.NumberNull(), nil
	}
	value, _, err := big.ParseFloat(decimal, 10, precision, big.ToNearestEven)
	if err != nil {
		return types.NumberNull(), fmt.Errorf("the vendor's price %q is no number", decimal)
	}
	return types.NumberValue(value), nil
}

func text(value string) types.String {
	if value == "" {
		return types.StringNull()
	}
	return types.StringValue(value)
}
