// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"strconv"
	"time"
)

// ids count objects. They begin where the vendor's were in 2026; ids of actions do not fit 32 bits.
type ids struct {
	server, primaryIP, floatingIP, sshKey, action, address, certificate, balancer, zone, network, firewall, group int64
}

func firstIDs() ids {
	return ids{
		server: 152_016_691, primaryIP: 140_331_018, floatingIP: 98_114_206, sshKey: 114_663_460, action: 620_014_533_117,
		certificate: 1_702_330, balancer: 5_104_220, zone: 310_451, network: 11_403_512, firewall: 2_204_710,
		group: 1_003_841,
	}
}

func take(counter *int64) int64 {
	*counter++
	return *counter
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

// timestamp is a time as the vendor writes it.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func timestampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return timestamp(t)
}
