// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"context"
	"errors"
	"math"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/hashicorp/go-retryablehttp"
)

// RoundTrip sends a request, again where that is harmless. The body of the answer is in memory.
func (a *account) RoundTrip(request *http.Request) (*http.Response, error) {
	if request.Body != nil {
		defer request.Body.Close()
	}
	clone := request.Clone(request.Context())
	if clone.Body == http.NoBody {
		clone.Body = nil
	}
	repeatable, err := retryablehttp.FromRequest(clone)
	if err != nil {
		return nil, &NotSentError{Err: err}
	}
	waiting, done := a.waiting(request.Context())
	defer done()
	series := &series{account: a, method: request.Method, waiting: waiting}
	client := retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: series, CheckRedirect: stay},
		RetryMax:     math.MaxInt32,
		CheckRetry:   series.again,
		Backoff:      atOnce,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	response, err := client.Do(repeatable)
	if outer, ok := errors.AsType[*url.Error](err); ok {
		err = outer.Err
	}
	if err != nil {
		return nil, series.verdict(err)
	}
	return response, nil
}

// atOnce leaves the waiting to the next attempt, which knows more contexts than one.
func atOnce(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 }

// stay leaves redirects to the outer client.
func stay(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

// series is one request with its repeats.
type series struct {
	*account
	method string
	// waiting ends the pauses between and before attempts.
	waiting context.Context
	// attempts counts all, repeats only those that MaxRetries bounds.
	attempts, repeats int
	// wait is how long to wait before the next attempt; opens is when the vendor's rate limit lets the next one through.
	wait  time.Duration
	opens time.Time
	// touched says that an attempt may have had an effect.
	touched bool
}

// verdict makes an error say NotSentError exactly when no attempt can have had an effect.
func (s *series) verdict(err error) error {
	notSent, held := errors.AsType[*NotSentError](err)
	switch {
	case held && s.touched:
		return notSent.Err
	case !held && !s.touched:
		return &NotSentError{Err: err}
	}
	return err
}

// again decides whether an attempt is repeated (retryablehttp.CheckRetry): GET and HEAD, and PUT and DELETE where the
// vendor allows it, on connection errors and 502 to 504; any method on 429 and when no connection came about.
func (s *series) again(_ context.Context, response *http.Response, err error) (bool, error) {
	notSent, held := errors.AsType[*NotSentError](err)
	limited := err == nil && response.StatusCode == http.StatusTooManyRequests
	s.touched = s.touched || !held && !limited
	s.wait = 0
	if limited {
		return s.inTime(s.opens), nil
	}
	if !s.worthRepeating(notSent, response, err) || s.repeats >= s.MaxRetries {
		return false, nil
	}
	s.repeats++
	s.wait = backoff(s.repeats)
	if err == nil {
		s.wait = max(s.wait, RetryAfter(response.Header, time.Now()))
	}
	return s.inTime(time.Now().Add(s.wait)), nil
}

func (s *series) worthRepeating(notSent *NotSentError, response *http.Response, err error) bool {
	switch {
	case notSent != nil:
		return notSent.Refused
	case errors.Is(err, ErrBodyTooLarge):
		return false
	case err == nil && !s.passing(response.StatusCode):
		return false
	}
	switch s.method {
	case http.MethodGet, http.MethodHead:
		return true
	case http.MethodPut, http.MethodDelete:
		return s.RepeatWrites
	}
	return false
}

// passing says whether a status may be another one in a moment.
func (s *series) passing(status int) bool {
	return status >= http.StatusBadGateway && status <= http.StatusGatewayTimeout || slices.Contains(s.RepeatStatus, status)
}

// inTime says whether the waiting may go on until a moment.
func (s *series) inTime(moment time.Time) bool {
	deadline, limited := s.waiting.Deadline()
	return s.waiting.Err() == nil && (!limited || moment.Before(deadline))
}

// waiting joins the context of a request with the one that ends its pauses.
func (a *account) waiting(ctx context.Context) (context.Context, context.CancelFunc) {
	if a.Waits == nil {
		return context.WithCancel(ctx)
	}
	original := a.Waits(ctx)
	var joined context.Context
	var cancel context.CancelFunc
	if deadline, limited := original.Deadline(); limited {
		joined, cancel = context.WithDeadline(ctx, deadline)
	} else {
		joined, cancel = context.WithCancel(ctx)
	}
	stop := context.AfterFunc(original, func() {
		if errors.Is(original.Err(), context.Canceled) {
			cancel()
		}
	})
	return joined, func() { stop(); cancel() }
}
