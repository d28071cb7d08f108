// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// strike is what is done to a running CLI and its provider at a request.
type strike struct {
	name string
	// fault is what meets the request; where it holds it, act follows, and letGo is how long the request is held after
	// that.
	fault emulator.Fault
	act   func(*acceptance.Process)
	kills bool
	stops bool
}

// held is how long a request is held: long enough to signal a process.
const held = emulator.Duration(time.Second)

// strikes is the list of them.
var strikes = []strike{
	{name: "kill -9 before", fault: emulator.Fault{Action: "hang"}, act: (*acceptance.Process).Kill, kills: true},
	{name: "kill -9 with the answer held", fault: emulator.Fault{Action: "hang", Point: "after"}, act: (*acceptance.Process).Kill, kills: true},
	{name: "Ctrl-C before", fault: emulator.Fault{Action: "delay", Delay: held}, act: (*acceptance.Process).Interrupt, stops: true},
	{name: "Ctrl-C with the answer held", fault: emulator.Fault{Action: "delay", Delay: held, Point: "after"}, act: (*acceptance.Process).Interrupt, stops: true},
	{name: "SIGTERM with the answer held", fault: emulator.Fault{Action: "delay", Delay: held, Point: "after"}, act: (*acceptance.Process).Terminate, stops: true},
	{name: "answer dropped", fault: emulator.Fault{Action: "drop", Point: "after"}},
	{name: "502", fault: emulator.Fault{Action: "status", Status: http.StatusBadGateway}},
	{name: "504 as a page, after", fault: emulator.Fault{Action: "status", Point: "after", Status: http.StatusGatewayTimeout, Body: page}},
	{name: "200 as a page, after", fault: emulator.Fault{Action: "status", Point: "after", Status: http.StatusOK, Body: page}},
}

// backends are where the state is kept.
var backends = []string{"local", "http", "pg"}

// cliCase is one case of the bench of the CLIs.
type cliCase struct {
	cli, backend string
	on           subject
	operation    operation
	what         strike
	// request is what is struck: the method, and the path with * for ids; nth counts those alike from 1.
	request string
	nth     int
	owned   bool
}

func (c cliCase) String() string {
	owner := "no owner"
	if c.owned {
		owner = "owner"
	}
	return strings.Join([]string{
		c.cli, c.backend + " state", c.on.String(), c.operation.name, owner, c.what.name, fmt.Sprintf("%s, number %d", c.request, c.nth),
	}, " | ")
}

// struck is the fault that meets the case's request.
func (c cliCase) struck() emulator.Fault {
	method, path, _ := strings.Cut(c.request, " ")
	fault := c.what.fault
	fault.Vendor, fault.Method = c.on.Name, method
	fault.Path = "^" + strings.ReplaceAll(path, "*", "[^/]+") + "$"
	fault.Skip = c.nth - 1
	return fault
}

// alike is a request without its ids: what has a digit in it is one.
func alike(entry emulator.Entry) string {
	parts := strings.Split(entry.Path, "/")
	for i, part := range parts {
		if i > 1 && strings.ContainsAny(part, "0123456789") {
			parts[i] = "*"
		}
	}
	return entry.Method + " " + strings.Join(parts, "/")
}
