// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command guides writes the pages of the documentation that follow from the code: what each error means, from the tables
// that the code itself uses, and what each vendor can do, from its driver. It is run by make generate.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

const beginning = `---
page_title: "Errors, and whose a machine is"
description: |-
  What each error code means and what to do, and what the provider does with a machine by what its marks show.
---

# Errors, and whose a machine is

The summary of every error ends with a code in brackets. The detail says what happened, on which object, the vendor's own
words with its request id, and what to do next.

| code | where | when | what to do | sent again by the provider |
|---|---|---|---|---|
`

const judgements = `
## What a machine shows

A machine bears our id as its key, and a claim that names the state which owns it. What a state holds is looked up by the
vendor's id; key and claim then decide what may be done with it. No operation does more than this table says.

| the machine shows | read | update | delete |
|---|---|---|---|
`

const end = `
A machine that is gone is believed to be gone only when the account can be shown to be the right one: it still knows the
create of that machine, or has shown another machine of the same state in the same command. A refused token, an answer
that is not the vendor's, or a token of another project never removes anything from a state.
`

// pages are what can be written, by the names of their files.
var pages = map[string]func(io.Writer) error{"errors": writeErrors, "vendors": writeVendors, "drift": writeDrift}

func main() {
	if err := write(os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(out io.Writer, arguments []string) error {
	names := strings.Join(slices.Sorted(maps.Keys(pages)), ", ")
	if len(arguments) != 1 || pages[arguments[0]] == nil {
		return fmt.Errorf("usage: guides PAGE, which is one of %s", names)
	}
	return pages[arguments[0]](out)
}

func writeErrors(out io.Writer) error {
	text := beginning
	for _, row := range compute.Codes {
		text += line("`"+string(row.Code)+"`", strings.Join(row.Methods, ", "), row.When, row.Recover, row.Repeated)
	}
	text += judgements
	for _, row := range compute.Judgements {
		text += line(string(row.Sight), string(row.Read), string(row.Update), string(row.Delete))
	}
	_, err := io.WriteString(out, text+end)
	return err
}

func line(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |\n" }
