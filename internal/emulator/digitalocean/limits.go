// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// window counts the requests of one token: each counts for one hour, and for one minute against bursts (DigitalOcean API
// document, "Rate Limit"). What was refused does not count.
type window struct {
	hour    []time.Time // when each counted request expires, the oldest first
	minute  []time.Time
	keys    []time.Time // requests of /v2/account/keys, which has a limit of its own
	version int         // of the limits, to notice that "remaining" was set
	burst   bool        // the last request was refused by the minute's limit
}

// keysPerMinute: DigitalOcean API document, "Rate Limit".
const keysPerMinute = 10

func newWindows(tokens core.Tokens) map[string]*window {
	windows := map[string]*window{"": {}}
	for name := range tokens {
		windows[name] = &window{}
	}
	return windows
}

// take counts a request; what it returns is the refusal.
func (w *window) take(settings *core.SettingsStore, now time.Time) *core.Answer {
	limit, version := settings.Limit("digitalocean")
	w.expire(now)
	w.burst = false
	if w.version != version {
		w.version = version
		w.set(limit, now)
	}
	if len(w.hour) >= limit.PerHour {
		return new(tooMany())
	}
	if limit.PerMinute > 0 && len(w.minute) >= limit.PerMinute {
		w.burst = true
		refused := tooMany()
		wait := math.Ceil(w.minute[0].Sub(now).Seconds())
		refused.Header.Set("Retry-After", strconv.Itoa(int(wait)))
		return &refused
	}
	w.hour = append(w.hour, now.Add(time.Hour))
	w.minute = append(w.minute, now.Add(time.Minute))
	return nil
}

// takeKeys counts a list of the SSH keys against its own limit. Its refusal bears no retry-after (unverified: the
// document gives that header for bursts only).
func (w *window) takeKeys(now time.Time) *core.Answer {
	if len(w.keys) >= keysPerMinute {
		return new(tooMany())
	}
	w.keys = append(w.keys, now.Add(time.Minute))
	return nil
}

func tooMany() core.Answer {
	return failure(http.StatusTooManyRequests, messages[http.StatusTooManyRequests])
}

func (w *window) expire(now time.Time) {
	for _, counted := range []*[]time.Time{&w.hour, &w.minute, &w.keys} {
		for len(*counted) > 0 && !(*counted)[0].After(now) {
			*counted = (*counted)[1:]
		}
	}
}

// set applies a change of the limits: what remains now, and when the requests that are counted as used expire.
func (w *window) set(limit core.Limit, now time.Time) {
	if limit.Remaining == nil {
		return
	}
	expires := now.Add(time.Hour)
	if limit.ResetIn > 0 {
		expires = now.Add(limit.ResetIn.Value())
	}
	w.hour, w.minute = nil, nil
	for range limit.PerHour - *limit.Remaining {
		w.hour = append(w.hour, expires)
	}
}

// headers are the ratelimit headers of every answer. Reset is when the oldest counted request expires, not when all
// are; remaining is 0 when the minute's limit refused.
func (w *window) headers(settings *core.SettingsStore, now time.Time) http.Header {
	limit, _ := settings.Limit("digitalocean")
	remaining, oldest := max(limit.PerHour-len(w.hour), 0), now
	if w.burst {
		remaining = 0
	}
	if len(w.hour) > 0 {
		oldest = w.hour[0]
	}
	header := http.Header{}
	header.Set("Ratelimit-Limit", strconv.Itoa(limit.PerHour))
	header.Set("Ratelimit-Remaining", strconv.Itoa(remaining))
	header.Set("Ratelimit-Reset", strconv.FormatInt(oldest.Unix(), 10))
	return header
}
