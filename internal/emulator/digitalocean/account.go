// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// identity is who a team is. It outlives a reset.
type identity struct {
	account, team, name string
	since               time.Time
}

func newIdentity(name string, since time.Time) identity {
	return identity{account: core.RandomText(hexDigits, 40), team: core.RandomText(hexDigits, 40), name: name, since: since}
}

// What the account may have where no quota is set, and of what the emulator does not serve.
const (
	unlimited   = 1000
	volumeLimit = 100
)

// getAccount: DigitalOcean API document, GET /v2/account, with the limits that the vendor's client reads beyond it.
func getAccount(c *call) core.Answer {
	addresses := c.quota("reserved_ips")
	return reply(http.StatusOK, object{"account": object{
		"droplet_limit": c.quota("droplets"), "floating_ip_limit": addresses, "reserved_ip_limit": addresses,
		"volume_limit": volumeLimit, "email": c.team.name + "@example.com", "name": "Emulator", "uuid": c.team.identity.account,
		"email_verified": true, "status": "active", "status_message": "",
		"team": object{"uuid": c.team.identity.team, "name": c.team.identity.name},
	}}, "")
}

// quota is how many objects of a kind a team may have.
func (c *call) quota(kind string) int {
	if quota, set := c.settings.Quotas[kind]; set {
		return quota
	}
	return unlimited
}
