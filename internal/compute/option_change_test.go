// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// blind says a number of times that nothing is left to do for an option, whatever there is, as a driver may that was answered
// half of a machine.
type blind struct {
	*drivertest.Memory
	times int
}

// SetOption is that of driver.Options.
func (b *blind) SetOption(ctx context.Context, machine driver.Machine, setting driver.Setting) ([]driver.Operation, error) {
	if b.times > 0 {
		b.times--
		return nil, nil
	}
	return b.Memory.SetOption(ctx, machine, setting)
}

// An option is set when the machine shows it, not when its driver finds nothing left to do.
func TestAnOptionIsSetWhenTheMachineShowsIt(t *testing.T) {
	for name, one := range map[string]struct {
		times int
		code  driver.Code
	}{
		"seen at once":   {0, ""},
		"not seen once":  {1, ""},
		"not seen twice": {2, ""},
		"never seen":     {1000, driver.ProviderError},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				setter := &blind{Memory: memory}
				account := optionAccountOn(setter)
				wish := wishFor("web")
				held := heldOf(mustCreate(t, account, wish), wish)
				setter.times = one.times
				backups := manifest.Values{driver.OptionBackups: true}
				_, err := account.Update(t.Context(), held, compute.Change{Options: compute.OptionChange{Written: backups, All: backups}})
				if compute.CodeOf(err) != one.code {
					t.Fatalf("the error is %v, want code %q", err, one.code)
				}
				if err != nil && !strings.Contains(err.Error(), "still shows false") {
					t.Errorf("the error is %v", err)
				}
				if seen := memory.Machines()[0].Options[driver.OptionBackups]; seen != (err == nil) {
					t.Errorf("backups are %v after %v", seen, err)
				}
			})
		})
	}
}

// optionAccountOn is an account whose machines have options.
func optionAccountOn(machines driver.Driver) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: drivertest.MemoryKind(), Driver: machines, Region: "here",
		Reference: compute.Reference{ID: compute.AccountID("root", "memory", "main", ""), TenantID: "root", Kind: "memory"},
	})
}
