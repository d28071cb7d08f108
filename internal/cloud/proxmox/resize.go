// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"fmt"
	"net/url"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// CheckResize refuses a smaller disk than the machine's. Where that is a template's and larger than the offer that the
// machine has, it is kept, as at the create, by every offer that asks for no less.
func (c *cloud) CheckResize(machine driver.Machine, offer driver.Offer) error {
	wanted, err := parseOffer(offer.ID)
	if err != nil {
		return wrongOffer(offer.ID, err)
	}
	if own, err := parseOffer(machine.OfferID); err == nil && own.diskGiB > 0 && wanted.diskGiB >= own.diskGiB {
		return nil
	}
	return failure.SmallerDisk(machine, offer)
}

func wrongOffer(id string, err error) error {
	return &failure.Input{Field: "offer_id", Message: fmt.Sprintf("%q %s", id, err)}
}

// Resize takes the next step of a machine that is off: grow the boot disk, then set CPUs and memory together with the line
// of the description that says which offer it is, so that a machine shows its new offer only when it has all of it.
func (c *cloud) Resize(ctx context.Context, machine driver.Machine, offer driver.Offer) ([]driver.Operation, error) {
	wanted, err := parseOffer(offer.ID)
	if err != nil {
		return nil, wrongOffer(offer.ID, err)
	}
	found, err := c.changeable(ctx, machine.ID)
	if err != nil {
		return nil, err
	}
	if err := checkOwner(found, machine.Marks); err != nil {
		return nil, err
	}
	own := found.record()
	if own.offer == offer.ID && c.offerOf(found, own) == offer.ID {
		return nil, nil
	}
	status, err := c.status(ctx, found)
	if err != nil {
		return nil, err
	}
	if status == statusRunning {
		return nil, &runningError{message: fmt.Sprintf("VM %s is running: it has to be off for another size", machine.ID)}
	}
	if float64(wanted.diskGiB) > found.config.sizeGiB(c.disk) {
		return c.grow(ctx, found, float64(wanted.diskGiB))
	}
	c.warnOfLargerDisk(found, wanted)
	own.offer = offer.ID
	change := change{set: url.Values{"description": {own.String()}}}
	change.size(found.config, wanted)
	return c.apply(ctx, found, change)
}

// warnOfLargerDisk says that a boot disk has more than its offer: disks are never shrunk.
func (c *cloud) warnOfLargerDisk(found vm, offer size) {
	actual := found.config.sizeGiB(c.disk)
	if offer.diskGiB == 0 || actual <= float64(offer.diskGiB) {
		return
	}
	c.memory.warn(found.id(), fmt.Sprintf("The boot disk of VM %d has %g GiB, as its template does: more than the %d GiB of offer %s. Disks are never shrunk.",
		found.vmid, actual, offer.diskGiB, offer))
}

// runningError says that a machine runs that has to be off.
type runningError struct{ message string }

func (e *runningError) Error() string { return e.message }
