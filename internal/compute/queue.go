// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"sync"
)

// queue lets one change at a time happen for each name: a machine's id, or a key.
type queue struct {
	mutex sync.Mutex
	lanes map[string]*lane
}

type lane struct {
	turn    chan struct{}
	waiting int
}

func newQueue() *queue { return &queue{lanes: map[string]*lane{}} }

// enter waits for its turn and answers how to leave. It gives up when the context ends.
func (q *queue) enter(ctx context.Context, name string) (leave func(), err error) {
	own := q.join(name)
	select {
	case own.turn <- struct{}{}:
		return func() {
			<-own.turn
			q.quit(name, own)
		}, nil
	case <-ctx.Done():
		q.quit(name, own)
		return nil, ctx.Err()
	}
}

func (q *queue) join(name string) *lane {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	own, there := q.lanes[name]
	if !there {
		own = &lane{turn: make(chan struct{}, 1)}
		q.lanes[name] = own
	}
	own.waiting++
	return own
}

func (q *queue) quit(name string, own *lane) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	own.waiting--
	if own.waiting == 0 {
		delete(q.lanes, name)
	}
}

// keySet holds the keys of the creates that this process has under way.
type keySet struct {
	mutex sync.Mutex
	keys  map[string]bool
}

func newKeySet() *keySet { return &keySet{keys: map[string]bool{}} }

func (s *keySet) add(key string) (remove func()) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.keys[key] = true
	return func() {
		s.mutex.Lock()
		defer s.mutex.Unlock()
		delete(s.keys, key)
	}
}

func (s *keySet) has(key string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.keys[key]
}
