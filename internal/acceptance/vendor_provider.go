// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// VendorProvider is a vendor's own Terraform provider, or the one that its users take. Its binary is the caller's.
type VendorProvider struct {
	// Vendor is the emulator's name; Namespace and Name are the provider's source address.
	Vendor, Namespace, Name string
	// environment leads the provider to an emulated vendor.
	environment func(*emulator.Vendor) map[string]string
}

// VendorProviders are one for each vendor.
var VendorProviders = []VendorProvider{
	{"hetzner", "hetznercloud", "hcloud", func(served *emulator.Vendor) map[string]string {
		return map[string]string{"HCLOUD_TOKEN": served.Token, "HCLOUD_ENDPOINT": served.Endpoint}
	}},
	{"digitalocean", "digitalocean", "digitalocean", func(served *emulator.Vendor) map[string]string {
		return map[string]string{"DIGITALOCEAN_TOKEN": served.Token, "DIGITALOCEAN_API_URL": strings.TrimSuffix(served.Endpoint, "/")}
	}},
	{"proxmox", "bpg", "proxmox", func(served *emulator.Vendor) map[string]string {
		return map[string]string{"PROXMOX_VE_API_TOKEN": served.Token, "PROXMOX_VE_ENDPOINT": served.Endpoint}
	}},
}

// Binary answers the path of the provider's binary that an environment variable names, such as CHAOS_HCLOUD; empty: none.
func (p VendorProvider) Binary(prefix string) string {
	return os.Getenv(prefix + "_" + strings.ToUpper(p.Name))
}

// Required is what names the provider in a configuration's required_providers.
func (p VendorProvider) Required() string {
	return fmt.Sprintf("    %s = {\n      source = \"%s/%s\"\n    }\n", p.Name, p.Namespace, p.Name)
}

// Needs is the block that a configuration asks for the provider with.
func (p VendorProvider) Needs() string {
	return "terraform {\n  required_providers {\n" + p.Required() + "  }\n}\n"
}

// Use lets the workspace's configuration have a vendor's own provider too, and leads it to the emulator.
func (w *Workspace) Use(provider VendorProvider, binary string) {
	w.Helper()
	const version = "99.0.0"
	theirs := w.TempDir()
	for _, registry := range []string{"registry.terraform.io", "registry.opentofu.org"} {
		folder := filepath.Join(theirs, registry, provider.Namespace, provider.Name, version, runtime.GOOS+"_"+runtime.GOARCH)
		if err := os.MkdirAll(folder, 0o700); err != nil {
			w.Fatal(err)
		}
		if err := os.Symlink(binary, filepath.Join(folder, "terraform-provider-"+provider.Name+"_v"+version)); err != nil {
			w.Fatal(err)
		}
	}
	w.Environment["TF_CLI_CONFIG_FILE"] = settings(w.T, mirror, theirs)
	for name, value := range provider.environment(w.cloud.Account()) {
		w.Environment[name] = value
	}
}
