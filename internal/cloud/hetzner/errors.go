// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	"github.com/hetznercloud/hcloud-go/v2/hcloud/schema"
)

// requestIDHeader holds the vendor's id of a request.
const requestIDHeader = "X-Correlation-Id"

// errNoID is a well-formed answer that lacks what it is about.
var errNoID = errors.New("the answer has no object with an id in it")

// requestError is an error of the library with what it leaves out: the response it came with.
type requestError struct {
	err error
	// status is 0 and header nil when there was no answer.
	status int
	header http.Header
	// order says that the request named an image, a server type and the like: a not_found may be about one of these.
	order bool
}

func (e *requestError) Error() string { return e.err.Error() }
func (e *requestError) Unwrap() error { return e.err }

// failed keeps the response with an error; nil stays nil.
func (c *cloud) failed(response *hcloud.Response, err error) error {
	if err == nil {
		return nil
	}
	failure := &requestError{err: err}
	if response != nil && response.Response != nil {
		failure.status = response.StatusCode
		failure.header = response.Header
	}
	return failure
}

// refused is failed for the error of a request that names an image, a server type or a location.
func (c *cloud) refused(response *hcloud.Response, err error) error {
	failure := &requestError{err: err, order: true}
	if answered, ok := errors.AsType[*requestError](c.failed(response, err)); ok {
		failure.status, failure.header = answered.status, answered.header
	}
	return failure
}

// notFound rebuilds the vendor's error, which the library swallows where it reads one object.
func notFound(response *hcloud.Response) error {
	missing := schema.Error{Code: string(hcloud.ErrorCodeNotFound), Message: "not found"}
	if response == nil || response.Response == nil {
		return hcloud.ErrorFromSchema(missing)
	}
	body, err := io.ReadAll(response.Body)
	var answer schema.ErrorResponse
	if err == nil && json.Unmarshal(body, &answer) == nil && answer.Error.Message != "" {
		missing.Message = answer.Error.Message
	}
	return hcloud.ErrorFromSchema(missing)
}
