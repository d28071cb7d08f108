// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// number is a number that the vendor writes as a number, as text, or not at all; which of them differs from field to field
// and from release to release.
type number float64

// UnmarshalJSON reads all of these forms; what is no number is 0.
func (n *number) UnmarshalJSON(data []byte) error {
	value, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		value = 0
	}
	*n = number(value)
	return nil
}

func (n number) int() int { return int(n) }

// scalar is the text of a JSON string, number or boolean; the config of a machine has all of them.
func scalar(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	switch value := strings.TrimSpace(string(raw)); value {
	case "null":
		return ""
	case "true":
		return "1"
	case "false":
		return "0"
	default:
		return value
	}
}
