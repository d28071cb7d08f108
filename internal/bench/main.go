// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command bench measures what a provider costs: calls to the vendor, time, memory, start and size. A real CLI drives the
// stripped binary on the emulated vendors, and beside it two providers that do nothing, which show the CLI's own part, and if
// wanted a rival. `make bench` starts it under `terraform-provider-bettercompute emulator -- `, which sets the tokens,
// the endpoints and the control's address.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
)

// options are the flags.
type options struct {
	cli, programs, provider string
	machines                []int
	vendors                 []string
	parallelism             int
	json                    string
	rival                   rival
	control                 string
}

// rival is another provider, measured on the same emulator in the same run.
type rival struct{ binary, configuration, vendor string }

func main() {
	o, err := parse()
	if err == nil {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = bench(ctx, o)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse() (options, error) {
	o := options{control: os.Getenv("BETTERCOMPUTE_EMULATOR_CONTROL")}
	var machines, vendors string
	flag.StringVar(&o.cli, "cli", "terraform", "the terraform or tofu binary")
	flag.StringVar(&o.provider, "provider", "", "the provider's stripped binary")
	flag.StringVar(&o.programs, "programs", "", "the folder of the built programs nothing, idle and measured")
	flag.StringVar(&machines, "machines", "10,100,500", "how many machines, several separated by commas")
	flag.StringVar(&vendors, "vendors", "hetzner,digitalocean,proxmox", "the vendors to measure on")
	flag.IntVar(&o.parallelism, "parallelism", 0, "the CLI's -parallelism; 0: as many as machines, so that all wait together")
	flag.StringVar(&o.json, "json", "", "a file for the figures as JSON")
	flag.StringVar(&o.rival.binary, "rival", "", "the binary of another provider to measure beside ours")
	flag.StringVar(&o.rival.configuration, "rival-configuration", "", "its configuration, with the variables machines and label")
	flag.StringVar(&o.rival.vendor, "rival-vendor", "", "the vendor that it is for")
	flag.Parse()
	o.vendors = strings.Split(vendors, ",")
	for _, text := range strings.Split(machines, ",") {
		number, err := strconv.Atoi(text)
		if err != nil || number < 1 {
			return o, fmt.Errorf("-machines: %q is no number of machines", text)
		}
		o.machines = append(o.machines, number)
	}
	return o, o.check()
}

// check makes paths absolute: the CLI works in folders of its own.
func (o *options) check() error {
	if o.control == "" {
		return errors.New("BETTERCOMPUTE_EMULATOR_CONTROL is not set: start this with `make bench`")
	}
	if o.rival.binary != "" && (o.rival.configuration == "" || o.rival.vendor == "") {
		return errors.New("-rival needs -rival-configuration and -rival-vendor")
	}
	for _, vendor := range o.vendors {
		if _, err := configurations.ReadFile("configurations/" + vendor + ".tf"); err != nil {
			return fmt.Errorf("-vendors: there is no %q", vendor)
		}
	}
	for _, path := range []*string{&o.provider, &o.programs, &o.rival.binary, &o.rival.configuration, &o.json} {
		if *path == "" {
			continue
		}
		var err error
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	return nil
}

// bench measures everything, and prints each figure as soon as it is known.
func bench(ctx context.Context, o options) error {
	report, err := measure(ctx, o)
	if err != nil {
		return err
	}
	report.print(os.Stdout)
	if err := report.save(o.json); err != nil {
		return err
	}
	if len(report.Passed) > 0 {
		return errors.New("limits are passed:\n" + strings.Join(report.Passed, "\n"))
	}
	return nil
}
