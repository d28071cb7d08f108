// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"math"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// machine turns a config and a live status into a machine. Addresses are nil while the guest does not tell them.
func (c *cloud) machine(found vm, status string, addresses []driver.Address) driver.Machine {
	if found.container {
		return driver.Machine{
			ID: found.id(), Name: fmt.Sprintf("container %d", found.vmid), State: driver.StateUnknown, Region: c.region, UUID: "container",
		}
	}
	own := found.record()
	labels, managed := splitTags(found.config["tags"])
	return driver.Machine{
		ID:        found.id(),
		Name:      found.config["name"],
		State:     stateOf(status, found.config["lock"]),
		OfferID:   c.offerOf(found, own),
		Image:     own.image,
		ImageID:   own.image,
		Region:    c.region,
		Addresses: addresses,
		Marks:     own.marks(managed),
		Labels:    labels,
		VCPU:      found.config.vcpu(),
		MemoryGiB: rounded(float64(found.config.memoryMiB()) / 1024),
		DiskGiB:   rounded(found.config.sizeGiB(c.disk)),
		CreatedAt: own.created,
		UUID:      found.config.uuid(),
		Busy:      found.locked(),
		Options:   optionsOf(found),
	}
}

// rounded cuts what is less than a MiB off a number of GiB.
func rounded(gib float64) float64 { return math.Round(gib*1024) / 1024 }

// stateOf maps the vendor's words (qemu-server, vmstatus). While a machine is cloned or destroyed its lock says so.
func stateOf(status, lock string) driver.State {
	switch {
	case lock == "clone" || lock == "create":
		return driver.StatePending
	case lock == "destroyed":
		return driver.StateDeleting
	case status == "running":
		return driver.StateRunning
	case status == "stopped":
		return driver.StateStopped
	}
	return driver.StateUnknown
}

// offerOf answers the offer that a machine was made by, for as long as it has its size; else the account's offer of its
// size, or what such an offer would be called.
func (c *cloud) offerOf(found vm, own record) string {
	actual := size{vcpu: found.config.vcpu(), memoryMiB: found.config.memoryMiB()}
	recorded, err := parseOffer(own.offer)
	if err == nil && (own.unfinished || found.unreadable() || recorded.vcpu == actual.vcpu && recorded.memoryMiB == actual.memoryMiB) {
		return own.offer
	}
	if found.unreadable() {
		return ""
	}
	for _, offer := range c.offers {
		if offer.vcpu == actual.vcpu && offer.memoryMiB == actual.memoryMiB {
			return offer.String()
		}
	}
	return actual.String()
}
