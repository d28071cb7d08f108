// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// memoryAddress is an address that moves when its operation ends, and is busy meanwhile.
type memoryAddress struct {
	driver.ReservedAddress
	until time.Time
	then  string
}

func (a *memoryAddress) show() driver.ReservedAddress {
	if !a.until.IsZero() && !time.Now().Before(a.until) {
		a.Holder, a.until = a.then, time.Time{}
	}
	shown := a.ReservedAddress
	shown.Busy, shown.Labels = !a.until.IsZero(), maps.Clone(a.Labels)
	return shown
}

// AddressRules let IPv4 addresses move in one step, and IPv6 ones where marks are not in rows.
func (m *Memory) AddressRules() driver.AddressRules {
	rules := driver.AddressRules{Families: []string{"ipv4", "ipv6"}, Moves: []string{"ipv4"}, SameRegion: m.rows != nil, Described: m.rows == nil}
	if m.rows == nil {
		rules.Moves = append(rules.Moves, "ipv6")
	}
	return rules
}

// ListAddresses answers all addresses.
func (m *Memory) ListAddresses(context.Context) ([]driver.ReservedAddress, error) {
	if err := m.enter("ListAddresses", ""); err != nil {
		return nil, err
	}
	found := m.Reserved()
	<-time.After(m.ReadTime)
	return found, m.leave("ListAddresses", "")
}

// Reserved answers what there is, in the order of creation, with the marks that the addresses themselves bear.
func (m *Memory) Reserved() []driver.ReservedAddress {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var found []driver.ReservedAddress
	for _, id := range slices.SortedFunc(maps.Keys(m.addresses), func(a, b string) int { return number(a) - number(b) }) {
		found = append(found, m.addresses[id].show())
	}
	return found
}

// GetAddress answers one address.
func (m *Memory) GetAddress(_ context.Context, id string) (driver.ReservedAddress, error) {
	if err := m.enter("GetAddress", id); err != nil {
		return driver.ReservedAddress{}, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	address, there := m.addresses[id]
	if !there {
		return driver.ReservedAddress{}, notFound(id)
	}
	return address.show(), nil
}

// Reserve makes an address at once.
func (m *Memory) Reserve(_ context.Context, spec driver.AddressSpec) (driver.Reservation, error) {
	if err := m.enter("Reserve", ""); err != nil {
		return driver.Reservation{}, err
	}
	reserved, err := m.reserve(spec)
	if err != nil {
		return driver.Reservation{}, err
	}
	return driver.Reservation{Address: reserved, Proof: "made here"}, m.leave("Reserve", reserved.ID)
}

func (m *Memory) reserve(spec driver.AddressSpec) (driver.ReservedAddress, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, other := range m.addresses {
		if m.rows == nil && other.Name == spec.Name {
			return driver.ReservedAddress{}, &MemoryError{driver.Failure{
				Code: driver.Conflict, Reason: driver.ReasonNameTaken, Field: "name", Status: 409, VendorCode: "taken", Message: "name is already used",
			}}
		}
	}
	m.sequence++
	address := driver.ReservedAddress{
		ID: strconv.Itoa(m.sequence), Address: fmt.Sprintf("198.51.100.%d", m.sequence), Family: spec.Family, Region: spec.Region,
		ReservedAt: time.Now(), Fingerprint: strconv.Itoa(m.sequence),
	}
	if spec.Family == "ipv6" {
		address.Address = fmt.Sprintf("2001:db8::%d", m.sequence)
	}
	if m.rows == nil {
		address.Name, address.Description, address.Marks = spec.Name, spec.Description, spec.Marks
	}
	m.addresses[address.ID] = &memoryAddress{ReservedAddress: address}
	return address, nil
}

// PlantAddress puts an address there behind everybody's back, or another one in the place of one that is there.
func (m *Memory) PlantAddress(address driver.ReservedAddress) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.sequence++
	if address.ID == "" {
		address.ID = strconv.Itoa(m.sequence)
	}
	m.addresses[address.ID] = &memoryAddress{ReservedAddress: address}
}

// VanishAddress removes an address behind everybody's back.
func (m *Memory) VanishAddress(id string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.addresses, id)
}

// HoldAddress puts an address on a machine behind everybody's back.
func (m *Memory) HoldAddress(id, machineID string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.addresses[id].Holder = machineID
}

// Assign moves an address to a machine.
func (m *Memory) Assign(_ context.Context, address driver.ReservedAddress, machineID string) ([]driver.Operation, error) {
	return m.move("Assign", address.ID, machineID)
}

// Unassign takes an address off its machine.
func (m *Memory) Unassign(_ context.Context, address driver.ReservedAddress) ([]driver.Operation, error) {
	return m.move("Unassign", address.ID, "")
}

func (m *Memory) move(method, id, machineID string) ([]driver.Operation, error) {
	if err := m.enter(method, id); err != nil {
		return nil, err
	}
	operation, err := m.beginMove(method, id, machineID)
	if err != nil {
		return nil, err
	}
	return []driver.Operation{operation}, m.leave(method, id)
}

func (m *Memory) beginMove(method, id, machineID string) (driver.Operation, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	address, there := m.addresses[id]
	switch {
	case !there:
		return driver.Operation{}, notFound(id)
	case address.show().Busy:
		return driver.Operation{}, &MemoryError{driver.Failure{Code: driver.Conflict, Reason: driver.ReasonBusy, Status: 423, VendorCode: "locked", Message: "the address is locked"}}
	case address.Holder == "" && machineID == "", address.Holder != "" && machineID != "" && !slices.Contains(m.AddressRules().Moves, address.Family):
		return driver.Operation{}, &MemoryError{driver.Failure{Code: driver.InvalidState, Status: 422, VendorCode: "assigned", Message: "the address is not where it should be"}}
	}
	m.sequence++
	operation := driver.Operation{ID: strconv.Itoa(m.sequence), Name: method, MachineID: machineID}
	address.until, address.then = time.Now().Add(m.OperationTime), machineID
	m.operations[operation.ID] = &memoryOperation{operation: operation, until: address.until}
	return operation, nil
}

// Release gives an address back that is on no machine.
func (m *Memory) Release(_ context.Context, address driver.ReservedAddress) error {
	if err := m.enter("Release", address.ID); err != nil {
		return err
	}
	m.mutex.Lock()
	own, there := m.addresses[address.ID]
	free := there && own.show().Holder == "" && !own.show().Busy
	if free {
		delete(m.addresses, address.ID)
	}
	m.mutex.Unlock()
	switch {
	case !there:
		return notFound(address.ID)
	case !free:
		return &MemoryError{driver.Failure{Code: driver.InvalidState, Status: 422, VendorCode: "must_be_unassigned", Message: "the address must be unassigned"}}
	}
	return m.leave("Release", address.ID)
}

// MarkAddress replaces name, description and marks.
func (m *Memory) MarkAddress(
	_ context.Context, address driver.ReservedAddress, name, description string, marks driver.Marks,
) (driver.ReservedAddress, error) {
	if err := m.enter("MarkAddress", address.ID); err != nil {
		return address, err
	}
	m.mutex.Lock()
	own, there := m.addresses[address.ID]
	if there {
		own.Name, own.Description, own.Marks = name, description, marks
		address = own.show()
	}
	m.mutex.Unlock()
	if !there {
		return address, notFound(address.ID)
	}
	return address, m.leave("MarkAddress", address.ID)
}
