// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
)

// control is the emulators' own interface.
type control string

// call is what the journal tells of a request to a vendor.
type call struct {
	Seq    int64  `json:"seq"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Status int    `json:"status"`
}

// isID matches the parts of a path that differ from one object to the next.
var isID = regexp.MustCompile(`/(\d+|UPID:[^/]+|better-compute:[^/]+|bench:[^/]+)`)

// route is the call without the object that it is about.
func (c call) route() string { return c.Method + " " + isID.ReplaceAllString(c.Path, "/ID") }

// reset puts the emulated vendors back to their start: nothing there, limits whole.
func (c control) reset(ctx context.Context) error {
	return c.ask(ctx, http.MethodPost, "/reset", nil)
}

// since answers the calls after a seq, and the seq of the last one.
func (c control) since(ctx context.Context, seq int64) ([]call, int64, error) {
	var calls []call
	if err := c.ask(ctx, http.MethodGet, fmt.Sprintf("/journal?since=%d", seq), &calls); err != nil {
		return nil, seq, err
	}
	if len(calls) > 0 {
		seq = calls[len(calls)-1].Seq
	}
	return calls, seq, nil
}

func (c control) ask(ctx context.Context, method, path string, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, string(c)+path, http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(response.Body).Decode(answer)
}
