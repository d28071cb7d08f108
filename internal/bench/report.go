// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/better-compute/terraform-provider-bettercompute/internal/bench/usage"
)

// report is everything that was measured; its JSON is what -json writes.
type report struct {
	CLI    string  `json:"cli"`
	Starts []start `json:"starts"`
	Lives  []life  `json:"lives"`
	// Passed are the limits that ours has passed, as sentences.
	Passed []string `json:"limits_passed,omitempty"`
}

// start is what a provider is before it does anything.
type start struct {
	// Subject is ours, nothing, idle or rival.
	Subject string `json:"subject"`
	// Milliseconds are from the start of the process to the answered schema: the median, and the fastest.
	Milliseconds float64 `json:"start_to_schema_ms"`
	Fastest      float64 `json:"fastest_ms"`
	BinaryBytes  int64   `json:"binary_bytes"`
}

// life is what the steps took for so many machines. Vendor is empty for nothing and idle.
type life struct {
	Subject  string `json:"subject"`
	Vendor   string `json:"vendor,omitempty"`
	Machines int    `json:"machines"`
	// Parallelism is how many the CLI works on at a time.
	Parallelism int       `json:"parallelism"`
	Steps       []figures `json:"steps"`
}

// figures are what one step took.
type figures struct {
	Step    string      `json:"step"`
	Calls   int         `json:"calls"`
	Refused int         `json:"refused"` // calls that were answered with status 429
	Seconds float64     `json:"seconds"`
	Usage   usage.Usage `json:"provider"`
	// Routes are the calls by method and path, with ID in the place of what differs from one object to the next.
	Routes map[string]int `json:"routes,omitempty"`
}

// save writes the figures as JSON, where a file is wanted.
func (r report) save(path string) error {
	if path == "" {
		return nil
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o600)
}

// mebi is a mebibyte.
const mebi = 1 << 20

func (r report) print(out io.Writer) {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "provider\tstart to schema\tfastest\tbinary\t")
	for _, one := range r.Starts {
		fmt.Fprintf(table, "%s\t%.1f ms\t%.1f ms\t%.1f MB\t\n", one.Subject, one.Milliseconds, one.Fastest, float64(one.BinaryBytes)/1e6)
	}
	_ = table.Flush()
	fmt.Fprintln(out)
	fmt.Fprintln(table, "vendor\tmachines\tstep\tprovider\tcalls\tof them 429\ttime\tmore than idle\tCPU\tpeak memory\tratio calls\tratio time\t")
	for _, life := range r.Lives {
		for _, step := range life.Steps {
			r.row(table, life, step)
		}
	}
	_ = table.Flush()
}

// row prints one step, for ours how much longer it took than with a provider that has the same schema and does nothing, and
// how many times ours a rival takes.
func (r report) row(out io.Writer, life life, step figures) {
	more := ""
	if idle := r.find("idle", "", life.Machines, step.Step); life.Subject == "ours" {
		more = fmt.Sprintf("%.2f s", step.Seconds-idle.Seconds)
	}
	fmt.Fprintf(out, "%s\t%d\t%s\t%s\t%d\t%d\t%.2f s\t%s\t%.2f s\t%.0f MiB\t", life.Vendor, life.Machines, step.Step, life.Subject,
		step.Calls, step.Refused, step.Seconds, more, step.Usage.CPU.Seconds(), float64(step.Usage.PeakBytes)/mebi)
	ours := r.find("ours", life.Vendor, life.Machines, step.Step)
	if life.Subject != "rival" || ours.Seconds == 0 || ours.Calls == 0 {
		fmt.Fprintln(out, "\t\t")
		return
	}
	fmt.Fprintf(out, "%.1f\t%.1f\t\n", float64(step.Calls)/float64(ours.Calls), step.Seconds/ours.Seconds)
}

// find answers the figures of a step, all zero where it was not measured.
func (r report) find(subject, vendor string, machines int, step string) figures {
	for _, life := range r.Lives {
		if life.Subject != subject || life.Vendor != vendor || life.Machines != machines {
			continue
		}
		if at := slices.IndexFunc(life.Steps, func(one figures) bool { return one.Step == step }); at >= 0 {
			return life.Steps[at]
		}
	}
	return figures{}
}
