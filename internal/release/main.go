// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Command release looks at what a release is made of: the licences of what is in the binaries, and the files that a
// registry takes. It is run by make licences and make release-check, and needs no network.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

const usage = `usage:
  release licences BOM...       fails for a module whose licence is not on the list
  release archives DIST         fails where the files are not what a registry takes
  release mirror DIST FOLDER    makes FOLDER a filesystem mirror with this platform's archive, and unpacks its binary there`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(arguments []string, out io.Writer) error {
	switch {
	case len(arguments) > 1 && arguments[0] == "licences":
		return checkLicences(arguments[1:], out)
	case len(arguments) == 2 && arguments[0] == "archives":
		return checkArchives(arguments[1], out)
	case len(arguments) == 3 && arguments[0] == "mirror":
		return makeMirror(arguments[1], arguments[2])
	}
	return errors.New(usage)
}
