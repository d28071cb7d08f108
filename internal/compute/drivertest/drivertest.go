// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package drivertest is the contract of a driver as tests. They go through compute.Account, as resources do, and look at
// the vendor through the driver. A vendor runs them on its emulator in every `go test`, and on a live account with one
// documented command.
package drivertest

import (
	"context"
	"fmt"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Subject is a vendor under test.
type Subject struct {
	// Kind is the vendor's, Reference an account object whose config opens it.
	Kind      driver.Kind
	Reference compute.Reference
	// Place begins one case: it answers how to open a driver to the same place as often as it is called. On an emulator
	// every case has a place of its own; on a live account all share one.
	Place func(t *testing.T) (open func() driver.Driver)
	// Region is the account's default; OfferID and Image are what a create there accepts, OtherImage a second image.
	Region, OfferID, Image, OtherImage string
	// LargerOffer is an offer of the same region that a machine of the first can be resized to.
	LargerOffer string
	// Zone is a DNS zone that the account hosts, Material makes a custom certificate of a domain in it with its key; only for
	// vendors that have certificates.
	Zone     string
	Material func(t *testing.T) compute.Material
	// Prefix keeps the names and keys of runs at the same time apart.
	Prefix string
	// PowerObservable says that the vendor shows whether a machine runs.
	PowerObservable bool
	// Lag is how long the vendor's answers may stay behind the truth; zero where they do not.
	Lag time.Duration
	// Bubble runs every case in a synctest bubble, where waits take no time. It needs transports in memory.
	Bubble bool
	// Patience bounds a case.
	Patience time.Duration
}

// Run runs all cases.
func Run(t *testing.T, subject Subject) {
	t.Helper()
	for _, one := range allCases() {
		t.Run(one.name, func(t *testing.T) {
			if subject.Bubble {
				synctest.Test(t, func(t *testing.T) { subject.run(t, one) })
				return
			}
			subject.run(t, one)
		})
	}
}

type testCase struct {
	name string
	run  func(*scene)
}

func allCases() []testCase {
	var all []testCase
	all = append(all, contractCases()...)
	all = append(all, changeCases()...)
	all = append(all, createCases()...)
	all = append(all, judgeCases()...)
	all = append(all, addressCases()...)
	all = append(all, certificateCases()...)
	return all
}

// scene is one case under way.
type scene struct {
	*testing.T
	ctx     context.Context //nolint:containedctx // it is the case's own
	subject Subject
	driver  driver.Driver
	open    func() driver.Driver
	counter int
	// keys are those of the case's addresses, unmarked the ids of those that may have lost theirs.
	keys, unmarked []string
	// certificateNames are those at the vendor of the case's certificates.
	certificateNames []string
}

func (s Subject) run(t *testing.T, one testCase) {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), max(s.Patience, 30*time.Minute))
	defer done()
	open := s.Place(t)
	scene := &scene{T: t, ctx: ctx, subject: s, driver: open(), open: open}
	defer scene.leaveNothing()
	one.run(scene)
}

// account opens the place once more, as another process would: with nothing in memory.
func (s *scene) account(owner string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: s.subject.Kind, Driver: s.open(), Reference: s.subject.Reference, Region: s.subject.Region,
		Owner: owner, Opened: time.Now(),
	})
}

// wish plans a machine of its own name.
func (s *scene) wish() compute.Wish {
	s.counter++
	name := fmt.Sprintf("%s-%d", s.subject.Prefix, s.counter)
	identity := compute.InstanceIdentity{
		Tenant: "drivertest", AccountID: s.subject.Reference.ID, Name: name, Image: s.subject.Image,
	}
	return compute.Wish{
		Key: identity.ID(), Name: name, OfferID: s.subject.OfferID, Image: s.subject.Image,
		Labels: map[string]string{"purpose": "drivertest"}, KeyCoversContent: true, ShutdownTimeout: time.Minute,
	}
}

func heldOf(made compute.Made, wish compute.Wish) compute.Held {
	return compute.Held{MachineID: made.Machine.ID, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof, UUID: made.Machine.UUID}
}

func (s *scene) create(account *compute.Account, wish compute.Wish) compute.Made {
	s.Helper()
	made, err := account.Create(s.ctx, wish)
	if err != nil {
		s.Fatalf("create %s: %v", wish.Name, err)
	}
	return made
}

// settle waits until the vendor's answers have caught up with the truth.
func (s *scene) settle() {
	if s.subject.Lag > 0 {
		<-time.After(s.subject.Lag)
	}
}

// see reads a machine through the driver, with nothing in between.
func (s *scene) see(id string) driver.Machine {
	s.Helper()
	s.settle()
	machine, err := s.driver.Get(s.ctx, id)
	if err != nil {
		s.Fatalf("get %s: %v", id, err)
	}
	return machine
}

// able answers the driver as one of its optional interfaces; the contract needs them all.
func able[T any](s *scene) T {
	s.Helper()
	found, ok := s.driver.(T)
	if !ok {
		s.Fatalf("the driver has no %s", reflect.TypeFor[T]())
	}
	return found
}

func (s *scene) marker() driver.Mark { return able[driver.Mark](s) }

// tamper writes marks behind the account's back.
func (s *scene) tamper(id string, change func(*driver.Marks)) driver.Machine {
	s.Helper()
	machine := s.see(id)
	marks := machine.Marks
	change(&marks)
	marked, err := s.marker().Mark(s.ctx, machine, marks, machine.Labels)
	if err != nil {
		s.Fatalf("mark %s: %v", id, err)
	}
	s.settle()
	return marked
}

// remains answers the machines of this run, marked or not.
func (s *scene) remains() []driver.Machine {
	s.Helper()
	var found []driver.Machine
	for number := 1; number <= s.counter; number++ {
		name := fmt.Sprintf("%s-%d", s.subject.Prefix, number)
		for _, name := range []string{name, name + "-renamed"} {
			machines, err := able[driver.List](s).FindName(context.WithoutCancel(s.ctx), name)
			if err != nil {
				s.Errorf("find %s: %v", name, err)
			}
			found = append(found, machines...)
		}
	}
	return found
}

// leaveNothing removes what a case has made, failed ones included.
func (s *scene) leaveNothing() {
	ctx, done := context.WithTimeout(context.WithoutCancel(s.ctx), 10*time.Minute)
	defer done()
	s.releaseAll(ctx)
	s.leaveNoCertificate(ctx)
	for len(s.remains()) > 0 && ctx.Err() == nil {
		for _, machine := range s.remains() {
			if _, err := s.driver.Delete(ctx, machine.ID); err != nil {
				s.Logf("delete %s: %v", machine.ID, err)
			}
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			s.Errorf("machines are left: %v", s.remains())
		}
	}
}

func (s *scene) wantCode(err error, code driver.Code) {
	s.Helper()
	if compute.CodeOf(err) != code {
		s.Fatalf("the error is %v, want %s", err, code)
	}
}
