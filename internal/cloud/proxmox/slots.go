// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/sha256"
	"encoding/binary"
)

// mostSlots is how many VMIDs a key has.
const mostSlots = 64

// slots answers the VMIDs that a machine with the key may have, in the order in which they are tried: from a place that
// the key's hash names, upwards and round the end of the range.
func slots(key string, lowest, highest int) []int {
	size := highest - lowest + 1
	sum := sha256.Sum256([]byte(key))
	start := int(binary.BigEndian.Uint32(sum[:4])) % size
	vmids := make([]int, min(mostSlots, size))
	for i := range vmids {
		vmids[i] = lowest + (start+i)%size
	}
	return vmids
}
