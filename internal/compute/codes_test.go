// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func TestEveryCodeIsInTheTable(t *testing.T) {
	rows := map[driver.Code]compute.CodeRow{}
	for _, row := range compute.Codes {
		if _, twice := rows[row.Code]; twice {
			t.Errorf("%s stands twice", row.Code)
		}
		rows[row.Code] = row
	}
	for _, code := range []driver.Code{
		driver.InvalidInput, driver.InvalidConfig, driver.InvalidState, driver.NotFound, driver.Conflict, driver.AccessDenied,
		driver.QuotaExceeded, driver.CapacityUnavailable, driver.RateLimited, driver.Unsupported, driver.Timeout, driver.ProviderError,
	} {
		row, there := rows[code]
		if !there || row.When == "" || row.Recover == "" || row.Repeated == "" || len(row.Methods) == 0 {
			t.Errorf("%s: %+v", code, row)
		}
	}
}

// The table is what people rely on: a row that changes has to be changed here too.
func TestWhatAnObjectShows(t *testing.T) {
	const key, owner = "inst_ours", "shop/prod"
	ours, later, foreign := compute.NewClaim(owner), compute.NewClaim(owner), compute.NewClaim("another")
	for name, one := range map[string]struct {
		marks driver.Marks
		owner string
		want  compute.Sight
	}{
		"our claim":                           {driver.Marks{Key: key, Claim: ours}, owner, compute.SightOurs},
		"our claim while it is created":       {driver.Marks{Key: key, Claim: ours, Creating: true}, owner, compute.SightOurs},
		"a later claim of the same owner":     {driver.Marks{Key: key, Claim: later}, owner, compute.SightLater},
		"a later claim that still creates":    {driver.Marks{Key: key, Claim: foreign, Creating: true}, owner, compute.SightLater},
		"a later claim, and no owner here":    {driver.Marks{Key: key, Claim: later}, "", compute.SightForeignClaim},
		"two claims without owner":            {driver.Marks{Key: key, Claim: compute.NewClaim("")}, "", compute.SightForeignClaim},
		"another owner's claim":               {driver.Marks{Key: key, Claim: foreign}, owner, compute.SightForeignClaim},
		"no claim":                            {driver.Marks{Key: key}, owner, compute.SightUnmarked},
		"a broken claim":                      {driver.Marks{Key: key, Claim: "somebody"}, owner, compute.SightUnmarked},
		"no marks":                            {driver.Marks{}, owner, compute.SightUnmarked},
		"our claim alone":                     {driver.Marks{Claim: ours}, owner, compute.SightUnmarked},
		"another state's claim without a key": {driver.Marks{Claim: foreign}, owner, compute.SightForeignClaim},
		"another key":                         {driver.Marks{Key: "inst_other", Claim: ours}, owner, compute.SightOtherKey},
	} {
		if got := compute.Judge(driver.Machine{Marks: one.marks}, compute.Held{Key: key, Claim: ours}, one.owner).Sight; got != one.want {
			t.Errorf("%s: %s, want %s", name, got, one.want)
		}
	}
}

func TestAnIDThatIsUsedAgain(t *testing.T) {
	const key, ours = "inst_a", "0-aaaaaaaaaaaaaaaa"
	bare := driver.Machine{UUID: "two"}
	for name, one := range map[string]struct {
		machine driver.Machine
		held    compute.Held
		want    compute.Sight
	}{
		"another machine without marks":      {bare, compute.Held{Key: key, Claim: ours, UUID: "one"}, compute.SightReused},
		"a machine that was never seen":      {bare, compute.Held{Key: key, Claim: ours}, compute.SightReused},
		"the same machine without marks":     {bare, compute.Held{Key: key, Claim: ours, UUID: "two"}, compute.SightUnmarked},
		"imported without marks":             {bare, compute.Held{Key: key, Claim: ours, Unmarked: true}, compute.SightUnmarked},
		"nothing is readable yet":            {driver.Machine{Busy: true}, compute.Held{Key: key, Claim: ours}, compute.SightUnmarked},
		"our key on a machine put up afresh": {driver.Machine{UUID: "two", Marks: driver.Marks{Key: key, Claim: ours}}, compute.Held{Key: key, Claim: ours, UUID: "one"}, compute.SightOurs},
	} {
		if got := compute.Judge(one.machine, one.held, "").Sight; got != one.want {
			t.Errorf("%s: %s, want %s", name, got, one.want)
		}
	}
}
