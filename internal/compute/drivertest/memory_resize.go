// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"fmt"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// CheckResize refuses a smaller disk.
func (m *Memory) CheckResize(machine driver.Machine, offer driver.Offer) error {
	if offer.DiskGiB == nil || *offer.DiskGiB >= machine.DiskGiB {
		return nil
	}
	return &MemoryError{driver.Failure{
		Code: driver.InvalidInput, Field: "offer_id", Message: fmt.Sprintf("the disk has %g GiB, offer %s has %g GiB", machine.DiskGiB, offer.ID, *offer.DiskGiB),
	}}
}

// Resize gives a machine that is off another offer and starts it, as one of the real vendors does.
func (m *Memory) Resize(_ context.Context, machine driver.Machine, offer driver.Offer) ([]driver.Operation, error) {
	if err := m.enter("Resize", machine.ID); err != nil {
		return nil, err
	}
	var operations []driver.Operation
	var refused error
	err := m.changeLocked(machine.ID, func(own *memoryMachine) {
		if refused = m.refuseResize(own, offer); refused == nil {
			operations = append(operations, m.begin(own, "resize", driver.StateRunning))
			own.resized = &offer
		}
	})
	if err == nil {
		err = refused
	}
	if err != nil {
		return nil, err
	}
	return operations, m.leave("Resize", machine.ID)
}

func (m *Memory) refuseResize(own *memoryMachine, offer driver.Offer) error {
	switch {
	case own.show().State != driver.StateStopped:
		return &MemoryError{driver.Failure{Code: driver.InvalidState, Status: 422, VendorCode: "not_stopped", Message: "the machine is not stopped"}}
	case m.soldOut[offer.ID+" in "+own.Region]:
		return noRoom()
	}
	return nil
}

// SellOut makes an offer unavailable in a region: for creates and resizes, and in the catalogue from now on.
func (m *Memory) SellOut(offer, region string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.soldOut == nil {
		m.soldOut = map[string]bool{}
	}
	m.soldOut[offer+" in "+region] = true
}

func noRoom() error {
	return &MemoryError{driver.Failure{Code: driver.CapacityUnavailable, Status: 412, VendorCode: "no_room", Message: "there is no room for this now"}}
}

// take gives the machine an offer and a disk that is not smaller; nil leaves it as it is.
func (m *memoryMachine) take(offer *driver.Offer) {
	if offer == nil {
		return
	}
	m.OfferID, m.resized = offer.ID, nil
	if offer.DiskGiB != nil {
		m.DiskGiB = max(m.DiskGiB, *offer.DiskGiB)
	}
}
