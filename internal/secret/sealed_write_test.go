// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

func besides(file secret.SealedFile, ending string) string {
	return filepath.Join(filepath.Dir(file.Path), ".secrets.sealed"+ending)
}

// wantAlone checks that nothing but the sealed file is left in its folder.
func wantAlone(t *testing.T, file secret.SealedFile) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(file.Path))
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

func TestManyWritersInOneProcess(t *testing.T) {
	file, resolver := newSealed(t)
	results := make(chan error, 30)
	for i := range cap(results) {
		go func() {
			results <- file.Put(t.Context(), secret.Entry{Tenant: "root", Name: fmt.Sprintf("n%d", i)}, fmt.Sprint("value ", i))
		}()
	}
	for range cap(results) {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	for i := range cap(results) {
		wantValue(t, resolver, fmt.Sprintf("secret://root/n%d", i), fmt.Sprint("value ", i))
	}
	wantAlone(t, file)
}

// A writer that was killed leaves its lock file and half of a new file: the next one goes on.
func TestWhatAKilledWriterLeaves(t *testing.T) {
	file, resolver := newSealed(t)
	put(t, file, "root/a", planted)
	for ending, text := range map[string]string{".lock": "", ".new": strings.Repeat("half of a file ", 1000)} {
		if err := os.WriteFile(besides(file, ending), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wantValue(t, resolver, "secret://root/a", planted)
	put(t, file, "root/b", planted)
	wantValue(t, resolver, "secret://root/a", planted)
	wantValue(t, resolver, "secret://root/b", planted)
	wantAlone(t, file)
}

func TestAFailedWriteKeepsTheOldFile(t *testing.T) {
	file, resolver := newSealed(t)
	put(t, file, "root/a", planted)
	before := read(t, file)
	if err := os.Mkdir(besides(file, ".new"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(besides(file, ".new"), "x"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	wantError(t, file.Put(t.Context(), entry(t, "root/b"), planted), true, false, "cannot be written, and is as it was")
	if read(t, file) != before {
		t.Error("the file is changed")
	}
	wantValue(t, resolver, "secret://root/a", planted)
}

func TestALockedFileIsWaitedFor(t *testing.T) {
	file, resolver := newSealed(t)
	put(t, file, "root/a", planted)
	other := flock.New(besides(file, ".lock"))
	if held, err := other.TryLock(); err != nil || !held {
		t.Fatal(err)
	}
	wantValue(t, resolver, "secret://root/a", planted)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := file.Put(ctx, entry(t, "root/b"), planted); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the writer did not wait until its context ended: %v", err)
	}
	waiting := make(chan error)
	go func() { waiting <- file.Put(t.Context(), entry(t, "root/b"), planted) }()
	if err := other.Unlock(); err != nil {
		t.Fatal(err)
	}
	if err := <-waiting; err != nil {
		t.Error(err)
	}
	wantValue(t, resolver, "secret://root/b", planted)
}

// The clock of the bubble makes the five minutes pass at once.
func TestALockThatIsNeverGivenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		file, _ := newSealed(t)
		put(t, file, "root/a", planted)
		before := read(t, file)
		other := flock.New(besides(file, ".lock"))
		if held, err := other.TryLock(); err != nil || !held {
			t.Fatal(err)
		}
		wantError(t, file.Put(t.Context(), entry(t, "root/b"), planted), true, false, "locked by another process for 5m", besides(file, ".lock"))
		if read(t, file) != before {
			t.Error("the file is changed")
		}
		if err := other.Unlock(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestTheFileKeepsItsModeAndItsLink(t *testing.T) {
	file, resolver := newSealed(t)
	put(t, file, "root/a", planted)
	if info, err := os.Stat(file.Path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("a new file: %v, %v", info, err)
	}
	if err := os.Chmod(file.Path, 0o640); err != nil {
		t.Fatal(err)
	}
	linked := file
	linked.Path = filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file.Path, linked.Path); err != nil {
		t.Fatal(err)
	}
	put(t, linked, "root/b", planted)
	wantValue(t, resolver, "secret://root/b", planted)
	if info, err := os.Lstat(linked.Path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link: %v, %v", info, err)
	}
	if info, err := os.Stat(file.Path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the file: %v, %v", info, err)
	}
}

func TestAFileThatCannotBe(t *testing.T) {
	file, resolver := newSealed(t)
	_, err := resolver.Resolve(t.Context(), "secret://root/a")
	wantError(t, err, true, false, "the sealed file "+file.Path+" is not there")
	if there, err := file.Has(entry(t, "root/a")); err != nil || there {
		t.Errorf("has %t, %v", there, err)
	}
	file.Path = filepath.Join(file.Path, "deeper", "secrets.sealed")
	if removed, err := file.Remove(t.Context(), entry(t, "root/a")); err != nil || removed {
		t.Errorf("removed %t, %v", removed, err)
	}
	wantError(t, file.Put(t.Context(), entry(t, "root/a"), planted), true, false, "cannot be locked")
	file.Path = t.TempDir()
	_, err = file.List()
	wantError(t, err, true, false, "cannot be read")
}
