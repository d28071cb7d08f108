// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// optionSteps bounds how many steps one option takes: no vendor needs more than leaving one network and joining another.
const optionSteps = 10

// differing answers the options that a machine shows otherwise than they are wanted, in the order in which they are set.
// What the vendor does not tell cannot differ.
func (a *Account) differing(machine driver.Machine, wanted manifest.Values) []driver.Option {
	var found []driver.Option
	for _, option := range a.settings.Kind.Options {
		value, there := wanted[option.Name]
		seen, told := machine.Options[option.Name]
		if there && told && !option.Hidden && !option.Local && !sameOption(option, seen, value) {
			found = append(found, option)
		}
	}
	return found
}

// optionsThatReplace says which options of a machine that is to be taken over no change in place can bring.
func (a *Account) optionsThatReplace(order order, machine driver.Machine) []string {
	var differs []string
	for _, option := range a.differing(machine, order.spec.Options) {
		if option.EffectOf(order.spec.Options[option.Name]) == driver.Replaces {
			differs = append(differs, fmt.Sprintf("its %s is %s, planned is %s",
				option.Name, optionText(machine.Options[option.Name]), optionText(order.spec.Options[option.Name])))
		}
	}
	return differs
}

func optionText(value any) string {
	if texts, ok := value.([]string); ok {
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return fmt.Sprintf("%v", value)
}

// optionsAtCreate sets what the vendor did not take with the order. The machine has never been used, so it may be stopped;
// the create switches it on again afterwards.
func (a *Account) optionsAtCreate(ctx context.Context, order order, machine driver.Machine) (driver.Machine, error) {
	for _, option := range a.differing(machine, order.spec.Options) {
		value := order.spec.Options[option.Name]
		effect := option.EffectOf(value)
		if effect == driver.Replaces {
			continue // the vendor has it otherwise than it was ordered: the next plan tells
		}
		var err error
		if effect == driver.Restarts && machine.State == driver.StateRunning {
			if machine, err = a.switchPower(ctx, machine, driver.PowerOff); err != nil {
				return machine, err
			}
		}
		machine, err = a.setOption(ctx, machine, option, driver.Setting{Name: option.Name, Value: value, All: order.spec.Options})
		if err != nil {
			return machine, err
		}
	}
	return machine, nil
}

// optionsInUse is optionsAtCreate for a machine that was in use and has been taken back: what would stop it is left to the
// next plan, which shows the difference and asks whether it may be stopped.
func (a *Account) optionsInUse(ctx context.Context, order order, machine driver.Machine) (driver.Machine, error) {
	for _, option := range a.differing(machine, order.spec.Options) {
		value := order.spec.Options[option.Name]
		if option.EffectOf(value) != driver.InPlace {
			continue
		}
		var err error
		machine, err = a.setOption(ctx, machine, option, driver.Setting{Name: option.Name, Value: value, All: order.spec.Options})
		if err != nil {
			return machine, err
		}
	}
	return machine, nil
}

// OptionChange is what an update does to a machine's options.
type OptionChange struct {
	// Written are the options that change, Prior what the state had of them, All all that are written for the machine.
	Written, Prior, All manifest.Values
}

// optionSetting is one option that an update has to set.
type optionSetting struct {
	option  driver.Option
	setting driver.Setting
}

// changeOptions brings the options that change while the machine runs.
func (a *Account) changeOptions(ctx context.Context, held Held, change Change, made *Made) error {
	settings, err := a.optionSettings(ctx, made.Machine, change.Options)
	if err != nil {
		return err
	}
	for _, one := range settings {
		switch one.option.EffectOf(one.setting.Value) {
		case driver.Replaces:
			if !one.option.Hidden { // after an import what is written is taken for what is there
				return a.fault(driver.InvalidState, one.option.Name, "change "+one.option.Name+" of "+held.object(),
					fmt.Sprintf("The machine shows %s, and %s cannot change it in place.", optionText(made.Machine.Options[one.option.Name]), a.title()),
					"Run plan again: the plan replaces the machine then, or says why not.")
			}
		case driver.InPlace:
			if made.Machine, err = a.setOption(ctx, made.Machine, one.option, one.setting); err != nil {
				return err
			}
		case driver.Restarts:
		}
	}
	return nil
}

// optionWork sets the options that a machine has to be off for.
func (a *Account) optionWork(ctx context.Context, machine driver.Machine, change Change) (work, error) {
	settings, err := a.optionSettings(ctx, machine, change.Options)
	if err != nil {
		return nil, err
	}
	settings = slices.DeleteFunc(settings, func(one optionSetting) bool { return one.option.EffectOf(one.setting.Value) != driver.Restarts })
	if len(settings) == 0 {
		return nil, nil //nolint:nilnil // no work and no fault
	}
	return func(ctx context.Context, made *Made) error {
		for _, one := range settings {
			changed, err := a.setOption(ctx, made.Machine, one.option, one.setting)
			changed.Marks.Stopped = made.Machine.Marks.Stopped
			if made.Machine = changed; err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// optionSettings answers what an update has to set: what a machine shows as it is wanted has been set before.
func (a *Account) optionSettings(ctx context.Context, machine driver.Machine, change OptionChange) ([]optionSetting, error) {
	if len(change.Written) == 0 {
		return nil, nil
	}
	wanted, err := a.ResolveOptions(ctx, change.Written, machine.Region)
	if err != nil {
		return nil, err
	}
	all, err := a.ResolveOptions(ctx, change.All, machine.Region)
	if err != nil {
		return nil, err
	}
	var settings []optionSetting
	for _, option := range a.settings.Kind.Options {
		value, changes := wanted[option.Name]
		seen, told := machine.Options[option.Name]
		if !changes || option.Local || told && !option.Hidden && sameOption(option, seen, value) {
			continue
		}
		before := a.resolvePrior(ctx, option, change.Prior, machine.Region)
		if option.Project && before == value {
			continue // another spelling of where the state has seen it
		}
		setting := driver.Setting{Name: option.Name, Value: value, Before: before, All: all}
		settings = append(settings, optionSetting{option, setting})
	}
	return settings, nil
}

// resolvePrior answers what the state had of an option, nil where that is gone at the vendor by now: nothing has to be taken
// off then.
func (a *Account) resolvePrior(ctx context.Context, option driver.Option, prior manifest.Values, region string) any {
	value, there := prior[option.Name]
	if !there {
		return nil
	}
	canonical, err := a.resolveOption(ctx, option, value, region)
	if err != nil {
		return nil
	}
	return canonical
}

// setOption takes steps until the option is as it is wanted, and believes that only of a machine that shows it. Each step looks
// at the machine first, so a lost answer is no reason to give up.
func (a *Account) setOption(ctx context.Context, machine driver.Machine, option driver.Option, setting driver.Setting) (driver.Machine, error) {
	action := "set " + option.Name + " of " + objectOf(machine)
	if text, ok := setting.Value.(string); ok && option.Project {
		return machine, withField(a.assignProject(ctx, machine, text, action), option.Name)
	}
	setter, err := capability[driver.Options](a, CapabilityOptions, action)
	if err != nil {
		return machine, err
	}
	unseen := false
	for step, lost := 0, 0; step < optionSteps; step++ {
		operations, err := a.sendOption(ctx, setter, machine, setting, action)
		repeat := err != nil && a.describe(err).Outcome == driver.Unknown && lost < stepTries
		if err != nil && !repeat {
			return machine, withField(err, option.Name)
		}
		over := !repeat && (option.Hidden || len(operations) == 0)
		if repeat || unseen && over {
			if pause(ctx, interval(lost)) != nil {
				return machine, a.ended(ctx, action, "", err)
			}
			lost++
		}
		if err := a.await(ctx, operations, action, ""); err != nil {
			return machine, withField(err, option.Name)
		}
		a.machines.wrote(machine.ID)
		machine, err = a.awaitMachine(ctx, machine, action, func(seen driver.Machine) bool { return !seen.Busy })
		if err != nil || over && shows(machine, option, setting.Value) {
			return machine, err
		}
		unseen = over
	}
	return machine, a.fault(driver.ProviderError, option.Name, action,
		fmt.Sprintf("%s answers every step as done and still shows %s.", a.title(), optionText(machine.Options[option.Name])),
		"Look at the machine at the vendor, then apply again.")
}

// shows says whether a machine shows an option as it is wanted, or tells nothing of it.
func shows(machine driver.Machine, option driver.Option, wanted any) bool {
	seen, told := machine.Options[option.Name]
	return !told || option.Hidden || sameOption(option, seen, wanted)
}

func (a *Account) sendOption(
	ctx context.Context, setter driver.Options, machine driver.Machine, setting driver.Setting, action string,
) (operations []driver.Operation, err error) {
	err = a.persist(ctx, action, "", func(ctx context.Context) error {
		var err error
		operations, err = setter.SetOption(ctx, machine, setting)
		return err
	})
	a.machines.wrote(machine.ID)
	return operations, err
}

func withField(err error, field string) error {
	if known, ok := errors.AsType[*Error](err); ok && known.Field == "" {
		known.Field = field
	}
	return err
}
