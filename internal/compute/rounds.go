// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"sync"
	"time"
)

// round is a moment at which everybody looks who waits for something to show: one list then serves all of them.
type round struct {
	at     time.Time
	joined int
	once   sync.Once
	wanted age
}

// nextRound waits for a moment, half of the patience away at least, and answers the age of what is read from then on. Whoever
// waits already is joined where that is soon enough.
func (l *lists[T]) nextRound(ctx context.Context, patience time.Duration) (age, error) {
	own := l.join(time.Now(), patience)
	if err := pause(ctx, time.Until(own.at)); err != nil {
		return age{}, err
	}
	own.once.Do(func() { own.wanted = l.begin(own) })
	return own.wanted, nil
}

// begin is now, with the number of those who have joined the round.
func (l *lists[T]) begin(own *round) age {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.moments++
	return age{after: l.moments, readers: own.joined}
}

// join answers the planned round that comes last within the patience, else plans one.
func (l *lists[T]) join(now time.Time, patience time.Duration) *round {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	var joined *round
	ahead := l.rounds[:0]
	for _, planned := range l.rounds {
		if !planned.at.After(now) {
			continue
		}
		ahead = append(ahead, planned)
		wait := planned.at.Sub(now)
		if wait >= patience/2 && wait <= patience && (joined == nil || planned.at.After(joined.at)) {
			joined = planned
		}
	}
	clear(l.rounds[len(ahead):])
	l.rounds = ahead
	if joined == nil {
		joined = &round{at: now.Add(patience)}
		l.rounds = append(l.rounds, joined)
	}
	joined.joined++
	return joined
}
