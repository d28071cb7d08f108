// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package privatestate reads and writes what a state knows besides its attributes. It is for no secrets.
package privatestate

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// Reader is the private state of a request.
type Reader interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
}

// Writer is the private state of a response.
type Writer interface {
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

// Entries are values by the key of their entry: pointers to texts and flags. Keys are part of every state that was
// written: never to be renamed or used anew.
type Entries map[string]any

// Read fills the values in. Entries that are not there stay as they are.
func Read(ctx context.Context, from Reader, entries Entries, diags *diag.Diagnostics) {
	for key, target := range entries {
		value, problems := from.GetKey(ctx, key)
		diags.Append(problems...)
		if len(value) == 0 {
			continue
		}
		if err := json.Unmarshal(value, target); err != nil {
			diags.AddError("The private state is damaged", "The entry "+key+" of the resource's private state cannot be read: "+err.Error())
		}
	}
}

// Write stores the values; what is empty or false is removed.
func Write(ctx context.Context, to Writer, entries Entries, diags *diag.Diagnostics) {
	for key, value := range entries {
		diags.Append(to.SetKey(ctx, key, encode(value))...)
	}
}

func encode(value any) []byte {
	switch value := value.(type) {
	case *string:
		if *value == "" {
			return nil
		}
	case *bool:
		if !*value {
			return nil
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		panic("texts and flags can always be written as JSON: " + err.Error())
	}
	return text
}
