// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// task is one worker of a node.
type task struct {
	upid    string
	node    *node
	pid     int
	kind    string // qmclone, qmstart ...
	id      string // VMID, of a clone the template's; a volume; or nothing
	owner   string // user or token
	started time.Time
	ended   time.Time
	exit    string // "" while it runs
	lines   []string
	undo    func() // what an abort does first; nil without
}

// worker is a task at work. Its now goes on with the timeline.
type worker struct {
	*task
	api    *API
	now    time.Time
	held   []int       // VMIDs whose lock files it holds
	result core.Result // how it ends, by the setting action_results
}

// fork starts a task and answers its UPID, whatever becomes of it (PVE::RESTEnvironment, fork_worker).
func (c *call) fork(kind, id string, work func(*worker)) core.Answer {
	c.api.pid++
	pid := firstPID + c.api.pid
	t := &task{node: c.node, pid: pid, kind: kind, id: id, owner: c.owner(), started: c.now}
	t.upid = fmt.Sprintf("UPID:%s:%08X:%08X:%08X:%s:%s:%s:", c.node.name, pid, t.pstart(), c.now.Unix(), kind, id, t.owner)
	c.api.tasks = append(c.api.tasks, t)
	work(&worker{task: t, api: c.api, now: c.now, result: c.api.settings.TakeResult(kind)})
	c.api.timeline.Advance(c.now)
	return c.reply(t.upid)
}

const firstPID = 0x3A00

// pstart is when the process began, in hundredths of a second since the node's boot.
func (t *task) pstart() int64 { return int64(t.started.Sub(t.node.booted) / (10 * time.Millisecond)) }

// after goes on later.
func (w *worker) after(during time.Duration, next func()) {
	w.api.timeline.At(w.now.Add(during), func(at time.Time) {
		if w.exit != "" {
			return // stopped meanwhile
		}
		w.now = at
		next()
	})
}

// during is how long a task of this kind takes.
func (w *worker) during() time.Duration { return w.api.settings.Get().TimeOf(w.kind) }

// finish ends the task after its time, as the setting action_results says. done makes the change; undo clears up after
// a failure, but not after a kill, which leaves things as they are.
func (w *worker) finish(during time.Duration, done, undo func()) {
	w.after(during, func() {
		status := strings.ToLower(w.result.Status)
		switch {
		case status == "never":
			return
		case status == "" || strings.HasPrefix(status, "warnings"):
			done()
			w.end(strings.ToUpper(w.result.Status))
		case status == "killed":
			w.end("unexpected status")
		default:
			undo()
			w.end(w.failureText())
		}
	})
}

func (w *worker) failureText() string {
	if w.result.Status != "error" {
		return w.result.Status
	}
	if w.result.Message == "" {
		return "command failed"
	}
	return w.result.Message
}

// end closes the task: exit is "" or "OK" for success, "WARNINGS: n", or the text of the error. It frees its lock files.
func (w *worker) end(exit string) {
	if w.exit != "" {
		return
	}
	w.exit, w.ended = exit, w.now
	switch {
	case exit == "" || exit == "OK":
		w.exit = "OK"
		w.lines = append(w.lines, "TASK OK")
	case strings.HasPrefix(exit, "WARNINGS: "):
		w.lines = append(w.lines, "WARN: something is not as it should be", "TASK "+exit)
	default:
		w.exit = strings.ReplaceAll(strings.TrimSpace(exit), "\n", " ")
		w.lines = append(w.lines, "TASK ERROR: "+exit)
	}
	for _, id := range w.held {
		w.api.unlock(id, w.task, w.now)
	}
	w.held = nil
}

func (w *worker) log(format string, arguments ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, arguments...))
}

func nothing() {}
