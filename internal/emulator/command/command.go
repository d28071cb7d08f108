// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package command is the emulator subcommand: its flags, what it prints, and the command that it may run.
package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const usage = `Usage: emulator [flags] [-- COMMAND ARGS]

Serves emulated vendors on this machine until it is interrupted. Once it listens it prints one line of JSON with the
endpoints and tokens. With a COMMAND it runs that with the environment that -env prints, and ends with its exit code.

`

// Exit codes of the subcommand itself; a COMMAND's own code is passed on.
const (
	exitFailure = 1
	exitUsage   = 2
)

type options struct {
	addresses  emulator.Addresses
	delay      time.Duration
	actionTime time.Duration
	env        bool
	plant      string
	command    []string
}

// Run is the emulator subcommand with the arguments after its name. It returns the exit code: 0 after an interrupt or
// when ctx ends, 1 when it cannot serve, 2 for wrong arguments, or the code of the COMMAND. While a COMMAND runs, the
// end of ctx is ignored: the signals are passed on, and the COMMAND decides.
func Run(ctx context.Context, arguments []string, stdout, stderr io.Writer) (exitCode int) {
	chosen, err := parse(arguments, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintf(stderr, "emulator: %v\n", err)
		return exitUsage
	}
	served := emulator.New(emulator.Options{Delay: chosen.delay, ActionTime: chosen.actionTime, Log: logger(chosen, stderr)})
	if err := plant(served, chosen.plant); err != nil {
		fmt.Fprintf(stderr, "emulator: -plant %s: %v\n", chosen.plant, err)
		return exitFailure
	}
	if err := served.Listen(ctx, chosen.addresses); err != nil {
		fmt.Fprintf(stderr, "emulator: %v\n", err)
		return exitFailure
	}
	defer served.Close()
	if len(chosen.command) > 0 {
		return runCommand(context.WithoutCancel(ctx), chosen.command, append(os.Environ(), environment(served)...), stdout, stderr)
	}
	if err := announce(served, chosen.env, stdout); err != nil {
		fmt.Fprintf(stderr, "emulator: %v\n", err)
		return exitFailure
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	<-ctx.Done()
	return 0
}

func parse(arguments []string, stderr io.Writer) (options, error) {
	var chosen options
	flags := flag.NewFlagSet("emulator", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&chosen.addresses.Hetzner, "hetzner", "127.0.0.1:0", "loopback `address` of the emulated Hetzner Cloud")
	flags.StringVar(&chosen.addresses.DigitalOcean, "digitalocean", "127.0.0.1:0", "loopback `address` of the emulated DigitalOcean")
	flags.StringVar(&chosen.addresses.Proxmox, "proxmox", "127.0.0.1:0", "loopback `address` of the emulated Proxmox VE cluster (HTTPS)")
	flags.StringVar(&chosen.addresses.Control, "control", "127.0.0.1:0", "loopback `address` of the control API")
	flags.DurationVar(&chosen.delay, "delay", 0, "time before each vendor request is carried out")
	flags.DurationVar(&chosen.actionTime, "action-time", emulator.DefaultActionTime, "how long an asynchronous action runs")
	flags.StringVar(&chosen.plant, "plant", "", "JSON `file` with objects that are there from the start, in the shape of the control's inventory")
	flags.BoolVar(&chosen.env, "env", false, "print shell exports instead of JSON")
	own := arguments
	if split := slices.Index(arguments, "--"); split >= 0 {
		own, chosen.command = arguments[:split], arguments[split+1:]
		if len(chosen.command) == 0 {
			return chosen, errors.New("no COMMAND after --")
		}
	}
	if err := flags.Parse(own); err != nil {
		return chosen, err
	}
	return chosen, chosen.check(flags.Args())
}

func (o *options) check(rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("unexpected argument %q; a COMMAND stands after --", rest[0])
	}
	if o.delay < 0 || o.actionTime < 0 {
		return errors.New("-delay and -action-time cannot be negative")
	}
	if o.actionTime == 0 {
		o.actionTime = -1 // no time at all
	}
	return nil
}

// plant makes the objects of a file; "" is none.
func plant(served *emulator.Emulator, file string) error {
	if file == "" {
		return nil
	}
	text, err := os.ReadFile(file) //nolint:gosec // the file that the person who runs it names
	if err != nil {
		return err
	}
	return served.PlantAll(text)
}

// logger writes a line a request to standard error, which belongs to the COMMAND where there is one.
func logger(chosen options, stderr io.Writer) hclog.Logger {
	if len(chosen.command) > 0 {
		return hclog.NewNullLogger()
	}
	return hclog.New(&hclog.LoggerOptions{Name: "emulator", Output: stderr})
}

// startLine is the one line of JSON.
type startLine struct {
	Hetzner      cloudLine   `json:"hetzner"`
	DigitalOcean cloudLine   `json:"digitalocean"`
	Proxmox      proxmoxLine `json:"proxmox"`
	Control      string      `json:"control"`
}

type proxmoxLine struct {
	URL            string            `json:"url"`
	Token          string            `json:"token"`
	Tokens         map[string]string `json:"tokens"`
	CACertificate  string            `json:"ca_certificate"`
	TLSFingerprint string            `json:"tls_fingerprint"`
}

type cloudLine struct {
	Endpoint string            `json:"endpoint"`
	Token    string            `json:"token"`
	Tokens   map[string]string `json:"tokens"`
}

func announce(served *emulator.Emulator, env bool, stdout io.Writer) error {
	if env {
		for _, variable := range environment(served) {
			if _, err := fmt.Fprintln(stdout, export(variable)); err != nil {
				return err
			}
		}
		return nil
	}
	return json.NewEncoder(stdout).Encode(startLine{
		Hetzner:      cloudLine{served.Hetzner.Endpoint, served.Hetzner.Token, served.Hetzner.Tokens},
		DigitalOcean: cloudLine{served.DigitalOcean.Endpoint, served.DigitalOcean.Token, served.DigitalOcean.Tokens},
		Proxmox: proxmoxLine{
			served.Proxmox.Endpoint, served.Proxmox.Token, served.Proxmox.Tokens, served.Proxmox.CACertificate, served.Proxmox.TLSFingerprint,
		},
		Control: served.Control,
	})
}
