// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/hashicorp/go-hclog"
)

// maxBody is the largest request body that is read, in bytes.
const maxBody = 64 << 20

// Front stands before a vendor: it reads each request whole, records it, lets faults act, and sends the answer. It
// holds no lock while it waits.
type Front struct {
	Vendor   Vendor
	Journal  *Journal
	Faults   *Faults
	Settings *SettingsStore
	Log      hclog.Logger
}

// exchange is one request on its way through the front.
type exchange struct {
	*Front
	ctx     context.Context
	writer  http.ResponseWriter
	request *Request
	seq     int64
	fault   *liveFault
	status  int
	id      string // the vendor's id of the request
}

// ServeHTTP answers one vendor request.
func (f *Front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, err := readRequest(r)
	if err != nil {
		drop() // the client left while it was sending
	}
	request.Token = f.Vendor.TokenName(request.Header)
	request.Operation = f.Vendor.Operation(request)
	began := time.Now()
	x := &exchange{Front: f, ctx: r.Context(), writer: w, request: request, seq: f.Journal.Add(Entry{
		Time: began.UTC(), Vendor: f.Vendor.Name(), Token: request.Token, Method: request.Method,
		Path: request.Path, Query: r.URL.RawQuery, Operation: request.Operation,
	})}
	defer func() {
		f.Log.Info("request", "vendor", f.Vendor.Name(), "method", request.Method, "path", request.Path,
			"status", x.status, "time", time.Since(began), "request_id", x.id)
	}()
	x.run()
}

func readRequest(r *http.Request) (*Request, error) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return nil, err
	}
	return &Request{
		Method: r.Method, Path: r.URL.EscapedPath(), Query: r.URL.Query(), Header: r.Header, Host: r.Host, Body: body,
		Chunked: slices.Contains(r.TransferEncoding, "chunked"),
	}, nil
}

// drop closes the connection without an answer.
func drop() { panic(http.ErrAbortHandler) }

func (x *exchange) run() {
	if !pause(x.ctx, time.Duration(x.Settings.Get().Delay), nil) {
		drop()
	}
	x.fault = x.Faults.meet(x.Vendor.Name(), x.request)
	if x.fault != nil {
		x.Journal.Update(x.seq, func(e *Entry) { e.Fault = x.fault.id })
	}
	if x.fault.isBefore() && x.act(Answer{}) {
		return
	}
	answer := x.serve()
	x.record(answer)
	if !pause(x.ctx, answer.Wait, nil) {
		drop()
	}
	if x.fault.isAfter() && x.act(answer) {
		return
	}
	x.send(answer)
}

// serve asks the vendor, again for as long as it waits for something.
func (x *exchange) serve() Answer {
	for {
		answer := x.Vendor.Serve(x.request)
		if answer.Again == 0 {
			return answer
		}
		if !pause(x.ctx, answer.Again, nil) {
			drop()
		}
		x.request.Waited += answer.Again
	}
}

// record puts into the journal what the vendor has done, before anybody can see the answer.
func (x *exchange) record(answer Answer) {
	x.Journal.Update(x.seq, func(e *Entry) {
		e.Object = answer.Object
		e.Accepted = answer.OK() && !x.request.IsRead()
		if answer.Unrouted && e.Fault == "" {
			e.Fault = Unrouted
		}
	})
	if answer.Unrouted {
		x.Journal.noteUnrouted(Entry{Vendor: x.Vendor.Name(), Method: x.request.Method, Path: x.request.Path})
	}
}

// act lets the fault do its work. It says whether the exchange is over.
func (x *exchange) act(answer Answer) bool {
	fault := x.fault.fault
	switch fault.Action {
	case "status":
		x.send(x.fault.envelope(x.Vendor))
		return true
	case "truncate":
		x.truncate(answer)
	case "hang":
		during := time.Duration(fault.Delay)
		if during == 0 {
			during = holdFor
		}
		x.Faults.hold(x.ctx, x.fault, during)
		drop()
	case "drop":
		drop()
	case "delay":
		if !x.Faults.hold(x.ctx, x.fault, time.Duration(fault.Delay)) {
			drop()
		}
	}
	return false
}

// send writes the answer. The journal knows the status first, so that whoever has the answer finds it there.
func (x *exchange) send(answer Answer) {
	x.answered(answer)
	if answer.Reason != "" && answer.Reason != http.StatusText(answer.Status) {
		sendReason(x.writer, answer, x.request.Method != http.MethodHead)
		return
	}
	header := x.writer.Header()
	for name, values := range answer.Header {
		header[name] = values
	}
	x.writer.WriteHeader(answer.Status)
	_, _ = x.writer.Write(answer.Body) // the client may have left; the journal says what was answered
}

// truncate sends the first half of the answer's body under the length of the whole.
func (x *exchange) truncate(answer Answer) {
	answer.Header = answer.Header.Clone()
	answer.Header.Set("Content-Length", strconv.Itoa(len(answer.Body)))
	answer.Body = answer.Body[:len(answer.Body)/2]
	answer.Reason = "" // it would close the connection, and half of an answer says nothing anyway
	x.send(answer)
	_ = http.NewResponseController(x.writer).Flush() // fails only for a client that has left
	drop()
}

func (x *exchange) answered(answer Answer) {
	x.status, x.id = answer.Status, answer.RequestID
	x.Journal.Update(x.seq, func(e *Entry) {
		e.Status = answer.Status
		if x.request.IsRead() {
			e.Accepted = answer.OK()
		}
	})
}
