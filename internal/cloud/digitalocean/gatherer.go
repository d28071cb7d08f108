// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"sync"
	"time"
)

// gathering is how long a call waits for others of the same sort: terraform works on many machines at a time, and what
// they need at the same moment is asked or said once.
const gathering = 200 * time.Millisecond

// gatherer lets callers that come within a moment of each other share one call. Names keep sorts of calls apart.
type gatherer[Item, Answer any] struct {
	mutex   sync.Mutex
	waiting map[string]*gathered[Item, Answer]
}

type gathered[Item, Answer any] struct {
	items  []Item
	ended  chan struct{}
	answer Answer
}

// do answers what send answered for all items that were gathered. The first caller sends.
func (g *gatherer[Item, Answer]) do(ctx context.Context, name string, item Item, send func([]Item) Answer) (Answer, error) {
	own, first := g.join(name, item)
	if first {
		g.close(ctx, name)
		own.answer = send(own.items)
		close(own.ended)
	}
	select {
	case <-own.ended:
		return own.answer, nil
	case <-ctx.Done():
		var none Answer
		return none, ctx.Err()
	}
}

func (g *gatherer[Item, Answer]) join(name string, item Item) (own *gathered[Item, Answer], first bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	own, there := g.waiting[name]
	if !there {
		own = &gathered[Item, Answer]{ended: make(chan struct{})}
		if g.waiting == nil {
			g.waiting = map[string]*gathered[Item, Answer]{}
		}
		g.waiting[name] = own
	}
	own.items = append(own.items, item)
	return own, !there
}

// close waits for others and lets nobody in any more.
func (g *gatherer[Item, Answer]) close(ctx context.Context, name string) {
	timer := time.NewTimer(gathering)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	delete(g.waiting, name)
}
