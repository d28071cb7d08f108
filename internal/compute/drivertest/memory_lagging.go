// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// LaggingMemory is a vendor of the other sort: several machines may have one name, its index takes a while to show a
// machine, keys are entries of that index which outlive machines, and claims stand side by side.
type LaggingMemory struct {
	*Memory
	// Appears is how long Get may not find a fresh machine.
	Appears time.Duration
}

// NewLaggingMemory makes an empty vendor whose index lags.
func NewLaggingMemory(lag time.Duration) *LaggingMemory {
	memory := NewMemory()
	memory.shared, memory.lag, memory.entries, memory.rows = true, lag, map[string]bool{}, map[string]*driver.Row{}
	return &LaggingMemory{Memory: memory}
}

// Limits are those of Memory with a lag.
func (m *LaggingMemory) Limits() driver.Limits {
	limits := m.Memory.Limits()
	limits.AppearLag, limits.FixedUserData = 2*time.Minute, true
	return limits
}

// Get does not find what has not appeared.
func (m *LaggingMemory) Get(ctx context.Context, id string) (driver.Machine, error) {
	machine, err := m.Memory.Get(ctx, id)
	if err == nil && time.Since(machine.CreatedAt) < m.Appears {
		return driver.Machine{}, notFound(id)
	}
	return machine, err
}

// Entries answers the keys that have an entry.
func (m *LaggingMemory) Entries() []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var keys []string
	for key := range m.entries {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Create also makes the key's entry.
func (m *LaggingMemory) Create(ctx context.Context, spec driver.Spec) (driver.Created, error) {
	created, err := m.Memory.Create(ctx, spec)
	if created.Machine.ID != "" {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.entries[spec.Marks.Key] = true
	}
	return created, err
}

// Intend makes an entry.
func (m *LaggingMemory) Intend(_ context.Context, key string) (bool, error) {
	if err := m.enter("Intend", ""); err != nil {
		return false, err
	}
	m.mutex.Lock()
	existed := m.entries[key]
	m.entries[key] = true
	m.mutex.Unlock()
	return existed, m.leave("Intend", "")
}

// TakeBack removes an entry that no machine shows.
func (m *LaggingMemory) TakeBack(ctx context.Context, key string) error {
	if err := m.enter("TakeBack", ""); err != nil {
		return err
	}
	found, err := m.Find(ctx, key)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err == nil && len(found) == 0 {
		delete(m.entries, key)
	}
	return err
}

// Forget removes an entry that nothing in rest bears.
func (m *LaggingMemory) Forget(_ context.Context, gone driver.Machine, rest []driver.Machine) error {
	if err := m.enter("Forget", gone.ID); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if !slices.ContainsFunc(rest, func(other driver.Machine) bool { return other.Marks.Key == gone.Marks.Key }) {
		delete(m.entries, gone.Marks.Key)
	}
	return nil
}

// Mark adds the new claim and then removes those that the given machine shows.
func (m *LaggingMemory) Mark(_ context.Context, machine driver.Machine, marks driver.Marks, labels map[string]string) (driver.Machine, error) {
	var marked driver.Machine
	shown := append([]string{machine.Marks.Claim}, machine.OtherClaims...)
	err := m.write("Mark", machine.ID, func(own *memoryMachine) {
		claims := slices.DeleteFunc(claimsOf(own.Machine), func(claim string) bool { return slices.Contains(shown, claim) })
		own.Marks, own.Labels = marks, labels
		own.setClaims(append(claims, marks.Claim))
		marked = own.show()
	})
	return marked, err
}

// Withdraw takes one claim off.
func (m *LaggingMemory) Withdraw(_ context.Context, machineID, claim string) error {
	return m.write("Withdraw", machineID, func(own *memoryMachine) {
		own.setClaims(slices.DeleteFunc(claimsOf(own.Machine), func(other string) bool { return other == claim }))
	})
}

// PutClaim adds a claim behind everybody's back, as another process does.
func (m *LaggingMemory) PutClaim(machineID, claim string) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	own, there := m.machines[machineID]
	if !there {
		return errors.New("there is no machine " + machineID)
	}
	own.setClaims(append(claimsOf(own.Machine), claim))
	return nil
}

func claimsOf(machine driver.Machine) []string {
	return append([]string{machine.Marks.Claim}, machine.OtherClaims...)
}

// setClaims lets the smallest hold.
func (m *memoryMachine) setClaims(claims []string) {
	claims = slices.DeleteFunc(claims, func(claim string) bool { return claim == "" })
	slices.Sort(claims)
	claims = slices.Compact(claims)
	m.Marks.Claim, m.OtherClaims = "", nil
	if len(claims) > 0 {
		m.Marks.Claim, m.OtherClaims = claims[0], claims[1:]
	}
}
