// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Transport is a RoundTripper that calls a handler in memory: no sockets and no goroutines, so that it works inside a
// testing/synctest bubble. The handler gets the request's own context.
type Transport struct {
	Handler http.Handler
}

// RoundTrip answers with what the handler writes. A dropped request is io.EOF, a truncated answer ends in
// io.ErrUnexpectedEOF, as over a socket.
func (t Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if err := request.Context().Err(); err != nil {
		closeBody(request)
		return nil, err
	}
	inner := request.Clone(request.Context())
	inner.RequestURI = request.URL.RequestURI()
	inner.RemoteAddr = "127.0.0.1:0"
	if inner.Host == "" {
		inner.Host = request.URL.Host
	}
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	if inner.ContentLength <= 0 && inner.Body != http.NoBody {
		inner.ContentLength, inner.TransferEncoding = -1, []string{"chunked"} // as net/http sends a body of unknown length
	}
	recorder := &recorder{header: http.Header{}}
	dropped, err := serve(t.Handler, recorder, inner)
	closeBody(request)
	if err != nil {
		return nil, err
	}
	if dropped && !recorder.flushed {
		if err := request.Context().Err(); err != nil {
			return nil, err
		}
		return nil, io.EOF
	}
	return recorder.response(request, dropped), nil
}

func closeBody(request *http.Request) {
	if request.Body != nil {
		_ = request.Body.Close() // the RoundTripper contract asks for it; a failed close of a read body means nothing
	}
}

// serve runs the handler and says whether it dropped the connection.
func serve(handler http.Handler, w http.ResponseWriter, r *http.Request) (dropped bool, err error) {
	defer func() {
		switch cause := recover().(type) {
		case nil:
		case error:
			if !errors.Is(cause, http.ErrAbortHandler) {
				panic(cause)
			}
			dropped = true
		default:
			err = fmt.Errorf("emulator: %v", cause)
		}
	}()
	handler.ServeHTTP(w, r)
	return false, nil
}

// recorder is a ResponseWriter that keeps the answer.
type recorder struct {
	header  http.Header
	sent    http.Header
	status  int
	reason  string
	body    bytes.Buffer
	flushed bool
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status, r.sent = status, r.header.Clone()
	}
}

// WriteReason keeps another reason phrase than the status's own.
func (r *recorder) WriteReason(reason string) { r.reason = reason }

func (r *recorder) Write(data []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	return r.body.Write(data)
}

// Flush marks that the client has seen the head of the answer, so that a later drop truncates it.
func (r *recorder) Flush() {
	r.WriteHeader(http.StatusOK)
	r.flushed = true
}

func (r *recorder) response(request *http.Request, truncated bool) *http.Response {
	r.WriteHeader(http.StatusOK)
	body := io.Reader(bytes.NewReader(r.body.Bytes()))
	length := int64(r.body.Len())
	if truncated {
		body, length = io.MultiReader(body, brokenReader{}), -1
	}
	if r.reason == "" {
		r.reason = http.StatusText(r.status)
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", r.status, r.reason), StatusCode: r.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: r.sent, Body: io.NopCloser(body), ContentLength: length, Request: request,
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
