// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// lock is the lock file of a VMID: one worker has it, or several share it, and others wait (pve-guest-common
// AbstractConfig.pm, lock_config_full and lock_config_shared).
type lock struct {
	holder  *task
	sharers []*task
	queue   []*waiter
}

type waiter struct {
	worker *worker
	shared bool
	then   func()
}

func (l *lock) free(shared bool) bool { return l.holder == nil && (shared || len(l.sharers) == 0) }

// give lets a worker have the lock file.
func (l *lock) give(to *waiter, id int) {
	to.worker.held = append(to.worker.held, id)
	if to.shared {
		l.sharers = append(l.sharers, to.worker.task)
	} else {
		l.holder = to.worker.task
	}
	to.then()
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
	w.queue(id, wait, &waiter{worker: w, then: then})
}

// share is lock for a worker that only reads, as a clone does its source.
func (w *worker) share(id int, wait time.Duration, then func()) {
	w.queue(id, wait, &waiter{worker: w, shared: true, then: then})
}

func (w *worker) queue(id int, wait time.Duration, own *waiter) {
	l := w.api.locks[id]
	if l == nil {
		l = &lock{}
		w.api.locks[id] = l
	}
	if l.free(own.shared) {
		l.give(own, id)
		return
	}
	l.queue = append(l.queue, own)
	w.after(wait, func() {
		if i := slices.Index(l.queue, own); i >= 0 {
			l.queue = slices.Delete(l.queue, i, i+1)
			w.end(lockTimeout(id))
		}
	})
}

// unlock hands the lock file to those who wait longest.
func (a *API) unlock(id int, holder *task, now time.Time) {
	l := a.locks[id]
	if l.holder == holder {
		l.holder = nil
	}
	l.sharers = slices.DeleteFunc(l.sharers, func(t *task) bool { return t == holder })
	for len(l.queue) > 0 && l.free(l.queue[0].shared) {
		next := l.queue[0]
		l.queue = l.queue[1:]
		if next.worker.exit == "" {
			next.worker.now = now
			l.give(next, id)
		}
	}
}

func (a *API) isLocked(id int) bool {
	l := a.locks[id]
	return l != nil && !l.free(false)
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
		return core.Answer{Again: pause}
	}
}
