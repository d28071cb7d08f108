// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Delete takes the next step of a removal: cut the power, since the vendor removes no machine that runs, then remove its
// user data and the machine. A template or a protected machine is refused before anything is done.
func (c *cloud) Delete(ctx context.Context, id string) ([]driver.Operation, error) {
	found, err := c.changeable(ctx, id)
	if err != nil {
		return nil, err
	}
	if found.config["protection"] == "1" {
		return nil, &protectedError{message: fmt.Sprintf("VM %s is protected against removal (protection mode)", id)}
	}
	return c.takeDown(ctx, found)
}

// protectedError says that a person has protected a machine.
type protectedError struct{ message string }

func (e *protectedError) Error() string { return e.message }

// changeable answers a machine that may be changed now.
func (c *cloud) changeable(ctx context.Context, id string) (vm, error) {
	vmid, err := parseVMID(id)
	if err != nil {
		return vm{}, err
	}
	found, err := c.look(ctx, vmid)
	switch {
	case err != nil:
		return vm{}, err
	case found.container:
		return vm{}, &conflictError{message: fmt.Sprintf("VMID %d is a container's now: nothing was changed", vmid)}
	case found.config.template():
		return vm{}, &failure.Input{Message: "VM " + id + " is a template: nothing was changed"}
	case found.locked():
		return vm{}, lockedBy(found)
	}
	return found, nil
}

// takeDown cuts the power of a machine that runs, else removes it.
func (c *cloud) takeDown(ctx context.Context, found vm) ([]driver.Operation, error) {
	status, err := c.status(ctx, found)
	if err != nil {
		return nil, err
	}
	if status == statusRunning {
		return c.stop(ctx, found)
	}
	return c.destroy(ctx, found)
}

// destroy removes a machine that does not run, and its user data.
func (c *cloud) destroy(ctx context.Context, found vm) ([]driver.Operation, error) {
	operations, err := c.removeUserData(ctx, found, found.record().key)
	if err != nil {
		return nil, err
	}
	var upid string
	err = c.client.delete(ctx, vmPath(found.node, found.vmid, ""), url.Values{"purge": {"1"}}, &upid)
	if answer, ok := errors.AsType[*answerError](err); ok && answer.started() {
		return nil, &busyError{message: answer.Error()}
	}
	return append(operations, operationsOf(upid, found.vmid)...), err
}

// Reinstall begins to put a machine up afresh: it is removed and cloned anew into its VMID, with its marks, labels, cards
// and at least its disk's size. One that an earlier try has cloned already from the same template, and that has never been
// started, is carried on as it is.
func (c *cloud) Reinstall(ctx context.Context, id string, spec driver.Spec) ([]driver.Operation, error) {
	found, err := c.changeable(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := checkOwner(found, spec.Marks); err != nil {
		return nil, err
	}
	if found.config["protection"] == "1" {
		return nil, &protectedError{message: fmt.Sprintf("VM %s is protected against removal (protection mode), which a reinstall includes", id)}
	}
	if _, err := c.template(ctx, spec.ImageID); err != nil {
		return nil, err
	}
	own := found.record()
	if own.unfinished && own.image == spec.ImageID {
		return nil, nil
	}
	labels, _ := splitTags(found.config["tags"])
	kept := &reinstall{record: own, labels: labels, kept: map[string]string{}, diskGiB: found.config.sizeGiB(c.disk)}
	for key, value := range spec.Labels {
		kept.labels[key] = value
	}
	for _, card := range found.config.nics() {
		name := "net" + strconv.Itoa(card.index)
		kept.kept[name] = found.config[name]
	}
	for _, name := range []string{"cpu", "onboot"} {
		if found.config[name] != "" {
			kept.kept[name] = found.config[name]
		}
	}
	c.memory.setReinstall(found.vmid, kept)
	return c.replace(ctx, spec, found, kept)
}

// replace cuts the power of a machine that is put up afresh, or removes it and clones it anew at once: an interrupt does
// not come in between, so that only the death of this process leaves the VMID empty.
func (c *cloud) replace(ctx context.Context, spec driver.Spec, found vm, again *reinstall) ([]driver.Operation, error) {
	status, err := c.status(ctx, found)
	if err != nil {
		return nil, err
	}
	if status == statusRunning {
		return c.stop(ctx, found)
	}
	if c.memory.underWay(c.taskTimeout) >= c.cloneLimit {
		return nil, c.allPlacesTaken()
	}
	operations, err := c.destroy(ctx, found)
	if err != nil {
		return nil, err
	}
	ctx = driver.Complete(ctx)
	for _, operation := range operations {
		if err := c.await(ctx, operation); err != nil {
			return nil, err
		}
	}
	if free, err := c.isFree(ctx, found.vmid); err != nil || !free {
		return nil, cmp.Or(err, error(&busyError{message: fmt.Sprintf("VM %d is still there: somebody has started it", found.vmid)}))
	}
	created, err := c.cloneAgain(ctx, spec, found.vmid, again)
	return created.Operations, err
}

// cloneAgain begins the clone of a machine whose old self is gone.
func (c *cloud) cloneAgain(ctx context.Context, spec driver.Spec, vmid int, again *reinstall) (driver.Created, error) {
	template, err := c.template(ctx, spec.ImageID)
	if err != nil {
		return driver.Created{}, err
	}
	own := record{image: spec.ImageID, offer: spec.OfferID, created: again.record.created, unfinished: true}.withMarks(spec.Marks)
	if own.created.IsZero() {
		own.created = time.Now()
	}
	operation, err := c.clone(ctx, template, vmid, spec, own)
	if taken, ok := errors.AsType[*placeTakenError](err); ok {
		return driver.Created{}, &conflictError{message: "the VMID was taken by another machine while this one was put up afresh: " + taken.message}
	}
	if err != nil {
		return driver.Created{}, err
	}
	again.cloned = true
	return driver.Created{Operations: []driver.Operation{operation}}, nil
}
