// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package failure

import (
	"errors"
	"regexp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

var (
	zonePattern   = regexp.MustCompile(`^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	tenantPattern = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,128}$`)
)

// CheckZones is the rule for the field dns_zones of a config: zones with the tenants that they belong to. Every fault is at
// its zone.
func CheckZones(value any) error {
	zones, _ := value.(map[string]string)
	var faults []error
	for zone, tenant := range zones {
		switch {
		case !zonePattern.MatchString(zone):
			faults = append(faults, manifest.At(zone, "must be a DNS zone in lower case without a dot at its end, such as example.com"))
		case !tenantPattern.MatchString(tenant):
			faults = append(faults, manifest.At(zone, "must be given a tenant: 1 to 128 letters, digits and the characters . _ : -"))
		}
	}
	return errors.Join(faults...)
}
