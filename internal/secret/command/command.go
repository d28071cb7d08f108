// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package command is the secret subcommand: it makes identities, and puts values into the sealed file that is behind
// secret:// references. It shows no value.
package command

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

const usage = `Usage:
  secret keygen [-out FILE]
        make an age identity, and print its recipient
  secret put [-file FILE] [-recipient RECIPIENT]... TENANT/NAME
        seal the value on standard input under secret://TENANT/NAME, and print that reference
  secret list [-file FILE]
        print the references to all values
  secret rm [-file FILE] TENANT/NAME
        remove a value

A file that is not there yet is made by put, for the recipients that are given; later ones are sealed for the recipients
in the file. White space around a value is kept in the file and left out when the value is used.

`

// The sealed file where -file names none.
const defaultFile = "secrets.sealed"

// Exit codes.
const (
	exitFailure = 1
	exitUsage   = 2
)

// usageError is a mistake in the arguments.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

// invocation is one use of the subcommand.
type invocation struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	flags          *flag.FlagSet
	path, out      string
	recipients     []string
}

// verb is what follows "secret".
type verb struct {
	// operands is how many arguments follow the flags.
	operands int
	flags    func(*invocation)
	run      func(context.Context, *invocation) error
}

var verbs = map[string]verb{
	"keygen": {flags: (*invocation).flagOut, run: keygen},
	"put":    {operands: 1, flags: (*invocation).flagsPut, run: put},
	"list":   {flags: (*invocation).flagFile, run: list},
	"rm":     {operands: 1, flags: (*invocation).flagFile, run: remove},
}

// Run is the secret subcommand with the arguments after its name. It returns the exit code: 0, 1 when it could not do what
// it was asked to, 2 for wrong arguments.
func Run(ctx context.Context, arguments []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, arguments, &invocation{stdin: stdin, stdout: stdout, stderr: stderr})
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintf(stderr, "secret: %v\n", err)
	if _, ok := errors.AsType[usageError](err); ok {
		return exitUsage
	}
	return exitFailure
}

func run(ctx context.Context, arguments []string, i *invocation) error {
	i.flags = flag.NewFlagSet("secret", flag.ContinueOnError)
	i.flags.SetOutput(i.stderr)
	i.flags.Usage = func() {
		fmt.Fprint(i.stderr, usage)
		i.flags.PrintDefaults()
	}
	if len(arguments) == 0 {
		i.flags.Usage()
		return usageError{"one of keygen, put, list and rm must follow"}
	}
	chosen, known := verbs[arguments[0]]
	if known {
		chosen.flags(i)
		arguments = arguments[1:]
	}
	if err := i.flags.Parse(arguments); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return usageError{err.Error()}
	}
	if !known {
		i.flags.Usage()
		return usageError{fmt.Sprintf("there is no %q; one of keygen, put, list and rm must follow", arguments[0])}
	}
	if i.flags.NArg() != chosen.operands {
		return usageError{fmt.Sprintf("%d arguments are wanted after the flags, there are %d; a value is read from standard input", chosen.operands, i.flags.NArg())}
	}
	return chosen.run(ctx, i)
}

func (i *invocation) flagOut() {
	i.flags.StringVar(&i.out, "out", "", "`file` for the identity, which must not be there yet; standard output without it")
}

func (i *invocation) flagFile() {
	i.flags.StringVar(&i.path, "file", defaultFile, "the sealed `file`")
}

func (i *invocation) flagsPut() {
	i.flagFile()
	i.flags.Func("recipient", "age `recipient` of a new file, as keygen prints it; can be repeated", func(text string) error {
		i.recipients = append(i.recipients, text)
		return secret.CheckRecipient(text)
	})
}

func (i *invocation) file() secret.SealedFile {
	return secret.SealedFile{Path: i.path, Recipients: i.recipients}
}

func (i *invocation) entry() (secret.Entry, error) {
	entry, err := secret.ParseEntry(i.flags.Arg(0))
	if err != nil {
		return secret.Entry{}, usageError{"the name of the secret " + err.Error()}
	}
	return entry, nil
}
