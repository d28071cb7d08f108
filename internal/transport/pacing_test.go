// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// bucket is a rate limit like Hetzner's: it refills by one a second, and RateLimit-Reset is when it is full.
type bucket struct {
	mu       sync.Mutex
	size     int
	left     float64
	last     time.Time
	refusals int
}

func (b *bucket) answer(int, *http.Request) (*http.Response, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	if !b.last.IsZero() {
		b.left = min(float64(b.size), b.left+now.Sub(b.last).Seconds())
	}
	b.last = now
	status := 200
	if b.left < 1 {
		status = 429
		b.refusals++
	} else {
		b.left--
	}
	reset := now.Add(time.Duration(float64(b.size)-b.left) * time.Second)
	return answer(status, "{}", "RateLimit-Limit", strconv.Itoa(b.size), "RateLimit-Remaining", strconv.Itoa(int(b.left)),
		"RateLimit-Reset", strconv.FormatInt(reset.Unix(), 10)), nil
}

// together sends requests at the same time and answers their statuses, and their errors as status 0.
func together(ctx context.Context, n int, client func(i int) *http.Client) []int {
	statuses := make([]int, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { statuses[i], _ = do(ctx, client(i), "POST", "") })
	}
	group.Wait()
	return statuses
}

func TestThirtyRequestsOnAnEmptyBucket(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := &bucket{size: 3600}
		v := &vendor{answer: limit.answer}
		client := open(t, v, nil)
		limit.last = time.Now()
		started := time.Now()
		// The first request finds out before the others start.
		if status, err := do(t.Context(), client, "GET", ""); err != nil || status != 200 {
			t.Fatalf("status %d, error %v", status, err)
		}
		for i, status := range together(t.Context(), 30, func(int) *http.Client { return client }) {
			if status != 200 {
				t.Errorf("request %d ended with %d", i, status)
			}
		}
		if took := time.Since(started); took < 30*time.Second || took > 40*time.Second {
			t.Errorf("31 requests at one a second took %s", took)
		}
		if limit.refusals > 2 {
			t.Errorf("%d answers with 429, want the first and at most one more", limit.refusals)
		}
	})
}

func TestAnEmptyBucketStopsEverybodyWithTheSameToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
			if n == 1 {
				return answer(429, "{}", "Retry-After", "20"), nil
			}
			return answer(200, "{}"), nil
		}}
		pacing := NewPacing()
		share := func(token string) *http.Client {
			return open(t, v, func(o *Options) { o.Pacing, o.Token = pacing, fixed(token) })
		}
		first, same, other := share("planted-token"), share("planted-token"), share("other-token")
		var group sync.WaitGroup
		began := time.Now()
		group.Go(func() {
			if status, err := do(t.Context(), first, "POST", ""); err != nil || status != 200 {
				t.Errorf("the refused request ends with status %d, error %v", status, err)
			}
		})
		synctest.Wait()
		waited := func(client *http.Client) func() {
			return func() {
				if status, err := do(t.Context(), client, "POST", ""); err != nil || status != 200 {
					t.Errorf("status %d, error %v", status, err)
				}
			}
		}
		waited(other)()
		if since := time.Since(began); since != 0 {
			t.Errorf("another token waited %s", since)
		}
		group.Go(waited(same))
		group.Wait()
		if since := time.Since(began); since != 20*time.Second {
			t.Errorf("the same token waited %s, want 20s", since)
		}
	})
}

func TestRateLimitEndsWithTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(int, *http.Request) (*http.Response, error) {
			return answer(429, "{}", "RateLimit-Remaining", "0", "RateLimit-Reset", strconv.FormatInt(time.Now().Unix()+3000, 10)), nil
		}}
		client := open(t, v, nil)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		started := time.Now()
		status, err := do(ctx, client, "GET", "")
		if err != nil || status != 429 {
			t.Errorf("status %d, error %v, want the last 429", status, err)
		}
		if took := time.Since(started); took < 60*time.Second || took >= 2*time.Minute {
			t.Errorf("gave up after %s, want once the next wait would pass the deadline of 2m", took)
		}
		if v.count() > 8 {
			t.Errorf("%d requests while the vendor refuses everything", v.count())
		}
		before := v.count()
		soon, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err = do(soon, client, "GET", "")
		if _, held := errors.AsType[*RateLimitedError](err); !held || v.count() != before {
			t.Errorf("a later request with less time: error %v, %d more requests", err, v.count()-before)
		}
	})
}

func TestResetIsWaitedForWithoutRefill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
			if n == 1 {
				return answer(429, "{}", "RateLimit-Reset", strconv.FormatInt(time.Now().Unix()+90, 10)), nil
			}
			return answer(200, "{}"), nil
		}}
		started := time.Now()
		status, err := do(t.Context(), open(t, v, func(o *Options) { o.Refill = 0 }), "POST", "")
		if took := time.Since(started); err != nil || status != 200 || took != 90*time.Second || v.count() != 2 {
			t.Errorf("status %d, error %v after %s and %d requests", status, err, took, v.count())
		}
	})
}

func TestRefusalsAreNoRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
			if n <= 5 {
				return answer(429, "{}"), nil
			}
			return answer(200, "{}"), nil
		}}
		status, err := do(t.Context(), open(t, v, func(o *Options) { o.MaxRetries = 0 }), "POST", "")
		if err != nil || status != 200 {
			t.Errorf("status %d, error %v", status, err)
		}
	})
}

func TestRequestsPerSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return answer(200, "{}"), nil }}
		client := open(t, v, func(o *Options) { o.RequestsPerSecond = 2 })
		started := time.Now()
		together(t.Context(), 11, func(int) *http.Client { return client })
		if took := time.Since(started); took != 5*time.Second {
			t.Errorf("11 requests at 2 a second took %s, want 5s", took)
		}
		// The next one is due in half a second.
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, err := do(ctx, client, "GET", "")
		if _, held := errors.AsType[*RateLimitedError](err); !held || v.count() != 11 {
			t.Errorf("with less time than that: error %v, %d requests", err, v.count())
		}
	})
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "soon": 0, "12": 12 * time.Second, "-5": 0, "Mon, 30 Nov 2026 12:01:00 GMT": time.Minute, "Mon, 30 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := RetryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

type originalKey struct{}

// detached is a request's context that does not end with the one whose pauses it keeps, as compute's writes have it.
func detached(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithValue(context.WithoutCancel(ctx), originalKey{}, ctx), time.Minute)
}

func original(ctx context.Context) context.Context {
	original, ok := ctx.Value(originalKey{}).(context.Context)
	if !ok {
		return ctx
	}
	return original
}

func TestPausesOfADetachedRequestEndWithTheOriginal(t *testing.T) {
	failures := map[string]func() *http.Response{
		"rate limit":   func() *http.Response { return answer(429, "{}", "Retry-After", "30") },
		"bad gateway":  func() *http.Response { return answer(502, "{}", "Retry-After", "30") },
		"spent budget": func() *http.Response { return answer(200, "{}", "RateLimit-Remaining", "0") },
	}
	for name, failure := range failures {
		synctest.Test(t, func(t *testing.T) {
			v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return failure(), nil }}
			client := open(t, v, func(o *Options) { o.Waits, o.Refill = original, 30*time.Second })
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(2*time.Second, cancel)
			started := time.Now()
			var err error
			for err == nil {
				writing, done := detached(ctx)
				_, err = do(writing, client, "PUT", "")
				done()
			}
			if took := time.Since(started); !errors.Is(err, context.Canceled) || took != 2*time.Second {
				t.Errorf("%s: ended after %s with %v, want the cancel after 2s", name, took, err)
			}
		})
	}
}

func TestADetachedRequestOnTheWireGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		v := &vendor{answer: func(_ int, request *http.Request) (*http.Response, error) {
			cancel()
			synctest.Wait()
			return answer(201, "{}"), request.Context().Err()
		}}
		writing, done := detached(ctx)
		defer done()
		status, err := do(writing, open(t, v, func(o *Options) { o.Waits = original }), "POST", "")
		if err != nil || status != 201 {
			t.Errorf("status %d, error %v", status, err)
		}
	})
}

func TestTheOriginalsDeadlineBoundsTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return answer(429, "{}", "Retry-After", "30"), nil }}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		writing, done := detached(ctx)
		defer done()
		started := time.Now()
		status, err := do(writing, open(t, v, func(o *Options) { o.Waits = original }), "POST", "")
		if took := time.Since(started); err != nil || status != 429 || took != 0 {
			t.Errorf("status %d, error %v after %s, want the 429 at once", status, err, took)
		}
	})
}

func TestRefusalsOfOneMomentCountOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limit := &bucket{size: 3600, last: time.Now()}
		client := open(t, &vendor{answer: func(n int, request *http.Request) (*http.Response, error) {
			timer := time.NewTimer(100 * time.Millisecond)
			<-timer.C
			return limit.answer(n, request)
		}}, nil)
		started := time.Now()
		for i, status := range together(t.Context(), 30, func(int) *http.Client { return client }) {
			if status != 200 {
				t.Errorf("request %d ended with %d", i, status)
			}
		}
		if took := time.Since(started); took > 40*time.Second {
			t.Errorf("30 requests, all refused at first, took %s at one a second", took)
		}
	})
}

func TestALateSuccessDoesNotShortenTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &pace{refill: time.Second, budget: unknown}
		for range 2 {
			if err := p.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		refused, late := answer(429, "{}", "Retry-After", "300"), answer(200, "{}", "RateLimit-Remaining", "0")
		defer refused.Body.Close()
		defer late.Body.Close()
		p.leave(refused)
		if opens := p.leave(late); time.Until(opens) != 300*time.Second {
			t.Errorf("the next request may go in %s, want 300s", time.Until(opens))
		}
	})
}
