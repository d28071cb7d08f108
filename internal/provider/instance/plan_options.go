// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

// optionChange is an option that is written otherwise than the state has it.
type optionChange struct {
	driver.Option
	path path.Path
	// before and after are as they are written; before is nil where the state has none.
	before, after any
	// unknown: whether there is a difference turns out in the apply.
	unknown bool
}

// effect is what the change does to the machine.
func (c optionChange) effect() driver.Effect { return c.EffectOf(c.after) }

// mayReplace says whether the change replaces the machine as far as state and configuration tell. What the vendor tells of a
// machine and an older state has not read yet is no change: the apply compares.
func (c optionChange) mayReplace() bool {
	return c.effect() == driver.Replaces && (c.before != nil || c.Hidden)
}

// optionChanges answers what is written and differs from the state, in the order in which it is set.
func optionChanges(prior, config model) []optionChange {
	kind, known := kindOf(config)
	if !known {
		kind, _ = kindOf(prior)
	}
	var found []optionChange
	for _, option := range kind.Options {
		before, after := prior.Options.value(kind, option), config.Options.value(kind, option)
		if after.IsNull() || before.Equal(after) {
			continue
		}
		change := optionChange{Option: option, path: optionPath(kind, option)}
		change.before, _ = manifestschema.Value(before)
		change.after, known = manifestschema.Value(after)
		change.unknown = !known
		if change.before != nil || !meansNothing(change.after) || change.unknown {
			found = append(found, change)
		}
	}
	return found
}

// meansNothing: null and empty are the same.
func meansNothing(value any) bool {
	texts, isList := value.([]string)
	return value == "" || isList && len(texts) == 0
}

// openOptions plans the options of a machine that is to be made: what is not written is as the vendor has it, which is known
// after the create, and what its vendor has not, or does not tell, is nothing.
func (p *planning) openOptions() {
	own, known := kindOf(p.plan)
	p.plan.Options = p.config.Options.filled(func(field manifest.Field) attr.Value {
		option, has := own.Option(field.Name)
		return openOption(known && (!has || option.Silent()), field)
	}, func(kind driver.Kind) types.Object {
		if known && kind.Manifest.Kind != own.Manifest.Kind {
			return types.ObjectNull(manifestschema.OptionTypes(kind))
		}
		return types.ObjectUnknown(manifestschema.OptionTypes(kind))
	})
	for _, option := range own.Options {
		if option.Silent() && !p.plan.Options.object(own).IsUnknown() {
			p.plan.Options = p.plan.Options.with(own, option, p.config.Options.value(own, option))
		}
	}
	p.closeFamilies(own)
}

func openOption(nothing bool, field manifest.Field) attr.Value {
	if nothing {
		return manifestschema.Encode(field, nil)
	}
	return manifestschema.Unknown(field)
}

// keepOptions plans what the state has for options that are not written. A project is known only where it is: nobody who
// does not write it any more pays for a look.
func (p *planning) keepOptions() {
	p.plan.Options = p.config.Options.filled(p.prior.Options.commonValue, p.prior.Options.object)
	kind, _ := kindOf(p.prior)
	option, has := kind.ProjectOption()
	if has && p.config.Options.value(kind, option).IsNull() && !p.plan.Options.value(kind, option).IsNull() {
		p.plan.Options = p.plan.Options.with(kind, option, manifestschema.Encode(option.Field, nil))
	}
}

// planOptions says what options that change do to the machine, and leaves open what comes of them.
func (p *planning) planOptions(ctx context.Context) {
	kind, _ := kindOf(p.prior)
	for _, change := range p.options {
		switch {
		case change.unknown && change.CanReplace() && !p.private.Imported:
			p.warnUnknown(change.path, changeReplaces)
		case change.unknown && change.Effect == driver.Restarts:
			p.warnUnknown(change.path, "The machine has to be off for a change: where "+allowStopping+" is true the apply stops it and switches it on again, else it fails before it touches the machine.")
		case !change.unknown && change.effect() == driver.Restarts && !p.sameThing(ctx, change):
			p.mustStop(change.path, fmt.Sprintf("%s changes from %s to %s", change.path, optionText(change.before), optionText(change.after)),
				"What is on its disk stays.", "")
		}
		p.openFollowing(kind, change)
	}
	if p.private.Unfinished {
		p.openUntold(kind)
	}
	if slices.ContainsFunc(p.options, func(change optionChange) bool { return change.Addresses }) {
		p.openAddresses(kind)
	}
}

// openFollowing leaves open the options that are not written and that one which changes decides.
func (p *planning) openFollowing(kind driver.Kind, change optionChange) {
	for _, option := range kind.Options {
		if slices.Contains(option.Follows, change.Name) && p.config.Options.value(kind, option).IsNull() {
			p.plan.Options = p.plan.Options.with(kind, option, manifestschema.Unknown(option.Field))
		}
	}
}

