// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
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

// upidForm: pve-common UPID.pm.
var upidForm = regexp.MustCompile(
	`^UPID:[a-zA-Z0-9-]+:[0-9A-Fa-f]{8}:[0-9A-Fa-f]{8,9}:[0-9A-Fa-f]{8}:[^:\s]+:[^:\s]*:[^:\s]+:$`)

// withTask finds the task of the path. A token may see the tasks that it started; others need Sys.Audit (pm
// API2/Tasks.pm).
func withTask(handle func(*call, *task) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		if !upidForm.MatchString(c.in["upid"]) {
			return c.invalid(map[string]string{"upid": "unable to parse worker upid"})
		}
		i := slices.IndexFunc(c.api.tasks, func(t *task) bool { return t.upid == c.in["upid"] })
		if i < 0 || c.api.tasks[i].node != c.node {
			return c.invalid(map[string]string{"upid": "no such task"})
		}
		found := c.api.tasks[i]
		if where := "/nodes/" + c.node.name; !c.owns(found) && !c.may(where, "Sys.Audit") {
			return *c.forbidden(where + ", Sys.Audit")
		}
		return handle(c, found)
	}
}

func (c *call) owns(t *task) bool { return t.owner == c.owner() }

// getTaskStatus: exitstatus only when it is over.
func getTaskStatus(c *call, t *task) core.Answer {
	body := object{
		"upid": t.upid, "node": t.node.name, "pid": t.pid, "pstart": t.pstart(), "starttime": t.started.Unix(),
		"type": t.kind, "id": t.id, "status": "running",
	}
	owner, tokenID, isToken := strings.Cut(t.owner, "!")
	body["user"] = owner
	if isToken {
		body["tokenid"] = tokenID
	}
	if t.exit != "" {
		body["status"], body["exitstatus"] = "stopped", t.exit
	}
	return c.reply(body)
}

// getTaskLog gives lines from start on, at most limit; total counts all.
func getTaskLog(c *call, t *task) core.Answer {
	lines := t.lines
	if len(lines) == 0 {
		lines = []string{"no content"}
	}
	start, limit := c.in.number("start", 0), c.in.number("limit", 50)
	rows := []object{}
	for i, line := range lines {
		if i >= start && len(rows) < limit {
			rows = append(rows, object{"n": i + 1, "t": line})
		}
	}
	return withTotal(c.reply(rows), rows, len(lines))
}

// withTotal adds a list's total to its envelope.
func withTotal(answer core.Answer, rows []object, total int) core.Answer {
	counted := jsonAnswer(answer.Status, object{"data": rows, "total": total})
	counted.Object = answer.Object
	return counted
}

func (v values) number(name string, otherwise int) int {
	n, err := strconv.Atoi(v[name])
	if err != nil {
		return otherwise
	}
	return n
}

// stopTask aborts a task: its work is left as it is.
func stopTask(c *call, t *task) core.Answer {
	if t.exit == "" {
		c.api.stop(t, "unexpected status", c.now)
	}
	return c.reply(nil)
}

// stop ends a task from outside.
func (a *API) stop(t *task, exit string, now time.Time) {
	w := &worker{task: t, api: a, now: now}
	for id, l := range a.locks {
		if l.holder == t {
			w.held = append(w.held, id)
		}
	}
	w.end(exit)
}

// row is a task in a list, where status is how it ended, or RUNNING.
func (t *task) row() object {
	row := object{
		"upid": t.upid, "node": t.node.name, "pid": t.pid, "pstart": t.pstart(), "starttime": t.started.Unix(),
		"type": t.kind, "id": t.id, "user": t.owner,
	}
	if t.exit != "" {
		row["endtime"], row["status"] = t.ended.Unix(), t.exit
	}
	return row
}

// listTasks gives a node's tasks, newest first; source chooses the running ones (active), the ended ones (archive, the
// default) or all (pm API2/Tasks.pm, node_tasks).
func listTasks(c *call) core.Answer {
	rows := []object{}
	for _, t := range slices.Backward(c.api.tasks) {
		if t.node == c.node && c.wantsTask(t) {
			row := t.row()
			if t.exit == "" {
				row["status"] = "RUNNING"
			}
			rows = append(rows, row)
		}
	}
	start, limit := c.in.number("start", 0), c.in.number("limit", 50)
	from := min(start, len(rows))
	return withTotal(c.reply(nil), rows[from:min(from+limit, len(rows))], len(rows))
}

func (c *call) wantsTask(t *task) bool {
	source := c.in["source"]
	running := t.exit == ""
	sought := source == "all" || running == (source == "active")
	since, until := c.in.number("since", 0), c.in.number("until", 0)
	return sought && (c.owns(t) || c.may("/nodes/"+t.node.name, "Sys.Audit")) &&
		(!c.in.has("vmid") || c.in["vmid"] == t.id) && (!c.in.has("typefilter") || c.in["typefilter"] == t.kind) &&
		(since == 0 || t.started.Unix() >= int64(since)) && (until == 0 || t.started.Unix() <= int64(until)) &&
		(c.in["errors"] != "1" || !running && t.exit != "OK") &&
		(!c.in.has("userfilter") || strings.Contains(t.owner, c.in["userfilter"]))
}

// listClusterTasks gives the newest tasks of all nodes (pm API2/Cluster.pm, tasks).
func listClusterTasks(c *call) core.Answer {
	rows := []object{}
	for _, t := range slices.Backward(c.api.tasks) {
		if (c.owns(t) || c.may("/nodes/"+t.node.name, "Sys.Audit")) && len(rows) < 25*len(c.api.nodes) {
			rows = append(rows, t.row())
		}
	}
	return c.reply(rows)
}
