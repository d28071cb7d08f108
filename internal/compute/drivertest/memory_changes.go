// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// change lets one change happen to a machine that is not busy.
func (m *Memory) change(method, id string, write func(machine *memoryMachine)) error {
	if err := m.enter(method, id); err != nil {
		return err
	}
	if err := m.changeLocked(id, write); err != nil {
		return err
	}
	return m.leave(method, id)
}

func (m *Memory) changeLocked(id string, write func(machine *memoryMachine)) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	machine, there := m.machines[id]
	switch {
	case !there:
		return notFound(id)
	case machine.show().Busy:
		return &MemoryError{driver.Failure{Code: driver.Conflict, Reason: driver.ReasonBusy, Status: 423, VendorCode: "locked", Message: "the machine is locked"}}
	}
	write(machine)
	return nil
}

// operate begins an operation on a machine that is not busy.
func (m *Memory) operate(method, id, name string, end driver.State) ([]driver.Operation, error) {
	var operations []driver.Operation
	err := m.change(method, id, func(machine *memoryMachine) { operations = append(operations, m.begin(machine, name, end)) })
	return operations, err
}

// Delete removes a machine at once.
func (m *Memory) Delete(_ context.Context, id string) ([]driver.Operation, error) {
	return nil, m.change("Delete", id, func(*memoryMachine) { delete(m.machines, id) })
}

// PowerActions are all but nmi.
func (m *Memory) PowerActions() []driver.PowerAction {
	return []driver.PowerAction{driver.PowerOn, driver.PowerOff, driver.GracefulOff, driver.Reset, driver.GracefulRestart, driver.Cycle}
}

// Power switches a machine.
func (m *Memory) Power(_ context.Context, id string, action driver.PowerAction) ([]driver.Operation, error) {
	end := driver.StateRunning
	if action == driver.PowerOff || action == driver.GracefulOff {
		end = driver.StateStopped
	}
	return m.operate("Power", id, string(action), end)
}

// Reinstall puts another image on a machine.
func (m *Memory) Reinstall(_ context.Context, id string, spec driver.Spec) ([]driver.Operation, error) {
	var operations []driver.Operation
	err := m.change("Reinstall", id, func(machine *memoryMachine) {
		machine.ImageID, machine.Image = spec.ImageID, spec.ImageID
		operations = append(operations, m.begin(machine, "reinstall", driver.StateRunning))
	})
	return operations, err
}

// Rename changes a name. It is no operation, so a busy machine takes it.
func (m *Memory) Rename(_ context.Context, id, name string) error {
	return m.write("Rename", id, func(machine *memoryMachine) { machine.Name = name })
}

// Mark replaces marks and labels. It is no operation, so a busy machine takes it.
func (m *Memory) Mark(_ context.Context, machine driver.Machine, marks driver.Marks, labels map[string]string) (driver.Machine, error) {
	var marked driver.Machine
	err := m.write("Mark", machine.ID, func(own *memoryMachine) {
		own.Marks, own.Labels = marks, maps.Clone(labels)
		marked = own.show()
	})
	return marked, err
}

func (m *Memory) write(method, id string, write func(machine *memoryMachine)) error {
	if err := m.enter(method, id); err != nil {
		return err
	}
	m.mutex.Lock()
	machine, there := m.machines[id]
	if there {
		write(machine)
	}
	m.mutex.Unlock()
	if !there {
		return notFound(id)
	}
	return m.leave(method, id)
}

// CheckLabels refuses empty keys.
func (m *Memory) CheckLabels(labels map[string]string) map[string]error {
	faults := map[string]error{}
	for key := range labels {
		if key == "" {
			faults[key] = errors.New("a label needs a key")
		}
	}
	return faults
}

// Fail makes the operations of a name that are under way end in an error.
func (m *Memory) Fail(name string, failure driver.Failure) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, operation := range m.operations {
		if operation.operation.Name == name {
			operation.err = &MemoryError{failure}
			if machine, there := m.machines[operation.operation.MachineID]; there && name == "resize" {
				machine.then, machine.resized = machine.State, nil
			}
		}
	}
}

// Poll answers where operations stand.
func (m *Memory) Poll(_ context.Context, operations []driver.Operation) ([]driver.Progress, error) {
	if err := m.enter("Poll", ""); err != nil {
		return nil, err
	}
	if len(operations) > m.Limits().PollBatch {
		return nil, fmt.Errorf("%d operations in one poll", len(operations))
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var progress []driver.Progress
	for _, operation := range operations {
		own, there := m.operations[operation.ID]
		if !there {
			continue
		}
		one := driver.Progress{Operation: own.operation, Done: !time.Now().Before(own.until)}
		if one.Done {
			one.Percent, one.Err = 100, own.err
		}
		progress = append(progress, one)
	}
	return progress, nil
}
