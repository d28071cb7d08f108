// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// configurations are what is applied: one a vendor, and nothing.
//
//go:embed configurations/*.tf
var configurations embed.FS

// steps are what is measured of N machines, in this order.
var steps = []struct {
	name, label string
	arguments   []string
}{
	{"plan to create", "first", []string{"plan", "-out=create.plan"}},
	{"create", "first", []string{"apply", "create.plan"}},
	{"refresh", "first", []string{"plan", "-refresh-only"}},
	{"plan", "first", []string{"plan", "-detailed-exitcode"}},
	{"change", "second", []string{"apply", "-auto-approve"}},
	{"destroy", "second", []string{"destroy", "-auto-approve"}},
}

// measure measures all subjects.
func measure(ctx context.Context, o options) (report, error) {
	folder, err := os.MkdirTemp("", "bettercompute-bench-")
	if err != nil {
		return report{}, err
	}
	defer os.RemoveAll(folder)
	floors, err := o.floors()
	if err != nil {
		return report{}, err
	}
	all := report{CLI: o.cli}
	started := []subject{floors[0], {Name: "ours", binary: o.provider}}
	if o.rival.binary != "" {
		started = append(started, subject{Name: "rival", binary: o.rival.binary})
	}
	for _, one := range started {
		start, err := measureStart(ctx, one)
		if err != nil {
			return all, err
		}
		all.Starts = append(all.Starts, start)
	}
	for _, machines := range o.machines {
		for _, floor := range floors {
			life, err := measureLife(ctx, o, filepath.Join(folder, floor.Name+strconv.Itoa(machines)), floor, "", machines)
			if err != nil {
				return all, err
			}
			all.Lives = append(all.Lives, life)
		}
		for _, vendor := range o.vendors {
			if err := measureVendor(ctx, o, &all, folder, vendor, machines); err != nil {
				return all, err
			}
		}
	}
	return all, nil
}

// floors are providers that do nothing: one with the smallest resource there can be, which shows the CLI's own part, and one
// with the schema of ours, which shows what the CLI and the plugin framework take for such resources.
func (o options) floors() ([]subject, error) {
	var floors []subject
	for _, name := range []string{"nothing", "idle"} {
		floor, err := embedded(name, filepath.Join(o.programs, name), name)
		if err != nil {
			return nil, err
		}
		floors = append(floors, floor)
	}
	return floors, nil
}

// measureVendor measures ours, and the rival where it is for this vendor, one after the other on the same emulator.
func measureVendor(ctx context.Context, o options, all *report, folder, vendor string, machines int) error {
	ours, err := embedded("ours", o.provider, vendor)
	if err != nil {
		return err
	}
	subjects := []subject{ours}
	if o.rival.vendor == vendor {
		text, err := os.ReadFile(o.rival.configuration)
		if err != nil {
			return err
		}
		subjects = append(subjects, subject{Name: "rival", binary: o.rival.binary, configuration: string(text)})
	}
	for _, one := range subjects {
		life, err := measureLife(ctx, o, filepath.Join(folder, one.Name+vendor+strconv.Itoa(machines)), one, vendor, machines)
		if err != nil {
			return fmt.Errorf("%s, %s, %d machines: %w", one.Name, vendor, machines, err)
		}
		all.Lives = append(all.Lives, life)
		all.Passed = append(all.Passed, passed(life)...)
	}
	return nil
}

func embedded(name, binary, configuration string) (subject, error) {
	text, err := configurations.ReadFile("configurations/" + configuration + ".tf")
	return subject{Name: name, binary: binary, configuration: string(text)}, err
}

// measureLife takes N machines through all steps, on an emulator that has nothing.
func measureLife(ctx context.Context, o options, folder string, s subject, vendor string, machines int) (life, error) {
	measured := life{Subject: s.Name, Vendor: vendor, Machines: machines, Parallelism: cmp.Or(o.parallelism, max(machines, 10))}
	emulator := control(o.control)
	if err := emulator.reset(ctx); err != nil {
		return measured, err
	}
	work, err := newWorkspace(folder, o, s)
	if err != nil {
		return measured, err
	}
	if _, _, err := work.run(ctx, machines, "first", "init"); err != nil {
		return measured, err
	}
	_, seq, err := emulator.since(ctx, 0)
	if err != nil {
		return measured, err
	}
	for _, step := range steps {
		arguments := slices.Insert(slices.Clone(step.arguments), 1, fmt.Sprintf("-parallelism=%d", measured.Parallelism))
		took, used, err := work.run(ctx, machines, step.label, arguments...)
		if err != nil {
			return measured, err
		}
		var calls []call
		if calls, seq, err = emulator.since(ctx, seq); err != nil {
			return measured, err
		}
		figures := figures{Step: step.name, Seconds: took.Seconds(), Usage: used, Calls: len(calls), Routes: map[string]int{}}
		for _, call := range calls {
			figures.Routes[call.route()]++
			if call.Status == 429 {
				figures.Refused++
			}
		}
		measured.Steps = append(measured.Steps, figures)
		fmt.Fprintf(os.Stderr, "%s: %s %s %d: %s %.1f s, %d calls\n", time.Now().Format(time.TimeOnly), s.Name, vendor, machines, step.name, took.Seconds(), len(calls))
	}
	return measured, nil
}
