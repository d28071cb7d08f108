// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

// How long a writer waits for the others, and how often it looks.
const (
	lockPatience = 5 * time.Minute
	lockInterval = 25 * time.Millisecond
)

// change lets a function change the content while no other process does, and writes what it leaves. The function answers
// whether there is something to write. Whatever fails, the file is as it was.
func (s SealedFile) change(ctx context.Context, edit func(*content) (bool, error)) error {
	s.Path = target(s.Path)
	unlock, err := s.lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	content, err := s.readIfThere()
	if err != nil {
		return err
	}
	changed, err := edit(&content)
	if err != nil || !changed {
		return err
	}
	if err := replace(s.Path, content.String()); err != nil {
		return unusable(fmt.Sprintf("the sealed file cannot be written, and is as it was: %v", err))
	}
	return nil
}

// target answers where a symbolic link leads: the link is not to be replaced.
func target(path string) string {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return resolved
	}
	return path
}

// beside is a hidden file next to the sealed one.
func beside(path, ending string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+ending)
}

// lock waits until no other process writes the file. A file of its own is locked: the sealed one is replaced by each write.
// The lock file is removed while it is held, so whoever gets a lock on a removed one tries again. A process that is killed
// holds no lock, and the lock file that it leaves is taken over.
func (s SealedFile) lock(ctx context.Context) (unlock func(), err error) {
	waiting, done := context.WithTimeout(ctx, lockPatience)
	defer done()
	path := beside(s.Path, ".lock")
	for {
		held := flock.New(path)
		if _, err := held.TryLockContext(waiting, lockInterval); err != nil {
			return nil, s.notLocked(ctx, path, err)
		}
		unlock := func() { _ = held.Unlock() }
		if sameFile(held, path) {
			return func() {
				_ = os.Remove(path)
				unlock()
			}, nil
		}
		unlock()
	}
}

func sameFile(held *flock.Flock, path string) bool {
	ours, err := held.Stat()
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(ours, there)
}

func (s SealedFile) notLocked(ctx context.Context, path string, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return unusable(fmt.Sprintf("the sealed file %s has been locked by another process for %s: end the process that holds %s", s.Path, lockPatience, path))
	}
	return unusable(fmt.Sprintf("the sealed file cannot be locked: %v", err))
}

// replace writes a new file and puts it in the place of the old one in one step. It is called under the lock, so what an
// earlier writer has left of a new file is nobody's.
func replace(path, text string) error {
	mode := fs.FileMode(0o600)
	if old, err := os.Stat(path); err == nil {
		mode = old.Mode().Perm()
	}
	fresh := beside(path, ".new")
	if err := write(fresh, text, mode); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	if err := os.Rename(fresh, path); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	// The new name outlives a loss of power too where the system can do that for a folder; the file is in place anyway.
	if folder, err := os.Open(filepath.Dir(path)); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
	return nil
}

func write(path, text string, mode fs.FileMode) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode) //nolint:gosec // the user names the file
	if err != nil {
		return err
	}
	_, err = file.WriteString(text)
	return errors.Join(err, file.Chmod(mode), file.Sync(), file.Close())
}
