// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package snippets puts cloud-init files where a Proxmox VE storage of type "snippets" finds them: its API cannot upload
// them. The folder is reached where it is mounted, or by SFTP.
package snippets

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Store is a folder of snippets. Names are plain file names.
type Store interface {
	// Write makes a file, in place of an earlier one of that name; readers see the old one or the new one, never half.
	Write(ctx context.Context, name string, data []byte) error
	// Remove removes a file; one that is not there is no error.
	Remove(ctx context.Context, name string) error
}

// mode lets the node's root read a file, and nobody else but its owner's group: user data may hold secrets.
const mode = 0o640

// Directory is a folder that is mounted where the provider runs.
type Directory string

// Write writes the file beside its place and moves it there.
func (d Directory) Write(ctx context.Context, name string, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, err := os.Stat(string(d)); err != nil {
		return fmt.Errorf("the snippets' directory cannot be used: %w", err)
	}
	temporary, err := os.CreateTemp(string(d), name+".*.tmp")
	if err != nil {
		return err
	}
	_, err = temporary.Write(data)
	err = errors.Join(err, temporary.Chmod(mode), temporary.Close())
	if err == nil {
		err = os.Rename(temporary.Name(), filepath.Join(string(d), name))
	}
	if err != nil {
		return errors.Join(err, os.Remove(temporary.Name()))
	}
	return nil
}

// Remove removes the file.
func (d Directory) Remove(ctx context.Context, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(string(d), name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
