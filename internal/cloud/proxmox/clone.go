// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Create begins a clone of the template into the first VMID of the key that is free. The clone carries name and marks; all
// else comes with Resume.
func (c *cloud) Create(ctx context.Context, spec driver.Spec) (driver.Created, error) {
	if _, err := parseOffer(spec.OfferID); err != nil {
		return driver.Created{}, wrongOffer(spec.OfferID, err)
	}
	if c.memory.underWay(c.taskTimeout) >= c.cloneLimit {
		return driver.Created{}, c.allPlacesTaken()
	}
	template, err := c.template(ctx, spec.ImageID)
	if err != nil {
		return driver.Created{}, err
	}
	vmid, err := c.freeSlot(ctx, spec.Marks.Key)
	if err != nil {
		return driver.Created{}, err
	}
	own := record{image: spec.ImageID, offer: spec.OfferID, created: time.Now(), unfinished: true}.withMarks(spec.Marks)
	operation, err := c.clone(ctx, template, vmid, spec.Name, own)
	if err != nil {
		return driver.Created{}, err
	}
	return driver.Created{
		Machine: driver.Machine{
			ID: strconv.Itoa(vmid), Name: spec.Name, State: driver.StatePending, OfferID: spec.OfferID, Image: spec.ImageID, ImageID: spec.ImageID,
			Region: c.region, Marks: spec.Marks, CreatedAt: own.created.Truncate(time.Second), Busy: true,
		},
		Operations: []driver.Operation{operation},
		Proof:      operation.ID,
	}, nil
}

// freeSlot answers the first VMID of the key that nothing has. One that shows our key already, or is taken meanwhile, is a
// placeTakenError; one whose owner does not show yet makes the question busy.
func (c *cloud) freeSlot(ctx context.Context, key string) (int, error) {
	places := slots(key, c.vmidMin, c.vmidMax)
	for _, vmid := range places {
		if c.memory.others(vmid, key) {
			continue
		}
		free, err := c.isFree(ctx, vmid)
		if err != nil || free {
			return vmid, err
		}
		holder, err := c.look(ctx, vmid)
		if _, gone := errors.AsType[*missingError](err); gone {
			return vmid, nil
		}
		switch {
		case err != nil:
			return 0, err
		case holder.container:
		case holder.unreadable():
			return 0, lockedBy(holder)
		case holder.record().key == key:
			return 0, &placeTakenError{message: fmt.Sprintf("VM %d bears the key already", vmid)}
		}
	}
	return 0, &fullError{message: fmt.Sprintf("all %d VMIDs that a machine with this key may have, from %d on inside %d to %d, are in use by others; widen vmid_min and vmid_max of the account",
		len(places), places[0], c.vmidMin, c.vmidMax)}
}

// clone sends the request, one of clone_limit at a time. During a clone to another node the machine is on the template's.
func (c *cloud) clone(ctx context.Context, template row, vmid int, name string, own record) (driver.Operation, error) {
	if !c.memory.reserve(vmid, own.key, c.cloneLimit, c.taskTimeout) {
		return driver.Operation{}, c.allPlacesTaken()
	}
	form := url.Values{
		"newid": {strconv.Itoa(vmid)}, "name": {name}, "description": {own.String()}, "full": {flag(c.fullClone)},
	}
	for parameter, value := range map[string]string{"pool": c.pool, "storage": c.storage} {
		if value != "" {
			form.Set(parameter, value)
		}
	}
	if c.node != "" && c.node != template.Node {
		form.Set("target", c.node)
	}
	var upid string
	err := c.client.post(ctx, vmPath(template.Node, template.VMID.int(), "/clone"), form, &upid)
	if err != nil {
		if !c.mayHaveBegun(err) {
			c.memory.release(vmid)
		}
		return driver.Operation{}, c.cloneRefused(err, vmid)
	}
	c.memory.cloning(vmid, upid)
	c.memory.setNode(vmid, template.Node)
	c.memory.setName(vmid, name)
	return operationOf(upid, vmid), nil
}

func (c *cloud) allPlacesTaken() error {
	return &busyError{message: fmt.Sprintf("%d clones are under way, as many as the account's clone_limit allows", c.cloneLimit)}
}

// mayHaveBegun says whether a clone may be under way though its request failed: then it keeps its place.
func (c *cloud) mayHaveBegun(err error) bool { return c.Describe(err).Outcome == driver.Unknown }

// cloneRefused tells a VMID that was taken in between from other refusals.
func (c *cloud) cloneRefused(err error, vmid int) error {
	answer, ok := errors.AsType[*answerError](err)
	if !ok {
		return err
	}
	answer.vmid = vmid
	if answer.collided() {
		return &placeTakenError{message: answer.Error()}
	}
	return err
}

func flag(value bool) string {
	if value {
		return "1"
	}
	return "0"
}

// placeTakenError says that a VMID has gone to another machine: nothing was made.
type placeTakenError struct{ message string }

func (e *placeTakenError) Error() string { return e.message }

// fullError says that no VMID is left.
type fullError struct{ message string }

func (e *fullError) Error() string { return e.message }

// conflictError says that a machine is not what the request is about.
type conflictError struct{ message string }

func (e *conflictError) Error() string { return e.message }
