// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

// interruption is one way in which a request ends otherwise than it should.
type interruption struct {
	name string
	// carriedOut says whether the vendor has done what was asked for.
	carriedOut bool
	// kills ends the CLI and the provider at that moment, stops is Ctrl-C.
	kills, stops bool
	// status is what is answered in place of the vendor's answer, 0: nothing; body comes with it.
	status int
	body   string
	// truncates sends half of the true answer.
	truncates bool
	// spoils is the path of a field of the answer that is spoilt, how the way in which.
	spoils, how string
	// mayTaint says that a create may end in an error, so that its machine is tainted and made anew.
	mayTaint bool
	// before is called before the request is sent, which is not disturbed otherwise.
	before func()
}

// tellers are in the names of the fields by which vendors tell of options.
var tellers = []string{
	"backup_window", "protection", "private_net", "firewalls", "placement_group", "dns_ptr", "features", "vpc_uuid", "networks",
	"net0", "net1", "net2", "cpu", "onboot",
}

// mayLie says whether a field is spoilt that tells of options.
func (i interruption) mayLie() bool {
	return slices.ContainsFunc(tellers, func(name string) bool { return strings.Contains(i.spoils, name) })
}

const page = "<html><body><h1>The gateway has no time</h1></body></html>"

// interruptions is the list of them.
var interruptions = []interruption{
	{name: "killed before", kills: true},
	{name: "killed with the answer held", kills: true, carriedOut: true},
	{name: "Ctrl-C before", stops: true},
	{name: "Ctrl-C with the answer held", stops: true, carriedOut: true},
	{name: "dropped"},
	{name: "answer dropped", carriedOut: true},
	{name: "502", status: http.StatusBadGateway},
	{name: "502 after", status: http.StatusBadGateway, carriedOut: true},
	{name: "504 after", status: http.StatusGatewayTimeout, carriedOut: true},
	{name: "502 as a page, after", status: http.StatusBadGateway, body: page, carriedOut: true},
	{name: "200 as a page, after", status: http.StatusOK, body: page, carriedOut: true},
	{name: "half an answer", truncates: true, carriedOut: true},
}

var errKilled = errors.New("the process is gone")

// wire carries the requests of one command, that is of the processes of one CLI, and interrupts one of them.
type wire struct {
	base http.RoundTripper
	// at is the number of the request that is interrupted, from 1; 0: none is.
	at   int
	what interruption
	// stop is Ctrl-C for everything in the command.
	stop func()

	mutex   sync.Mutex
	count   int
	sent    []string
	answers [][]byte
	// planned is how many requests the plan has sent.
	planned int
	dead    chan struct{}
	stopped time.Time
	// lastWrite is when the last request that was no read was answered.
	lastWrite time.Time
}

func newWire(base http.RoundTripper) *wire { return &wire{base: base, dead: make(chan struct{})} }

// RoundTrip carries one request.
func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	own := w.note(request)
	if w.isDead() {
		return nil, errKilled
	}
	if own != w.at {
		return w.keep(w.carry(request))
	}
	if w.what.before != nil {
		w.what.before()
		return w.carry(request)
	}
	var answer *http.Response
	var err error
	if w.what.stops && !w.what.carriedOut {
		w.interrupt()
	}
	if w.what.carriedOut || w.what.stops {
		answer, err = w.carry(request)
	}
	switch {
	case w.what.kills:
		close(w.dead)
		return nil, errKilled
	case w.what.stops:
		return w.afterStop(request, answer, err)
	case err != nil:
		return nil, err
	}
	return w.distorted(request, answer)
}

func (w *wire) note(request *http.Request) int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.count++
	w.sent = append(w.sent, request.Method+" "+request.URL.Path)
	return w.count
}

// keep remembers an answer's body.
func (w *wire) keep(answer *http.Response, err error) (*http.Response, error) {
	var body []byte
	if err == nil {
		if body, err = io.ReadAll(answer.Body); err == nil {
			answer.Body = io.NopCloser(bytes.NewReader(body))
		}
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.answers = append(w.answers, body)
	return answer, err
}

func (w *wire) sentSoFar() int {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return len(w.sent)
}

func (w *wire) carry(request *http.Request) (*http.Response, error) {
	answer, err := w.base.RoundTrip(request)
	if request.Method != http.MethodGet {
		w.mutex.Lock()
		w.lastWrite = time.Now()
		w.mutex.Unlock()
	}
	return answer, err
}

func (w *wire) interrupt() {
	w.mutex.Lock()
	w.stopped = time.Now()
	w.mutex.Unlock()
	w.stop()
}

// afterStop answers as a real connection does: a request whose context has ended has no answer.
func (w *wire) afterStop(request *http.Request, answer *http.Response, err error) (*http.Response, error) {
	if w.what.carriedOut {
		w.interrupt()
	}
	if err == nil && request.Context().Err() != nil {
		return nil, request.Context().Err()
	}
	return answer, err
}

func (w *wire) distorted(request *http.Request, answer *http.Response) (*http.Response, error) {
	switch {
	case w.what.status != 0:
		header := http.Header{"Content-Type": {"application/json"}}
		if w.what.body != "" {
			header.Set("Content-Type", "text/html")
		}
		return &http.Response{
			Status: http.StatusText(w.what.status), StatusCode: w.what.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: header, Body: io.NopCloser(strings.NewReader(w.what.body)), ContentLength: int64(len(w.what.body)), Request: request,
		}, nil
	case w.what.truncates:
		return halved(answer)
	case w.what.spoils != "":
		return w.spoilt(answer)
	}
	return nil, io.EOF
}

func (w *wire) spoilt(answer *http.Response) (*http.Response, error) {
	whole, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	text := drivertest.Spoil(whole, w.what.spoils, w.what.how)
	answer.Body, answer.ContentLength = io.NopCloser(strings.NewReader(string(text))), int64(len(text))
	return answer, nil
}

func halved(answer *http.Response) (*http.Response, error) {
	whole, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	answer.Body = io.NopCloser(io.MultiReader(strings.NewReader(string(whole[:len(whole)/2])), brokenReader{}))
	return answer, nil
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func (w *wire) isDead() bool {
	select {
	case <-w.dead:
		return true
	default:
		return false
	}
}

// isStopped says whether Ctrl-C was pressed.
func (w *wire) isStopped() bool {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return !w.stopped.IsZero()
}

// slowness is how long the command went on after Ctrl-C, or after the last write where that came later.
func (w *wire) slowness(ended time.Time) time.Duration {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	since := w.stopped
	if w.lastWrite.After(since) {
		since = w.lastWrite
	}
	return ended.Sub(since)
}
