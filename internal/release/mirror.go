// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

// registries are the hosts that Terraform and OpenTofu complete a source address with.
var registries = []string{"registry.terraform.io", "registry.opentofu.org"}

// makeMirror puts this platform's archive where both CLIs look for it in a filesystem mirror: packed, as it would be
// downloaded. The binary goes beside it as folder/terraform-provider-bettercompute, for its emulator subcommand.
func makeMirror(dist, folder string) error {
	r, err := readRelease(dist)
	if err != nil {
		return err
	}
	platform := runtime.GOOS + "_" + runtime.GOARCH
	archive := filepath.Join(dist, r.file(platform+".zip"))
	packed, err := os.ReadFile(archive)
	if err != nil {
		return err
	}
	for _, registry := range registries {
		place := filepath.Join(folder, registry, "better-compute", "bettercompute")
		if err := os.MkdirAll(place, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(place, filepath.Base(archive)), packed, 0o644); err != nil {
			return err
		}
	}
	return unpack(archive, r.binary(platform), filepath.Join(folder, project))
}

// unpack writes one file of an archive as an executable.
func unpack(archive, name, to string) (err error) {
	reader, err := zip.OpenReader(archive)
	if err != nil {
		return err
	}
	defer reader.Close()
	from, err := reader.Open(name)
	if err != nil {
		return err
	}
	defer from.Close()
	target, err := os.OpenFile(to, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	_, err = io.Copy(target, from)
	return err
}