// openUntold: a create that was cut short has left nulls.
func (p *planning) openUntold(kind driver.Kind) {
	for _, option := range kind.Options {
		if !option.Silent() && p.plan.Options.value(kind, option).IsNull() {
			p.plan.Options = p.plan.Options.with(kind, option, manifestschema.Unknown(option.Field))
		}
	}
}

// openAddresses leaves open the addresses that an option may change. Where the vendor keeps public addresses apart from
// private networks, a change of the network leaves the public ones as they are.
func (p *planning) openAddresses(kind driver.Kind) {
	p.plan.Addresses = types.ListUnknown(addressType)
	switches := slices.ContainsFunc(p.options, func(change optionChange) bool { return isFamily(change.Option) })
	apart := kind.Families != nil && !switches
	if !apart || !p.hasPublic("ipv4") {
		p.plan.IPv4Address = types.StringUnknown()
	}
	if !apart || !p.hasPublic("ipv6") {
		p.plan.IPv6Address = types.StringUnknown()
	}
	p.closeFamilies(kind)
}

func isFamily(option driver.Option) bool {
	return option.Name == driver.OptionPublicIPv4 || option.Name == driver.OptionPublicIPv6
}

// hasPublic says whether the machine in the state has a public address of a family.
func (p *planning) hasPublic(family string) bool {
	return slices.ContainsFunc(p.prior.Addresses.Elements(), func(element attr.Value) bool {
		object, ok := element.(types.Object)
		return ok && object.Attributes()["family"].Equal(types.StringValue(family)) && object.Attributes()["scope"].Equal(types.StringValue("public"))
	})
}

// closeFamilies plans no address of a family that is switched off.
func (p *planning) closeFamilies(kind driver.Kind) {
	values, _ := p.plan.Options.values(kind)
	public, private, known := p.families(kind, values)
	if !known {
		return
	}
	families := slices.Concat(public, private)
	if !slices.Contains(families, "ipv4") {
		p.plan.IPv4Address = types.StringNull()
	}
	if !slices.Contains(families, "ipv6") {
		p.plan.IPv6Address = types.StringNull()
	}
}

// families are those of the planned machine; known is false while an option that decides them is not known.
func (p *planning) families(kind driver.Kind, values manifest.Values) (public, private []string, known bool) {
	if kind.Families == nil {
		return nil, nil, false
	}
	for _, option := range kind.Options {
		if option.Addresses && p.config.Options.value(kind, option).IsUnknown() {
			return nil, nil, false
		}
	}
	public, private = kind.Families(values)
	return public, private, true
}

// warnOfNoWayIn: a machine without a public address is reached through a private network, which nobody has named.
func (p *planning) warnOfNoWayIn() {
	kind, _ := kindOf(p.plan)
	values, _ := p.plan.Options.values(kind)
	public, _, known := p.families(kind, values)
	if !known || len(public) > 0 {
		return
	}
	for _, option := range kind.Options {
		if option.Addresses && option.Refers && !meansNothing(values[option.Name]) && values[option.Name] != nil {
			return
		}
	}
	p.diags.AddAttributeWarning(path.Root(driver.OptionPublicIPv4), "There may be no way into "+p.plan.Name.ValueString(),
		"The machine gets no public address, and no private network is written for it, so it may be reached through the vendor's default network alone, or only by its "+
			"console. Name a network that can be reached, or leave it a public address: an address that is reserved cannot be relied on to reach it either.")
}

// replaceOnOptions replaces a machine for options that cannot change in place. Two spellings of the same thing, such as the
// name and the id of a network, are no change; that takes a look at the vendor.
func (p *planning) replaceOnOptions(ctx context.Context) {
	for _, change := range p.options {
		if !change.unknown && change.mayReplace() && !p.sameThing(ctx, change) {
			p.replace.Append(change.path)
		}
	}
}

func (p *planning) sameThing(ctx context.Context, change optionChange) bool {
	if !change.Refers || change.before == nil || !p.resource.preflight() {
		return false
	}
	account := p.resource.open(ctx, p.plan.ProviderAccount, p.diags)
	return account != nil && account.SameOption(ctx, change.Name, change.before, change.after, p.prior.Region.ValueString())
}

// optionText is an option for people.
func optionText(value any) string {
	switch value := value.(type) {
	case nil:
		return "nothing"
	case string:
		return fmt.Sprintf("%q", value)
	case []string:
		return "[" + strings.Join(value, ", ") + "]"
	}
	return fmt.Sprint(value)
}
