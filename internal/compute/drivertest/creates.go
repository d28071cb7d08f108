// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func createCases() []testCase {
	return []testCase{
		{"a create that is repeated by the same owner adopts its machine", (*scene).repeatWithOwner},
		{"a create that is repeated without owner is a CONFLICT and writes nothing", (*scene).repeatWithoutOwner},
		{"a create that was killed is carried on", (*scene).takeOverCreating},
		{"what was made for other arguments is brought to the plan", (*scene).bring},
		{"what cannot be brought is a CONFLICT that names it", (*scene).cannotBring},
		{"a leftover of the same name is a CONFLICT that names it", (*scene).leftover},
		{"a name that is taken is a CONFLICT that names its holder", (*scene).nameTaken},
		{"an interrupted create is finished in place", (*scene).finish},
		{"machines with one key and two processes: one is made", (*scene).race},
	}
}

// untouched fails the case when the machine is not exactly as it was.
func (s *scene) untouched(before driver.Machine) {
	s.Helper()
	after := s.see(before.ID)
	if after.Marks != before.Marks || after.Name != before.Name || after.State != before.State {
		s.Errorf("the machine was %+v and is %+v", before, after)
	}
}

func (s *scene) repeatWithOwner() {
	wish := s.wish()
	first := s.create(s.account("shop/prod"), wish)
	second := s.create(s.account("shop/prod"), wish)
	if second.Machine.ID != first.Machine.ID || !second.Adopted || len(second.Notices) == 0 {
		s.Errorf("first %+v, second %+v", first, second)
	}
	if second.Claim == first.Claim || s.see(first.Machine.ID).Marks.Claim != second.Claim {
		s.Errorf("the claim was %s, the new one is %s, the machine shows %s", first.Claim, second.Claim, s.see(first.Machine.ID).Marks.Claim)
	}
}

func (s *scene) repeatWithoutOwner() {
	wish := s.wish()
	first := s.create(s.account(""), wish)
	before := s.see(first.Machine.ID)
	for _, owner := range []string{"", "somebody else"} {
		made, err := s.account(owner).Create(s.ctx, wish)
		s.wantRefused(err, made.Machine.ID, wish.Key)
	}
	s.untouched(before)
}

func (s *scene) takeOverCreating() {
	wish := s.wish()
	first := s.create(s.account(""), wish)
	s.tamper(first.Machine.ID, func(marks *driver.Marks) { marks.Creating = true })
	second := s.create(s.account(""), wish)
	if second.Machine.ID != first.Machine.ID || len(second.Notices) != 1 || !strings.Contains(second.Notices[0].Detail, first.Machine.ID) {
		s.Errorf("first %+v, second %+v", first, second)
	}
	if marks := s.see(first.Machine.ID).Marks; marks.Creating || marks.Claim != second.Claim {
		s.Errorf("the marks are %+v, the claim %s", marks, second.Claim)
	}
}

func (s *scene) bring() {
	wish := s.wish()
	first := s.create(s.account(""), wish)
	s.tamper(first.Machine.ID, func(marks *driver.Marks) { marks.Creating = true })
	wish.Image, wish.Power, wish.Labels = s.subject.OtherImage, "off", map[string]string{"color": "green"}
	second := s.create(s.account(""), wish)
	seen := s.see(first.Machine.ID)
	if second.Machine.ID != first.Machine.ID || seen.ImageID != second.ImageID || seen.Labels["color"] != "green" {
		s.Errorf("the machine is %+v", seen)
	}
	if s.subject.PowerObservable && seen.State != driver.StateStopped {
		s.Errorf("the machine is %s", seen.State)
	}
}

func (s *scene) cannotBring() {
	account, wish := s.account("shop/prod"), s.wish()
	first := s.create(account, wish)
	offers, err := account.Offers(s.ctx, driver.OfferQuery{})
	if err != nil {
		s.Fatal(err)
	}
	other := wish
	for _, offer := range offers {
		if offer.ID != wish.OfferID && offer.Architecture == first.Offer.Architecture {
			other.OfferID = offer.ID
		}
	}
	before := s.see(first.Machine.ID)
	_, err = s.account("shop/prod").Create(s.ctx, other)
	s.wantCode(err, driver.Conflict)
	if !strings.Contains(err.Error(), other.OfferID) {
		s.Errorf("the error does not name the offer: %v", err)
	}
	s.untouched(before)
}

