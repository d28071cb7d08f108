// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
)

// exitSignal is what shells add to the number of the signal that ended a command.
const exitSignal = 128

// exitNotFound is what shells answer for a command that cannot be started.
const exitNotFound = 127

// runCommand runs a command with an environment, passes signals on to it and returns its exit code.
func runCommand(ctx context.Context, arguments, environment []string, stdout, stderr io.Writer) int {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	command := exec.CommandContext(ctx, arguments[0], arguments[1:]...)
	command.Env, command.Stdin, command.Stdout, command.Stderr = environment, os.Stdin, stdout, stderr
	if err := command.Start(); err != nil {
		fmt.Fprintf(stderr, "emulator: %v\n", err)
		return exitNotFound
	}
	ended := make(chan error, 1)
	go func() { ended <- command.Wait() }()
	for {
		select {
		case received := <-signals:
			if received != os.Interrupt || !onTerminal() {
				_ = command.Process.Signal(received) // fails only for a process that has just ended
			}
		case err := <-ended:
			return exitCodeOf(err)
		}
	}
}

// onTerminal says whether standard input is a terminal. Then an interrupt from the keyboard has reached the command
// already, and a second one would make it give up its clean ending.
func onTerminal() bool {
	input, err := os.Stdin.Stat()
	if err != nil || input.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(input, null)
}

func exitCodeOf(err error) int {
	var ended *exec.ExitError
	if err == nil {
		return 0
	}
	if !errors.As(err, &ended) {
		return exitFailure
	}
	if status, isWait := ended.Sys().(syscall.WaitStatus); isWait && status.Signaled() {
		return exitSignal + int(status.Signal())
	}
	return ended.ExitCode()
}
