// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// memoryCertificate is a certificate that is issued when its operation ends.
type memoryCertificate struct {
	driver.Certificate
	operation *memoryOperation
}

func (c *memoryCertificate) show() driver.Certificate {
	if c.operation != nil && !time.Now().Before(c.operation.until) {
		c.State, c.Err = driver.CertificateReady, c.operation.err
		if c.Err != nil {
			c.State = driver.CertificateError
		}
		c.operation = nil
	}
	shown := c.Certificate
	shown.Domains, shown.UsedBy = slices.Clone(c.Domains), slices.Clone(c.UsedBy)
	return shown
}

// MemoryZone is the DNS zone that a Memory hosts.
const MemoryZone = "example.com"

// Zones answers the one zone.
func (m *Memory) Zones(context.Context) ([]string, error) {
	return []string{MemoryZone}, m.enter("Zones", "")
}

// Certificates answers everything managed.
func (m *Memory) Certificates(context.Context) ([]driver.Certificate, error) {
	return m.searchCertificates("Certificates", func(certificate driver.Certificate) bool { return certificate.Marks.Managed })
}

// FindCertificates answers those with a key.
func (m *Memory) FindCertificates(_ context.Context, key string) ([]driver.Certificate, error) {
	return m.searchCertificates("FindCertificates", func(certificate driver.Certificate) bool { return certificate.Marks.Key == key })
}

// FindCertificateName answers those of a name.
func (m *Memory) FindCertificateName(_ context.Context, name string) ([]driver.Certificate, error) {
	return m.searchCertificates("FindCertificateName", func(certificate driver.Certificate) bool { return certificate.Name == name })
}

func (m *Memory) searchCertificates(method string, wanted func(driver.Certificate) bool) ([]driver.Certificate, error) {
	if err := m.enter(method, ""); err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(m.Kept(), func(certificate driver.Certificate) bool { return !wanted(certificate) })
	<-time.After(m.ReadTime)
	return found, m.leave(method, "")
}

// Kept answers all certificates, in the order of creation.
func (m *Memory) Kept() []driver.Certificate {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	var found []driver.Certificate
	for _, id := range slices.SortedFunc(maps.Keys(m.certificates), func(a, b string) int { return number(a) - number(b) }) {
		found = append(found, m.certificates[id].show())
	}
	return found
}

// Certificate answers one.
func (m *Memory) Certificate(_ context.Context, id string) (driver.Certificate, error) {
	if err := m.enter("Certificate", id); err != nil {
		return driver.Certificate{}, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	certificate, there := m.certificates[id]
	if !there {
		return driver.Certificate{}, notFound(id)
	}
	return certificate.show(), nil
}

// CreateCertificate makes a certificate; a managed one is issued a while later.
func (m *Memory) CreateCertificate(_ context.Context, spec driver.CertificateSpec) (driver.CreatedCertificate, error) {
	if err := m.enter("CreateCertificate", ""); err != nil {
		return driver.CreatedCertificate{}, err
	}
	created, err := m.createCertificate(spec)
	if err != nil {
		return created, err
	}
	return created, m.leave("CreateCertificate", created.Certificate.ID)
}

func (m *Memory) createCertificate(spec driver.CertificateSpec) (driver.CreatedCertificate, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	name := driver.UniqueName(spec.Name, spec.Marks.Key)
	for _, other := range m.certificates {
		if other.Name == name {
			return driver.CreatedCertificate{}, &MemoryError{driver.Failure{
				Code: driver.Conflict, Reason: driver.ReasonNameTaken, Field: "name", Status: 409, VendorCode: "taken", Message: "name is already used",
			}}
		}
	}
	m.sequence++
	made := &memoryCertificate{Certificate: driver.Certificate{
		ID: strconv.Itoa(m.sequence), Name: name, Kind: spec.Kind, State: driver.CertificateReady, Domains: spec.Domains,
		CreatedAt: time.Now(), Marks: spec.Marks,
	}}
	m.certificates[made.ID] = made
	created := driver.CreatedCertificate{}
	if spec.Kind == driver.CertificateManaged {
		created.Operations = m.issue(made)
	}
	created.Certificate = made.show()
	return created, nil
}

func (m *Memory) issue(certificate *memoryCertificate) []driver.Operation {
	m.sequence++
	operation := driver.Operation{ID: strconv.Itoa(m.sequence), Name: "issue", MachineID: certificate.ID}
	certificate.State, certificate.Err = driver.CertificatePending, nil
	certificate.operation = &memoryOperation{operation: operation, until: time.Now().Add(m.OperationTime)}
	m.operations[operation.ID] = certificate.operation
	return []driver.Operation{operation}
}

// RetryCertificate issues a certificate once more.
func (m *Memory) RetryCertificate(_ context.Context, certificate driver.Certificate) ([]driver.Operation, error) {
	var operations []driver.Operation
	err := m.changeCertificate("RetryCertificate", certificate.ID, func(own *memoryCertificate) error {
		operations = m.issue(own)
		return nil
	})
	return operations, err
}

// MarkCertificate replaces the marks.
func (m *Memory) MarkCertificate(_ context.Context, certificate driver.Certificate, marks driver.Marks) (driver.Certificate, error) {
	var marked driver.Certificate
	err := m.changeCertificate("MarkCertificate", certificate.ID, func(own *memoryCertificate) error {
		own.Marks = marks
		marked = own.show()
		return nil
	})
	return marked, err
}

// DeleteCertificate removes a certificate that nothing uses.
func (m *Memory) DeleteCertificate(_ context.Context, certificate driver.Certificate) error {
	return m.changeCertificate("DeleteCertificate", certificate.ID, func(own *memoryCertificate) error {
		if len(own.UsedBy) > 0 {
			return &MemoryError{driver.Failure{Code: driver.InvalidState, Reason: driver.ReasonInUse, Status: 422, VendorCode: "used", Message: "it is in use"}}
		}
		delete(m.certificates, own.ID)
		return nil
	})
}

// Use lets load balancers use a certificate, behind everybody's back.
func (m *Memory) Use(id string, balancers ...string) error {
	return m.changeCertificate("", id, func(own *memoryCertificate) error {
		own.UsedBy = balancers
		return nil
	})
}

func (m *Memory) changeCertificate(method, id string, change func(*memoryCertificate) error) error {
	if err := m.enter(method, id); err != nil {
		return err
	}
	m.mutex.Lock()
	err := notFound(id)
	if certificate, there := m.certificates[id]; there {
		err = change(certificate)
	}
	m.mutex.Unlock()
	if err != nil {
		return err
	}
	return m.leave(method, id)
}
