// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// addressReverse: the name comes with the create, changes in place, stays where nothing is said about it, and goes; where
// the vendor has none, it is refused before anything is reserved.
func (s *scene) addressReverse() {
	account := s.account("")
	if !account.Has(compute.CapabilityReverseDNS) {
		wish := s.addressWish("ipv4", "")
		wish.ReverseDNS = new("www.example.com")
		_, err := account.CreateAddress(s.ctx, wish)
		s.wantCode(err, driver.Unsupported)
		return
	}
	for _, family := range able[driver.Addresses](s).AddressRules().Families {
		wish := s.addressWish(family, "")
		wish.ReverseDNS = new("www.example.com")
		held := s.reserve(account, wish)
		s.resolvesTo(held, "www.example.com")
		for _, step := range []struct {
			change compute.AddressChange
			name   string
		}{
			{compute.AddressChange{ReverseDNS: new("mail.example.com")}, "mail.example.com"},
			{compute.AddressChange{ReverseDNS: new("mail.example.com")}, "mail.example.com"},
			{compute.AddressChange{}, "mail.example.com"},
			{compute.AddressChange{ReverseDNS: new("")}, ""},
		} {
			if _, err := account.UpdateAddress(s.ctx, held, step.change); err != nil {
				s.Fatalf("name it %q: %v", step.name, err)
			}
			s.resolvesTo(held, step.name)
		}
		s.deleteAddressTwice(account, held)
	}
}

func (s *scene) resolvesTo(held compute.AddressHeld, name string) {
	s.Helper()
	if seen := s.seeAddress(held.AddressID); seen.ReverseDNS != name {
		s.Errorf("the address resolves to %q, wanted is %q", seen.ReverseDNS, name)
	}
}
