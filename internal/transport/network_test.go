// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// openNetwork opens a client with the transport of the network on a server of the test.
func openNetwork(t *testing.T, server *httptest.Server) *http.Client {
	t.Helper()
	client, err := New(Options{Vendor: "example", Endpoint: server.URL, Token: fixed("planted-token"), MaxRetries: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	return client
}

func TestCertificatesAreVerified(t *testing.T) {
	var requests atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	response, err := openNetwork(t, server).Get(server.URL)
	if err == nil {
		response.Body.Close()
	}
	notSent, ok := errors.AsType[*NotSentError](err)
	if !ok || notSent.Refused || !strings.Contains(err.Error(), "certificate") || requests.Load() != 0 {
		t.Errorf("error %v, %d requests", err, requests.Load())
	}
}

func TestLoopbackMayBePlain(t *testing.T) {
	var authorization atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		authorization.Store(r.Header.Get("Authorization"))
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(server.Close)
	response, err := openNetwork(t, server).Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusNoContent || authorization.Load() != "Bearer planted-token" {
		t.Errorf("status %d, authorization %v", response.StatusCode, authorization.Load())
	}
}

func TestNobodyListens(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	client := openNetwork(t, server)
	server.Close()
	response, err := client.Post(server.URL, "application/json", strings.NewReader("{}"))
	if err == nil {
		response.Body.Close()
	}
	notSent, ok := errors.AsType[*NotSentError](err)
	if !ok || !notSent.Refused || !strings.Contains(err.Error(), "refused") {
		t.Errorf("error %v", err)
	}
}
