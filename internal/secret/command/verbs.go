// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// keygen writes an identity as age-keygen does, and prints its recipient.
func keygen(_ context.Context, i *invocation) error {
	identity, recipient, err := secret.NewIdentity()
	if err != nil {
		return err
	}
	text := fmt.Sprintf("# public key: %s\n%s\n", recipient, identity)
	if i.out == "" {
		fmt.Fprintln(i.stderr, recipient)
		_, err := io.WriteString(i.stdout, text)
		return err
	}
	file, err := os.OpenFile(i.out, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("the identity cannot be written: %w", err)
	}
	_, err = file.WriteString(text)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("the identity cannot be written: %w", err)
	}
	_, err = fmt.Fprintln(i.stdout, recipient)
	return err
}

// put seals what stands on standard input, and prints the reference to it.
func put(ctx context.Context, i *invocation) error {
	entry, err := i.entry()
	if err != nil {
		return err
	}
	file := i.file()
	if err := needRecipients(file); err != nil {
		return err
	}
	if isTerminal(i.stdin) {
		fmt.Fprintln(i.stderr, "Type the value, which is shown, and end it with Ctrl-D on a line of its own.")
	}
	// One byte more than fits shows that it does not fit.
	value, err := io.ReadAll(io.LimitReader(i.stdin, secret.MaxValue+1))
	if err != nil {
		return fmt.Errorf("the value cannot be read: %w", err)
	}
	if len(value) > secret.MaxValue {
		return fmt.Errorf("the value must not be longer than %d bytes", secret.MaxValue)
	}
	if err := secret.CheckValue(string(value)); err != nil {
		return fmt.Errorf("the value %w", err)
	}
	if err := file.Put(ctx, entry, string(value)); err != nil {
		return err
	}
	_, err = fmt.Fprintln(i.stdout, entry)
	return err
}

func needRecipients(file secret.SealedFile) error {
	if _, err := os.Stat(file.Path); !errors.Is(err, os.ErrNotExist) || len(file.Recipients) > 0 {
		return nil
	}
	return usageError{fmt.Sprintf("%s is not there: to make it, say with -recipient for whom; keygen makes an identity and prints its recipient", file.Path)}
}

func isTerminal(stdin io.Reader) bool {
	file, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// list prints the references, a line for each.
func list(_ context.Context, i *invocation) error {
	entries, err := i.file().List()
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if _, err := fmt.Fprintln(i.stdout, entry); err != nil {
			return err
		}
	}
	return nil
}

func remove(ctx context.Context, i *invocation) error {
	entry, err := i.entry()
	if err != nil {
		return err
	}
	file := i.file()
	// An absent file would be an empty one to Remove: a wrong -file should not look like a secret that is gone.
	if _, err := file.List(); err != nil {
		return err
	}
	removed, err := file.Remove(ctx, entry)
	if err == nil && !removed {
		return fmt.Errorf("%s is not in %s", entry, file.Path)
	}
	return err
}
