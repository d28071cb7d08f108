// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// storms are the ways in which a vendor's limit is used up in the middle of a command.
var storms = []struct {
	name    string
	resetIn time.Duration
	// outlasts says that it is over inside every operation's timeout.
	outlasts bool
}{
	{"whole again in 20 seconds", 20 * time.Second, true},
	{"whole again in 50 minutes", 50 * time.Minute, false},
}

// TestStorms uses the vendor's limit up before each request of each operation. A short storm is waited out; a long one
// ends in one RATE_LIMITED, and when it is over the next apply goes on.
func TestStorms(t *testing.T) {
	t.Parallel()
	every, seed, limits := share(t), seedOf(t), emulator.New(emulator.Options{}).Settings().Limits
	for _, on := range subjects() {
		if _, limited := limits[on.Name]; !limited {
			continue
		}
		for _, operation := range on.possible() {
			t.Run(on.String()+"/"+operation.name, func(t *testing.T) {
				t.Parallel()
				base := trial{on: on, operation: operation, owned: true}
				if base.isOut(every, seed) {
					return
				}
				_, whole := base.run(t)
				for number := range whole.sent {
					for _, storm := range storms {
						one := base
						one.at, one.what.name = number+1, storm.name
						if one.isChosen(every, seed) {
							one.weather(t, storm.resetIn, storm.outlasts)
						}
					}
				}
			})
		}
	}
}

// weather is one case.
func (c trial) weather(t *testing.T, resetIn time.Duration, outlasts bool) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		play := c.prepare(t)
		play.wire = newWire(play.transport())
		play.wire.at, play.wire.what = c.at, interruption{name: c.what.name, mayTaint: !outlasts}
		play.wire.what.before = func() {
			if err := play.cloud.ChangeSettings(func(settings *emulator.Settings) {
				limit := settings.Limits[c.on.Name]
				limit.Remaining, limit.ResetIn = new(0), emulator.Duration(resetIn)
				settings.Limits[c.on.Name] = limit
			}); err != nil {
				panic(err)
			}
		}
		first := play.apply(play.wire, play.after)
		switch said := first.said.Errors().String(); {
		case outlasts && first.failed:
			t.Errorf("a short storm is not waited out: %s\nmake chaos CASE='%s'", said, c)
		case first.failed && (len(first.said.Errors()) != 1 || !strings.Contains(said, "(RATE_LIMITED)")):
			t.Errorf("a long storm is told so: %s\nmake chaos CASE='%s'", said, c)
		}
		<-time.After(time.Hour)
		found := play.repeat(first)
		if found.outcome.isWrong() {
			t.Errorf("%s: %s\nmake chaos CASE='%s'", found.outcome, found.why, c)
		}
		play.left.Wait()
		<-time.After(settling)
	})
}

// TestLimitsOfAMinute: with 250 requests a minute, a hundred machines are made and read without an error.
func TestLimitsOfAMinute(t *testing.T) {
	for _, on := range machines() {
		t.Run(on.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				crowd := newCrowd(t, on, 1)
				crowd.apply(100)
				crowd.refresh()
				if got := len(on.Machines(crowd.cloud)); got != 100 {
					t.Errorf("there are %d machines", got)
				}
				crowd.destroy()
			})
		})
	}
}
