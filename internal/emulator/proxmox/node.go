// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

const (
	gib = 1 << 30
	mib = 1 << 20
)

// Size of each node: with three of them there is room for 100 machines of 4 GiB even on one.
const (
	nodeCPUs   = 64
	nodeMemory = 512 * gib
	nodeDisk   = 94 * gib
	nodeUsed   = 6 * gib // what the node itself takes of its memory
)

// node is one node of the cluster.
type node struct {
	name   string
	booted time.Time
}

func (a *API) node(name string) *node {
	i := slices.IndexFunc(a.nodes, func(n *node) bool { return n.name == name })
	if i < 0 {
		return nil
	}
	return a.nodes[i]
}

func (a *API) down(n *node) bool { return slices.Contains(a.settings.Get().NodesDown, n.name) }

// reach finds the node of the path. Any node forwards what another one has to do, so a wrong name fails as a name that
// cannot be resolved, and a node that is down as a connection that cannot be made (AnyEvent.pm, proxy_request).
func (c *call) reach() *core.Answer {
	name, inPath := c.Params["node"]
	if !inPath {
		return nil
	}
	c.node = c.api.node(name)
	if c.node == nil {
		return new(c.died(fmt.Sprintf(
			"hostname lookup '%s' failed - failed to get address info for: %s: Name or service not known", name, name)))
	}
	if c.api.down(c.node) {
		return new(refused(595, "No route to host"))
	}
	return nil
}

// memoryUsed is in bytes. Where a setting says that nothing fits on the node, it is nearly full.
func (a *API) memoryUsed(n *node) int64 {
	if !a.settings.Get().InCatalogue("", n.name, true) {
		return nodeMemory - 64*mib
	}
	used := int64(nodeUsed)
	for _, m := range a.machines {
		if m.node == n && m.running {
			used += m.memory()
		}
	}
	return used
}

// cpuUsed is the share of the node's CPUs that is busy, 0 to 1.
func (a *API) cpuUsed(n *node) float64 {
	busy := 0.2
	for _, m := range a.machines {
		if m.node == n && m.running {
			busy += 0.02 * float64(m.cpus())
		}
	}
	return min(busy/nodeCPUs, 1)
}

func (a *API) nodeStatus(n *node) string {
	if a.down(n) {
		return "offline"
	}
	return "online"
}

// fingerprint is the node's own certificate's.
func (n *node) fingerprint() string {
	sum := sha256.Sum256([]byte(n.name))
	var pairs []string
	for _, b := range sum {
		pairs = append(pairs, fmt.Sprintf("%02X", b))
	}
	return strings.Join(pairs, ":")
}

// figures are the numbers of a node; they are missing when it is down for longer than its statistics last.
func (a *API) figures(n *node) object {
	if a.down(n) {
		return object{}
	}
	return object{
		"cpu": a.cpuUsed(n), "maxcpu": nodeCPUs, "mem": a.memoryUsed(n), "maxmem": int64(nodeMemory), "disk": int64(12 * gib),
		"maxdisk": int64(nodeDisk), "uptime": seconds(a.now.Sub(n.booted)),
	}
}

func seconds(d time.Duration) int64 { return int64(d / time.Second) }

// listNodes names every node to everybody; figures need Sys.Audit (pm API2/Nodes.pm, index).
func listNodes(c *call) core.Answer {
	rows := []object{}
	for _, n := range c.api.nodes {
		row := object{
			"node": n.name, "id": "node/" + n.name, "type": "node", "status": c.api.nodeStatus(n), "level": "",
			"ssl_fingerprint": n.fingerprint(),
		}
		if c.may("/nodes/"+n.name, "Sys.Audit") {
			fill(row, c.api.figures(n))
		}
		rows = append(rows, row)
	}
	return c.reply(rows)
}

func fill(row, more object) {
	for name, value := range more {
		row[name] = value
	}
}

// nodeIndex lists the sub-paths of a node.
func nodeIndex(c *call) core.Answer {
	return c.reply([]object{{"name": "qemu"}, {"name": "status"}, {"name": "storage"}, {"name": "tasks"}, {"name": "version"}})
}

// getNodeStatus: numbers, but the load as text; memory.available is new in PVE 9 (pm API2/Nodes.pm, status).
func getNodeStatus(c *call) core.Answer {
	used := c.api.memoryUsed(c.node)
	memory := object{"total": int64(nodeMemory), "used": used, "free": nodeMemory - used}
	if c.api.since(9, 0) {
		memory["available"] = nodeMemory - used
	}
	return c.reply(object{
		"uptime": seconds(c.now.Sub(c.node.booted)), "idle": 0, "cpu": c.api.cpuUsed(c.node), "wait": 0.001,
		"loadavg": []string{"0.42", "0.31", "0.28"}, "memory": memory,
		"swap":   object{"total": int64(8 * gib), "used": 0, "free": int64(8 * gib)},
		"rootfs": object{"total": int64(nodeDisk), "used": int64(12 * gib), "free": int64(nodeDisk - 12*gib), "avail": int64(nodeDisk - 12*gib)},
		"cpuinfo": object{
			"cpus": nodeCPUs, "cores": nodeCPUs / 2, "sockets": 1, "model": "AMD EPYC 7543P 32-Core Processor",
			"mhz": "2794.750", "hvm": "1", "user_hz": 100, "flags": "fpu vme sse sse2 aes avx2 svm",
		},
		"ksm": object{"shared": 0}, "kversion": "Linux 6.14.11-2-pve #1 SMP PREEMPT_DYNAMIC PMX 6.14.11-2",
		"current-kernel": object{"sysname": "Linux", "release": "6.14.11-2-pve", "machine": "x86_64", "version": "#1 SMP"},
		"boot-info":      object{"mode": "efi", "secureboot": 0},
		"pveversion":     "pve-manager/" + c.api.version() + "/" + repository,
	})
}

// repository is the commit that the emulated release was built from.
const repository = "e4549dd8a7f3a49d"

func (a *API) version() string {
	release := a.settings.Get().Release
	if strings.Count(release, ".") < 2 {
		release += ".1"
	}
	return release
}

func getVersion(c *call) core.Answer {
	parts := strings.Split(c.api.version(), ".")
	return c.reply(object{"version": c.api.version(), "release": parts[0] + "." + parts[1], "repoid": repository})
}

// getClusterStatus: pm API2/Cluster.pm, status.
func getClusterStatus(c *call) core.Answer {
	rows := []object{{"type": "cluster", "id": "cluster", "name": "emulated", "nodes": len(c.api.nodes), "quorate": 1, "version": 3}}
	for i, n := range c.api.nodes {
		online := 1
		if c.api.down(n) {
			online = 0
		}
		rows = append(rows, object{
			"type": "node", "id": "node/" + n.name, "name": n.name, "nodeid": i + 1, "online": online, "level": "",
			"ip": fmt.Sprintf("10.0.0.%d", i+1), "local": map[bool]int{true: 1}[i == 0],
		})
	}
	return c.reply(rows)
}
