// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"time"
)

// MaxBody is the most bytes of a response that are read.
const MaxBody = 32 << 20

// ErrBodyTooLarge is the error of a response with more than MaxBody bytes.
var ErrBodyTooLarge = errors.New("the answer is larger than 32 MiB")

// NotSentError is an error of a request that never left: nothing has happened at the vendor.
type NotSentError struct {
	Err error
	// Refused says that no connection came about, so that a repeat may succeed.
	Refused bool
}

func (e *NotSentError) Error() string { return e.Err.Error() }
func (e *NotSentError) Unwrap() error { return e.Err }

// RateLimitedError is the error of a request that was held back because the vendor's rate limit, or the ceiling of the
// provider's configuration, would have let it through only after the deadline of its context. It was never sent.
type RateLimitedError struct {
	// Until is when the next request may go; zero: not known.
	Until time.Time
}

func (e *RateLimitedError) Error() string {
	if e.Until.IsZero() {
		return "the rate limit leaves no room for this request before the timeout of the operation"
	}
	return fmt.Sprintf("the rate limit lets no request through before %s, which is after the timeout of the operation",
		e.Until.UTC().Format(time.RFC3339))
}

// sendError marks the errors of http.Transport that say that the request has not been written.
func sendError(err error) error {
	if operation, ok := errors.AsType[*net.OpError](err); ok && (operation.Op == "dial" || operation.Op == "proxyconnect") {
		return &NotSentError{Err: err, Refused: true}
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return &NotSentError{Err: err}
	}
	return err
}
