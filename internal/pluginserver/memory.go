// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package pluginserver

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// How much garbage may gather, in percent of what is in use, and the memory in bytes within which that is so. The plugin
// framework makes megabytes of garbage for each object of a plan: collected as often as Go does by itself, that takes a
// quarter of the provider's time.
const (
	garbagePercent = 400
	modestMemory   = 72 << 20
)

// economize lets more garbage gather for as long as memory stays modest, unless the environment says how it is to be done.
func economize() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(garbagePercent)
	limitMemory()
}

// limitMemory sets Go's own limit, now and after each collection. Where what is in use comes near it, the collector would be
// at work all the time: from two thirds of it on half as much garbage may gather as there are objects.
func limitMemory() {
	debug.SetMemoryLimit(max(modestMemory, inUse()*3/2))
	runtime.SetFinalizer(new(collected), func(*collected) { limitMemory() })
}

// collected is garbage from its beginning, so that its finalizer runs after the next collection.
type collected struct{ _ *collected }

// inUse is what objects and stacks took at the end of the last collection, in bytes.
func inUse() int64 {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	var sum uint64
	for _, sample := range samples {
		if sample.Value.Kind() == metrics.KindUint64 {
			sum += sample.Value.Uint64()
		}
	}
	return int64(sum)
}
