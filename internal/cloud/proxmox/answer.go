// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// answerError is a refusal, as an answer or as the exit status of a task. There is no code in it: only its text tells one
// from another.
type answerError struct {
	// status is the HTTP status, 0 for a task that failed.
	status int
	// text is the message, or the reason phrase where an older server or a proxy gives no message.
	text string
	// errors are the faults of parameters, by their names.
	errors map[string]string
	// path is what was asked, for a task its UPID.
	path string
	// method is that of the request.
	method string
	// foreign says that the answer is not of Proxmox VE.
	foreign bool
	// vmid is the machine that the request was about, where that matters for what the text means.
	vmid int
}

func (e *answerError) Error() string {
	text := e.text
	for _, name := range slices.Sorted(maps.Keys(e.errors)) {
		text += fmt.Sprintf("; %s: %s", name, e.errors[name])
	}
	return text
}

// refusal reads an error: the message since 8.3.3, else the reason phrase, which is the message's first line.
func refusal(response *http.Response, data []byte) error {
	failure := &answerError{status: response.StatusCode, path: pathOf(response)}
	if response.Request != nil {
		failure.method = response.Request.Method
	}
	phrase := strings.TrimSpace(strings.TrimPrefix(response.Status, strconv.Itoa(response.StatusCode)))
	var envelope struct {
		Message string                     `json:"message"`
		Errors  map[string]json.RawMessage `json:"errors"`
	}
	known := json.Unmarshal(data, &envelope) == nil
	failure.text = strings.TrimSpace(envelope.Message)
	if failure.text == "" {
		failure.text = phrase
	}
	failure.errors = make(map[string]string, len(envelope.Errors))
	for name, raw := range envelope.Errors {
		failure.errors[name] = plain(raw)
	}
	failure.foreign = !known && len(data) > 0
	return failure
}

// plain is a JSON string's text, or what else stands there.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text)
	}
	return string(raw)
}

func foreignAnswer(response *http.Response) error {
	return &answerError{
		status: response.StatusCode, path: pathOf(response), foreign: true,
		text: fmt.Sprintf("its answer (%s) is not the JSON of Proxmox VE", response.Header.Get("Content-Type")),
	}
}

// says tells whether the text holds a phrase, in any case.
func (e *answerError) says(phrase string) bool {
	return strings.Contains(strings.ToLower(e.text), strings.ToLower(phrase))
}

var (
	missingConfig = regexp.MustCompile(`(?i)configuration file 'nodes/[^/']+/(?:qemu-server|lxc)/(\d+)\.conf' does not exist`)
	missingVM     = regexp.MustCompile(`(?i)unable to find configuration file for VM (\d+)\b`)
)

// missing answers the VMID of the machine that the text says is not there, on that node; 0: it says something else. Other
// things that do not exist share the words.
func (e *answerError) missing() int {
	for _, pattern := range []*regexp.Regexp{missingConfig, missingVM} {
		if found := pattern.FindStringSubmatch(e.text); found != nil {
			if vmid, err := strconv.Atoi(found[1]); err == nil {
				return vmid
			}
		}
	}
	return 0
}

// locked says whether another change of the machine, or of the storage, is under way.
func (e *answerError) locked() bool {
	return e.says("VM is locked") || e.says("can't lock file") || e.says("got no worker upid") || e.says("checksum mismatch")
}

// collided says whether a clone lost its VMID to another machine (clone, config file or pmxcfs entry there first).
func (e *answerError) collided() bool {
	return e.says("config file already exists") || e.says("already exists on node") || e.says("File exists") ||
		e.says("/lock-"+strconv.Itoa(e.vmid)+".conf'") && e.vmid != 0
}

// started says whether a machine was not removed because somebody has started it since it was looked at.
func (e *answerError) started() bool { return e.says("is running - destroy failed") }

// volumeMissing says whether a volume is not there that was to be removed.
func (e *answerError) volumeMissing() bool {
	return e.missing() == 0 && (e.says("does not exist") || e.says("No such file or directory") || e.says("no such volume"))
}

// unreachable are the statuses of a node that could not be asked by the one that was (pve-http-server, AnyEvent.pm).
func unreachable(status int) bool {
	return slices.Contains(nodeStatuses, status)
}

var nodeStatuses = []int{595, 596, 597, 598, 599}
