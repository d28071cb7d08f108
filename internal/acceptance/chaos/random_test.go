// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// forVariable says how long the random mode goes on; without it a few rounds are played.
const forVariable = "CHAOS_FOR"

// roundsByDefault is how many rounds plain go test plays.
const roundsByDefault = 8

// TestRandom plays whole lives of a machine, each operation of which is interrupted several times in ways that a seed
// chooses, with slow actions and lagging lists. Each round has a seed of its own, by which it can be played alone.
func TestRandom(t *testing.T) {
	seed, begun := seedOf(t), time.Now()
	length, err := time.ParseDuration(os.Getenv(forVariable))
	if os.Getenv(forVariable) != "" && err != nil {
		t.Fatalf("%s: %v", forVariable, err)
	}
	results := newResults()
	rounds := 0
	for ; rounds < roundsByDefault || time.Since(begun) < length; rounds++ {
		own := seed + uint64(rounds)
		for _, on := range subjects() {
			playRound(t, on, own, results)
		}
		if os.Getenv(seedVariable) != "" && length == 0 {
			break // the round that was asked for
		}
	}
	t.Logf("%d rounds from seed %d\n%s", rounds, seed, results.table())
}

// playRound is one life.
func playRound(t *testing.T, on subject, seed uint64, results *results) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 0))
	operations := on.possible()
	operation := operations[random.IntN(len(operations))]
	one := trial{on: on, operation: operation, owned: true, stores: random.IntN(2) == 0}
	synctest.Test(t, func(t *testing.T) {
		play := one.prepare(t)
		disturb(t, play, random)
		var told []string
		for range 1 + random.IntN(3) {
			told = append(told, play.stumble(random))
		}
		found := play.stand()
		results.add(rowOf(on, operation), found)
		if found.outcome.isWrong() {
			t.Errorf("%s, %s: %s: %s\nafter %s\nCHAOS_SEED=%d go test -run TestRandom ./internal/acceptance/chaos",
				on, operation.name, found.outcome, found.why, strings.Join(told, "; "), seed)
		}
		play.left.Wait()
		<-time.After(settling)
	})
}

// disturb gives the vendor slow actions.
func disturb(t *testing.T, p *play, random *rand.Rand) {
	t.Helper()
	if err := p.cloud.ChangeSettings(func(settings *emulator.Settings) {
		settings.ActionTime = emulator.Duration(time.Duration(random.IntN(20000)) * time.Millisecond)
	}); err != nil {
		t.Fatal(err)
	}
}

// stumble runs the operation with one interruption, wherever it may meet.
func (p *play) stumble(random *rand.Rand) string {
	p.wire = newWire(p.transport())
	p.wire.at, p.wire.what = 1+random.IntN(30), interruptions[random.IntN(len(interruptions))]
	p.apply(p.wire, p.after)
	return fmt.Sprintf("%s at request %d", p.wire.what.name, p.wire.at)
}

// stand applies undisturbed until it passes and judges. Several errors in a row may have tainted an object more than once.
func (p *play) stand() verdict {
	p.wire = newWire(p.transport())
	p.wire.what.mayTaint = true
	again, kind := p.getUp()
	if !again.failed {
		return p.judge(kind)
	}
	return *fault(broken, "two more applies failed: %s", again.said)
}
