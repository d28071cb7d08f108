// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// replyStarted answers 201 with the action.
func replyStarted(s *server, started *action) core.Answer {
	return reply(http.StatusCreated, object{"action": started.body()}, s.id)
}

// powerOn succeeds on a running server too (unverified: no error is documented).
func powerOn(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	if refused := noInterface(s); refused != nil {
		return *refused
	}
	meanwhile := ""
	if s.status != "running" {
		meanwhile = "starting"
	}
	return replyStarted(s, c.change("start_server", s, meanwhile, func(time.Time) { s.setStatus("running") }))
}

func powerOff(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	meanwhile := ""
	if s.status != "off" {
		meanwhile = "stopping"
	}
	return replyStarted(s, c.change("stop_server", s, meanwhile, func(time.Time) { s.setStatus("off") }))
}

// shutdown only sends the request to the guest: its action succeeds while the server still runs, and the guest goes
// off later, or never (Hetzner API document, POST /servers/{id}/actions/shutdown).
func shutdown(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	return replyStarted(s, c.change("shutdown_server", s, "", func(at time.Time) { c.guestOff(s, at) }))
}

func (c *call) guestOff(s *server, asked time.Time) {
	if s.status != "running" || c.api.settings.TakeResult("guest_off").Status != "" {
		return
	}
	power := s.power
	c.api.timeline.At(asked.Add(c.api.settings.Get().TimeOf("guest_off")), func(time.Time) {
		if s.power == power {
			s.setStatus("off")
		}
	})
}

// reboot and reset leave a server in the state it has: a running one comes back by itself, an off one stays off.
func reboot(c *call, s *server) core.Answer { return restart(c, s, "reboot_server") }

func reset(c *call, s *server) core.Answer { return restart(c, s, "reset_server") }

func restart(c *call, s *server, command string) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	return replyStarted(s, c.change(command, s, "", func(time.Time) { s.setStatus(s.status) }))
}

// rebuild stops the server, writes the image over its disk and starts it. Without user_data the old one is used again
// (hcloud-go 2.36 changelog); the root password is null when the server has SSH keys.
func rebuild(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	if s.protected {
		return about(failure(http.StatusLocked, "protected", "server rebuild is protected", nil), s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	wanted := c.orderedImage(in, s.offer)
	userData, newUserData := in.text("user_data")
	if len(userData) > maxUserData {
		in.fail("user_data", "is too long")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	started := c.change("rebuild_server", s, "rebuilding", func(time.Time) {
		s.image = &wanted
		if newUserData {
			s.userData = userData
		}
		s.setStatus("running")
	})
	body := object{"action": started.body(), "root_password": nil}
	if !s.withKeys {
		body["root_password"] = rootPassword()
	}
	return reply(http.StatusCreated, body, s.id)
}

// changeType needs a stopped server, a disk that is not smaller and the same architecture; it starts the server again
// (Hetzner API document, POST /servers/{id}/actions/change_type).
func changeType(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	wanted := c.orderedType(in)
	if !in.has("upgrade_disk") {
		in.fail("upgrade_disk", "is required")
	}
	upgradeDisk := in.flag("upgrade_disk", false)
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	if refused := c.checkChange(s, wanted); refused != nil {
		return about(*refused, s.id)
	}
	return replyStarted(s, c.change("change_server_type", s, "migrating", func(time.Time) {
		s.offer = wanted
		if upgradeDisk {
			s.disk = wanted.disk
		}
		s.setStatus("running")
	}))
}

func (c *call) checkChange(s *server, wanted serverType) *core.Answer {
	settings := c.api.settings.Get()
	if s.status != "off" {
		return new(failure(http.StatusUnprocessableEntity, "server_not_stopped", "server is not stopped", nil))
	}
	if problem := misfit(s, wanted, settings, c.now); problem != "" {
		return new(failure(http.StatusUnprocessableEntity, "invalid_server_type", problem, nil))
	}
	return c.checkStock(wanted, s.location.name, settings)
}

// misfit says why a server cannot become of a type, "" if it can.
func misfit(s *server, wanted serverType, settings core.Settings, now time.Time) string {
	switch {
	case wanted.id == s.offer.id:
		return "server already has this server type"
	case wanted.architecture != s.offer.architecture:
		return "server type has another architecture"
	case wanted.disk < s.disk:
		return "server type has a smaller disk"
	case !wanted.soldIn(s.location.name):
		return "server type is not offered in the location of the server"
	case wanted.deprecationIn(settings, s.location.name).over(now):
		return "server type is deprecated"
	}
	return ""
}

// changeProtection sets both kinds at once; the vendor wants them to have the same value. It is done when it answers.
func changeProtection(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	forDelete, forRebuild := in.flag("delete", s.protected), in.flag("rebuild", s.protected)
	if forDelete != forRebuild {
		in.fail("rebuild", "must have the same value as delete")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	changed := c.newAction("change_protection", s)
	c.run(changed, c.api.settings.Get().ActionTimes["change_protection"].Value(), outcome{
		success: func(time.Time) { s.protected = forDelete },
	})
	c.api.timeline.Advance(c.now)
	return replyStarted(s, changed)
}
