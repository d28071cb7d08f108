// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

const optionsBeginning = `
## Networks, firewalls, protection and more

What a machine can be asked for besides image, size and place, by vendor: arguments of ` + "`bettercompute_instance`" + `. An argument
that is not written is left as the vendor has it, and shows what that is. "In place" changes a machine that runs; "stops and
starts" needs ` + "`allow_stopping_for_update`" + `; "replaces" makes a new machine, and what is written for such an argument is part of
the machine's ` + "`id`" + `.

What others change at the vendor, the next plan shows and the apply puts back, where the argument is written. Not so for what
is not read back: its drift is not seen, and after an import what is written is taken for what is there.
`

// optionTables are a table for each vendor.
func optionTables(vendors []vendor) string {
	text := optionsBeginning
	for _, one := range vendors {
		text += "\n### " + one.kind.Manifest.Title + "\n\n" + line("argument", "a change", "read back", "what it is") + line("---", "---", "---", "---")
		for _, option := range one.kind.Options {
			text += line("`"+argument(one.kind.Manifest, option)+"`", manifestschema.Effect(option), readBack(option), described(option))
		}
	}
	return text
}

func argument(m manifest.Manifest, option driver.Option) string {
	if option.Common {
		return option.Name
	}
	return m.Attribute + "." + option.Name
}

func readBack(option driver.Option) string {
	switch {
	case option.Local:
		return "kept in the state alone"
	case option.Hidden:
		return "no"
	case option.Project:
		return "where it is written"
	}
	return "yes"
}

func described(option driver.Option) string {
	if option.Common {
		return option.Note
	}
	return strings.TrimSpace(option.Doc + " " + option.Note)
}
