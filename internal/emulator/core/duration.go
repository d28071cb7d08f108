// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"encoding/json"
	"fmt"
	"time"
)

// Duration is a time.Duration that JSON shows as Go writes it, such as "60s".
type Duration time.Duration

// MarshalJSON writes the text form.
func (d Duration) MarshalJSON() ([]byte, error) {
	return json.Marshal(time.Duration(d).String())
}

// UnmarshalJSON reads the text form; a number is an error, since it names no unit.
func (d *Duration) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return fmt.Errorf("a duration is text such as \"60s\", not %s", data)
	}
	value, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	*d = Duration(value)
	return nil
}

// String gives the text form.
func (d Duration) String() string { return time.Duration(d).String() }

// Value is the plain duration.
func (d Duration) Value() time.Duration { return time.Duration(d) }
