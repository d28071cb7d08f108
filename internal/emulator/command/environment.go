// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command

import (
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// environment is what our examples and the vendors' own tools read: HCLOUD_TOKEN and HCLOUD_ENDPOINT (hcloud and
// terraform-provider-hcloud), PROXMOX_VE_ENDPOINT and PROXMOX_VE_API_TOKEN (bpg's terraform-provider-proxmox), PROXMOX_TOKEN
// and the variables of our examples, and where control is.
func environment(served *emulator.Emulator) []string {
	return []string{
		"HCLOUD_TOKEN=" + served.Hetzner.Token,
		"HCLOUD_ENDPOINT=" + served.Hetzner.Endpoint,
		"TF_VAR_hetzner_endpoint=" + served.Hetzner.Endpoint,
		"DIGITALOCEAN_TOKEN=" + served.DigitalOcean.Token,
		"DIGITALOCEAN_ACCESS_TOKEN=" + served.DigitalOcean.Token,
		"DIGITALOCEAN_API_URL=" + served.DigitalOcean.Endpoint,
		"TF_VAR_digitalocean_endpoint=" + served.DigitalOcean.Endpoint,
		"PROXMOX_VE_ENDPOINT=" + served.Proxmox.Endpoint,
		"PROXMOX_VE_API_TOKEN=" + served.Proxmox.Token,
		"PROXMOX_TOKEN=" + served.Proxmox.Token,
		"TF_VAR_proxmox_url=" + served.Proxmox.Endpoint,
		"TF_VAR_proxmox_ca_certificate=" + served.Proxmox.CACertificate,
		"TF_VAR_proxmox_tls_fingerprint=" + served.Proxmox.TLSFingerprint,
		"BETTERCOMPUTE_EMULATOR_CONTROL=" + served.Control,
	}
}

// export is a variable as a shell reads it.
func export(variable string) string {
	name, value, _ := strings.Cut(variable, "=")
	return "export " + name + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
