// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package command

import (
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// environment is what our examples and the vendors' own tools read: HCLOUD_TOKEN and HCLOUD_ENDPOINT (hcloud and
// terraform-provider-hcloud), the variable of our examples, and where control is.
func environment(served *emulator.Emulator) []string {
	return []string{
		"HCLOUD_TOKEN=" + served.Hetzner.Token,
		"HCLOUD_ENDPOINT=" + served.Hetzner.Endpoint,
		"TF_VAR_hetzner_endpoint=" + served.Hetzner.Endpoint,
		"DIGITALOCEAN_TOKEN=" + served.DigitalOcean.Token,
		"DIGITALOCEAN_ACCESS_TOKEN=" + served.DigitalOcean.Token,
		"DIGITALOCEAN_API_URL=" + served.DigitalOcean.Endpoint,
		"TF_VAR_digitalocean_endpoint=" + served.DigitalOcean.Endpoint,
		"BETTERCOMPUTE_EMULATOR_CONTROL=" + served.Control,
	}
}

// export is a variable as a shell reads it.
func export(variable string) string {
	name, value, _ := strings.Cut(variable, "=")
	return "export " + name + "='" + strings.ReplaceAll(value, "'", `'\''`) + "'"
}
