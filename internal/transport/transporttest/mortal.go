// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package transporttest carries requests for tests.
package transporttest

import (
	"errors"
	"net/http"
	"sync"
)

// ErrDead is what a Mortal answers from its death on.
var ErrDead = errors.New("the process is dead")

// Mortal carries requests until it dies at one of them, as the process does that is killed: nothing is sent from then on.
type Mortal struct {
	// Base carries the requests; Last is the number of the one that it dies at, from 1.
	Base http.RoundTripper
	Last int
	// Carried says that the last request is carried out, and its answer lost.
	Carried bool

	mutex sync.Mutex
	count int
}

// RoundTrip carries a request as long as it lives.
func (m *Mortal) RoundTrip(request *http.Request) (*http.Response, error) {
	m.mutex.Lock()
	m.count++
	number := m.count
	m.mutex.Unlock()
	if number < m.Last {
		return m.Base.RoundTrip(request)
	}
	if number > m.Last || !m.Carried {
		return nil, ErrDead
	}
	response, err := m.Base.RoundTrip(request)
	if err == nil {
		_ = response.Body.Close()
	}
	return nil, ErrDead
}
