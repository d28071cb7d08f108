// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// Store keeps a state as the http backend wants it, and can hold up whoever stores into it.
type Store struct {
	// Address is its URL.
	Address string
	// Held gets a value for each request that is held up.
	Held   chan struct{}
	mutex  sync.Mutex
	state  []byte
	holds  bool
	closed chan struct{}
}

// NewStore serves a store until the test ends.
func NewStore(t *testing.T) *Store {
	t.Helper()
	own := &Store{Held: make(chan struct{}, 100), closed: make(chan struct{})}
	server := httptest.NewServer(own)
	own.Address = server.URL
	t.Cleanup(func() {
		close(own.closed)
		server.Close()
	})
	return own
}

// ServeHTTP answers the http backend.
func (s *Store) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodGet {
		s.load(response)
		return
	}
	state, err := io.ReadAll(request.Body)
	if err != nil {
		return
	}
	s.mutex.Lock()
	holds := s.holds
	if !holds {
		s.state = state
	}
	s.mutex.Unlock()
	if holds {
		s.Held <- struct{}{}
		select {
		case <-request.Context().Done():
		case <-s.closed:
		}
	}
}

func (s *Store) load(response http.ResponseWriter) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.state == nil {
		response.WriteHeader(http.StatusNotFound)
		return
	}
	_, _ = response.Write(s.state) // a CLI that was killed reads no more
}

// Hold makes whoever stores wait for ever, or lets them pass again.
func (s *Store) Hold(holds bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.holds = holds
}

// Block is the configuration of the backend.
func (s *Store) Block() string {
	return fmt.Sprintf("terraform {\n  backend \"http\" {\n    address = %q\n  }\n}\n", s.Address)
}
