// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/calls"
)

// RoundTrip makes one attempt of a series.
func (s *series) RoundTrip(request *http.Request) (*http.Response, error) {
	s.attempts++
	if !s.covers(request.URL) {
		return nil, &NotSentError{Err: fmt.Errorf("%s is not the account's endpoint, no request is sent there", request.URL.Host)}
	}
	sent, err := drain(request)
	if err != nil {
		return nil, &NotSentError{Err: err}
	}
	if err := s.rest(); err != nil {
		return nil, &NotSentError{Err: err}
	}
	token, err := s.Token(request.Context())
	if err != nil {
		return nil, &NotSentError{Err: err}
	}
	pace := s.Pacing.of(s.Options, token)
	if err := s.admit(pace); err != nil {
		return nil, &NotSentError{Err: err}
	}
	exchange := exchange{
		account: s.account, request: s.authorized(request, token), attempt: s.attempts, started: time.Now(),
		mask: newMask(token, sent), sent: sent,
	}
	response, err := exchange.send()
	s.opens = pace.leave(response)
	exchange.count(request.Context(), response)
	exchange.log(request.Context(), response, err)
	return response, err
}

// covers says whether a URL is on the host of the endpoint, the only one that gets the token.
func (a *account) covers(address *url.URL) bool {
	return address.Scheme == a.endpoint.Scheme && address.Host == a.endpoint.Host
}

func (a *account) authorized(request *http.Request, token string) *http.Request {
	authorized := request.Clone(request.Context())
	authorized.Header.Set("Authorization", a.AuthorizationPrefix+token)
	authorized.Header.Set("User-Agent", "terraform-provider-bettercompute/"+a.Version)
	return authorized
}

// rest waits before a repeat.
func (s *series) rest() error {
	if s.wait <= 0 {
		return nil
	}
	defer calls.Waits(s.waiting, calls.ForLimits)()
	return pause(s.waiting, s.wait, nil)
}

// admit waits for the ceiling of requests per second, and then for the vendor's own rate limit.
func (s *series) admit(pace *pace) error {
	defer calls.Waits(s.waiting, calls.ForLimits)()
	err := s.limiter.Wait(s.waiting)
	if ended := s.waiting.Err(); errors.Is(ended, context.Canceled) {
		return ended
	}
	if err != nil {
		return &RateLimitedError{}
	}
	return pace.enter(s.waiting)
}

// exchange is one request on the wire and what is known of its answer.
type exchange struct {
	*account
	request *http.Request
	attempt int
	started time.Time
	mask    mask
	// sent and received are the bodies.
	sent, received []byte
}

// drain reads the body of a request for the log and puts it back.
func drain(request *http.Request) ([]byte, error) {
	if request.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(request.Body)
	request.Body = io.NopCloser(bytes.NewReader(body))
	return body, err
}

// count counts the attempt for the line at the end of the log.
func (e *exchange) count(ctx context.Context, response *http.Response) {
	refused := response != nil && response.StatusCode == http.StatusTooManyRequests
	calls.Sent(ctx, e.Vendor, e.request.Method, e.mask.text(e.request.URL.Path), refused, time.Since(e.started))
}

// send sends the request and reads the whole answer.
func (e *exchange) send() (*http.Response, error) {
	response, err := e.Base.RoundTrip(e.request)
	if err != nil {
		return nil, sendError(err)
	}
	defer response.Body.Close()
	e.received, err = io.ReadAll(io.LimitReader(response.Body, MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("the answer broke off: %w", err)
	}
	if len(e.received) > MaxBody {
		e.received = nil
		return nil, ErrBodyTooLarge
	}
	response.Body = io.NopCloser(bytes.NewReader(e.received))
	return response, nil
}
