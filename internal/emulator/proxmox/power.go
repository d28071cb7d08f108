// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// power is a task on a machine that answers its UPID whatever state the machine is in; the task finds out (qs
// API2/Qemu.pm, vm_start, vm_stop, vm_shutdown).
func power(kind string, missing func(*node, string) string, work func(*worker, *call, *machine)) func(*call) core.Answer {
	return func(c *call) core.Answer {
		id := c.in.number("vmid", 0)
		return c.fork(kind, c.in["vmid"], func(w *worker) {
			w.lock(id, lockWait, func() {
				m := c.api.onNode(w.node, id)
				if m == nil {
					w.end(missing(w.node, c.in["vmid"]))
					return
				}
				if lock := m.config["lock"]; lock != "" {
					w.end("VM is locked (" + lock + ")")
					return
				}
				work(w, c, m)
			})
		})
	}
}

func start(w *worker, _ *call, m *machine) {
	switch {
	case m.isTemplate():
		w.end("you can't start a vm if it's a template")
		return
	case m.running:
		w.end(fmt.Sprintf("VM %d already running", m.id))
		return
	}
	if problem := w.api.cloudInitProblem(m); problem != "" {
		w.end(problem)
		return
	}
	w.api.applyPending(m)
	if on := w.api.missingBridge(m.node, m.config); on != "" {
		w.log("bridge '%s' does not exist", on)
		w.end("start failed: QEMU exited with code 1")
		return
	}
	w.log("generating cloud-init ISO")
	w.finish(w.during(), func() { w.api.powerOn(m, w.now) }, nothing)
}

// powerOn gives every NIC its address, the first time.
func (a *API) powerOn(m *machine, at time.Time) {
	m.running, m.paused, m.started = true, false, at
	m.power++
	for _, key := range sortedKeys(m.config) {
		if family(key) == "net" && m.addresses[key] == "" {
			a.guests++
			m.addresses[key] = fmt.Sprintf("10.0.%d.%d", 1+a.guests/250, 1+a.guests%250)
		}
	}
}

func powerOff(m *machine) {
	m.running, m.paused = false, false
	m.power++
}

// stop of a stopped machine is a success.
func stop(w *worker, _ *call, m *machine) {
	w.finish(w.during(), func() { w.api.halt(m) }, nothing)
}

// halt turns a machine off; what waited for that holds from now on.
func (a *API) halt(m *machine) {
	powerOff(m)
	a.applyPending(m)
}

// stopMachine: overrule-shutdown ends the shutdowns that hold the lock file, else a stop waits for them.
func stopMachine(c *call) core.Answer {
	if c.in["overrule-shutdown"] == "1" {
		for _, t := range slices.Clone(c.api.tasks) {
			if t.kind == "qmshutdown" && t.id == c.in["vmid"] && t.exit == "" {
				c.api.stop(t, "unexpected status", c.now)
			}
		}
	}
	return power("qmstop", notOnNode, stop)(c)
}

// shutdownMachine refuses a paused machine at once.
func shutdownMachine(c *call) core.Answer {
	if m := c.here(); m != nil && m.paused {
		return c.died("VM is paused - cannot shutdown")
	}
	return power("qmshutdown", notOnNode, shutdown)(c)
}

// shutdown holds the lock file until the guest is off or the time is over: timeout seconds, 60 by default; then
// forceStop stops it (qs QemuServer.pm, _do_vm_stop).
func shutdown(w *worker, c *call, m *machine) {
	if !m.running {
		w.finish(w.during(), nothing, nothing)
		return
	}
	patience := time.Duration(c.in.number("timeout", 60)) * time.Second
	obeys := w.api.settings.Get().TimeOf("guest_off")
	if w.api.settings.TakeResult("guest_off").Status == "" && obeys <= patience {
		w.finish(obeys, func() { w.api.halt(m) }, nothing)
		return
	}
	w.after(patience, func() {
		if c.in["forceStop"] != "1" {
			w.end("VM quit/powerdown failed - got timeout")
			return
		}
		w.log("VM quit/powerdown failed - terminating now with SIGTERM")
		w.finish(0, func() { w.api.halt(m) }, nothing)
	})
}

// restart is reset and reboot, which fail at once on a machine that does not run. A reboot applies what waits for a
// start; a reset does not.
func restart(kind string) func(*call, *machine) core.Answer {
	return func(c *call, m *machine) core.Answer {
		if !m.running {
			return c.died(fmt.Sprintf("VM %d not running", m.id))
		}
		if lock := m.config["lock"]; lock != "" && kind == "qmreset" {
			return c.died("VM is locked (" + lock + ")")
		}
		return c.fork(kind, c.in["vmid"], func(w *worker) {
			w.lock(m.id, lockWait, func() {
				w.finish(w.during(), func() {
					if kind == "qmreboot" {
						c.api.halt(m)
						c.api.powerOn(m, w.now)
					}
					m.power++
				}, nothing)
			})
		})
	}
}

// destroyMachine checks what can be seen at once, the rest in the task (qs API2/Qemu.pm, destroy_vm).
func destroyMachine(c *call, m *machine) core.Answer {
	if m.config["protection"] == "1" {
		return c.died(fmt.Sprintf("can't remove VM %d - protection mode enabled", m.id))
	}
	if m.running {
		return c.died(fmt.Sprintf("VM %d is running - destroy failed", m.id))
	}
	all := c.in["destroy-unreferenced-disks"] == "1"
	return c.fork("qmdestroy", c.in["vmid"], func(w *worker) {
		w.lock(m.id, lockWait, func() { w.destroy(m, all) })
	})
}

// destroy frees the disks of the configuration, with all those that no configuration names any more too.
func (w *worker) destroy(m *machine, all bool) {
	switch {
	case w.api.machine(m.id) != m:
		w.end(noConfig(w.node, strconv.Itoa(m.id)))
		return
	case m.config.has("lock"):
		w.end("VM is locked (" + m.config["lock"] + ")")
		return
	case m.running:
		w.end(fmt.Sprintf("VM %d is running - destroy failed", m.id))
		return
	}
	for _, v := range w.api.volumesOf(m) {
		if w.api.hasClones(v) {
			w.end(fmt.Sprintf("base volume '%s' is still in use by linked cloned", v.id()))
			return
		}
	}
	before := maps.Clone(m.config)
	m.config = values{"lock": "destroyed"}
	w.finish(w.during(), func() {
		m.config = before
		w.api.remove(m, all)
	}, func() { m.config = before })
}

// remove takes a machine away with its volumes, its grants and its place in a pool.
func (a *API) remove(m *machine, all bool) {
	for _, v := range a.volumesOf(m) {
		if all || a.uses(v) {
			a.removeVolume(v)
		}
	}
	a.machines = slices.DeleteFunc(a.machines, func(other *machine) bool { return other == m })
	a.dropAccess(m.id)
}
