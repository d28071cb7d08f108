// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret/command"
)

// asCommand makes the test's own binary the subcommand, with the arguments after it.
const asCommand = "BETTERCOMPUTE_TEST_SECRET_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) == "1" {
		os.Exit(command.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	goleak.VerifyTestMain(m)
}

// writer is a process that puts one value.
type writer struct {
	reference, value string
	// killAfter is when it is killed; 0: never.
	killAfter time.Duration
	command   *exec.Cmd
	stderr    bytes.Buffer
}

func (w *writer) start(t *testing.T, path string) error {
	w.command = exec.CommandContext(t.Context(), os.Args[0], "put", "-file", path, w.reference)
	w.command.Env = append(os.Environ(), asCommand+"=1")
	w.command.Stdin, w.command.Stderr = strings.NewReader(w.value), &w.stderr
	return w.command.Start()
}

// wait answers whether the value was acknowledged.
func (w *writer) wait() bool {
	if w.killAfter > 0 {
		kill := time.AfterFunc(w.killAfter, func() { _ = w.command.Process.Kill() })
		defer kill.Stop()
	}
	return w.command.Wait() == nil
}

const writers = 200

// Two hundred processes put values into one file at the same time, and every third is killed at some moment of its life:
// each value that was acknowledged is there, whole, and the file opens.
func TestTwoHundredWritersSomeOfThemKilled(t *testing.T) {
	identity, recipient, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "secrets.sealed")
	must(t, "first", "put", "-file", path, "-recipient", recipient, "root/first")
	all := make([]*writer, writers)
	for i := range all {
		all[i] = &writer{reference: fmt.Sprintf("secret://shop/n%03d", i), value: fmt.Sprintf("value %d of %s", i, strings.Repeat("x", i+1))}
		if i%3 == 0 {
			all[i].killAfter = time.Duration(1+i*i%3000) * time.Millisecond
		}
	}
	acknowledged := awaitAll(t, all, path)

	listed := strings.Fields(must(t, "", "list", "-file", path))
	if !slices.IsSorted(listed) || !slices.Contains(listed, "secret://root/first") {
		t.Errorf("the list is %v", listed)
	}
	killed := 0
	for i, one := range all {
		there := slices.Contains(listed, one.reference)
		switch {
		case there && open(t, path, identity, one.reference) != one.value:
			t.Errorf("%s has another value", one.reference)
		case acknowledged[i] && !there:
			t.Errorf("%s was acknowledged and is not there", one.reference)
		case !acknowledged[i] && one.killAfter == 0:
			t.Errorf("%s was not acknowledged: %s", one.reference, one.stderr.String())
		case !acknowledged[i]:
			killed++
		}
	}
	t.Logf("%d of %d writers were killed before they had answered, %d values are there", killed, writers, len(listed))
	if killed == 0 {
		t.Error("no writer was killed before it had answered: nothing was tried")
	}
	must(t, "last", "put", "-file", path, "root/last")
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("besides the sealed file there are %v, %v", left, err)
	}
}

// awaitAll starts the writers at once and answers which of them were acknowledged.
func awaitAll(t *testing.T, all []*writer, path string) []bool {
	t.Helper()
	acknowledged := make([]bool, len(all))
	done := make(chan error)
	for i, one := range all {
		go func() {
			err := one.start(t, path)
			if err == nil {
				acknowledged[i] = one.wait()
			}
			done <- err
		}()
	}
	for range all {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	return acknowledged
}
