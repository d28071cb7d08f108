// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
)

// optionFindings finds the options that name something which the vendor does not show, or which is not for the region.
// Only what has to be looked up is asked for, each list once for the account.
func (a *Account) optionFindings(ctx context.Context, p Preflight) []Finding {
	regions := p.regions
	if len(regions) == 0 {
		regions = []string{cmp.Or(p.Region, a.Region())}
	}
	var findings []Finding
	for _, option := range a.settings.Kind.Options {
		value, there := p.Options[option.Name]
		if !there {
			continue
		}
		for _, region := range regions {
			_, err := a.resolveOption(ctx, option, value, region)
			findings = appendNew(findings, appendFinding(nil, err)...)
		}
	}
	return findings
}

// SameOption says whether two spellings of an option mean the same, such as the name and the id of one network. What the
// vendor cannot be asked about now is not the same.
func (a *Account) SameOption(ctx context.Context, name string, one, other any, region string) bool {
	option, there := a.settings.Kind.Option(name)
	if !there || !option.Refers {
		return false
	}
	first, err := a.resolveOption(ctx, option, one, region)
	if err != nil {
		return false
	}
	same, err := a.stillMeans(ctx, option, other, first, region)
	return err == nil && same
}
