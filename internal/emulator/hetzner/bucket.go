// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// bucket is the vendor's request limit of one project: per_hour requests, refilled evenly, so one a second at 3600
// (Hetzner API document, "Rate Limiting"). Requests without a valid token share one.
type bucket struct {
	started bool
	left    float64
	rate    float64 // requests a second that come back
	seen    time.Time
	version int
}

// take counts a request and says whether it is within the limit.
func (b *bucket) take(settings *core.SettingsStore, now time.Time) (core.Limit, bool) {
	limit, version := settings.Limit("hetzner")
	size := float64(limit.PerHour)
	if !b.started || b.version != version {
		b.set(limit, size)
		b.started, b.version, b.seen = true, version, now
	}
	if passed := now.Sub(b.seen).Seconds(); passed > 0 {
		b.left += passed * b.rate
	}
	b.seen = now
	if b.left >= size {
		b.left, b.rate = size, size/3600
	}
	if b.left < 1 {
		return limit, false
	}
	b.left--
	return limit, true
}

// set applies a change of the limits: what remains now, and the pace that makes it whole in time.
func (b *bucket) set(limit core.Limit, size float64) {
	if !b.started {
		b.left = size
	}
	b.rate = size / 3600
	if limit.Remaining != nil {
		b.left = min(float64(*limit.Remaining), size)
	}
	if missing := size - b.left; limit.ResetIn > 0 && missing > 0 {
		b.rate = missing / time.Duration(limit.ResetIn).Seconds()
	}
}

// headers are the RateLimit headers. Reset is the UNIX time at which the bucket is full again, and there is no
// Retry-After.
func (b *bucket) headers(limit core.Limit, now time.Time) http.Header {
	full := now
	if missing := float64(limit.PerHour) - b.left; missing > 0 {
		full = now.Add(time.Duration(missing / b.rate * float64(time.Second)))
	}
	header := http.Header{}
	header.Set("RateLimit-Limit", strconv.Itoa(limit.PerHour))
	header.Set("RateLimit-Remaining", strconv.Itoa(int(b.left)))
	header.Set("RateLimit-Reset", strconv.FormatInt(full.Unix(), 10))
	return header
}

func limitReached(limit core.Limit) core.Answer {
	message := fmt.Sprintf("limit of %d requests per hour reached", limit.PerHour)
	return failure(http.StatusTooManyRequests, "rate_limit_exceeded", message, nil)
}
