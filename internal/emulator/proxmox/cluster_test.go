// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// resource is a machine in cluster/resources.
func (c cluster) resource(id string) map[string]any {
	c.t.Helper()
	return c.ask("GET", "/cluster/resources", "type=vm").row("id", id)
}

// TestResourcesLag: where a machine is, its tags and its lock are live; its name and status are as old as the nodes'
// statistics, 10 s at most.
func TestResourcesLag(t *testing.T) {
	inCluster(t, func(c cluster) {
		want(t, "template", c.resource("qemu/9000")["template"], 1.0)
		path := c.clone()
		c.ask("PUT", path+"/config", "tags=b%3Ba")
		row := c.resource("qemu/100")
		want(t, "status at first", row["status"], "unknown")
		want(t, "name at first", row["name"], nil)
		want(t, "template at first", row["template"], nil)
		want(t, "tags at once", row["tags"], "a;b")
		want(t, "node at once", row["node"], "pve1")
		pass(10 * time.Second)
		row = c.resource("qemu/100")
		want(t, "status", row["status"], "stopped")
		want(t, "name", row["name"], "web")
		want(t, "template", row["template"], 0.0)
		c.start(path)
		want(t, "right after the start", c.resource("qemu/100")["status"], "stopped")
		want(t, "live", c.status(path), "running")
		pass(10 * time.Second)
		want(t, "10 s after the start", c.resource("qemu/100")["status"], "running")
		c.patch(emulator.Fields{"lock": "backup"})
		want(t, "lock at once", c.resource("qemu/100")["lock"], "backup")
		c.set(func(s *emulator.Settings) { s.Lag.Statistics = 0 })
		c.do("POST", path+"/status/stop", "")
		c.patch(emulator.Fields{"lock": nil, "status": "stopped"})
		want(t, "without a lag", c.resource("qemu/100")["status"], "stopped")
	})
}

// TestNodeDown: its machines keep their last figures for 5 minutes and are unknown then; calls to it are 595.
func TestNodeDown(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		pass(10 * time.Second)
		want(t, "before", c.resource("qemu/100")["status"], "running")
		c.set(func(s *emulator.Settings) { s.NodesDown = []string{"pve1"} })
		got := c.ask("GET", path+"/status/current", "")
		want(t, "call", got.status, 595)
		want(t, "no body", got.raw, "")
		want(t, "at first", c.resource("qemu/100")["status"], "running")
		pass(6 * time.Minute)
		row := c.resource("qemu/100")
		want(t, "6 minutes later", row["status"], "unknown")
		want(t, "its name", row["name"], nil)
		nodes := c.ask("GET", "/nodes", "")
		want(t, "node", nodes.row("node", "pve1")["status"], "offline")
		want(t, "its figures", nodes.row("node", "pve1")["maxmem"], nil)
		want(t, "other node", nodes.row("node", "pve2")["status"], "online")
		want(t, "online", c.ask("GET", "/cluster/status", "").row("name", "pve1")["online"], 0.0)
		want(t, "taken", c.ask("GET", "/cluster/nextid", "vmid=100").status, 400)
		c.set(func(s *emulator.Settings) { s.NodesDown = nil })
		pass(10 * time.Second)
		want(t, "up again", c.resource("qemu/100")["status"], "running")
	})
}

// TestNextID: text, the lowest free one, and a taken one is 400.
func TestNextID(t *testing.T) {
	inCluster(t, func(c cluster) {
		want(t, "first", c.ask("GET", "/cluster/nextid", "").raw, `{"data":"100"}`)
		c.plant(emulator.Fields{"vmid": 100})
		want(t, "next", c.ask("GET", "/cluster/nextid", "").data, "101")
		want(t, "free", c.ask("GET", "/cluster/nextid", "vmid=555").data, "555")
		taken := c.ask("GET", "/cluster/nextid", "vmid=100")
		want(t, "taken", taken.status, 400)
		want(t, "text", taken.errors["vmid"], "VM 100 already exists")
		want(t, "for everybody", c.as("no_audit").ask("GET", "/cluster/nextid", "vmid=100").status, 400)
	})
}

// TestNodes: every node to everybody, figures to those who may audit them, and room for 100 machines of 4 GiB.
func TestNodes(t *testing.T) {
	inCluster(t, func(c cluster) {
		row := c.ask("GET", "/nodes", "").row("node", "pve2")
		if free := row["maxmem"].(float64) - row["mem"].(float64); free < 100*4*(1<<30) {
			t.Errorf("%.0f bytes free", free)
		}
		want(t, "type", row["type"], "node")
		hidden := c.as("no_audit").ask("GET", "/nodes", "").row("node", "pve2")
		want(t, "seen without Sys.Audit", hidden["status"], "online")
		want(t, "figures without Sys.Audit", hidden["maxcpu"], nil)
		wantRefusal(t, "status without Sys.Audit", c.as("no_audit").ask("GET", "/nodes/pve2/status", ""), refusal{403, "Permission check failed (/nodes/pve2, Sys.Audit)"})
		status := c.ask("GET", "/nodes/pve1/status", "")
		want(t, "load is text", status.get("loadavg", 0), "0.42")
		want(t, "total", status.get("memory", "total"), row["maxmem"])
		before := status.get("memory", "free").(float64)
		path := c.clone()
		c.ask("PUT", path+"/config", "memory=8192")
		c.start(path)
		want(t, "taken by a machine", before-c.ask("GET", "/nodes/pve1/status", "").get("memory", "available").(float64), 8.0*(1<<30))
		c.set(func(s *emulator.Settings) { s.Release = "8.4" })
		want(t, "available is new in 9", c.ask("GET", "/nodes/pve1/status", "").get("memory", "available"), nil)
		c.set(func(s *emulator.Settings) { s.Capacity = []emulator.Capacity{{Region: "pve1", Catalogue: new(false)}} })
		if free := c.ask("GET", "/nodes/pve1/status", "").get("memory", "free").(float64); free > 1<<30 {
			t.Errorf("%.0f bytes free on a full node", free)
		}
		rows := c.ask("GET", "/cluster/resources", "type=node")
		want(t, "in resources", rows.row("node", "pve1")["maxcpu"], 64.0)
	})
}

// TestMachineLists: of one node, live.
func TestMachineLists(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		rows := c.ask("GET", "/nodes/pve1/qemu", "")
		want(t, "status", rows.row("vmid", 100.0)["status"], "running")
		want(t, "template", rows.row("vmid", 9000.0)["template"], 1.0)
		want(t, "other node", c.ask("GET", "/nodes/pve2/qemu", "").get(0), nil)
		want(t, "without VM.Audit", c.as("no_audit").ask("GET", "/nodes/pve1/qemu", "").get(0), nil)
		want(t, "snapshots", c.ask("GET", path+"/snapshot", "").get(0, "name"), "current")
		want(t, "bridge", c.ask("GET", "/nodes/pve1/network", "").row("iface", "vmbr0")["type"], "bridge")
	})
}
