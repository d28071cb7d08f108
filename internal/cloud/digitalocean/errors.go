// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/digitalocean/godo"
)

// requestIDHeader holds the vendor's id of a request.
const requestIDHeader = "X-Request-Id"

// errNoID is a well-formed answer that lacks what it is about.
var errNoID = errors.New("the answer has no object with an id in it")

// requestError is an answer of the vendor that is an error, with what the library leaves out.
type requestError struct {
	err    error
	status int
	header http.Header
	// id is the vendor's code, such as unprocessable_entity; empty: the answer is not the vendor's JSON.
	id, message, requestID string
	// about is the argument that the call was made for; empty: it is told by the answer.
	about string
}

func (e *requestError) Error() string { return e.message }
func (e *requestError) Unwrap() error { return e.err }

// failed keeps the answer with an error; nil stays nil.
func (c *cloud) failed(err error) error {
	answer, ok := errors.AsType[*godo.ErrorResponse](err)
	if !ok || answer.Response == nil {
		return err
	}
	failed := &requestError{
		err: err, status: answer.Response.StatusCode, header: answer.Response.Header, message: answer.Message, requestID: answer.RequestID,
	}
	if body, ok := answer.Response.Body.(*keptBody); ok {
		failed.read(body.text)
	}
	return failed
}

// read takes the code from the body. POST /v2/tags has a shape of its own (DigitalOcean API document, tags_bad_request).
func (e *requestError) read(body []byte) {
	var answer struct {
		ID    string          `json:"id"`
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil {
		return
	}
	e.id = answer.ID
	var text string
	if json.Unmarshal(answer.Error, &text) == nil && text != "" {
		e.id, e.message = "bad_request", text
	}
}

// missing answers whether an error is the vendor's well-formed "not found".
func missing(err error) bool {
	answer, ok := errors.AsType[*requestError](err)
	return ok && answer.status == http.StatusNotFound && answer.id == "not_found"
}

// keeping keeps the body of every error: the library reads it away.
type keeping struct{ http.RoundTripper }

type keptBody struct {
	io.Reader
	text []byte
}

func (b *keptBody) Close() error { return nil }

// RoundTrip carries a request. The body of the answer is in memory already.
func (k keeping) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := k.RoundTripper.RoundTrip(request)
	if err != nil || response.StatusCode < http.StatusBadRequest {
		return response, err
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if err := response.Body.Close(); err != nil {
		return nil, err
	}
	response.Body = &keptBody{Reader: bytes.NewReader(text), text: text}
	return response, nil
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (k keeping) CloseIdleConnections() {
	if base, ok := k.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// actionError is an action that the vendor accepted and then gave up, without saying why.
type actionError struct {
	operation string
	id        string
	vanished  bool
}

func (e *actionError) Error() string {
	if e.vanished {
		return fmt.Sprintf("the droplet disappeared while action %s (%s) was in progress", e.operation, e.id)
	}
	return fmt.Sprintf("action %s (%s) ended as errored; DigitalOcean gives no reason", e.operation, e.id)
}
