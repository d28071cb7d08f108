// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// burst keeps the requests of any minute under a limit of which the vendor says no more than that it is a share of the
// other one. Requests of other programs it does not see: their share shows as answers with status 429.
type burst struct {
	share float64
	// limit is how many requests a minute may have; 0 until an answer has told.
	limit int
	// started are the moments of the last requests, the oldest first.
	started []time.Time
}

// burstWindow is what the limit counts, with a moment for the way to the vendor.
const burstWindow = time.Minute + time.Second

// burstFlight is how many requests may be under way at a time. What was asked before this process began, or by others, counts
// too and shows by a refusal only: of all that are under way then.
const burstFlight = 8

// admits says whether one more request may be under way than there are.
func (b *burst) admits(flight int) bool { return b.share == 0 || flight < burstFlight }

// opens is when the next request may start.
func (b *burst) opens() time.Time {
	if b.limit == 0 || len(b.started) < b.limit {
		return time.Time{}
	}
	return b.started[len(b.started)-b.limit].Add(burstWindow)
}

// start notes a request.
func (b *burst) start(now time.Time) {
	if b.share == 0 {
		return
	}
	expired := 0
	for expired < len(b.started) && now.Sub(b.started[expired]) > burstWindow {
		expired++
	}
	b.started = append(b.started[expired:], now)
}

// refused says that the limit was reached, as the answer to a request tells, while the other limit still had room: what this
// process has not sent itself was sent before it began, or by others. When that will no longer count nobody tells; it is taken
// to have been sent evenly over the last minute, and the next refusal corrects it.
func (b *burst) refused(now time.Time, header http.Header) {
	remaining, err := strconv.Atoi(header.Get("RateLimit-Remaining"))
	others := b.limit - len(b.started)
	if err != nil || remaining <= 0 || others <= 0 {
		return
	}
	for i := range others {
		b.started = append(b.started, now.Add(time.Duration(i+1)*burstWindow/time.Duration(others)-burstWindow))
	}
	slices.SortFunc(b.started, time.Time.Compare)
}

// learn reads the limit that the share is of.
func (b *burst) learn(header http.Header) {
	whole, err := strconv.Atoi(header.Get("RateLimit-Limit"))
	if err != nil || whole <= 0 || b.share == 0 {
		return
	}
	b.limit = max(1, int(float64(whole)*b.share))
}
