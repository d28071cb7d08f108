// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package offers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// query is what both data sources filter by. All of it is known when a data source is read; null filters nothing.
type query struct {
	Kind          types.String `tfsdk:"kind"`
	Region        types.String `tfsdk:"region"`
	GPUModel      types.String `tfsdk:"gpu_model"`
	MinGPUs       types.Int64  `tfsdk:"min_gpus"`
	MinVCPU       types.Int64  `tfsdk:"min_vcpu"`
	MinMemoryGiB  types.Int64  `tfsdk:"min_memory_gib"`
	AvailableOnly types.Bool   `tfsdk:"available_only"`
}

// filter is one argument that narrows the offers of a region.
type filter struct {
	argument string
	// wanted is what is asked for, as the end of the sentence "no offer ...".
	wanted string
	keep   func(driver.Offer) bool
	// nearest orders what the filters before have left, so that the first ones come nearest to what is wanted. Nil keeps
	// the order, which is cheapest first.
	nearest func(a, b driver.Offer) int
}

// filters answers the arguments that are set, in the order in which they are applied and blamed.
func (q query) filters() []filter {
	var set []filter
	if kind := q.Kind.ValueString(); kind != "" {
		set = append(set, filter{argument: "kind", wanted: "is of kind " + kind,
			keep: func(offer driver.Offer) bool { return offer.Kind == kind }})
	}
	if model := q.GPUModel.ValueString(); model != "" {
		set = append(set, filter{argument: "gpu_model", wanted: "has GPUs of model " + model,
			keep:    func(offer driver.Offer) bool { return strings.EqualFold(offer.GPUModel, model) },
			nearest: func(a, b driver.Offer) int { return b.GPUs - a.GPUs }})
	}
	if least := int(q.MinGPUs.ValueInt64()); least > 0 {
		set = append(set, filter{argument: "min_gpus", wanted: fmt.Sprintf("has %d GPUs or more", least),
			keep:    func(offer driver.Offer) bool { return offer.GPUs >= least },
			nearest: func(a, b driver.Offer) int { return b.GPUs - a.GPUs }})
	}
	if least := int(q.MinVCPU.ValueInt64()); least > 0 {
		set = append(set, filter{argument: "min_vcpu", wanted: fmt.Sprintf("has %d vCPUs or more", least),
			keep:    func(offer driver.Offer) bool { return offer.VCPU >= least },
			nearest: func(a, b driver.Offer) int { return b.VCPU - a.VCPU }})
	}
	if least := float64(q.MinMemoryGiB.ValueInt64()); least > 0 {
		set = append(set, filter{argument: "min_memory_gib", wanted: fmt.Sprintf("has %g GiB of memory or more", least),
			keep:    func(offer driver.Offer) bool { return offer.MemoryGiB >= least },
			nearest: func(a, b driver.Offer) int { return compareNumbers(b.MemoryGiB, a.MemoryGiB) }})
	}
	if q.AvailableOnly.ValueBool() {
		set = append(set, filter{argument: "available_only", wanted: "is in stock now",
			keep: func(offer driver.Offer) bool { return offer.Available }})
	}
	return set
}

func compareNumbers(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// narrow applies filters one after the other. Where one leaves nothing it is answered, with what the ones before had left,
// nearest first.
func narrow(offers []driver.Offer, filters []filter) (left []driver.Offer, emptied *filter) {
	for _, one := range filters {
		kept := slices.DeleteFunc(slices.Clone(offers), func(offer driver.Offer) bool { return !one.keep(offer) })
		if len(kept) == 0 {
			if one.nearest != nil {
				slices.SortStableFunc(offers, one.nearest)
			}
			return offers, &one
		}
		offers = kept
	}
	return offers, nil
}

// shown is how many near offers an error names.
const shown = 3

// describe names the first offers with size and price.
func describe(offers []driver.Offer) string {
	var texts []string
	for _, offer := range offers[:min(shown, len(offers))] {
		text := fmt.Sprintf("%s (%s, %d vCPU, %g GiB", offer.ID, offer.Kind, offer.VCPU, offer.MemoryGiB)
		if offer.GPUs > 0 {
			text += fmt.Sprintf(", %d GPUs %s", offer.GPUs, offer.GPUModel)
		}
		if offer.PricePerHour != "" {
			text += fmt.Sprintf(", %s %s an hour", offer.PricePerHour, offer.Currency)
		}
		texts = append(texts, text+")")
	}
	return strings.Join(texts, "; ")
}
