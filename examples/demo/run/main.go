// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command run applies examples/demo on the emulators with a real Terraform or OpenTofu, shows what came up, plans
// again, destroys, and checks that nothing is left. `make demo` starts it under
// `terraform-provider-bettercompute emulator -- `, which sets the tokens, the endpoints and the control's address.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
)

// options are what make passes on.
type options struct {
	cli      string // path of terraform or tofu
	provider string // path of the provider's binary
	mirror   string // a filesystem mirror to install the provider from, in place of that binary
	source   string // the configuration to apply
	control  string // address of the emulators' control
}

func main() {
	var o options
	flag.StringVar(&o.cli, "cli", "terraform", "the terraform or tofu binary")
	flag.StringVar(&o.provider, "provider", "", "the provider's binary")
	flag.StringVar(&o.mirror, "mirror", "", "a filesystem mirror with the provider, in place of -provider")
	flag.StringVar(&o.source, "source", "examples/demo", "the configuration to apply")
	flag.Parse()
	o.control = os.Getenv("BETTERCOMPUTE_EMULATOR_CONTROL")

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := demo(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// demo works in a copy of the configuration, so that no state is left in the checkout.
func demo(ctx context.Context, o options) error {
	if o.control == "" {
		return errors.New("BETTERCOMPUTE_EMULATOR_CONTROL is not set: start this with `make demo`")
	}
	dir, err := os.MkdirTemp("", "bettercompute-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)

	configuration := filepath.Join(dir, "configuration")
	if err := os.CopyFS(configuration, os.DirFS(o.source)); err != nil {
		return err
	}
	settings, err := o.install(dir)
	if err != nil {
		return err
	}
	before, err := readInventory(ctx, o.control)
	if err != nil {
		return err
	}
	return play(ctx, cli{path: o.cli, dir: configuration, settings: settings}, o.control, before)
}

// install makes the provider known to the CLI and returns the path of the settings that do it.
func (o options) install(dir string) (string, error) {
	if o.mirror != "" {
		return useMirror(dir, o.mirror)
	}
	return installProvider(dir, o.provider)
}

// play runs the commands in the order in which a user would.
func play(ctx context.Context, c cli, control string, before inventory) error {
	if err := c.show(ctx, "init", "-input=false"); err != nil {
		return err
	}
	if err := c.show(ctx, "apply", "-input=false", "-auto-approve"); err != nil {
		return err
	}
	if err := c.show(ctx, "output", "-raw", "table"); err != nil {
		return err
	}
	fmt.Println()
	// -detailed-exitcode makes a plan with changes in it end with 2.
	if err := c.show(ctx, "plan", "-input=false", "-detailed-exitcode"); err != nil {
		return fmt.Errorf("the second plan is not empty: %w", err)
	}
	if err := c.show(ctx, "destroy", "-input=false", "-auto-approve"); err != nil {
		return err
	}
	return nothingLeft(ctx, control, before)
}

// nothingLeft compares the inventory with the one from before the apply.
func nothingLeft(ctx context.Context, control string, before inventory) error {
	after, err := readInventory(ctx, control)
	if err != nil {
		return err
	}
	if left := after.without(before); len(left) > 0 {
		return fmt.Errorf("the destroy left something behind: %v", left)
	}
	fmt.Println("\nNothing is left: the emulated clouds hold what they held before.")
	return nil
}
