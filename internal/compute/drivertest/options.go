// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

func optionCases() []testCase {
	return []testCase{
		{"options are shown as they were ordered", (*scene).optionsAtCreate},
		{"options that are not written are left as the vendor has them", (*scene).optionsUnwritten},
		{"each option changes to another value and back", (*scene).optionsChange},
		{"an option that is written the same is not set", (*scene).optionsStay},
		{"a protected machine is not deleted until the protection is lifted", (*scene).optionsProtect},
		{"what an option names must be there", (*scene).optionsUnknown},
	}
}

// options answers what the subject gives for the options of its kind that are not local. Of those that say the same thing
// in two ways the first is written.
func (s *scene) options(of manifest.Values) manifest.Values {
	s.Helper()
	if of == nil {
		s.Skip("the subject gives no values of options") // an account that is live, of which nobody knows what is in it
	}
	given := manifest.Values{}
	for _, option := range s.subject.Kind.Options {
		value, there := of[option.Name]
		if !there && !option.Local {
			s.Errorf("the subject gives no value of %s", option.Name)
		}
		said := slices.ContainsFunc(option.Follows, func(other string) bool { return given[other] != nil })
		if there && !said {
			given[option.Name] = value
		}
	}
	return given
}

// skipWithoutOptions ends a case of a vendor whose kind has none.
func (s *scene) skipWithoutOptions() {
	s.Helper()
	if len(s.subject.Kind.Options) == 0 {
		s.Skip("the kind has no options")
	}
}

func (s *scene) optionsAtCreate() {
	s.skipWithoutOptions()
	account, wish := s.account(""), s.wish()
	wish.Options = s.options(s.subject.Options)
	made := s.create(account, wish)
	s.wantOptions(account, made, wish.Options, "after the create")
	if machine := s.see(made.Machine.ID); s.subject.PowerObservable && machine.State != driver.StateRunning {
		s.Errorf("after the create the machine is %s", machine.State)
	}
}

// wantOptions compares what the vendor shows with what is written, as a state would have it.
func (s *scene) wantOptions(account *compute.Account, made compute.Made, written manifest.Values, when string) {
	s.Helper()
	machine := s.see(made.Machine.ID)
	shown, err := account.ShownOptions(s.ctx, machine, written)
	if err != nil {
		s.Fatal(err)
	}
	for _, option := range s.subject.Kind.Options {
		value, there := written[option.Name]
		if there && !reflect.DeepEqual(shown[option.Name], value) {
			s.Errorf("%s, %s is %v, want %v", when, option.Name, shown[option.Name], value)
		}
		if _, told := machine.Options[option.Name]; there && !told && !option.Silent() {
			s.Errorf("%s, the machine does not show %s", when, option.Name)
		}
	}
}

func (s *scene) optionsUnwritten() {
	s.skipWithoutOptions()
	account, wish := s.account(""), s.wish()
	made := s.create(account, wish)
	before := s.see(made.Machine.ID)
	s.update(account, heldOf(made, wish), compute.Change{ChangeLabels: true, PriorLabels: wish.Labels, Labels: map[string]string{"color": "blue"}})
	if after := s.see(made.Machine.ID); !reflect.DeepEqual(after.Options, before.Options) {
		s.Errorf("the options were %v and are %v", before.Options, after.Options)
	}
}

// optionsChange changes every option that does not replace the machine, one at a time, and puts it back.
func (s *scene) optionsChange() {
	s.skipWithoutOptions()
	account, wish := s.account(""), s.wish()
	wish.Options = s.options(s.subject.Options)
	made := s.create(account, wish)
	current := wish.Options
	for _, option := range s.subject.Kind.Options {
		for _, value := range []any{s.subject.OtherOptions[option.Name], s.subject.Options[option.Name]} {
			if option.Local || option.Hidden || option.EffectOf(value) == driver.Replaces {
				continue
			}
			next := s.with(current, option, value)
			s.update(account, heldOf(made, wish), compute.Change{ShutdownTimeout: wish.ShutdownTimeout, AllowStopping: true, Options: compute.OptionChange{
				Written: manifest.Values{option.Name: value}, Prior: manifest.Values{option.Name: current[option.Name]}, All: next,
			}})
			s.wantOptions(account, made, next, "after the change of "+option.Name)
			current = next
		}
	}
	if machine := s.see(made.Machine.ID); s.subject.PowerObservable && machine.State != driver.StateRunning {
		s.Errorf("after the changes the machine is %s", machine.State)
	}
}

// with answers values with an option, without those that say the same thing in another way: each follows the other.
func (s *scene) with(values manifest.Values, option driver.Option, value any) manifest.Values {
	changed := manifest.Values{}
	for name, own := range values {
		other, _ := s.subject.Kind.Option(name)
		if !slices.Contains(option.Follows, name) || !slices.Contains(other.Follows, option.Name) {
			changed[name] = own
		}
	}
	changed[option.Name] = value
	return changed
}

// unprotect takes the vendor's own protection off, so that the machine can be removed.
func (s *scene) unprotect(ctx context.Context, machine driver.Machine) {
	setter, ok := s.driver.(driver.Options)
	if !ok || machine.Options[driver.OptionDeleteProtection] != true {
		return
	}
	if _, err := setter.SetOption(ctx, machine, driver.Setting{Name: driver.OptionDeleteProtection, Value: false}); err != nil {
		s.Logf("unprotect %s: %v", machine.ID, err)
	}
}

// optionsProtect sees a protection at work: only where the vendor has a switch for it.
func (s *scene) optionsProtect() {
	s.skipWithoutOptions()
	option, has := s.subject.Kind.Option(driver.OptionDeleteProtection)
	if !has || option.Local {
		s.Skip("the vendor has no protection")
	}
	account, wish := s.account(""), s.wish()
	wish.Options = manifest.Values{driver.OptionDeleteProtection: true}
	held := heldOf(s.create(account, wish), wish)
	_, err := s.driver.Delete(s.ctx, held.MachineID)
	if failure := s.driver.Describe(orNil(err)); failure.Reason != driver.ReasonProtected {
		s.Errorf("the delete of a protected machine answers %v", err)
	}
	lifted := manifest.Values{driver.OptionDeleteProtection: false}
	s.update(account, held, compute.Change{Options: compute.OptionChange{Written: lifted, Prior: wish.Options, All: lifted}})
	s.deleteTwice(account, held)
}

// orNil is an error that says that there was none, for Describe.
func orNil(err error) error {
	if err == nil {
		return errors.New("no error")
	}
	return err
}

func (s *scene) optionsStay() {
	s.skipWithoutOptions()
	account, wish := s.account(""), s.wish()
	wish.Options = s.options(s.subject.Options)
	made := s.create(account, wish)
	before := s.see(made.Machine.ID)
	s.update(account, heldOf(made, wish), compute.Change{Options: compute.OptionChange{Written: wish.Options, Prior: wish.Options, All: wish.Options}})
	if after := s.see(made.Machine.ID); !reflect.DeepEqual(after.Options, before.Options) || after.State != before.State {
		s.Errorf("the machine was %+v and is %+v", before, after)
	}
}

func (s *scene) optionsUnknown() {
	s.skipWithoutOptions()
	account := s.account("")
	for _, option := range s.subject.Kind.Options {
		if !option.Refers {
			continue
		}
		written := manifest.Values{option.Name: "no-such-object"}
		if option.Type != manifest.String {
			written[option.Name] = []string{"no-such-object"}
		}
		_, err := account.ResolveOptions(s.ctx, written, s.subject.Region)
		s.wantCode(err, driver.InvalidInput)
	}
}
