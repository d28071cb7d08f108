// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/sha1" //nolint:gosec // the vendor's digest of a configuration is a SHA-1
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// machine is one VM or template.
type machine struct {
	id      int
	node    *node
	config  values // as on disk, without what waits for the next start
	pending values // changes that wait for the next start
	dropped values // keys whose removal waits for it
	running bool
	paused  bool
	started time.Time
	power   int // counts starts and stops, so that a guest's late shutdown knows that it is stale
	// addresses are what the DHCP server gave the guest, by NIC.
	addresses map[string]string
	firewall  firewall
}

func newMachine(id int, on *node, config values) *machine {
	return &machine{id: id, node: on, config: config, pending: values{}, dropped: values{}, addresses: map[string]string{}}
}

func (a *API) machine(id int) *machine {
	i := slices.IndexFunc(a.machines, func(m *machine) bool { return m.id == id })
	if i < 0 {
		return nil
	}
	return a.machines[i]
}

func (m *machine) path() string { return "/vms/" + strconv.Itoa(m.id) }

func (m *machine) isTemplate() bool { return m.config["template"] == "1" }

func (m *machine) state() string {
	if m.running {
		return "running"
	}
	return "stopped"
}

func (m *machine) displayName() string {
	if m.config.has("name") {
		return m.config["name"]
	}
	return fmt.Sprintf("VM %d", m.id)
}

// cpus are sockets times cores, each 1 by default.
func (m *machine) cpus() int { return m.config.number("cores", 1) * m.config.number("sockets", 1) }

// memory is in bytes; the key has MiB, since PVE 8 as a property string.
func (m *machine) memory() int64 {
	parts := properties(m.config["memory"])
	return int64(values{"": parts["current"] + parts[""]}.number("", 512)) * mib
}

// merged is the configuration with what waits for the next start.
func (m *machine) merged() values {
	merged := maps.Clone(m.config)
	maps.Copy(merged, m.pending)
	for key := range m.dropped {
		delete(merged, key)
	}
	return merged
}

// digest changes with every write of the configuration file.
func (m *machine) digest() string {
	var file strings.Builder
	for _, section := range []values{m.config, m.pending, m.dropped} {
		for _, key := range sortedKeys(section) {
			fmt.Fprintf(&file, "%s: %s\n", key, section[key])
		}
		file.WriteString("[]\n")
	}
	sum := sha1.Sum([]byte(file.String())) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

func sortedKeys(v values) []string { return slices.Sorted(maps.Keys(v)) }

// body is a configuration as the API shows it: integers and booleans as numbers, everything else as text, the password
// masked (qs QemuServer.pm, check_type and confdesc).
func (m *machine) body(config values) object {
	body := object{"digest": m.digest()}
	for key, value := range config {
		body[key] = shown(key, value)
	}
	return body
}

func shown(key, value string) any {
	if key == "cipassword" {
		return "**********"
	}
	if kind := configParam(key).kind; kind == "integer" || kind == "boolean" {
		if n, err := strconv.ParseInt(value, 10, 64); err == nil {
			return n
		}
	}
	return value
}

// The two texts for a machine that is not on the node of the path, wherever else it may be (gc AbstractConfig.pm,
// load_config; qs QemuConfig.pm, assert_config_exists_on_node).
func noConfig(n *node, id string) string {
	return fmt.Sprintf("Configuration file 'nodes/%s/qemu-server/%s.conf' does not exist", n.name, id)
}

func notOnNode(n *node, id string) string {
	return fmt.Sprintf("unable to find configuration file for VM %s on node '%s'", id, n.name)
}

// here finds the machine of the path on the node of the path.
func (c *call) here() *machine {
	id, _ := strconv.Atoi(c.in["vmid"]) // its form was checked
	return c.api.onNode(c.node, id)
}

func (a *API) onNode(n *node, id int) *machine {
	if m := a.machine(id); m != nil && m.node == n {
		return m
	}
	return nil
}

// withMachine finds the machine of the path, or dies with the first of the two texts.
func withMachine(handle func(*call, *machine) core.Answer) func(*call) core.Answer {
	return withMachineOr(noConfig, handle)
}

func withMachineOr(missing func(*node, string) string, handle func(*call, *machine) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		m := c.here()
		if m == nil {
			return c.died(missing(c.node, c.in["vmid"]))
		}
		return handle(c, m)
	}
}

// listMachines gives the machines of one node, live (qs API2/Qemu.pm, vmlist).
func listMachines(c *call) core.Answer {
	rows := []object{}
	for _, m := range c.api.machines {
		if m.node == c.node && c.may(m.path(), "VM.Audit") {
			rows = append(rows, c.api.statusBody(m))
		}
	}
	return c.reply(rows)
}

// statusBody is what status/current shows: template, lock, tags and agent only when they are set, a paused machine as
// running (qs QemuServer.pm, vmstatus).
func (a *API) statusBody(m *machine) object {
	body := object{
		"vmid": m.id, "name": m.displayName(), "status": m.state(), "cpus": m.cpus(), "cpu": 0.0, "mem": int64(0),
		"maxmem": m.memory(), "maxdisk": a.bootSize(m), "disk": 0, "uptime": int64(0), "netin": 0, "netout": 0,
		"diskread": 0, "diskwrite": 0,
	}
	if m.running {
		fill(body, object{
			"uptime": seconds(a.now.Sub(m.started)), "pid": firstPID + m.id, "mem": m.memory() / 2, "cpu": 0.02,
		})
	}
	for _, key := range []string{"lock", "tags"} {
		if m.config.has(key) {
			body[key] = m.config[key]
		}
	}
	if m.isTemplate() {
		body["template"] = 1
	}
	return body
}

func getStatus(c *call, m *machine) core.Answer {
	body := c.api.statusBody(m)
	body["qmpstatus"], body["ha"] = m.state(), object{"managed": 0}
	if m.paused {
		body["qmpstatus"] = "paused"
	}
	if m.running {
		body["running-machine"], body["running-qemu"] = "pc-i440fx-10.0+pve0", "10.0.2"
	}
	if m.hasAgent() {
		body["agent"] = 1
	}
	return c.reply(body)
}

// machineIndex lists the sub-paths of a machine.
func machineIndex(c *call, _ *machine) core.Answer {
	return c.reply([]object{{"subdir": "config"}, {"subdir": "pending"}, {"subdir": "status"}, {"subdir": "agent"}})
}

func statusIndex(c *call, _ *machine) core.Answer {
	return c.reply([]object{{"subdir": "current"}, {"subdir": "start"}, {"subdir": "stop"}})
}

// listSnapshots: nothing here makes snapshots, so there is only the present.
func listSnapshots(c *call, m *machine) core.Answer {
	return c.reply([]object{{"name": "current", "description": "You are here!", "digest": m.digest(), "running": map[bool]int{true: 1}[m.running]}})
}
