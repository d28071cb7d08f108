// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// server is one server of a project. What it was given for its first boot is kept for a rebuild and never shown.
type server struct {
	id         int64
	name       string
	created    time.Time
	status     string
	offer      serverType
	image      *image
	location   location
	labels     map[string]string
	protected  bool // against delete and rebuild, which the vendor only sets together
	disk       int  // GB; stays smaller than the type's after a change_type without upgrade_disk
	ipv4, ipv6 *primaryIP
	userData   string
	withKeys   bool
	lockedBy   bool // by others, through control
	running    []*action
	owner      *project
	// attachments are its interfaces in networks, barriers the firewalls that it was put behind by itself.
	attachments  []*attachment
	barriers     []*barrier
	group        *placementGroup
	backupWindow string // empty: no backups
	power        int    // counts changes of power, so that a guest's late shutdown knows that it is stale
}

// busy says whether the vendor refuses further changes for now.
func (s *server) busy() bool { return s.lockedBy || len(s.running) > 0 }

func (s *server) setStatus(status string) {
	s.status = status
	s.power++
}

func (s *server) body(settings core.Settings, now time.Time) object {
	var made any
	if s.image != nil {
		made = s.image.body(settings)
	}
	included, _ := traffic(s.location.name)
	return object{
		"id": s.id, "name": s.name, "status": s.status, "created": timestamp(s.created),
		"public_net": object{
			"ipv4": s.ipv4.inServer(), "ipv6": s.ipv6.inServer(), "floating_ips": s.floatingIPs(), "firewalls": s.firewallsBody(),
		},
		"private_net": s.privateNet(), "server_type": s.offer.body(settings, now), "location": s.location.body(),
		"image": made, "iso": nil, "rescue_enabled": false, "locked": s.busy(), "backup_window": s.window(),
		"outgoing_traffic": 0, "ingoing_traffic": 0, "included_traffic": included,
		"protection": object{"delete": s.protected, "rebuild": s.protected}, "labels": labelsBody(s.labels),
		"volumes": []int64{}, "load_balancers": []int64{}, "primary_disk_size": s.disk, "placement_group": s.group.inServer(s.owner),
	}
}

// window is when backups are made, null without any.
func (s *server) window() any {
	if s.backupWindow == "" {
		return nil
	}
	return s.backupWindow
}

// floatingIPs are the ids of those that are on the server.
func (s *server) floatingIPs() []int64 {
	ids := []int64{}
	for _, f := range s.owner.floatingIPs {
		if f.holder == s {
			ids = append(ids, f.id)
		}
	}
	return ids
}

func labelsBody(labels map[string]string) map[string]string {
	if labels == nil {
		return map[string]string{}
	}
	return labels
}

func (p *project) server(id int64) *server {
	for _, s := range p.servers {
		if s.id == id {
			return s
		}
	}
	return nil
}

// withServer finds the server of the path.
func withServer(handle func(*call, *server) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.project.server(c.id("id"))
		if found == nil || (c.IsRead() && c.hidden(found.created, c.api.settings.Get().Lag.Get)) {
			return notFound("server")
		}
		return handle(c, found)
	}
}

// hidden says whether an object is too young to be seen.
func (c *call) hidden(created time.Time, lag core.Duration) bool {
	return c.now.Sub(created) < time.Duration(lag)
}

func getServer(c *call, s *server) core.Answer {
	return reply(http.StatusOK, object{"server": s.body(c.api.settings.Get(), c.now)}, s.id)
}

func listServers(c *call) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	settings := c.api.settings.Get()
	var rows []row
	for _, s := range c.project.servers {
		fits := c.wanted("name", s.name) && c.wanted("status", s.status) && selects(requirements, s.labels)
		if fits && !c.hidden(s.created, settings.Lag.List) {
			keys := map[string]sortKey{"id": number(s.id), "name": word(s.name), "created": number(s.created.UnixNano())}
			rows = append(rows, row{body: s.body(settings, c.now), keys: keys})
		}
	}
	return c.replyList("servers", rows, "id", "name", "created")
}

// updateServer changes name and labels; labels replace the whole map (Hetzner API document, PUT /servers/{id}). A
// locked server refuses it like every change: "there is already an Action running" (same document, "Errors").
func updateServer(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name, hasName := in.text("name")
	labels, hasLabels := in.labels()
	if hasName {
		in.hostName("name", name)
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, s.id)
	}
	if hasName && name != s.name && c.project.nameTaken(name) {
		return about(taken("name", "server name is already used"), s.id)
	}
	if hasName {
		s.name = name
	}
	if hasLabels {
		s.labels = labels
	}
	return getServer(c, s)
}

func (p *project) nameTaken(name string) bool {
	for _, s := range p.servers {
		if s.name == name {
			return true
		}
	}
	return false
}

// deleteServer answers 200 with an action; the name is free again when the action is done.
func deleteServer(c *call, s *server) core.Answer {
	if s.busy() {
		return locked(s.id)
	}
	if s.protected {
		return about(failure(http.StatusLocked, "protected", "server deletion is protected", nil), s.id)
	}
	deleted := c.change("delete_server", s, "deleting", func(time.Time) { c.project.remove(s) })
	return reply(http.StatusOK, object{"action": deleted.body()}, s.id)
}
