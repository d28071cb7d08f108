// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package failure

import (
	"fmt"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// SmallerDisk refuses an offer whose disk is smaller than the machine's: no vendor shrinks one. Nil where it is not.
func SmallerDisk(machine driver.Machine, offer driver.Offer) error {
	if offer.DiskGiB == nil || *offer.DiskGiB >= machine.DiskGiB {
		return nil
	}
	return &Input{Field: "offer_id", Message: fmt.Sprintf("the machine's disk has %g GiB and offer %s has %g GiB, and a disk is never shrunk",
		machine.DiskGiB, offer.ID, *offer.DiskGiB)}
}
