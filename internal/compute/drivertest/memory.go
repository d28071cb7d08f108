// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"slices"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Memory is a small vendor in memory, for the unit tests of package compute. It follows the same rules as the real ones:
// what it begins takes time, a machine is busy meanwhile, and names are unique.
type Memory struct {
	// OperationTime is how long everything takes that the vendor begins.
	OperationTime time.Duration
	// ReadTime is how long a list or a search takes on its way back.
	ReadTime time.Duration
	// ListPage is that of its limits: Count("List") stays one for a list, however many pages it has.
	ListPage int
	// Hook, where set, is asked before and after each call takes effect; an error it gives is the call's answer.
	Hook func(call Call) error

	mutex    sync.Mutex
	sequence int
	machines map[string]*memoryMachine
	// shared lets machines have one name, lag hides young machines from Find and List, entries are the intents: see
	// NewLaggingMemory.
	shared       bool
	lag          time.Duration
	entries      map[string]bool
	operations   map[string]*memoryOperation
	calls        []string
	addresses    map[string]*memoryAddress
	certificates map[string]*memoryCertificate
	// soldOut are the offers that are out of stock, as "small in here": see SellOut.
	soldOut map[string]bool
	// rows hold marks where addresses bear none.
	rows map[string]*driver.Row
}

// Call is one call of a Memory, before or after its effect.
type Call struct {
	Method string
	// ID is the machine's, empty for a create that has not taken effect.
	ID    string
	After bool
}

type memoryMachine struct {
	driver.Machine
	busyUntil time.Time
	then      driver.State
	// resized is the offer that the machine has when it is no longer busy; nil: the one that it has.
	resized *driver.Offer
}

type memoryOperation struct {
	operation driver.Operation
	until     time.Time
	err       error
}

// MemoryManifest describes an account on a Memory: it needs nothing.
var MemoryManifest = manifest.Manifest{Kind: "memory", Attribute: "memory", Title: "Memory"}

// NewMemory makes an empty vendor.
func NewMemory() *Memory {
	return &Memory{
		OperationTime: 5 * time.Second, ReadTime: 100 * time.Millisecond,
		machines: map[string]*memoryMachine{}, operations: map[string]*memoryOperation{},
		addresses: map[string]*memoryAddress{}, certificates: map[string]*memoryCertificate{},
	}
}

// Calls answers the names of the calls so far.
func (m *Memory) Calls() []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return slices.Clone(m.calls)
}

// Count answers how often a method was called.
func (m *Memory) Count(method string) int {
	count := 0
	for _, call := range m.Calls() {
		if call == method {
			count++
		}
	}
	return count
}

// Machines answers what there is, in the order of creation.
func (m *Memory) Machines() []driver.Machine {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.all(func(driver.Machine) bool { return true })
}

// Vanish removes a machine behind everybody's back.
func (m *Memory) Vanish(id string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.machines, id)
}

// enter notes a call and asks the hook. It is not called under the lock, so that a hook may hold a call up.
func (m *Memory) enter(method, id string) error {
	m.mutex.Lock()
	m.calls = append(m.calls, method)
	m.mutex.Unlock()
	return m.hook(Call{Method: method, ID: id})
}

func (m *Memory) leave(method, id string) error {
	return m.hook(Call{Method: method, ID: id, After: true})
}

func (m *Memory) hook(call Call) error {
	if m.Hook == nil {
		return nil
	}
	return m.Hook(call)
}
