// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"context"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Bounds of the waits that the vendor does not name.
const (
	shortestWait = time.Second
	longestWait  = time.Minute
)

// Pacing makes clients with the same vendor, endpoint and token obey the vendor's rate limit together. The token is kept
// as a hash, in memory only.
type Pacing struct {
	mu    sync.Mutex
	paces map[[sha256.Size]byte]*pace
}

// NewPacing answers a Pacing in which nobody waits.
func NewPacing() *Pacing {
	return &Pacing{paces: map[[sha256.Size]byte]*pace{}}
}

func (p *Pacing) of(options Options, token string) *pace {
	hash := sha256.Sum256([]byte(strings.Join([]string{options.Vendor, options.Endpoint, token}, "\x00")))
	p.mu.Lock()
	defer p.mu.Unlock()
	found := p.paces[hash]
	if found == nil {
		found = &pace{refill: options.Refill, budget: unknown, burst: burst{share: options.BurstShare}}
		p.paces[hash] = found
	}
	return found
}

// unknown is a budget of which the vendor has said nothing.
const unknown = -1

// pace is the state of one rate limit.
type pace struct {
	refill time.Duration

	mu sync.Mutex
	// burst is the vendor's second limit.
	burst burst
	// budget is how many more requests may start before an answer must tell; flight how many are under way.
	budget, flight int
	// opens is when the next request may start.
	opens time.Time
	// refusals counts answers with status 429 in a row, those that came during one wait as one.
	refusals int
	// changed is closed when a waiter should look again; nil while there is none.
	changed chan struct{}
}

// enter waits until a request may start. With a spent budget one request at a time goes and finds out.
func (p *pace) enter(ctx context.Context) error {
	deadline, limited := ctx.Deadline()
	for {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return &RateLimitedError{}
		}
		p.mu.Lock()
		opens := later(p.opens, p.burst.opens())
		wait := time.Until(opens)
		if wait <= 0 && (p.budget != 0 || p.flight == 0) && p.burst.admits(p.flight) {
			p.start()
			p.mu.Unlock()
			return nil
		}
		changed := p.listen()
		p.mu.Unlock()
		if limited && wait > 0 && !opens.Before(deadline) {
			return &RateLimitedError{Until: opens}
		}
		err := pause(ctx, wait, changed)
		if errors.Is(err, context.DeadlineExceeded) {
			err = &RateLimitedError{}
		}
		if err != nil {
			return err
		}
	}
}

// start counts a request in; the lock is held.
func (p *pace) start() {
	p.flight++
	p.burst.start(time.Now())
	if p.budget > 0 {
		p.budget--
	}
}

// listen answers the channel that leave closes; the lock is held.
func (p *pace) listen() chan struct{} {
	if p.changed == nil {
		p.changed = make(chan struct{})
	}
	return p.changed
}

// leave counts a request out, learns from its answer (nil: there was none), and says when the next one may start.
func (p *pace) leave(response *http.Response) time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.flight--
	if response != nil {
		p.learn(response)
	}
	if p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
	return p.opens
}

func (p *pace) learn(response *http.Response) {
	now := time.Now()
	p.burst.learn(response.Header)
	reset := unixTime(response.Header.Get("RateLimit-Reset"))
	if response.StatusCode == http.StatusTooManyRequests {
		p.burst.refused(now, response.Header)
		p.refuse(now, reset, RetryAfter(response.Header, now))
		return
	}
	p.refusals = 0
	remaining, err := strconv.Atoi(response.Header.Get("RateLimit-Remaining"))
	if err != nil {
		p.budget = unknown
		return
	}
	p.budget = max(0, remaining-p.flight)
	if p.budget > 0 {
		return
	}
	opens := reset
	if p.refill > 0 {
		opens = earlier(now.Add(p.refill), reset)
	}
	p.opens = later(p.opens, opens)
}

// refuse sets the wait after an answer with status 429.
func (p *pace) refuse(now, reset time.Time, retryAfter time.Duration) {
	p.budget = 0
	if retryAfter > 0 {
		p.opens = later(p.opens, now.Add(retryAfter))
		return
	}
	if p.opens.After(now) {
		return
	}
	p.refusals++
	wait := backoff(p.refusals)
	switch {
	case p.refill > 0:
		p.opens = earlier(now.Add(wait), reset)
	case reset.After(now):
		p.opens = reset
	default:
		p.opens = now.Add(wait)
	}
}

// backoff answers the wait before the n-th repeat, counted from 1: 1, 2, 4 ... at most 60 s, up to a quarter less (the
// first: more, since a budget that refills every second needs that second).
func backoff(n int) time.Duration {
	wait := longestWait
	if n < 7 {
		wait = min(shortestWait<<(n-1), longestWait)
	}
	if n == 1 {
		return wait + rand.N(wait/4)
	}
	return wait - rand.N(wait/4)
}

// RetryAfter reads the header of this name, in seconds or as a date; 0: not there or in the past.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	text := header.Get("Retry-After")
	if seconds, err := strconv.Atoi(text); err == nil {
		return max(0, time.Duration(seconds)*time.Second)
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(0, date.Sub(now))
}

func unixTime(text string) time.Time {
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(seconds, 0)
}

// earlier answers the earlier of a time and a bound, which does not count when it is zero or in the past.
func earlier(moment, bound time.Time) time.Time {
	if bound.After(time.Now()) && bound.Before(moment) {
		return bound
	}
	return moment
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// pause waits for a duration (0 or less: without end) or for a channel to be closed, whichever is first.
func pause(ctx context.Context, wait time.Duration, changed <-chan struct{}) error {
	var over <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-over:
		return nil
	case <-changed:
		return nil
	}
}
