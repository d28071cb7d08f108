// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import "time"

// statistics is what the nodes last said about themselves: cluster/resources knows names, states and figures of machines
// only from there (pm API2Tools.pm, extract_vm_stats; Service/pvestatd.pm, updatetime).
type statistics struct {
	at   time.Time
	rows map[int]statistic
}

// statistic is what one node said about one machine.
type statistic struct {
	at   time.Time
	node string
	row  object
}

// statisticsLast is how long the nodes' figures count (pve-cluster status.c, expiry of the key-value store).
const statisticsLast = 5 * time.Minute

// due says when the newest update was, given the time between two, and whether it has not been published.
func (s *statistics) due(now time.Time, every time.Duration) (last time.Time, due bool) {
	if every == 0 {
		return now, true
	}
	last = now.Truncate(every)
	return last, last.After(s.at)
}

// publish takes the figures of every machine on a node that is up.
func (a *API) publish(at time.Time) {
	rows := map[int]statistic{}
	for id, old := range a.stats.rows {
		if n := a.node(old.node); n != nil && a.down(n) {
			rows[id] = old
		}
	}
	for _, m := range a.machines {
		if !a.down(m.node) {
			rows[m.id] = statistic{at: at, node: m.node.name, row: a.machineFigures(m, at)}
		}
	}
	a.stats.at, a.stats.rows = at, rows
}

// machineFigures are the fields that cluster/resources has from the statistics.
func (a *API) machineFigures(m *machine, at time.Time) object {
	row := object{
		"name": m.displayName(), "status": m.state(), "template": 0, "maxcpu": m.cpus(), "cpu": 0.0,
		"maxmem": m.memory(), "mem": int64(0), "maxdisk": a.bootSize(m), "disk": 0, "netin": 0, "netout": 0,
		"diskread": 0, "diskwrite": 0, "uptime": int64(0), "memhost": int64(0),
	}
	if m.isTemplate() {
		row["template"] = 1
	}
	if m.running {
		row["cpu"], row["mem"], row["memhost"] = 0.02, m.memory()/2, m.memory()/2
		row["uptime"] = seconds(at.Sub(m.started))
	}
	return row
}

// known gives what the statistics say about a machine, nothing if they say nothing or are too old.
func (a *API) known(m *machine) object {
	if a.settings.Get().Lag.Statistics == 0 && !a.down(m.node) {
		return a.machineFigures(m, a.now)
	}
	last, found := a.stats.rows[m.id]
	if !found || last.node != m.node.name || a.now.Sub(last.at) > statisticsLast {
		return object{"status": "unknown"}
	}
	return last.row
}
