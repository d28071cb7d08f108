// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package nocloud

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kdomanski/iso9660"
)

var made = time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)

func seed(userData []byte) Seed {
	return Seed{InstanceID: "inst_1-1", HostName: "web", UserData: userData, MACs: []string{"BC:24:11:AA:BB:CC", "BC:24:11:AA:BB:DD"}}
}

// sizes end before, at and behind the end of a sector.
func sizes() map[string][]byte {
	text := []byte("#cloud-config\n")
	return map[string][]byte{
		"empty":                  nil,
		"short":                  text,
		"one sector":             bytes.Repeat([]byte("x"), sectorSize),
		"one sector and a byte":  bytes.Repeat([]byte("x"), sectorSize+1),
		"as much as is accepted": bytes.Repeat([]byte("0123456789abcdef"), 1<<16),
	}
}

// contents are the files as they must be read.
func contents(userData []byte) map[string]string {
	return map[string]string{
		"meta-data": "instance-id: \"inst_1-1\"\nlocal-hostname: \"web\"\n",
		"network-config": "version: 2\nethernets:\n" +
			"  nic0:\n    match:\n      macaddress: \"bc:24:11:aa:bb:cc\"\n    dhcp4: true\n" +
			"  nic1:\n    match:\n      macaddress: \"bc:24:11:aa:bb:dd\"\n    dhcp4: true\n",
		"user-data": string(userData),
	}
}

func TestImageIsReadByALibrary(t *testing.T) {
	for name, userData := range sizes() {
		t.Run(name, func(t *testing.T) {
			data, err := seed(userData).Image(made)
			if err != nil {
				t.Fatal(err)
			}
			image, err := readAll(data)
			if err != nil {
				t.Fatal(err)
			}
			for file, want := range contents(userData) {
				if got := image[file]; got != want {
					t.Errorf("%s has %d bytes, want %d: %.200q", file, len(got), len(want), got)
				}
			}
			if len(image) != 3 {
				t.Errorf("the volume holds %d files", len(image))
			}
		})
	}
}

// readAll answers all files of an image by name.
func readAll(data []byte) (map[string]string, error) {
	image, err := iso9660.OpenImage(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	root, err := image.RootDir()
	if err != nil {
		return nil, err
	}
	children, err := root.GetChildren()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, child := range children {
		content, err := io.ReadAll(child.Reader())
		if err != nil {
			return nil, err
		}
		files[child.Name()] = string(content)
	}
	return files, nil
}

func TestLabelIsWhatCloudInitLooksFor(t *testing.T) {
	data, err := seed(nil).Image(made)
	if err != nil {
		t.Fatal(err)
	}
	image, err := iso9660.OpenImage(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if label, err := image.Label(); err != nil || label != "cidata" {
		t.Errorf("the label is %q, %v", label, err)
	}
}

// isoinfo answers what Debian's isoinfo prints of an image.
func isoinfo(t *testing.T, data []byte, arguments ...string) string {
	t.Helper()
	program, err := exec.LookPath("isoinfo")
	if err != nil {
		if os.Getenv("CI_REQUIRE") == "1" {
			t.Fatal("isoinfo is not there: install Debian's package genisoimage")
		}
		t.Skip("needs isoinfo, from Debian's package genisoimage")
	}
	path := filepath.Join(t.TempDir(), "seed.iso")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, append([]string{"-i", path}, arguments...)...)
	var complaints bytes.Buffer
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil || complaints.Len() > 0 {
		t.Fatalf("isoinfo %s: %v\n%s", strings.Join(arguments, " "), err, complaints.String())
	}
	return string(out)
}

func TestImageIsReadByIsoinfo(t *testing.T) {
	for name, userData := range sizes() {
		t.Run(name, func(t *testing.T) {
			data, err := seed(userData).Image(made)
			if err != nil {
				t.Fatal(err)
			}
			for file, want := range contents(userData) {
				if got := isoinfo(t, data, "-R", "-x", "/"+file); got != want {
					t.Errorf("%s has %d bytes, want %d: %.200q", file, len(got), len(want), got)
				}
			}
			for _, want := range []string{"Volume id: cidata", "Rock Ridge signatures version 1 found", "Volume size is: "} {
				if header := isoinfo(t, data, "-d"); !strings.Contains(header, want) {
					t.Errorf("isoinfo does not say %q:\n%s", want, header)
				}
			}
			if listing := isoinfo(t, data, "-R", "-l"); !strings.Contains(listing, "Nov 30 2026") || !strings.Contains(listing, "-r--r--r--") {
				t.Errorf("isoinfo lists\n%s", listing)
			}
		})
	}
}

func TestWithoutNICsEveryNICAsksForAnAddress(t *testing.T) {
	got := string(Seed{}.NetworkConfig())
	if want := "version: 2\nethernets:\n  nics:\n    match:\n      name: \"e*\"\n    dhcp4: true\n"; got != want {
		t.Errorf("the network config is\n%s", got)
	}
}

func TestFileThatIsTooLarge(t *testing.T) {
	_, err := seed(make([]byte, mostBytes+1)).Image(made)
	if err == nil || !strings.Contains(err.Error(), "user-data") {
		t.Errorf("the error is %v", err)
	}
}
