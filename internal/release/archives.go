// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const project = "terraform-provider-bettercompute"

// platforms are those that HashiCorp's scaffolding for providers publishes for, as registries name them.
var platforms = []string{
	"darwin_amd64", "darwin_arm64",
	"freebsd_386", "freebsd_amd64", "freebsd_arm", "freebsd_arm64",
	"linux_386", "linux_amd64", "linux_arm", "linux_arm64",
	"windows_386", "windows_amd64", "windows_arm64",
}

// release is what GoReleaser left in its folder.
type release struct {
	folder, version string
	// manifest is the path of the registry's manifest.
	manifest string
}

func readRelease(folder string) (release, error) {
	text, err := os.ReadFile(filepath.Join(folder, "metadata.json"))
	if err != nil {
		return release{}, err
	}
	var metadata struct {
		Version string `json:"version"`
	}
	if err := json.Unmarshal(text, &metadata); err != nil {
		return release{}, fmt.Errorf("metadata.json: %w", err)
	}
	return release{folder, metadata.Version, "terraform-registry-manifest.json"}, nil
}

// file is a name that begins as all of a release do.
func (r release) file(end string) string { return project + "_" + r.version + "_" + end }

// binary is the name inside the archive of a platform.
func (r release) binary(platform string) string {
	name := project + "_v" + r.version
	if strings.HasPrefix(platform, "windows_") {
		name += ".exe"
	}
	return name
}

// checkArchives answers one error with everything that a registry would not take.
func checkArchives(folder string, out io.Writer) error {
	r, err := readRelease(folder)
	if err != nil {
		return err
	}
	faults := []error{r.checkNames(), r.checkSums(), r.checkSignature(), r.checkManifest()}
	for _, platform := range platforms {
		faults = append(faults, r.checkArchive(platform))
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	fmt.Fprintf(out, "version %s: %d archives with their bills of materials, checksums, signature and manifest\n", r.version, len(platforms))
	return nil
}

// checkNames: the archives and the bills of materials are those of the platforms, and no others.
func (r release) checkNames() error {
	var wanted, found []string
	for _, platform := range platforms {
		wanted = append(wanted, r.file(platform+".zip"), r.file(platform+".cdx.json"))
	}
	for _, pattern := range []string{"*.zip", "*.cdx.json"} {
		matches, err := filepath.Glob(filepath.Join(r.folder, pattern))
		if err != nil {
			return err
		}
		for _, match := range matches {
			found = append(found, filepath.Base(match))
		}
	}
	slices.Sort(wanted)
	slices.Sort(found)
	if !slices.Equal(wanted, found) {
		return fmt.Errorf("there are\n  %s\nwanted are\n  %s", strings.Join(found, "\n  "), strings.Join(wanted, "\n  "))
	}
	return nil
}

// checkArchive: one executable, by the name that a CLI starts, and no file besides.
func (r release) checkArchive(platform string) error {
	archive, err := zip.OpenReader(filepath.Join(r.folder, r.file(platform+".zip")))
	if err != nil {
		return err
	}
	defer archive.Close()
	if len(archive.File) != 1 || archive.File[0].Name != r.binary(platform) {
		return fmt.Errorf("%s holds %d files, wanted is %s alone", r.file(platform+".zip"), len(archive.File), r.binary(platform))
	}
	if archive.File[0].Mode().Perm()&0o111 == 0 {
		return fmt.Errorf("%s in %s cannot be executed", r.binary(platform), r.file(platform+".zip"))
	}
	return nil
}

// checkSignature: a registry reads a binary signature only, whose first byte has its highest bit set (RFC 9580, 4.2).
func (r release) checkSignature() error {
	text, err := os.ReadFile(filepath.Join(r.folder, r.file("SHA256SUMS.sig")))
	if err != nil {
		return err
	}
	if len(text) == 0 || text[0]&0x80 == 0 {
		return fmt.Errorf("%s is no binary signature", r.file("SHA256SUMS.sig"))
	}
	return nil
}

// checkManifest: version 1 of the manifest, and the protocol that the provider speaks. GoReleaser publishes the root's file
// under the release's name and leaves no copy.
func (r release) checkManifest() error {
	text, err := os.ReadFile(r.manifest)
	if err != nil {
		return err
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		return fmt.Errorf("%s: %w", r.manifest, err)
	}
	if compact.String() != `{"version":1,"metadata":{"protocol_versions":["6.0"]}}` {
		return fmt.Errorf("%s says %s", r.manifest, compact.String())
	}
	return nil
}
