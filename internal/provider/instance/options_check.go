// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

// validateOptions judges what is written for one vendor alone, whatever account it comes to: with no account known yet.
func validateOptions(config model, diags *diag.Diagnostics) {
	for _, kind := range kinds() {
		described := kind.OptionManifest()
		described.Check = nil
		diags.Append(manifestschema.Validate(described, config.Options.object(kind), path.Root(described.Attribute), noReference)...)
	}
}

// noReference: no option of a machine is a secret, which a test of every kind holds.
func noReference(string) error { return nil }

// checkOptions refuses options that the account's vendor has not, and values that it would refuse, with no call made.
func (p *planning) checkOptions() {
	kind, known := kindOf(p.config)
	if !known {
		return
	}
	p.refuseOtherVendors(kind)
	values, allKnown := p.config.Options.values(kind)
	faults := optionFaults(kind, values)
	if len(faults) == 0 && allKnown && kind.CheckOptions != nil {
		faults = kind.CheckOptions(values)
	}
	for _, fault := range faults {
		where := faultPath(kind, fault.Path)
		diagnostics.Error(p.diags, where, driver.InvalidInput, "Invalid "+where.String(), where.String()+" "+fault.Message+".")
	}
}

// refuseOtherVendors: an argument of another vendor would be without effect, and the reader of the configuration deceived.
func (p *planning) refuseOtherVendors(kind driver.Kind) {
	for _, field := range commonFields() {
		value := p.config.Options.commonValue(field)
		if _, has := kind.Option(field.Name); !has && !value.IsNull() && !value.IsUnknown() {
			diagnostics.Error(p.diags, path.Root(field.Name), driver.Unsupported, "An account of kind "+kind.Manifest.Kind+" has no "+field.Name,
				kind.Manifest.Title+" has no such thing. Leave the argument out, give it null where the account is of this kind, or use an account of another kind.")
		}
	}
	for _, other := range kinds() {
		object := p.config.Options.object(other)
		if other.Manifest.Kind != kind.Manifest.Kind && !object.IsNull() && !object.IsUnknown() {
			diagnostics.Error(p.diags, path.Root(other.Manifest.Attribute), driver.InvalidInput,
				fmt.Sprintf("%s is not for an account of kind %s", other.Manifest.Attribute, kind.Manifest.Kind),
				fmt.Sprintf("The argument is for machines at %s, and provider_account is at %s, whose own argument is %s. Leave it out, or give it null where the account is of another kind.",
					other.Manifest.Title, kind.Manifest.Title, kind.Manifest.Attribute))
		}
	}
}

// optionFaults judges each option by itself.
func optionFaults(kind driver.Kind, values manifest.Values) []manifest.Fault {
	described := manifest.Manifest{}
	for _, option := range kind.Options {
		described.Fields = append(described.Fields, option.Field)
	}
	faults := described.Validate(values, noReference)
	for _, option := range kind.Options {
		if slices.Contains(values.StringList(option.Name), "") {
			faults = append(faults, manifest.Fault{Path: []string{option.Name}, Message: "must not have an element that is null or empty"})
		}
	}
	return faults
}

// faultPath is where a fault of an option stands: the option, and the index in a list.
func faultPath(kind driver.Kind, names []string) path.Path {
	option, _ := kind.Option(names[0])
	where := optionPath(kind, option)
	if len(names) > 1 && option.Type == manifest.StringList {
		if index, err := strconv.Atoi(names[1]); err == nil {
			return where.AtListIndex(index)
		}
	}
	return where
}
