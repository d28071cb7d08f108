// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestWorkersQueueUp: each gets the lock file when the one before it is done, or gives up after 10 s.
func TestWorkersQueueUp(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.set(func(s *emulator.Settings) {
			s.ActionTimes["qmstart"], s.ActionTimes["qmstop"] = emulator.Duration(8*time.Second), emulator.Duration(4*time.Second)
		})
		began := time.Now()
		first := c.starts("POST", path+"/status/start", "")
		second := c.starts("POST", path+"/status/stop", "")
		third := c.starts("POST", path+"/status/start", "")
		want(t, "busy", *c.Objects("proxmox", "vms")[2].Busy, "qmstart")
		want(t, "first", c.ends(first), "OK")
		want(t, "second", c.ends(second), "OK")
		want(t, "third", c.ends(third), "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout")
		want(t, "it took", time.Since(began).Round(time.Second), 12*time.Second)
		want(t, "status", c.status(path), "stopped")
	})
}

// TestCloneSharesItsSource: changes of a template wait for its clones, and clones for a change of it, 1 s.
func TestCloneSharesItsSource(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 5 * time.Second}, func(c cluster) {
		const timeout = "can't lock file '/var/lock/qemu-server/lock-9000.conf' - got timeout"
		clone := c.starts("POST", template+"/clone", "newid=100")
		began := time.Now()
		want(t, "change", c.ask("PUT", template+"/config", "cores=4").status, 200)
		want(t, "it waited", time.Since(began), 5*time.Second)
		want(t, "clone", c.ends(clone), "OK")
		c.starts("POST", template+"/config", "cores=5")
		want(t, "clone of a template in change", c.do("POST", template+"/clone", "newid=101"), timeout)
		c.set(func(s *emulator.Settings) { s.ActionTime = emulator.Duration(time.Minute) })
		pass(time.Minute)
		clone = c.starts("POST", template+"/clone", "newid=102")
		want(t, "delete", c.do("DELETE", template, ""), timeout)
		want(t, "clone", c.ends(clone), "OK")
		c.starts("POST", template+"/clone", "newid=103")
		want(t, "change", c.ask("PUT", template+"/config", "cores=6").message, timeout)
	})
}

// TestCollisionsWithinASecond: the loser finds the winner's configuration, or another node's.
func TestCollisionsWithinASecond(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 500 * time.Millisecond}, func(c cluster) {
		shared := emulator.Fields{"vmid": 9100, "node": "pve2", "template": 1, "scsi0": "shared:9100/base-9100-disk-0.qcow2,size=2G"}
		c.plant(shared)
		first := c.starts("POST", template+"/clone", "newid=100")
		want(t, "second", c.do("POST", "/nodes/pve2/qemu/9100/clone", "newid=100"),
			"close (rename) atomic file '/etc/pve/nodes/pve2/qemu-server/100.conf' failed: File exists")
		want(t, "first", c.ends(first), "OK")
	})
}

// TestStaticParts: lists of sub-paths, and what has no state.
func TestStaticParts(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		for where, field := range map[string]string{"/nodes/pve1": "name", path: "subdir", path + "/status": "subdir"} {
			if c.ask("GET", where, "").get(0, field) == nil {
				t.Errorf("%s is empty", where)
			}
		}
		want(t, "trailing slash", c.ask("GET", path+"/", "").status, 200)
		c.start(path)
		want(t, "agent", c.ask("GET", path+"/agent/info", "").get("result", "version"), "10.0.2")
	})
}

// TestNICForms: the ways that clients write a NIC.
func TestNICForms(t *testing.T) {
	for written, wanted := range map[string]string{
		"virtio,bridge=vmbr0":                                 "virtio=BC:24:11:",
		"model=e1000,bridge=vmbr0":                            "e1000=BC:24:11:",
		"virtio,bridge=vmbr0,macaddr=bc:24:11:00:00:aa,tag=7": "virtio=BC:24:11:00:00:AA,bridge=vmbr0,tag=7",
		"virtio": "virtio=BC:24:11:",
	} {
		inCluster(t, func(c cluster) {
			path := c.clone()
			want(t, "answer", c.ask("PUT", path+"/config", "net0="+url.QueryEscape(written)).status, 200)
			wantText(t, written, c.config(path, "net0"), wanted)
		})
	}
}
