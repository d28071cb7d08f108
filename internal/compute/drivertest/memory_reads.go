// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Limits answers room for small user data and batches of two, so that tests meet both.
func (m *Memory) Limits() driver.Limits {
	return driver.Limits{
		UserDataBytes: 1024, PollBatch: 2, ListPage: m.ListPage, UniqueNames: !m.shared, IndexLag: m.lag, CreateTimeout: 20 * time.Minute,
	}
}

// Offers answers two sizes in the regions "here" and "there", and a third one that is sold "there" only.
func (m *Memory) Offers(_ context.Context, query driver.OfferQuery) ([]driver.Offer, error) {
	if err := m.enter("Offers", ""); err != nil {
		return nil, err
	}
	if !slices.Contains([]string{"here", "there"}, query.Region) {
		return nil, nil
	}
	offers := []driver.Offer{
		{ID: "small", VCPU: 1, MemoryGiB: 2, PricePerHour: "0.01"},
		{ID: "large", VCPU: 4, MemoryGiB: 8, PricePerHour: "0.04"},
	}
	if query.Region == "there" {
		offers = append(offers, driver.Offer{ID: "huge", VCPU: 16, MemoryGiB: 32, PricePerHour: "0.16"})
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for i := range offers {
		offers[i].Kind, offers[i].Region, offers[i].Currency = "vps", query.Region, "EUR"
		offers[i].DiskGiB = new(memoryDisks[offers[i].ID])
		offers[i].Available, offers[i].Architecture = !m.soldOut[offers[i].ID+" in "+query.Region], "x86"
	}
	return offers, nil
}

// memoryDisks are the offers' disks in GiB.
var memoryDisks = map[string]float64{"small": 20, "large": 40, "huge": 80}

// Regions answers both regions.
func (m *Memory) Regions(context.Context) ([]string, error) { return []string{"here", "there"}, nil }

// Images answers two images.
func (m *Memory) Images(_ context.Context, query driver.ImageQuery) ([]driver.Image, error) {
	if err := m.enter("Images", ""); err != nil {
		return nil, err
	}
	all := []driver.Image{{ID: "image-1", Name: "debian", Architecture: "x86"}, {ID: "image-2", Name: "ubuntu", Architecture: "x86"}}
	return slices.DeleteFunc(all, func(image driver.Image) bool {
		return query.Name != "" && query.Name != image.Name && query.Name != image.ID
	}), nil
}

// Verify accepts every token.
func (m *Memory) Verify(context.Context) error { return m.enter("Verify", "") }

// Find answers from the index.
func (m *Memory) Find(_ context.Context, key string) ([]driver.Machine, error) {
	return m.search("Find", func(machine driver.Machine) bool { return machine.Marks.Key == key && m.indexed(machine) })
}

// List answers everything managed.
func (m *Memory) List(context.Context) ([]driver.Machine, error) {
	return m.search("List", func(machine driver.Machine) bool { return machine.Marks.Managed && m.indexed(machine) })
}

// indexed says whether the index has taken notice of a machine.
func (m *Memory) indexed(machine driver.Machine) bool { return time.Since(machine.CreatedAt) >= m.lag }

// FindName answers machines of a name.
func (m *Memory) FindName(_ context.Context, name string) ([]driver.Machine, error) {
	return m.search("FindName", func(machine driver.Machine) bool { return machine.Name == name })
}

func (m *Memory) search(method string, wanted func(driver.Machine) bool) ([]driver.Machine, error) {
	if err := m.enter(method, ""); err != nil {
		return nil, err
	}
	m.mutex.Lock()
	found := m.all(wanted)
	m.mutex.Unlock()
	<-time.After(m.ReadTime)
	return found, m.leave(method, "")
}

func (m *Memory) all(wanted func(driver.Machine) bool) []driver.Machine {
	var found []driver.Machine
	for _, id := range slices.SortedFunc(maps.Keys(m.machines), func(a, b string) int { return number(a) - number(b) }) {
		if machine := m.machines[id].show(); wanted(machine) {
			found = append(found, machine)
		}
	}
	return found
}

// number answers the number of an id; the vendor gives none that is not one.
func number(id string) int {
	value, err := strconv.Atoi(id)
	if err != nil {
		panic(err)
	}
	return value
}

// show answers the machine as it is now: what was under way has come to its end by itself.
func (m *memoryMachine) show() driver.Machine {
	if !m.busyUntil.IsZero() && !time.Now().Before(m.busyUntil) {
		m.State, m.busyUntil = m.then, time.Time{}
		m.take(m.resized)
	}
	shown := m.Machine
	shown.Busy, shown.Labels = !m.busyUntil.IsZero(), maps.Clone(m.Labels)
	return shown
}

// Create makes a machine, which is busy until its operation ends.
func (m *Memory) Create(_ context.Context, spec driver.Spec) (driver.Created, error) {
	if err := m.enter("Create", ""); err != nil {
		return driver.Created{}, err
	}
	created, err := m.create(spec)
	if err != nil {
		return created, err
	}
	return created, m.leave("Create", created.Machine.ID)
}

func (m *Memory) create(spec driver.Spec) (driver.Created, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if !m.shared && len(m.all(func(machine driver.Machine) bool { return machine.Name == spec.Name })) > 0 {
		return driver.Created{}, &MemoryError{driver.Failure{
			Code: driver.Conflict, Reason: driver.ReasonNameTaken, Field: "name", Status: 409, VendorCode: "taken", Message: "name is already used",
		}}
	}
	if m.soldOut[spec.OfferID+" in "+spec.Region] {
		return driver.Created{}, noRoom()
	}
	m.sequence++
	machine := &memoryMachine{Machine: driver.Machine{
		ID: strconv.Itoa(m.sequence), Name: spec.Name, State: driver.StatePending, OfferID: spec.OfferID, ImageID: spec.ImageID,
		Image: spec.ImageID, Region: spec.Region, Marks: spec.Marks, Labels: maps.Clone(spec.Labels), CreatedAt: time.Now(),
		Options: memoryOptions(spec.Options),
		DiskGiB: memoryDisks[spec.OfferID],
	}}
	m.machines[machine.ID] = machine
	end := driver.StateRunning
	if spec.Off {
		end = driver.StateStopped
	}
	operation := m.begin(machine, "create", end)
	return driver.Created{Machine: machine.show(), Operations: []driver.Operation{operation}, Proof: "made here"}, nil
}

// begin starts an operation after which the machine has the given state.
func (m *Memory) begin(machine *memoryMachine, name string, end driver.State) driver.Operation {
	m.sequence++
	operation := driver.Operation{ID: strconv.Itoa(m.sequence), Name: name, MachineID: machine.ID}
	machine.busyUntil, machine.then = time.Now().Add(m.OperationTime), end
	m.operations[operation.ID] = &memoryOperation{operation: operation, until: machine.busyUntil}
	return operation
}

// Prove knows the one proof that it gives.
func (m *Memory) Prove(_ context.Context, proof string) (bool, error) {
	return proof == "made here", m.enter("Prove", "")
}

// Resume answers what is still under way.
func (m *Memory) Resume(_ context.Context, _ driver.Spec, machine driver.Machine) (driver.Created, error) {
	if err := m.enter("Resume", machine.ID); err != nil {
		return driver.Created{}, err
	}
	return driver.Created{Machine: machine}, nil
}

// Get answers one machine.
func (m *Memory) Get(_ context.Context, id string) (driver.Machine, error) {
	if err := m.enter("Get", id); err != nil {
		return driver.Machine{}, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	machine, there := m.machines[id]
	if !there {
		return driver.Machine{}, notFound(id)
	}
	return machine.show(), nil
}

// MemoryError is a failure as the vendor answers it.
type MemoryError struct{ driver.Failure }

func (e *MemoryError) Error() string { return e.Message }

func notFound(id string) error {
	return &MemoryError{driver.Failure{Code: driver.NotFound, Status: 404, VendorCode: "not_found", Message: "there is no machine " + id}}
}

// Lost is a failure whose outcome nobody knows.
func Lost() error {
	return &MemoryError{driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown, Message: "the connection was lost"}}
}

// Describe explains an error.
func (m *Memory) Describe(err error) driver.Failure {
	if known, ok := errors.AsType[*MemoryError](err); ok {
		return known.Failure
	}
	return driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown, Message: err.Error()}
}
