// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"io"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
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
	text += "\n## Options of a machine\n\n" + optionTable()
	_, err := io.WriteString(out, text)
	return err
}

func driftHead() string {
	heads, rules := []string{"attribute", "changed outside"}, []string{"---", "---"}
	for _, kind := range cloud.Kinds() {
		heads, rules = append(heads, kind.Manifest.Title), append(rules, "---")
	}
	return line(heads...) + line(rules...)
}

// optionTable is the table for what the drivers say that their machines can have. The tests of options in package instance carry
// it out.
func optionTable() string {
	names, answers := []string{}, map[string]map[string]string{}
	for _, kind := range cloud.Kinds() {
		for _, option := range kind.Options {
			name := kind.Manifest.Attribute + "." + option.Name
			if option.Common {
				name = option.Name
			}
			if answers[name] == nil {
				names, answers[name] = append(names, name), map[string]string{}
			}
			answers[name][kind.Manifest.Kind] = answerOf(option)
		}
	}
	text := driftHead()
	for _, name := range names {
		cells := []string{"`" + name + "`", "changed, where it is written"}
		for _, kind := range cloud.Kinds() {
			cells = append(cells, cmp.Or(answers[name][kind.Manifest.Kind], no))
		}
		text += line(cells...)
	}
	return text
}

// answerOf is what the next plan does about an option that others have changed: what a change of it in the configuration does.
func answerOf(option driver.Option) string {
	switch {
	case option.Local:
		return no
	case option.Hidden:
		return string(drift.Keeps)
	case option.Effect == driver.Replaces:
		return "replaces the machine"
	case option.Effect == driver.Restarts:
		return string(drift.Restores) + ", with a restart"
	case option.Off == driver.Replaces:
		return string(drift.Restores) + ", or replaces the machine to switch it off"
	}
	return string(drift.Restores)
}

func driftTable(table drift.Table) string {
	text := driftHead()
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
