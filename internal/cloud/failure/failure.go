// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package failure explains the errors that are the same for every vendor: those that kept a request from being sent, and
// those of a request that got no answer.
package failure

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

// Input is an argument that no request could be made from; Field is ours, or empty. Next, where it is not empty, is what to
// do about it.
type Input struct{ Field, Message, Next string }

func (e *Input) Error() string { return e.Message }

// Reference is a secret of the account's config that could not be found, where that is another field than the token.
type Reference struct {
	Field string
	Err   error
}

func (e *Reference) Error() string { return e.Err.Error() }
func (e *Reference) Unwrap() error { return e.Err }

// Unsupported is something that the vendor does not have.
type Unsupported struct{ Message string }

func (e *Unsupported) Error() string { return e.Message }

// BeforeSending explains an error that was found before anything was sent. False: it is not one of these.
func BeforeSending(err error, failure *driver.Failure) bool {
	if unresolved, ok := errors.AsType[*secret.Error](err); ok {
		failure.Code, failure.Field, failure.Message = driver.InvalidInput, "token", unresolved.Message
		if named, ok := errors.AsType[*Reference](err); ok {
			failure.Field = named.Field
		}
		switch {
		case unresolved.Denied:
			failure.Code = driver.AccessDenied
		case unresolved.NotConfigured:
			failure.Code = driver.InvalidConfig
		}
	} else if limited, ok := errors.AsType[*transport.RateLimitedError](err); ok {
		failure.Code, failure.Message = driver.RateLimited, limited.Error()
		if !limited.Until.IsZero() {
			failure.RetryAfter = max(0, time.Until(limited.Until))
		}
	} else if input, ok := errors.AsType[*Input](err); ok {
		failure.Code, failure.Field, failure.Message, failure.Next = driver.InvalidInput, input.Field, input.Message, input.Next
	} else if unsupported, ok := errors.AsType[*Unsupported](err); ok {
		failure.Code, failure.Message = driver.Unsupported, unsupported.Message
	} else {
		return false
	}
	failure.Outcome = driver.NotDone
	return true
}

// NoAnswer explains why there was no answer from a host. What is no error of a request keeps its own words.
func NoAnswer(err error, host string, failure *driver.Failure) {
	request, ok := errors.AsType[*url.Error](err)
	switch {
	case !ok:
	case isDeadline(request.Err):
		failure.Code = driver.Timeout
		failure.Message = host + " did not answer before the timeout of the operation"
	case errors.Is(request.Err, context.Canceled):
		failure.Message = "the request to " + host + " was cancelled"
	default:
		failure.Message = fmt.Sprintf("%s is out of reach: %s", host, request.Err)
	}
}

// isDeadline says whether a context's deadline has passed. Timeouts of the network claim to be the same error, and are
// an endpoint out of reach.
func isDeadline(err error) bool {
	for err != nil {
		if err == context.DeadlineExceeded { //nolint:errorlint // errors.Is would also hold for timeouts of the network
			return true
		}
		err = errors.Unwrap(err)
	}
	return false
}

// HostOf answers the host of an endpoint, for messages.
func HostOf(endpoint string) string {
	address, err := url.Parse(endpoint)
	if err != nil {
		return endpoint
	}
	return address.Host
}
