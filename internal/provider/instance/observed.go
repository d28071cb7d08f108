// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"cmp"
	"math/big"
	"net/netip"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

// numberPrecision is what Terraform itself reads numbers with, so that ours are equal to those in a state.
const numberPrecision = 512

var addressType = types.ObjectType{AttrTypes: map[string]attr.Type{
	"address": types.StringType, "family": types.StringType, "scope": types.StringType,
}}

// observed answers the model with everything that the vendor tells of the machine. What the vendor has no longer (the
// image of an old machine) or cannot tell now (addresses) stays as it is; price and currency are those of the create and stay too.
func (m model) observed(machine driver.Machine) model {
	m.MachineID = types.StringValue(machine.ID)
	m.State = types.StringValue(string(machine.State))
	if machine.Addresses != nil || m.Addresses.IsUnknown() {
		m.Addresses = addressList(machine.Addresses)
		m.IPv4Address = firstAddress(machine.Addresses, "ipv4")
		m.IPv6Address = firstAddress(machine.Addresses, "ipv6")
	}
	if machine.ImageID != "" || m.ImageID.IsUnknown() {
		m.ImageID = attributes.Text(machine.ImageID)
	}
	m.VCPU = types.Int64Null()
	if machine.VCPU > 0 {
		m.VCPU = types.Int64Value(int64(machine.VCPU))
	}
	m.MemoryGiB, m.DiskGiB = size(machine.MemoryGiB), size(machine.DiskGiB)
	m.CreatedAt = attributes.Moment(machine.CreatedAt)
	return m
}

// completed answers a plan with what it left open filled in: from the machine and its options, and from the offer where it
// is not nil.
// What the plan knew stays, whatever the machine shows; the next read tells of a difference.
func (m model) completed(machine driver.Machine, showing options, offer *driver.Offer) model {
	seen := m.observed(machine)
	m.Options = m.Options.settled(showing)
	attributes.Fill(&m.MachineID, seen.MachineID)
	attributes.Fill(&m.State, seen.State)
	attributes.Fill(&m.Addresses, seen.Addresses)
	attributes.Fill(&m.IPv4Address, seen.IPv4Address)
	attributes.Fill(&m.IPv6Address, seen.IPv6Address)
	attributes.Fill(&m.ImageID, seen.ImageID)
	attributes.Fill(&m.VCPU, seen.VCPU)
	attributes.Fill(&m.MemoryGiB, seen.MemoryGiB)
	attributes.Fill(&m.DiskGiB, seen.DiskGiB)
	attributes.Fill(&m.CreatedAt, seen.CreatedAt)
	attributes.Fill(&m.OfferID, attributes.Text(machine.OfferID))
	attributes.Fill(&m.Region, attributes.Text(machine.Region))
	attributes.Fill(&m.Managed, types.BoolValue(true))
	price, currency := types.NumberNull(), types.StringNull()
	if offer != nil {
		price, currency = decimal(offer.PricePerHour), attributes.Text(offer.Currency)
	}
	attributes.Fill(&m.PricePerHour, price)
	attributes.Fill(&m.Currency, currency)
	return m
}

// begun answers the plan of a machine whose create has not come to its end: its vendor's id, and null for all else that
// the plan left open. The plan that follows makes it unknown again.
func (m model) begun(machine driver.Machine, offer *driver.Offer) model {
	attributes.Fill(&m.MachineID, attributes.Text(machine.ID))
	attributes.Fill(&m.State, types.StringNull())
	attributes.Fill(&m.Addresses, types.ListNull(addressType))
	attributes.Fill(&m.IPv4Address, types.StringNull())
	attributes.Fill(&m.IPv6Address, types.StringNull())
	attributes.Fill(&m.ImageID, types.StringNull())
	attributes.Fill(&m.VCPU, types.Int64Null())
	attributes.Fill(&m.MemoryGiB, types.NumberNull())
	attributes.Fill(&m.DiskGiB, types.NumberNull())
	attributes.Fill(&m.CreatedAt, types.StringNull())
	return m.completed(machine, options{}, offer)
}

// decimal reads a decimal text without loss; null when it is empty.
func decimal(value string) types.Number {
	number, _, err := big.ParseFloat(value, 10, numberPrecision, big.ToNearestEven)
	if err != nil {
		return types.NumberNull()
	}
	return types.NumberValue(number)
}

func size(gib float64) types.Number {
	if gib <= 0 {
		return types.NumberNull()
	}
	return decimal(strconv.FormatFloat(gib, 'f', -1, 64))
}

// decimalText is a number as a decimal without trailing zeros; empty when it is null or unknown.
func decimalText(number types.Number) string {
	if number.IsNull() || number.IsUnknown() {
		return ""
	}
	return number.ValueBigFloat().Text('f', -1)
}

// ordered answers the addresses public first, IPv4 first, then by number: vendors give them in no order.
func ordered(addresses []driver.Address) []driver.Address {
	return slices.SortedFunc(slices.Values(addresses), func(a, b driver.Address) int {
		return cmp.Or(-cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Family, b.Family), compareAddresses(a.Address, b.Address))
	})
}

func compareAddresses(a, b string) int {
	first, firstErr := netip.ParseAddr(a)
	second, secondErr := netip.ParseAddr(b)
	if firstErr != nil || secondErr != nil {
		return cmp.Compare(a, b)
	}
	return first.Compare(second)
}

func addressList(addresses []driver.Address) types.List {
	elements := []attr.Value{}
	for _, address := range ordered(addresses) {
		elements = append(elements, types.ObjectValueMust(addressType.AttrTypes, map[string]attr.Value{
			"address": types.StringValue(address.Address),
			"family":  types.StringValue(address.Family),
			"scope":   types.StringValue(address.Scope),
		}))
	}
	return types.ListValueMust(addressType, elements)
}

// firstAddress answers the first address of a family, a public one where there is one; null without any.
func firstAddress(addresses []driver.Address, family string) types.String {
	for _, address := range ordered(addresses) {
		if address.Family == family {
			return types.StringValue(address.Address)
		}
	}
	return types.StringNull()
}
