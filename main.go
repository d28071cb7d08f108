// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command terraform-provider-bettercompute is a provider plugin for Terraform and OpenTofu. Without arguments it serves the
// plugin protocol to the CLI that has started it; the subcommand emulator serves emulated vendors, and secret keeps
// the sealed file of secrets.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/command"
	"github.com/better-compute/terraform-provider-bettercompute/internal/pluginserver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider"
	secretcommand "github.com/better-compute/terraform-provider-bettercompute/internal/secret/command"
)

// version is set by the build: -ldflags "-X main.version=1.2.3".
var version = "dev"

// Exit codes.
const (
	exitFailure = 1
	exitUsage   = 2
)

const usage = `Usage:
  terraform-provider-bettercompute [-debug]    serve the plugin protocol; Terraform and OpenTofu start it like this
  terraform-provider-bettercompute emulator    serve emulated vendors on this machine; see emulator -h
  terraform-provider-bettercompute secret      put secrets into the sealed file; see secret -h

Flags:
`

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

// run does what the arguments say and answers the exit code.
func run(ctx context.Context, arguments []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("terraform-provider-bettercompute", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	debug := flags.Bool("debug", false, "serve under a debugger: prints TF_REATTACH_PROVIDERS and waits")
	if err := flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitUsage
	}
	switch flags.Arg(0) {
	case "":
		return serve(ctx, *debug, stdout, stderr)
	case "emulator":
		return command.Run(ctx, flags.Args()[1:], stdout, stderr)
	case "secret":
		return secretcommand.Run(ctx, flags.Args()[1:], os.Stdin, stdout, stderr)
	}
	fmt.Fprintf(stderr, "There is no subcommand %q.\n\n", flags.Arg(0))
	flags.Usage()
	return exitUsage
}

// serve speaks the plugin protocol until the CLI is done.
func serve(ctx context.Context, debug bool, stdout, stderr io.Writer) int {
	err := serveCLI(ctx, debug, stdout)
	if err != nil {
		fmt.Fprintln(stderr, err)
		return exitFailure
	}
	return 0
}

func serveCLI(ctx context.Context, debug bool, stdout io.Writer) error {
	count := new(calls.Count)
	defer provider.LogCalls(context.WithoutCancel(ctx), count)
	if debug {
		ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
		defer stop()
		return pluginserver.ServeDebug(ctx, provider.Address, provider.NewCountedServer(version, count), stdout)
	}
	// Signals for a whole service or terminal reach this process too. The CLI gets them as well and tells when to stop; to
	// end here would cut a change in the middle, and the CLI would lose what is stored about it.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	return pluginserver.Serve(ctx, provider.Address, provider.NewCountedServer(version, count), stdout)
}
