// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

//go:build unix

package command_test

import (
	"bufio"
	"io"
	"os"
	"syscall"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/command"
)

// TestSignalsReachTheCommand: the emulator stays until the command has ended in its own way.
func TestSignalsReachTheCommand(t *testing.T) {
	t.Setenv(childMode, "signal")
	reader, writer := io.Pipe()
	code := make(chan int, 1)
	go func() { code <- command.Run(t.Context(), []string{"--", os.Args[0]}, writer, t.Output()) }()
	if line, err := bufio.NewReader(reader).ReadString('\n'); line != "ready\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if got := <-code; got != 9 {
		t.Errorf("exit code %d, want the command's 9", got)
	}
}

func TestExitCodeOfAKilledCommand(t *testing.T) {
	t.Setenv(childMode, "killed")
	if got := command.Run(t.Context(), []string{"--", os.Args[0]}, io.Discard, t.Output()); got != 128+int(syscall.SIGKILL) {
		t.Errorf("exit code %d, want 137", got)
	}
}
