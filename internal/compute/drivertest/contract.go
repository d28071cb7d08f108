// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"math/big"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func contractCases() []testCase {
	return []testCase{
		{"capabilities are the interfaces found", (*scene).capabilities},
		{"offers are well formed", (*scene).offers},
		{"images are found by name and id", (*scene).images},
		{"get follows a machine through its life", (*scene).life},
		{"every power action works or is UNSUPPORTED", (*scene).powerActions},
		{"a token is verified", (*scene).verify},
	}
}

func (s *scene) capabilities() {
	account := s.account("")
	for capability, has := range compute.Capabilities(s.driver) {
		if account.Has(capability) != has {
			s.Errorf("capability %s: account says %t, driver %t", capability, !has, has)
		}
	}
	if _, named := s.subject.Kind.ProjectOption(); named != account.Has(compute.CapabilityProjects) {
		s.Errorf("projects: an option names them %t, the driver has them %t", named, !named)
	}
	limits := s.driver.Limits()
	if limits.UserDataBytes <= 0 || limits.PollBatch <= 0 || limits.CreateTimeout <= 0 {
		s.Errorf("limits without a number: %+v", limits)
	}
}

func (s *scene) offers() {
	account := s.account("")
	offers, err := account.Offers(s.ctx, driver.OfferQuery{})
	if err != nil {
		s.Fatal(err)
	}
	for _, offer := range offers {
		s.checkOffer(offer)
	}
	if !slices.ContainsFunc(offers, func(offer driver.Offer) bool { return offer.ID == s.subject.OfferID && offer.Available }) {
		s.Errorf("offer %s is not among the available ones", s.subject.OfferID)
	}
	if !slices.IsSortedFunc(offers, func(a, b driver.Offer) int { return compute.ComparePrices(a.PricePerHour, b.PricePerHour) }) {
		s.Error("offers are not ordered by price")
	}
	impossible, err := account.Offers(s.ctx, driver.OfferQuery{MinVCPU: 1_000_000})
	if err != nil || len(impossible) != 0 {
		s.Errorf("a million vCPUs: %v, %v", impossible, err)
	}
}

func (s *scene) checkOffer(offer driver.Offer) {
	s.Helper()
	price, priced := new(big.Rat).SetString(offer.PricePerHour)
	switch {
	case offer.ID == "" || offer.VCPU <= 0 || offer.MemoryGiB <= 0 || offer.Region == "":
		s.Errorf("an offer lacks something: %+v", offer)
	case offer.Kind != "vps" && offer.Kind != "metal":
		s.Errorf("offer %s is of kind %q", offer.ID, offer.Kind)
	case offer.PricePerHour != "" && (!priced || price.Sign() <= 0 || offer.Currency == ""):
		s.Errorf("offer %s costs %q %q", offer.ID, offer.PricePerHour, offer.Currency)
	case strings.Contains(offer.PricePerHour, ".") && strings.HasSuffix(offer.PricePerHour, "0"):
		s.Errorf("the price of %s has trailing zeros: %s", offer.ID, offer.PricePerHour)
	}
}

func (s *scene) images() {
	account := s.account("")
	found, err := account.Images(s.ctx, driver.ImageQuery{Name: s.subject.Image})
	if err != nil || len(found) == 0 {
		s.Fatalf("image %s: %v, %v", s.subject.Image, found, err)
	}
	byID, err := account.Images(s.ctx, driver.ImageQuery{Name: found[0].ID})
	if err != nil || len(byID) != 1 || byID[0].ID != found[0].ID {
		s.Errorf("image %s by its id: %v, %v", found[0].ID, byID, err)
	}
	none, err := account.Images(s.ctx, driver.ImageQuery{Name: "no-such-image"})
	if err != nil || len(none) != 0 {
		s.Errorf("an image that does not exist: %v, %v", none, err)
	}
}

func (s *scene) life() {
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	machine := s.see(made.Machine.ID)
	if s.subject.PowerObservable && machine.State != driver.StateRunning {
		s.Errorf("after the create the machine is %s", machine.State)
	}
	want := driver.Marks{Managed: true, Key: wish.Key, Account: s.subject.Reference.ID, Claim: made.Claim}
	if machine.Marks != want {
		s.Errorf("the marks are %+v, want %+v", machine.Marks, want)
	}
	if machine.Labels["purpose"] != "drivertest" {
		s.Errorf("the labels are %v", machine.Labels)
	}
	if machine.Name != wish.Name || machine.OfferID != wish.OfferID || machine.CreatedAt.IsZero() {
		s.Errorf("the machine is %+v", machine)
	}
	s.deleteTwice(account, heldOf(made, wish))
}

func (s *scene) deleteTwice(account *compute.Account, held compute.Held) {
	s.Helper()
	for range 2 {
		if _, err := account.Delete(s.ctx, held, 0); err != nil {
			s.Fatalf("delete: %v", err)
		}
	}
	if _, err := s.driver.Get(s.ctx, held.MachineID); s.driver.Describe(err).Code != driver.NotFound {
		s.Errorf("after the delete, get answers %v", err)
	}
	if _, err := s.driver.Delete(s.ctx, held.MachineID); err != nil && s.driver.Describe(err).Code != driver.NotFound {
		s.Errorf("the vendor's second delete answers %v", err)
	}
}

func (s *scene) powerActions() {
	account, wish := s.account(""), s.wish()
	held := heldOf(s.create(account, wish), wish)
	for _, step := range []struct {
		action driver.PowerAction
		then   driver.State
	}{
		{driver.PowerOff, driver.StateStopped},
		{driver.PowerOn, driver.StateRunning},
		{driver.Reset, driver.StateRunning},
		{driver.GracefulRestart, driver.StateRunning},
		{driver.Cycle, driver.StateRunning},
	} {
		machine, err := account.Power(s.ctx, held, step.action)
		if err != nil {
			s.Fatalf("%s: %v", step.action, err)
		}
		if s.subject.PowerObservable && machine.State != step.then {
			s.Errorf("after %s the machine is %s, want %s", step.action, machine.State, step.then)
		}
	}
	if _, err := account.Power(s.ctx, held, driver.GracefulOff); err != nil {
		s.Errorf("graceful-off: %v", err)
	}
	_, err := account.Power(s.ctx, held, driver.Nmi)
	if !slices.Contains(able[driver.Power](s).PowerActions(), driver.Nmi) {
		s.wantCode(err, driver.Unsupported)
	}
}

func (s *scene) verify() {
	if err := s.account("").Verify(s.ctx); err != nil {
		s.Error(err)
	}
}
