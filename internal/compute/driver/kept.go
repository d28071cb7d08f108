// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import (
	"context"
	"sync"
)

// Kept is a value that a driver reads once for as long as it lives, such as the vendor's price list. A failed read is not
// kept; callers at the same time wait for one read, each for as long as its own context allows. The zero Kept is empty.
type Kept[T any] struct {
	once  sync.Once
	turn  chan struct{}
	value *T
}

// Get answers the value, read by the first who asks.
func (k *Kept[T]) Get(ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	k.once.Do(func() { k.turn = make(chan struct{}, 1) })
	select {
	case k.turn <- struct{}{}:
		defer func() { <-k.turn }()
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
	if k.value != nil {
		return *k.value, nil
	}
	value, err := read(ctx)
	if err == nil {
		k.value = &value
	}
	return value, err
}
