// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// newZones serves the reads of the account's DNS zones; nil where the vendor has no certificates.
func newZones(account *Account) *lists[string] {
	vendor, ok := account.driver.(driver.Certificates)
	if !ok {
		return nil
	}
	return newLists(vendor.Zones, func(zone string) string { return zone }, strings.Compare)
}

// CheckDomains answers INVALID_INPUT with reason domainNotOwned, one error a domain, for domains that are not in a zone of
// the tenant which the account hosts: a vendor issues certificates for any domain that the account hosts, also another
// tenant's. Without domains nothing is asked.
func (a *Account) CheckDomains(ctx context.Context, tenant string, domains []string) error {
	if len(domains) == 0 {
		return nil
	}
	const action = "read the DNS zones"
	if _, err := a.vendorCertificates(action); err != nil {
		return err
	}
	current, err := a.zones.list(ctx, a.lookupFrom())
	if err != nil {
		return a.explain(ctx, err, action, "")
	}
	hosted := slices.Sorted(maps.Values(current.byID))
	var faults []error
	for _, domain := range domainSet(domains) {
		if why := a.notOwned(domain, tenant, hosted); why != "" {
			fault := a.fault(driver.InvalidInput, "domains", "use domain "+domain, fmt.Sprintf("%s (%s).", strings.TrimSuffix(why, "."), driver.ReasonDomainNotOwned),
				"Name domains of your own zones. Which tenant a zone belongs to is said by the account's dns_zones.")
			fault.Reason = driver.ReasonDomainNotOwned
			faults = append(faults, fault)
		}
	}
	return errors.Join(faults...)
}

// PreflightDomains is CheckDomains for a plan: a vendor that cannot be asked is one warning, and the create asks again.
func (a *Account) PreflightDomains(ctx context.Context, tenant string, domains []string) []Finding {
	return a.report(appendFinding(nil, a.CheckDomains(ctx, tenant, domains)))
}

// notOwned says why a domain may not be used; empty: it may.
func (a *Account) notOwned(domain, tenant string, hosted []string) string {
	zones := map[string]string{}
	for _, zone := range hosted {
		zones[zone] = ""
		if len(a.settings.Zones) == 0 {
			zones[zone] = a.settings.Reference.TenantID
		}
	}
	for zone, owner := range a.settings.Zones {
		zones[strings.ToLower(strings.TrimSuffix(zone, "."))] = owner
	}
	zone := longestZone(domain, slices.Collect(maps.Keys(zones)))
	switch owner := zones[zone]; {
	case zone == "":
		return fmt.Sprintf("%s is in none of the DNS zones that the account hosts (%s).", domain, listOrNone(hosted))
	case owner == "":
		return fmt.Sprintf("%s is in zone %s, which the account's dns_zones give to no tenant.", domain, zone)
	case owner != tenant:
		return fmt.Sprintf("%s is in zone %s, which belongs to another tenant than %s.", domain, zone, tenant)
	case !slices.Contains(hosted, zone):
		return fmt.Sprintf("%s is in zone %s, which the account does not host (it hosts: %s).", domain, zone, listOrNone(hosted))
	}
	return ""
}

// longestZone answers the longest zone that a domain is in, by whole labels. What a wildcard stands for is one label below
// its zone.
func longestZone(domain string, zones []string) string {
	domain = strings.TrimPrefix(domain, "*.")
	longest := ""
	for _, zone := range zones {
		if (domain == zone || strings.HasSuffix(domain, "."+zone)) && len(zone) > len(longest) {
			longest = zone
		}
	}
	return longest
}

func listOrNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
