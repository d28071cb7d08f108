// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// change is what an action does to a droplet, read from its request: what speaks against it, or what it does at its end.
type change func(c *call, d *droplet, in *fields) (effect func(at time.Time), refused *core.Answer)

// changes by the type of the action (DigitalOcean API document, POST /v2/droplets/{droplet_id}/actions). change_kernel
// is documented, but no droplet of the emulator boots a kernel of the vendor's.
var changes = map[string]change{
	"power_on":             powerOn,
	"power_off":            powerOff,
	"shutdown":             shutdown,
	"reboot":               reboot,
	"power_cycle":          powerCycle,
	"rebuild":              rebuild,
	"restore":              restore,
	"resize":               resize,
	"rename":               rename,
	"password_reset":       nothing,
	"snapshot":             snapshot,
	"enable_ipv6":          enableIPv6,
	"enable_backups":       enableBackups,
	"disable_backups":      disableBackups,
	"change_backup_policy": changeBackupPolicy,
}

// byTag are the types that can be asked for by tag (same document, POST /v2/droplets/actions).
var byTag = []string{
	"power_cycle", "power_on", "power_off", "shutdown", "enable_ipv6", "enable_backups", "disable_backups", "snapshot",
}

// actOnDroplet starts an action and answers 201 with it.
func actOnDroplet(c *call, d *droplet) core.Answer {
	in, kind, wrong := c.readAction()
	if wrong != nil {
		return about(*wrong, text(d.id))
	}
	started, refused := c.act(d, kind, in)
	if refused != nil {
		return about(*refused, text(d.id))
	}
	return reply(http.StatusCreated, object{"action": c.actionBody(started)}, text(d.id))
}

func (c *call) readAction() (in *fields, kind string, wrong *core.Answer) {
	in, wrong = c.fields()
	if wrong != nil {
		return nil, "", wrong
	}
	kind = in.text("type")
	if in.problem == nil && changes[kind] == nil {
		in.refuse(unprocessable("%q is not a valid type of action for a Droplet", kind))
	}
	return in, kind, in.problem
}

func (c *call) act(d *droplet, kind string, in *fields) (*action, *core.Answer) {
	if refused := busy(d); refused != nil {
		return nil, refused
	}
	effect, refused := changes[kind](c, d, in)
	if refused != nil {
		return nil, refused
	}
	return c.start(kind, d, outcome{success: effect}), nil
}

// actByTag starts the action on all droplets that bear the tag. One that cannot take it now is passed over (unverified).
func actByTag(c *call) core.Answer {
	wanted := c.team.tag(c.Query.Get("tag_name"))
	if wanted == nil {
		return notFound()
	}
	in, kind, wrong := c.readAction()
	if wrong != nil {
		return about(*wrong, wanted.name)
	}
	if !slices.Contains(byTag, kind) {
		return about(unprocessable("%q is not available for tagged Droplets", kind), wanted.name)
	}
	bodies := []object{}
	for _, d := range c.tagged(wanted) {
		if started, refused := c.act(d, kind, in); refused == nil {
			bodies = append(bodies, c.actionBody(started))
		}
	}
	return reply(http.StatusCreated, object{"actions": bodies, "links": object{}, "meta": object{"total": len(bodies)}}, wanted.name)
}

// nothing is an action that changes nothing that the API shows.
func nothing(*call, *droplet, *fields) (effect func(time.Time), refused *core.Answer) {
	return nil, nil
}

// refusedWith is what a change returns that cannot be made.
func refusedWith(format string, values ...any) (func(time.Time), *core.Answer) {
	return nil, new(unprocessable(format, values...))
}
