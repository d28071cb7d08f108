// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

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

// stopTask aborts a task; one of somebody else's needs Sys.Modify. A clone clears up after itself.
func stopTask(c *call, t *task) core.Answer {
	if where := "/nodes/" + c.node.name; !c.owns(t) && !c.may(where, "Sys.Modify") {
		return *c.forbidden(where + ", Sys.Modify")
	}
	if t.exit == "" && t.undo != nil {
		t.undo()
		c.api.stop(t, "clone failed: interrupted by signal", c.now)
	}
	if t.exit == "" {
		c.api.stop(t, "unexpected status", c.now)
	}
	return c.reply(nil)
}

// stop ends a task from outside.
func (a *API) stop(t *task, exit string, now time.Time) {
	w := &worker{task: t, api: a, now: now}
	for id, l := range a.locks {
		if l.holder == t || slices.Contains(l.sharers, t) {
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

// outcome is how a task ended in the words of statusfilter; a running one has none.
func (t *task) outcome() string {
	switch {
	case t.exit == "":
		return ""
	case t.exit == "OK":
		return "ok"
	case strings.HasPrefix(t.exit, "WARNINGS: "):
		return "warning"
	case t.exit == "unexpected status":
		return "unknown"
	}
	return "error"
}

func (c *call) wantsTask(t *task) bool {
	source := c.in["source"]
	running := t.exit == ""
	sought := source == "all" || running == (source == "active")
	since, until := c.in.number("since", 0), c.in.number("until", 0)
	return sought && (c.owns(t) || c.may("/nodes/"+t.node.name, "Sys.Audit")) &&
		(!c.in.has("vmid") || c.in["vmid"] == t.id) && (!c.in.has("typefilter") || c.in["typefilter"] == t.kind) &&
		(since == 0 || t.started.Unix() >= int64(since)) && (until == 0 || t.started.Unix() <= int64(until)) &&
		(c.in["errors"] != "1" || t.outcome() == "error") &&
		(!c.in.has("statusfilter") || slices.Contains(c.in.list("statusfilter"), t.outcome())) &&
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
