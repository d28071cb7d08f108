// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"maps"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func changeCases() []testCase {
	return []testCase{
		{"name and labels change in place, other people's labels stay", (*scene).renameAndLabel},
		{"power off and on are seen", (*scene).powerOffAndOn},
		{"a reinstall keeps machine, marks and addresses", (*scene).reinstall},
		{"a resize keeps machine, marks and power state", (*scene).resize},
		{"a resize that was broken off is finished", (*scene).resumeResize},
		{"a machine that should be off is made off", (*scene).createOff},
		{"an import finds a machine by key, id and name", (*scene).lookup},
		{"a machine without marks is marked", (*scene).adoptUnmarked},
	}
}

func (s *scene) update(account *compute.Account, held compute.Held, change compute.Change) compute.Made {
	s.Helper()
	made, err := account.Update(s.ctx, held, change)
	if err != nil {
		s.Fatalf("update: %v", err)
	}
	return made
}

func (s *scene) renameAndLabel() {
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	machine := s.see(made.Machine.ID)
	labels := maps.Clone(machine.Labels)
	labels["theirs"] = "stays"
	if _, err := s.marker().Mark(s.ctx, machine, machine.Marks, labels); err != nil {
		s.Fatal(err)
	}
	s.update(account, heldOf(made, wish), compute.Change{
		Name: wish.Name + "-renamed", ChangeLabels: true, PriorLabels: wish.Labels, Labels: map[string]string{"color": "blue"},
	})
	seen := s.see(machine.ID)
	if seen.Name != wish.Name+"-renamed" {
		s.Errorf("the name is %s", seen.Name)
	}
	if want := map[string]string{"theirs": "stays", "color": "blue"}; !maps.Equal(seen.Labels, want) {
		s.Errorf("the labels are %v, want %v", seen.Labels, want)
	}
	if seen.Marks != machine.Marks {
		s.Errorf("the marks were %+v and are %+v", machine.Marks, seen.Marks)
	}
}

func (s *scene) powerOffAndOn() {
	account, wish := s.account(""), s.wish()
	held := heldOf(s.create(account, wish), wish)
	for power, state := range map[string]driver.State{"off": driver.StateStopped, "on": driver.StateRunning} {
		s.update(account, held, compute.Change{Power: power, ShutdownTimeout: wish.ShutdownTimeout})
		if seen := s.see(held.MachineID); s.subject.PowerObservable && seen.State != state {
			s.Errorf("after power %s the machine is %s", power, seen.State)
		}
	}
}

func (s *scene) reinstall() {
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	before := s.see(made.Machine.ID)
	other := wish
	other.Image = s.subject.OtherImage
	again := s.update(account, heldOf(made, wish), compute.Change{Reinstall: &other})
	after := s.see(made.Machine.ID)
	if after.ImageID == before.ImageID || after.ImageID != again.ImageID {
		s.Errorf("the image was %s and is %s, the update says %s", before.ImageID, after.ImageID, again.ImageID)
	}
	if after.Marks != before.Marks || len(after.Addresses) != len(before.Addresses) {
		s.Errorf("before %+v, after %+v", before, after)
	}
}

// resizeTo is the change of a machine to the larger offer.
func (s *scene) resizeTo(wish compute.Wish) compute.Change {
	return compute.Change{OfferID: s.subject.LargerOffer, AllowStopping: true, ShutdownTimeout: wish.ShutdownTimeout}
}

func (s *scene) resize() {
	for power, state := range map[string]driver.State{"on": driver.StateRunning, "off": driver.StateStopped} {
		account, wish := s.account(""), s.wish()
		wish.Power = power
		made := s.create(account, wish)
		before := s.see(made.Machine.ID)
		again := s.update(account, heldOf(made, wish), s.resizeTo(wish))
		after := s.see(made.Machine.ID)
		if after.OfferID != s.subject.LargerOffer || again.Offer.ID != after.OfferID || after.VCPU < before.VCPU || after.DiskGiB < before.DiskGiB {
			s.Errorf("before %+v, after %+v", before, after)
		}
		if after.Marks != before.Marks || !maps.Equal(after.Labels, before.Labels) {
			s.Errorf("the marks were %+v and are %+v", before.Marks, after.Marks)
		}
		if s.subject.PowerObservable && after.State != state {
			s.Errorf("a machine that was %s is %s", power, after.State)
		}
	}
}

// resumeResize breaks a resize off when the machine is off for it, and carries it on as another process would.
func (s *scene) resumeResize() {
	account, wish := s.account(""), s.wish()
	held := heldOf(s.create(account, wish), wish)
	s.tamper(held.MachineID, func(marks *driver.Marks) { marks.Stopped = true })
	s.update(account, held, compute.Change{Power: "off", ShutdownTimeout: wish.ShutdownTimeout})
	s.tamper(held.MachineID, func(marks *driver.Marks) { marks.Stopped = true })
	s.update(s.account(""), held, s.resizeTo(wish))
	after := s.see(held.MachineID)
	if after.OfferID != s.subject.LargerOffer || after.Marks.Stopped || s.subject.PowerObservable && after.State != driver.StateRunning {
		s.Errorf("the machine is %+v", after)
	}
}

func (s *scene) createOff() {
	account, wish := s.account(""), s.wish()
	wish.Power = "off"
	made := s.create(account, wish)
	if seen := s.see(made.Machine.ID); s.subject.PowerObservable && seen.State != driver.StateStopped {
		s.Errorf("the machine is %s", seen.State)
	}
}

func (s *scene) lookup() {
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	for _, object := range []string{wish.Key, made.Machine.ID, wish.Name} {
		found, err := account.Lookup(s.ctx, object)
		if err != nil || found.ID != made.Machine.ID {
			s.Errorf("%s: %+v, %v", object, found, err)
		}
	}
	_, err := account.Lookup(s.ctx, "no-such-machine")
	s.wantCode(err, driver.NotFound)
}

func (s *scene) adoptUnmarked() {
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	s.tamper(made.Machine.ID, func(marks *driver.Marks) { *marks = driver.Marks{} })
	key := compute.UnmarkedInstanceID(s.subject.Reference.ID, made.Machine.ID)
	held := compute.Held{MachineID: made.Machine.ID, Key: key, Name: wish.Name, Claim: compute.NewClaim(""), Unmarked: true}
	s.update(account, held, compute.Change{RestoreMarks: true})
	want := driver.Marks{Managed: true, Key: key, Account: s.subject.Reference.ID, Claim: held.Claim}
	if seen := s.see(made.Machine.ID); seen.Marks != want {
		s.Errorf("the marks are %+v, want %+v", seen.Marks, want)
	}
}
