// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"cmp"
	"net"
	"net/netip"
	"slices"
	"strconv"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// machineOf turns a server into a machine; every optional object may be missing.
func machineOf(server *hcloud.Server) driver.Machine {
	marks, labels := splitMarks(server.Labels)
	machine := driver.Machine{
		ID:        strconv.FormatInt(server.ID, 10),
		Name:      server.Name,
		State:     stateOf(server.Status),
		Addresses: addressesOf(server),
		Marks:     marks,
		Labels:    labels,
		DiskGiB:   float64(server.PrimaryDiskSize),
		CreatedAt: server.Created,
		Busy:      server.Locked,
		Options:   optionsOf(server),
	}
	if offer := server.ServerType; offer != nil {
		machine.OfferID = offer.Name
		machine.VCPU = offer.Cores
		machine.Architecture = string(offer.Architecture)
		machine.MemoryGiB = exact(offer.Memory)
		machine.DiskGiB = cmp.Or(machine.DiskGiB, float64(offer.Disk))
	}
	if server.Location != nil {
		machine.Region = server.Location.Name
	}
	if server.Image != nil && server.Image.ID != 0 {
		machine.Image = server.Image.Name
		machine.ImageID = strconv.FormatInt(server.Image.ID, 10)
	}
	return machine
}

// stateOf maps the vendor's words (Hetzner API document, GET /servers/{id}, status). The vendor does not say whether a
// running server runs its rescue system: rescue_enabled is about the next start.
func stateOf(status hcloud.ServerStatus) driver.State {
	switch status {
	case hcloud.ServerStatusInitializing, hcloud.ServerStatusStarting, hcloud.ServerStatusStopping,
		hcloud.ServerStatusMigrating, hcloud.ServerStatusRebuilding:
		return driver.StatePending
	case hcloud.ServerStatusRunning:
		return driver.StateRunning
	case hcloud.ServerStatusOff:
		return driver.StateStopped
	case hcloud.ServerStatusDeleting:
		return driver.StateDeleting
	default:
		return driver.StateUnknown
	}
}

// addressesOf answers IPv4, then IPv6, then the private addresses in ascending order.
func addressesOf(server *hcloud.Server) []driver.Address {
	addresses := []driver.Address{}
	if ip, ok := addressOf(server.PublicNet.IPv4.IP); ok {
		addresses = append(addresses, driver.Address{Address: ip.String(), Family: "ipv4", Scope: "public"})
	}
	if network := server.PublicNet.IPv6.Network; network != nil {
		if base, ok := addressOf(network.IP); ok {
			addresses = append(addresses, driver.Address{Address: base.Next().String(), Family: "ipv6", Scope: "public"})
		}
	}
	return append(addresses, privateAddresses(server.PrivateNet)...)
}

func privateAddresses(networks []hcloud.ServerPrivateNet) []driver.Address {
	var ips []netip.Addr
	for _, network := range networks {
		if ip, ok := addressOf(network.IP); ok {
			ips = append(ips, ip)
		}
	}
	slices.SortFunc(ips, netip.Addr.Compare)
	addresses := make([]driver.Address, len(ips))
	for i, ip := range ips {
		addresses[i] = driver.Address{Address: ip.String(), Family: familyOf(ip), Scope: "private"}
	}
	return addresses
}

func addressOf(ip net.IP) (netip.Addr, bool) {
	address, ok := netip.AddrFromSlice(ip)
	address = address.Unmap()
	return address, ok && !address.IsUnspecified()
}

func familyOf(ip netip.Addr) string {
	if ip.Is4() {
		return "ipv4"
	}
	return "ipv6"
}

// exact turns the vendor's number into the decimal that it wrote: the library keeps it as a float32.
func exact(number float32) float64 {
	value, err := strconv.ParseFloat(strconv.FormatFloat(float64(number), 'f', -1, 32), 64)
	if err != nil {
		return float64(number)
	}
	return value
}
