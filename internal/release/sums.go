// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// checkSums: the list holds the manifest and each archive, and what it says of each file is true.
func (r release) checkSums() error {
	listed, err := r.sums()
	if err != nil {
		return err
	}
	wanted := []string{r.file("manifest.json")}
	for _, platform := range platforms {
		wanted = append(wanted, r.file(platform+".zip"))
	}
	var faults []error
	for _, name := range wanted {
		if listed[name] == "" {
			faults = append(faults, fmt.Errorf("%s does not list %s", r.file("SHA256SUMS"), name))
		}
	}
	for name, sum := range listed {
		faults = append(faults, r.checkSum(name, sum))
	}
	return errors.Join(faults...)
}

func (r release) checkSum(name, sum string) error {
	path := filepath.Join(r.folder, name)
	if name == r.file("manifest.json") {
		path = r.manifest
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if own := sha256.Sum256(text); hex.EncodeToString(own[:]) != sum {
		return fmt.Errorf("the SHA-256 of %s is %x, listed is %s", name, own, sum)
	}
	return nil
}

// sums are the listed sums by the names of the files.
func (r release) sums() (map[string]string, error) {
	text, err := os.ReadFile(filepath.Join(r.folder, r.file("SHA256SUMS")))
	if err != nil {
		return nil, err
	}
	listed := map[string]string{}
	for line := range strings.Lines(string(text)) {
		sum, name, found := strings.Cut(strings.TrimSpace(line), "  ")
		if !found {
			return nil, fmt.Errorf("%s: a line is not a sum and a name: %q", r.file("SHA256SUMS"), line)
		}
		listed[name] = sum
	}
	return listed, nil
}
