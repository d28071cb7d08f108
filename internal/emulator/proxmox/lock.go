// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// lock is the lock file of a VMID: one worker has it, others wait (pve-guest-common AbstractConfig.pm, lock_config_full).
type lock struct {
	holder *task
	queue  []*waiter
}

type waiter struct {
	worker *worker
	then   func()
}

// How long workers wait for the lock file of a machine.
const (
	lockWait  = 10 * time.Second
	cloneWait = time.Second
)

func lockTimeout(id int) string {
	return fmt.Sprintf("can't lock file '/var/lock/qemu-server/lock-%d.conf' - got timeout", id)
}

// lock goes on when the worker has the machine's lock file, or ends the task when it waited too long.
func (w *worker) lock(id int, wait time.Duration, then func()) {
	l := w.api.locks[id]
	if l == nil {
		l = &lock{}
		w.api.locks[id] = l
	}
	if l.holder == nil {
		l.holder, w.held = w.task, append(w.held, id)
		then()
		return
	}
	own := &waiter{worker: w, then: then}
	l.queue = append(l.queue, own)
	w.after(wait, func() {
		if i := slices.Index(l.queue, own); i >= 0 {
			l.queue = slices.Delete(l.queue, i, i+1)
			w.end(lockTimeout(id))
		}
	})
}

// unlock hands the lock file to whoever waits longest.
func (a *API) unlock(id int, holder *task, now time.Time) {
	l := a.locks[id]
	if l == nil || l.holder != holder {
		return
	}
	l.holder = nil
	for l.holder == nil && len(l.queue) > 0 {
		next := l.queue[0]
		l.queue = l.queue[1:]
		if next.worker.exit != "" {
			continue
		}
		l.holder = next.worker.task
		next.worker.now, next.worker.held = now, append(next.worker.held, id)
		next.then()
	}
}

func (a *API) isLocked(id int) bool {
	l := a.locks[id]
	return l != nil && l.holder != nil
}

// afterLock carries a change out that answers at once: it waits for the lock file as a worker does.
func afterLock(handle func(*call, *machine) core.Answer) func(*call, *machine) core.Answer {
	const pause = 100 * time.Millisecond
	return func(c *call, m *machine) core.Answer {
		if !c.api.isLocked(m.id) {
			return handle(c, m)
		}
		if c.Waited >= lockWait {
			return c.died(lockTimeout(m.id))
		}
		return core.Answer{Again: pause, Object: strconv.Itoa(m.id)}
	}
}
