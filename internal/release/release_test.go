// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// published makes a folder as GoReleaser leaves it, version 1.2.3, and works in it as in the root.
func published(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	t.Chdir(folder)
	write(t, "terraform-registry-manifest.json", `{"version": 1, "metadata": {"protocol_versions": ["6.0"]}}`)
	write(t, "dist/metadata.json", `{"project_name":"terraform-provider-bettercompute","version":"1.2.3"}`)
	for _, platform := range platforms {
		name := "terraform-provider-bettercompute_v1.2.3"
		if strings.HasPrefix(platform, "windows") {
			name += ".exe"
		}
		pack(t, platform, name, 0o755)
		write(t, "dist/terraform-provider-bettercompute_1.2.3_"+platform+".cdx.json", `{}`)
	}
	write(t, "dist/terraform-provider-bettercompute_1.2.3_SHA256SUMS.sig", "\x89\x01")
	sum(t)
	return "dist"
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// pack makes the archive of a platform, with one file in it.
func pack(t *testing.T, platform, name string, mode os.FileMode) {
	t.Helper()
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	header := &zip.FileHeader{Name: name}
	header.SetMode(mode)
	file, err := archive.CreateHeader(header)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write([]byte("the binary for " + platform)); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	write(t, "dist/terraform-provider-bettercompute_1.2.3_"+platform+".zip", packed.String())
}

// sum lists the archives and the manifest as they are now.
func sum(t *testing.T) {
	t.Helper()
	var lines strings.Builder
	files := map[string]string{"terraform-provider-bettercompute_1.2.3_manifest.json": "terraform-registry-manifest.json"}
	for _, platform := range platforms {
		name := "terraform-provider-bettercompute_1.2.3_" + platform + ".zip"
		files[name] = filepath.Join("dist", name)
	}
	for name, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&lines, "%x  %s\n", sha256.Sum256(text), name)
	}
	write(t, "dist/terraform-provider-bettercompute_1.2.3_SHA256SUMS", lines.String())
}

func TestARegistryTakesTheRelease(t *testing.T) {
	dist := published(t)
	var out bytes.Buffer
	if err := run([]string{"archives", dist}, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "version 1.2.3: 13 archives") {
		t.Errorf("printed %q", out.String())
	}
}

func TestARegistryWouldNotTakeIt(t *testing.T) {
	const archive = "dist/terraform-provider-bettercompute_1.2.3_linux_arm64.zip"
	for name, test := range map[string]struct {
		spoil func(t *testing.T)
		says  string
	}{
		"an archive is missing": {func(t *testing.T) { t.Helper(); remove(t, archive) }, "linux_arm64.zip"},
		"a platform too many": {
			func(t *testing.T) {
				t.Helper()
				pack(t, "plan9_amd64", "terraform-provider-bettercompute_v1.2.3", 0o755)
			}, "plan9_amd64.zip",
		},
		"a binary by another name": {func(t *testing.T) {
			t.Helper()
			pack(t, "linux_arm64", "terraform-provider-bettercompute", 0o755)
			sum(t)
		}, "terraform-provider-bettercompute_v1.2.3 alone"},
		"a binary that cannot be started": {func(t *testing.T) {
			t.Helper()
			pack(t, "linux_arm64", "terraform-provider-bettercompute_v1.2.3", 0o644)
			sum(t)
		}, "cannot be executed"},
		"another archive than was summed": {
			func(t *testing.T) {
				t.Helper()
				pack(t, "linux_arm64", "terraform-provider-bettercompute_v1.2.3", 0o700)
			}, "the SHA-256 of",
		},
		"an archive that is not listed": {func(t *testing.T) {
			t.Helper()
			write(t, "dist/terraform-provider-bettercompute_1.2.3_SHA256SUMS", "")
		}, "does not list terraform-provider-bettercompute_1.2.3_linux_arm64.zip"},
		"an armored signature": {func(t *testing.T) {
			t.Helper()
			write(t, "dist/terraform-provider-bettercompute_1.2.3_SHA256SUMS.sig", "-----BEGIN PGP SIGNATURE-----")
		}, "no binary signature"},
		"another protocol": {func(t *testing.T) {
			t.Helper()
			write(t, "terraform-registry-manifest.json", `{"version":1,"metadata":{"protocol_versions":["5.0"]}}`)
			sum(t)
		}, `["5.0"]`},
		"no bill of materials": {
			func(t *testing.T) {
				t.Helper()
				remove(t, "dist/terraform-provider-bettercompute_1.2.3_windows_386.cdx.json")
			}, "windows_386.cdx.json",
		},
	} {
		t.Run(name, func(t *testing.T) {
			dist := published(t)
			test.spoil(t)
			err := run([]string{"archives", dist}, t.Output())
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, wanted one that says %s", err, test.says)
			}
		})
	}
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

// TestAMirror has the archive as it was published, for both CLIs, and the binary that is in it.
func TestAMirror(t *testing.T) {
	dist := published(t)
	if err := run([]string{"mirror", dist, "mirror"}, t.Output()); err != nil {
		t.Fatal(err)
	}
	archive := "terraform-provider-bettercompute_1.2.3_" + runtime.GOOS + "_" + runtime.GOARCH + ".zip"
	wanted, err := os.ReadFile(filepath.Join("dist", archive))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		found, err := os.ReadFile(filepath.Join("mirror", host, "better-compute", "bettercompute", archive))
		if err != nil || !bytes.Equal(found, wanted) {
			t.Errorf("%s: %v, %d bytes", host, err, len(found))
		}
	}
	binary, err := os.ReadFile("mirror/terraform-provider-bettercompute")
	if err != nil || string(binary) != "the binary for "+runtime.GOOS+"_"+runtime.GOARCH {
		t.Errorf("unpacked %q, %v", binary, err)
	}
}

func TestLicences(t *testing.T) {
	const module = `{"name":%q,"version":"v1.0.0",%s}`
	evidence := func(id string) string { return `"evidence":{"licenses":[{"license":{"id":"` + id + `"}}]}` }
	for name, test := range map[string]struct {
		modules []string
		says    string
	}{
		"all allowed":           {[]string{fmt.Sprintf(module, "a", evidence("MIT")), fmt.Sprintf(module, "b", evidence("MPL-2.0"))}, ""},
		"asserted, not found":   {[]string{fmt.Sprintf(module, "a", `"licenses":[{"license":{"id":"ISC"}}]`)}, ""},
		"not allowed":           {[]string{fmt.Sprintf(module, "a", evidence("AGPL-3.0-only"))}, "a@v1.0.0: AGPL-3.0-only is not on the list"},
		"by a name without id":  {[]string{fmt.Sprintf(module, "a", `"licenses":[{"license":{"name":"Ours"}}]`)}, "Ours is not on the list"},
		"no licence found":      {[]string{fmt.Sprintf(module, "a", `"type":"library"`)}, "a@v1.0.0: no licence was found"},
		"nothing was looked at": {nil, "names no module"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "bom.json")
			write(t, file, `{"components":[`+strings.Join(test.modules, ",")+`]}`)
			err := run([]string{"licences", file}, t.Output())
			if test.says == "" && err != nil {
				t.Error(err)
			}
			if test.says != "" && (err == nil || !strings.Contains(err.Error(), test.says)) {
				t.Errorf("error %v, wanted one that says %s", err, test.says)
			}
		})
	}
}

func TestUsage(t *testing.T) {
	if err := run([]string{"publish"}, t.Output()); err == nil || !strings.HasPrefix(err.Error(), "usage:") {
		t.Errorf("error %v", err)
	}
}
