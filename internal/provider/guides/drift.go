// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"io"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/drift"
)

const driftBeginning = `---
page_title: "What is seen of changes from outside"
description: |-
  For each attribute of each resource: what the next plan does when somebody has changed it at the vendor.
---

# What is seen of changes from outside

Somebody deletes, renames, resizes or switches off what this provider has made, in the vendor's console or with another tool. The
tables say, attribute by attribute, what the next plan does about it. Every row is a test of the provider.

- **puts it back**: the plan shows the difference, and its apply restores what the configuration says.
- **makes it anew**: what is gone leaves the state, and the plan makes another one.
- **lets go of it with a warning, and makes another one**: what bears the marks of something else is not this resource's any more. It leaves the
  state and is not touched.
- **shows what is there**: the state takes the new value, and nothing is changed at the vendor.
- **nothing**: the vendor does not show it, or it belongs to others.
- **–**: this vendor has no such thing.

To look without changing anything, ` + "`terraform plan -refresh-only`" + ` shows what is there.
`

// writeDrift writes a table for each resource.
func writeDrift(out io.Writer) error {
	text := driftBeginning
	for _, table := range drift.Tables {
		text += "\n## " + table.Resource + "\n\n" + driftTable(table)
		text += "\nIn configuration and state only, or fixed from the start: " + quoted(table.Own) + ".\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

func driftTable(table drift.Table) string {
	heads, rules := []string{"attribute", "changed outside"}, []string{"---", "---"}
	for _, kind := range cloud.Kinds() {
		heads, rules = append(heads, kind.Manifest.Title), append(rules, "---")
	}
	text := line(heads...) + line(rules...)
	for _, row := range table.Rows {
		cells := []string{"`" + row.Attribute + "`", row.Change}
		for _, kind := range cloud.Kinds() {
			answer, has := row.Answers[kind.Manifest.Kind]
			if !has {
				answer = no
			}
			cells = append(cells, string(answer))
		}
		text += line(cells...)
	}
	return text
}

func quoted(names []string) string {
	return "`" + strings.Join(names, "`, `") + "`"
}
