// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Resume takes the next step of a machine that is being made, by what its config shows: grow the boot disk, upload the user
// data, and last configure it, which takes the line "unfinished" off and puts our tag on. It never starts it. Of a machine
// that is being put up afresh it takes the old one down and clones anew first.
func (c *cloud) Resume(ctx context.Context, spec driver.Spec, machine driver.Machine) (driver.Created, error) {
	vmid, err := parseVMID(machine.ID)
	if err != nil {
		return driver.Created{}, err
	}
	again := c.memory.reinstalling(vmid)
	found, err := c.look(ctx, vmid)
	if _, gone := errors.AsType[*missingError](err); gone && again != nil {
		return c.cloneAgain(ctx, spec, vmid, again)
	}
	if err != nil {
		return driver.Created{}, err
	}
	if found.locked() {
		return driver.Created{}, lockedBy(found)
	}
	if err := checkOwner(found, spec.Marks); err != nil {
		return driver.Created{}, err
	}
	if again != nil && !again.cloned {
		operations, err := c.replace(ctx, spec, found, again)
		return driver.Created{Machine: machine, Operations: operations}, err
	}
	if !found.record().unfinished {
		return driver.Created{Machine: machine}, nil
	}
	operations, err := c.finish(ctx, spec, found, again)
	return driver.Created{Machine: machine, Operations: operations}, err
}

// checkOwner refuses a machine that is not the one that marks name.
func checkOwner(found vm, marks driver.Marks) error {
	own := found.record()
	if found.container || own.key != marks.Key || marks.Claim != "" && own.claim != marks.Claim {
		return &conflictError{message: fmt.Sprintf("VM %d on node %s shows another owner now: nothing was changed", found.vmid, found.node)}
	}
	return nil
}

// finish takes one step of the configuration of a fresh clone.
func (c *cloud) finish(ctx context.Context, spec driver.Spec, found vm, again *reinstall) ([]driver.Operation, error) {
	offer, err := parseOffer(spec.OfferID)
	if err != nil {
		return nil, wrongOffer(spec.OfferID, err)
	}
	if found.config[c.disk] == "" {
		return nil, &failure.Input{Field: "image", Message: fmt.Sprintf("the template %s has no drive %s, which the account says is the boot disk; correct the account's disk", spec.ImageID, c.disk)}
	}
	wanted := float64(offer.diskGiB)
	if again != nil {
		wanted = max(wanted, again.diskGiB)
	}
	actual := found.config.sizeGiB(c.disk)
	if wanted > actual {
		return c.grow(ctx, found, wanted)
	}
	if actual > wanted {
		c.warnOfLargerDisk(found, offer)
	}
	seed, operations, err := c.provideUserData(ctx, spec, found)
	if err != nil || len(operations) > 0 {
		return operations, err
	}
	return c.configure(ctx, spec, found, offer, seed, again)
}

// grow asks for the boot disk's size. The vendor takes no smaller one; the same one again does no harm.
func (c *cloud) grow(ctx context.Context, found vm, gib float64) ([]driver.Operation, error) {
	form := url.Values{
		"disk": {c.disk}, "size": {strconv.Itoa(int(math.Ceil(gib*1024))) + "M"}, "digest": {found.config["digest"]},
	}
	var upid string
	err := c.client.put(ctx, vmPath(found.node, found.vmid, "/resize"), form, &upid)
	return operationsOf(upid, found.vmid), err
}
