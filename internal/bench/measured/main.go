// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command measured stands in the place of a provider: it runs the true one, whose path BENCH_PROVIDER says, and leaves in
// the folder BENCH_USAGE what that has used. The CLI notices nothing of it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/better-compute/terraform-provider-bettercompute/internal/bench/usage"
)

func main() {
	// The provider gets the signals of the terminal too, and decides.
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	command := exec.CommandContext(context.Background(), os.Getenv("BENCH_PROVIDER"), os.Args[1:]...)
	command.Stdin, command.Stdout, command.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := command.Run()
	if failed := record(command.ProcessState); failed != nil {
		fmt.Fprintln(os.Stderr, failed)
		os.Exit(1)
	}
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(failed.ExitCode())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// record writes down what an ended process has used.
func record(ended *os.ProcessState) error {
	if ended == nil {
		return nil
	}
	text, err := json.Marshal(usage.Of(ended))
	if err != nil {
		return err
	}
	name := strconv.Itoa(os.Getpid()) + ".json"
	return os.WriteFile(filepath.Join(os.Getenv("BENCH_USAGE"), name), text, 0o600)
}
