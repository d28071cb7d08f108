// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// powerOn refuses a droplet that is on (unverified).
func powerOn(c *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	if d.status != "off" {
		return refusedWith("Droplet is already powered on")
	}
	return func(at time.Time) { c.at(at).becomes(d, "active") }, nil
}

// powerOff refuses a droplet that is off; terraform-provider-digitalocean knows the text.
func powerOff(c *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	if d.status == "off" {
		return refusedWith("Droplet is already powered off")
	}
	return func(at time.Time) { c.at(at).becomes(d, "off") }, nil
}

// shutdown asks the guest. Its action completes though the droplet may stay up; the guest goes off later, or never. A
// droplet that is off takes it without an error.
func shutdown(c *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	return func(at time.Time) { c.guestOff(d, at) }, nil
}

func (c *call) guestOff(d *droplet, asked time.Time) {
	if d.status != "active" || c.api.settings.TakeResult("guest_off").Status != "" {
		return
	}
	power := d.power
	c.at(asked).later(c.settings.TimeOf("guest_off"), func(at time.Time) {
		if d.power == power {
			c.at(at).becomes(d, "off")
		}
	})
}

// reboot brings a running droplet back by itself; one that is off stays off (unverified).
func reboot(_ *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	return func(time.Time) { d.setStatus(d.status) }, nil
}

// powerCycle turns the droplet off and on, whatever it was.
func powerCycle(c *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	return func(at time.Time) { c.at(at).becomes(d, "active") }, nil
}
