// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// A task's id is UPID:node:pid:start:time:type:id:user: (pve-common, UPID.pm).

// taskField answers one of the fields of a UPID, counted from 0; empty where there is none.
func taskField(upid string, field int) string {
	fields := strings.Split(upid, ":")
	if field >= len(fields) || fields[0] != "UPID" {
		return ""
	}
	return fields[field]
}

func taskNode(upid string) string { return taskField(upid, 1) }
func taskType(upid string) string { return taskField(upid, 5) }

// operationOf answers the operation that a task is.
func operationOf(upid string, vmid int) driver.Operation {
	return driver.Operation{ID: upid, Name: taskType(upid), MachineID: strconv.Itoa(vmid)}
}

// operationsOf answers none where the vendor gave no task: it was done at once.
func operationsOf(upid string, vmid int) []driver.Operation {
	if upid == "" {
		return nil
	}
	return []driver.Operation{operationOf(upid, vmid)}
}

// Poll asks for each task; they are shown one by one only. A task whose node cannot be asked now goes on.
func (c *cloud) Poll(ctx context.Context, operations []driver.Operation) ([]driver.Progress, error) {
	type answer struct {
		progress driver.Progress
		there    bool
		err      error
	}
	answers := make([]answer, len(operations))
	var group sync.WaitGroup
	for i, operation := range operations {
		group.Go(func() {
			one := &answers[i]
			one.progress, one.there, one.err = c.task(ctx, operation)
		})
	}
	group.Wait()
	var progress []driver.Progress
	var failed error
	for i, answer := range answers {
		switch {
		case answer.err != nil:
			failed = answer.err
			progress = append(progress, c.outOfTime(driver.Progress{Operation: operations[i]}))
		case answer.there:
			progress = append(progress, answer.progress)
		}
	}
	if failed != nil && c.isFinal(failed) {
		return nil, failed
	}
	return progress, nil
}

// isFinal says whether asking again would be refused again.
func (c *cloud) isFinal(err error) bool {
	switch c.Describe(err).Code {
	case driver.AccessDenied, driver.InvalidConfig, driver.InvalidInput:
		return true
	default:
		return false
	}
}

// taskStatus is a task (GET /nodes/{node}/tasks/{upid}/status).
type taskStatus struct {
	Status string `json:"status"`
	Exit   string `json:"exitstatus"`
}

func taskPath(upid, more string) string {
	return "/nodes/" + url.PathEscape(taskNode(upid)) + "/tasks/" + url.PathEscape(upid) + more
}

// task answers where one task stands; false where the vendor does not show it (yet).
func (c *cloud) task(ctx context.Context, operation driver.Operation) (driver.Progress, bool, error) {
	var status taskStatus
	err := c.client.get(ctx, taskPath(operation.ID, "/status"), nil, &status)
	if answer, ok := errors.AsType[*answerError](err); ok && answer.status == http.StatusBadRequest && answer.errors["upid"] != "" {
		return driver.Progress{}, false, nil
	}
	if err != nil {
		return driver.Progress{}, false, err
	}
	progress := driver.Progress{Operation: operation}
	if status.Status != "stopped" {
		return c.outOfTime(progress), true, nil
	}
	c.memory.ended(operation.ID)
	progress.Done, progress.Percent, progress.Err = true, 100, c.outcome(ctx, operation, status.Exit)
	return progress, true, nil
}

// outOfTime ends the wait for a task that takes longer than the account's task_timeout.
func (c *cloud) outOfTime(progress driver.Progress) driver.Progress {
	if time.Since(c.memory.watched(progress.Operation.ID)) < c.taskTimeout {
		return progress
	}
	c.memory.ended(progress.Operation.ID)
	progress.Done = true
	progress.Err = &taskTimeoutError{message: fmt.Sprintf("task %s (%s) has been under way for longer than the account's task_timeout of %s; it goes on in the cluster",
		progress.Operation.Name, progress.Operation.ID, c.taskTimeout)}
	return progress
}

// taskTimeoutError says that a task took too long.
type taskTimeoutError struct{ message string }

func (e *taskTimeoutError) Error() string { return e.message }

// outcome reads an exit status: OK, WARNINGS: n, or the text of an error.
func (c *cloud) outcome(ctx context.Context, operation driver.Operation, exit string) error {
	switch {
	case exit == "OK":
		return nil
	case strings.HasPrefix(exit, "WARNINGS: "):
		c.memory.warn(operation.MachineID, fmt.Sprintf("Task %s ended with warnings: %s", operation.Name, c.warningsOf(ctx, operation.ID)))
		return nil
	}
	vmid, err := strconv.Atoi(operation.MachineID)
	if err != nil {
		vmid = 0
	}
	failed := &answerError{text: exit, path: operation.ID, method: operation.Name, vmid: vmid}
	if failed.harmless() {
		return nil
	}
	if operation.Name == "qmclone" && (failed.collided() || failed.locked()) {
		return &placeTakenError{message: "the clone gave its place up: " + exit}
	}
	return failed
}

// harmless says whether what a task was to reach is there already, or is tried again after the next look.
func (e *answerError) harmless() bool {
	switch e.method {
	case "qmstart":
		return e.says("already running")
	case "imgdel":
		return e.volumeMissing()
	case "qmdestroy":
		return e.started()
	}
	return false
}

// warningsOf answers the warnings in a task's log.
func (c *cloud) warningsOf(ctx context.Context, upid string) string {
	var lines []struct {
		Text string `json:"t"`
	}
	if err := c.client.get(ctx, taskPath(upid, "/log"), url.Values{"limit": {"1000"}}, &lines); err != nil {
		return "its log cannot be read: " + err.Error()
	}
	var warnings []string
	for _, line := range lines {
		if text, found := strings.CutPrefix(line.Text, "WARN: "); found {
			warnings = append(warnings, text)
		}
	}
	return strings.Join(warnings, "; ")
}

// Prove asks for the task that cloned a machine: another cluster does not know it, and a token that is shown it belongs to
// the one that started it.
func (c *cloud) Prove(ctx context.Context, proof string) (bool, error) {
	if taskNode(proof) == "" {
		return false, nil
	}
	_, there, err := c.task(ctx, driver.Operation{ID: proof})
	if answer, ok := errors.AsType[*answerError](err); ok && answer.status == http.StatusForbidden {
		return false, nil
	}
	return there, err
}
