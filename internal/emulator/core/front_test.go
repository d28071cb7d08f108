// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// slowVendor answers when it has been asked three times, and then takes its time.
type slowVendor struct {
	Vendor
	asked   int
	waited  time.Duration
	chunked bool
}

func (*slowVendor) Name() string                 { return "slow" }
func (*slowVendor) TokenName(http.Header) string { return "main" }
func (*slowVendor) Operation(*Request) string    { return "" }
func (v *slowVendor) Serve(r *Request) Answer {
	v.asked++
	v.waited, v.chunked = r.Waited, r.Chunked
	if v.asked < 3 {
		return Answer{Again: time.Second}
	}
	return Answer{Status: 500, Reason: "no such thing", Header: http.Header{"X-Own": {"yes"}}, Body: []byte("body"), Wait: 3 * time.Second}
}

func newFront(vendor Vendor) *Front {
	return &Front{Vendor: vendor, Journal: &Journal{}, Faults: NewFaults(), Settings: NewSettings(Settings{}), Log: hclog.NewNullLogger()}
}

// TestAnswersThatTakeTime: Again asks the vendor once more, Wait comes before the answer.
func TestAnswersThatTakeTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		vendor := &slowVendor{}
		client := &http.Client{Transport: Transport{Handler: newFront(vendor)}}
		began := time.Now()
		response, err := client.Do(newRequest(t, "http://127.0.0.1/", strings.NewReader("")))
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if took := time.Since(began); took != 5*time.Second || vendor.asked != 3 || vendor.waited != 2*time.Second {
			t.Errorf("asked %d times, waited %s, took %s", vendor.asked, vendor.waited, took)
		}
		if response.Status != "500 no such thing" {
			t.Errorf("status line %q", response.Status)
		}
	})
}

func newRequest(t *testing.T, url string, body io.Reader) *http.Request {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return request
}

// TestReasonOverASocket: the vendor's phrase stands in the status line, and the connection is closed.
func TestReasonOverASocket(t *testing.T) {
	server := httptest.NewServer(newFront(&quickVendor{}))
	defer server.Close()
	response, err := server.Client().Do(newRequest(t, server.URL, strings.NewReader("")))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	if response.Status != "595 No route to host" || string(body) != "body" || !response.Close || response.Header.Get("X-Own") != "yes" {
		t.Errorf("%q %q %v", response.Status, body, response.Header)
	}
}

// quickVendor has a status and a phrase of its own.
type quickVendor struct{ slowVendor }

func (*quickVendor) Serve(*Request) Answer {
	return Answer{Status: 595, Reason: "No route to host", Header: http.Header{"X-Own": {"yes"}}, Body: []byte("body")}
}

// TestChunkedBodies are told apart in memory as over sockets: by what net/http would send.
func TestChunkedBodies(t *testing.T) {
	for name, test := range map[string]struct {
		body    func() io.Reader
		chunked bool
	}{
		"known length":   {func() io.Reader { return strings.NewReader("x") }, false},
		"unknown length": {func() io.Reader { return io.MultiReader(strings.NewReader("x")) }, true},
		"none":           {func() io.Reader { return http.NoBody }, false},
	} {
		vendor := &chunkedVendor{}
		server := httptest.NewServer(newFront(vendor))
		for place, client := range map[string]*http.Client{"sockets": server.Client(), "memory": {Transport: Transport{Handler: newFront(vendor)}}} {
			response, err := client.Do(newRequest(t, server.URL, test.body()))
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if vendor.chunked != test.chunked {
				t.Errorf("%s over %s: chunked %t", name, place, vendor.chunked)
			}
		}
		server.Close()
	}
}

type chunkedVendor struct{ slowVendor }

func (v *chunkedVendor) Serve(r *Request) Answer {
	v.chunked = r.Chunked
	return Answer{Status: 200, Header: http.Header{}}
}
