// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// control serves these inventories one after the other.
func control(t *testing.T, inventories ...string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if len(inventories) == 0 {
			http.Error(w, `{"error":"asked too often"}`, http.StatusBadRequest)
			return
		}
		fmt.Fprint(w, inventories[0])
		inventories = inventories[1:]
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestNothingLeft(t *testing.T) {
	const template = `{"proxmox":{"vms":[{"id":"9000","name":"debian-13","busy":null}]},"hetzner":{"servers":[%s]}}`
	empty := fmt.Sprintf(template, "")

	tests := map[string]struct {
		after string
		want  string // part of the error, "" for none
	}{
		"the same as before":       {after: empty},
		"a server is left":         {after: fmt.Sprintf(template, `{"id":"42","name":"demo-1"}`), want: "hetzner servers 42 demo-1"},
		"the answer is cut":        {after: empty[:20], want: "GET /inventory"},
		"the control does not say": {want: "400"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inventories := []string{empty}
			if test.after != "" {
				inventories = append(inventories, test.after)
			}
			url := control(t, inventories...)
			before, err := readInventory(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			err = nothingLeft(t.Context(), url, before)
			switch {
			case test.want == "" && err != nil:
				t.Errorf("error %v, want none", err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

func TestWithoutSettings(t *testing.T) {
	got := withoutSettings([]string{"HOME=/home/a", "TF_WORKSPACE=b", "TF_VAR_hetzner_endpoint=c", "TF_CLI_ARGS=-lock=false"})
	if want := "HOME=/home/a TF_VAR_hetzner_endpoint=c"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}