func (s *scene) leftover() {
	wish := s.wish()
	first := s.create(s.account(""), wish)
	before := s.tamper(first.Machine.ID, func(marks *driver.Marks) { marks.Creating = true })
	other := wish
	other.Key = compute.InstanceIdentity{Tenant: "drivertest", AccountID: s.subject.Reference.ID, IdempotencyKey: wish.Name}.ID()
	_, err := s.account("").Create(s.ctx, other)
	s.wantCode(err, driver.Conflict)
	if !strings.Contains(err.Error(), first.Machine.ID) {
		s.Errorf("the error does not name the leftover: %v", err)
	}
	s.untouched(before)
}

func (s *scene) nameTaken() {
	if !s.driver.Limits().UniqueNames {
		s.Skip("names are not unique here")
	}
	wish := s.wish()
	first := s.create(s.account(""), wish)
	before := s.tamper(first.Machine.ID, func(marks *driver.Marks) { *marks = driver.Marks{} })
	_, err := s.account("").Create(s.ctx, wish)
	s.wantCode(err, driver.Conflict)
	if known, ok := errors.AsType[*compute.Error](err); !ok || known.Field != "name" || !strings.Contains(err.Error(), first.Machine.ID) {
		s.Errorf("the error is %v", err)
	}
	s.untouched(before)
}

func (s *scene) finish() {
	wish := s.wish()
	var made compute.Made
	s.interrupted(func(ctx context.Context) (id string, unfinished bool, err error) {
		made, err = s.account("").Create(ctx, wish)
		return made.Machine.ID, made.Unfinished, err
	})
	s.settle()
	finished, err := s.account("").Finish(s.ctx, heldOf(made, wish), wish)
	if err != nil {
		s.Fatal(err)
	}
	marks := s.see(made.Machine.ID).Marks
	if finished.Unfinished || finished.Machine.ID != made.Machine.ID || marks.Creating || marks.Claim != made.Claim {
		s.Errorf("finished %+v, the marks are %+v", finished, marks)
	}
}

func (s *scene) race() {
	wish := s.wish()
	won := s.racing(func(account *compute.Account) error {
		_, err := account.Create(s.ctx, wish)
		return err
	})
	if remains := s.remains(); len(remains) != 1 || won != 1 {
		s.Errorf("%d creates say that they have won; there is %+v", won, remains)
	}
}

// racing runs a create in two processes at once and answers how many of them say that they have won.
func (s *scene) racing(create func(*compute.Account) error) (won int) {
	s.Helper()
	results := make(chan error, 2)
	for range 2 {
		account := s.account("")
		go func() { results <- create(account) }()
	}
	for range 2 {
		err := <-results
		switch compute.CodeOf(err) {
		case "":
			won++
		case driver.Conflict:
		default:
			s.Errorf("a racing create ends in %v", err)
		}
	}
	return won
}

// interrupted runs a create that is interrupted soon. The case is passed by where the vendor was done before.
func (s *scene) interrupted(create func(context.Context) (id string, unfinished bool, err error)) {
	s.Helper()
	ctx, cancel := context.WithCancel(s.ctx)
	time.AfterFunc(500*time.Millisecond, cancel)
	id, unfinished, err := create(ctx)
	if err == nil {
		s.Skip("the vendor was done before the interrupt")
	}
	if !errors.Is(err, compute.ErrInterrupted) || id == "" || !unfinished {
		s.Fatalf("the interrupted create answers object %q, unfinished %t, %v", id, unfinished, err)
	}
}

// wantRefused fails the case unless a create was refused without anything to save, and offers the import of the key.
func (s *scene) wantRefused(err error, id, key string) {
	s.Helper()
	s.wantCode(err, driver.Conflict)
	if known, ok := errors.AsType[*compute.Error](err); !ok || known.Import != key || id != "" {
		s.Errorf("a refused create answers object %q, %v", id, err)
	}
}
