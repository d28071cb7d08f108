// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// architecture is that of every size: the vendor sells no other.
const architecture = "x86"

// machineOf turns a droplet into a machine; every optional object may be missing.
func machineOf(droplet *godo.Droplet) driver.Machine {
	marks, claims, labels := splitTags(droplet.Tags)
	machine := driver.Machine{
		ID:           strconv.Itoa(droplet.ID),
		Name:         droplet.Name,
		State:        stateOf(droplet.Status),
		OfferID:      droplet.SizeSlug,
		Addresses:    addressesOf(droplet.Networks),
		Marks:        marks,
		OtherClaims:  claims,
		Labels:       labels,
		VCPU:         droplet.Vcpus,
		MemoryGiB:    float64(droplet.Memory) / 1024,
		DiskGiB:      float64(droplet.Disk),
		Architecture: architecture,
	}
	machine.Options = optionsOf(droplet, machine.Addresses)
	// The vendor shows no lock while a droplet is being made; one that runs has its addresses a moment later.
	machine.Busy = machine.State == driver.StatePending || machine.State == driver.StateRunning && len(machine.Addresses) == 0
	if created, err := time.Parse(time.RFC3339, droplet.Created); err == nil {
		machine.CreatedAt = created
	}
	if droplet.Region != nil {
		machine.Region = droplet.Region.Slug
	}
	if image := droplet.Image; image != nil && image.ID != 0 {
		machine.Image = cmp.Or(image.Slug, image.Name)
		machine.ImageID = strconv.Itoa(image.ID)
	}
	return machine
}

// stateOf maps the vendor's words (DigitalOcean API document, droplet, status). An archived droplet keeps only its disk.
func stateOf(status string) driver.State {
	switch status {
	case "new":
		return driver.StatePending
	case "active":
		return driver.StateRunning
	case "off", "archive":
		return driver.StateStopped
	default:
		return driver.StateUnknown
	}
}

// addressesOf answers public IPv4, then public IPv6, then the private addresses, each in ascending order.
func addressesOf(networks *godo.Networks) []driver.Address {
	addresses := []driver.Address{}
	if networks == nil {
		return addresses
	}
	var v4, v6, private []netip.Addr
	for _, network := range networks.V4 {
		ip, err := netip.ParseAddr(network.IPAddress)
		switch {
		case err != nil:
		case network.Type == "public":
			v4 = append(v4, ip)
		default:
			private = append(private, ip)
		}
	}
	for _, network := range networks.V6 {
		if ip, err := netip.ParseAddr(network.IPAddress); err == nil {
			v6 = append(v6, ip)
		}
	}
	for _, group := range []struct {
		ips           []netip.Addr
		family, scope string
	}{{v4, "ipv4", "public"}, {v6, "ipv6", "public"}, {private, "ipv4", "private"}} {
		slices.SortFunc(group.ips, netip.Addr.Compare)
		for _, ip := range group.ips {
			addresses = append(addresses, driver.Address{Address: ip.String(), Family: group.family, Scope: group.scope})
		}
	}
	return addresses
}
