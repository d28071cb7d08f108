// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// The vendor's words for actions and their ends (DigitalOcean API document, actions). The library has no errored.
const (
	actionCreate  = "create"
	statusErrored = "errored"
)

func operationsOf(machineID string, action *godo.Action) []driver.Operation {
	if action == nil || action.ID == 0 {
		return nil
	}
	return []driver.Operation{{ID: strconv.Itoa(action.ID), Name: action.Type, MachineID: machineID}}
}

// PowerActions are those that the vendor has.
func (c *cloud) PowerActions() []driver.PowerAction {
	return []driver.PowerAction{
		driver.PowerOn, driver.PowerOff, driver.GracefulOff, driver.Reset, driver.GracefulRestart, driver.Cycle,
	}
}

// Power starts an action on a droplet. What is on or off already is what was wanted.
func (c *cloud) Power(ctx context.Context, id string, action driver.PowerAction) ([]driver.Operation, error) {
	number, err := parseID(id)
	if err != nil {
		return nil, err
	}
	send := map[driver.PowerAction]func(context.Context, int) (*godo.Action, *godo.Response, error){
		driver.PowerOn:         c.client.DropletActions.PowerOn,
		driver.PowerOff:        c.client.DropletActions.PowerOff,
		driver.GracefulOff:     c.client.DropletActions.Shutdown,
		driver.Reset:           c.client.DropletActions.PowerCycle,
		driver.GracefulRestart: c.client.DropletActions.Reboot,
		driver.Cycle:           c.client.DropletActions.PowerCycle,
	}[action]
	if send == nil {
		return nil, &failure.Unsupported{Message: "DigitalOcean has no power action " + string(action)}
	}
	started, _, err := send(ctx, number)
	if err = c.failed(err); alreadyPowered(err) {
		return nil, nil
	}
	return operationsOf(id, started), err
}

// alreadyPowered tells "Droplet is already powered off" and the like from other refusals.
func alreadyPowered(err error) bool {
	answer, ok := errors.AsType[*requestError](err)
	return ok && answer.status == http.StatusUnprocessableEntity && strings.Contains(answer.message, "already powered")
}

// Resume answers the actions of the droplet that still run: a create of this vendor is one request.
func (c *cloud) Resume(ctx context.Context, _ driver.Spec, machine driver.Machine) (driver.Created, error) {
	id, err := parseID(machine.ID)
	if err != nil {
		return driver.Created{}, err
	}
	actions, _, err := c.client.Droplets.Actions(ctx, id, &godo.ListOptions{PerPage: pageSize})
	if err != nil {
		return driver.Created{}, c.failed(err)
	}
	created := driver.Created{Machine: machine, Proof: c.proof(ctx)}
	for i := range actions {
		if actions[i].Status == godo.ActionInProgress {
			created.Operations = append(created.Operations, operationsOf(machine.ID, &actions[i])...)
		}
	}
	return created, nil
}

// Poll reads the team's latest actions, which are one page, and those that are not among them by their ids. Creates that
// go on are looked for in the list of droplets too, at every other poll: one that the vendor gives up disappears.
func (c *cloud) Poll(ctx context.Context, operations []driver.Operation) ([]driver.Progress, error) {
	latest, _, err := c.client.Actions.List(ctx, &godo.ListOptions{PerPage: pageSize})
	if err != nil {
		return nil, c.failed(err)
	}
	progress := make([]driver.Progress, 0, len(operations))
	for _, operation := range operations {
		at := slices.IndexFunc(latest, func(action godo.Action) bool { return strconv.Itoa(action.ID) == operation.ID })
		if at >= 0 {
			progress = append(progress, progressOf(operation, latest[at]))
			continue
		}
		action, err := c.action(ctx, operation)
		if missing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		progress = append(progress, progressOf(operation, *action))
	}
	c.giveUp(ctx, progress)
	return progress, nil
}

func (c *cloud) action(ctx context.Context, operation driver.Operation) (*godo.Action, error) {
	id, err := parseID(operation.ID)
	if err != nil {
		return nil, err
	}
	action, _, err := c.client.Actions.Get(ctx, id)
	if err == nil && action == nil {
		return nil, errNoID
	}
	return action, c.failed(err)
}

func progressOf(operation driver.Operation, action godo.Action) driver.Progress {
	progress := driver.Progress{Operation: operation}
	switch action.Status {
	case godo.ActionCompleted:
		progress.Done, progress.Percent = true, 100
	case statusErrored:
		progress.Done, progress.Err = true, &actionError{operation: operation.Name, id: operation.ID}
	default:
		// In progress, or a word that the vendor has not had so far: no end.
	}
	return progress
}

// shown holds the droplets that a list has shown while they were being made.
type shown struct {
	mutex sync.Mutex
	ids   map[string]bool
	looks int
}

// due says whether to look for them once more: at every other poll.
func (s *shown) due() bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.looks++
	return s.looks%2 == 0
}

func (s *shown) note(machines []driver.Machine) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for _, machine := range machines {
		s.ids[machine.ID] = true
	}
}

func (s *shown) has(id string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.ids[id]
}

// giveUp ends the creates whose droplet has shown and is there no more. Where the list cannot be had it ends none.
func (c *cloud) giveUp(ctx context.Context, progress []driver.Progress) {
	creates := func(one driver.Progress) bool { return !one.Done && one.Operation.Name == actionCreate }
	if !slices.ContainsFunc(progress, creates) || !c.shown.due() {
		return
	}
	machines, err := c.List(ctx)
	if err != nil {
		return
	}
	for i, one := range progress {
		there := slices.ContainsFunc(machines, func(machine driver.Machine) bool { return machine.ID == one.Operation.MachineID })
		if !creates(one) || there || !c.shown.has(one.Operation.MachineID) {
			continue
		}
		if _, err := c.Get(ctx, one.Operation.MachineID); missing(err) {
			progress[i].Done, progress[i].Err = true, &actionError{operation: one.Operation.Name, id: one.Operation.ID, vanished: true}
		}
	}
	c.shown.note(machines)
}
