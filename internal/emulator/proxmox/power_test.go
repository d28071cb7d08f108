// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestPower: what each action answers at once, and how its task ends, by the state that it finds.
func TestPower(t *testing.T) {
	for name, test := range map[string]struct {
		running bool
		action  string
		exit    string // of the task
		refused string // instead of a task
		status  string // afterwards
	}{
		"start":                {false, "start", "OK", "", "running"},
		"start a running one":  {true, "start", "VM 100 already running", "", "running"},
		"stop":                 {true, "stop", "OK", "", "stopped"},
		"stop a stopped one":   {false, "stop", "OK", "", "stopped"},
		"shutdown":             {true, "shutdown", "OK", "", "stopped"},
		"shutdown stopped one": {false, "shutdown", "OK", "", "stopped"},
		"reset":                {true, "reset", "OK", "", "running"},
		"reset a stopped one":  {false, "reset", "", "VM 100 not running", "stopped"},
		"reboot":               {true, "reboot", "OK", "", "running"},
		"reboot a stopped one": {false, "reboot", "", "VM 100 not running", "stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				if test.running {
					c.start(path)
				}
				if test.refused != "" {
					wantRefusal(t, name, c.ask("POST", path+"/status/"+test.action, ""), refusal{500, test.refused})
				} else {
					want(t, "exit", c.do("POST", path+"/status/"+test.action, ""), test.exit)
				}
				want(t, "status", c.status(path), test.status)
			})
		})
	}
}

// TestPowerFindsOutLate: start, stop and shutdown answer a task whatever is wrong; two texts for a missing machine.
func TestPowerFindsOutLate(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.patch(emulator.Fields{"lock": "clone"})
		for _, action := range []string{"start", "stop", "shutdown"} {
			want(t, action+" locked", c.do("POST", path+"/status/"+action, ""), "VM is locked (clone)")
		}
		const missing, elsewhere = "Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist", "unable to find configuration file for VM 555 on node 'pve1'"
		want(t, "start missing", c.do("POST", "/nodes/pve1/qemu/555/status/start", ""), missing)
		want(t, "stop missing", c.do("POST", "/nodes/pve1/qemu/555/status/stop", ""), elsewhere)
		want(t, "shutdown missing", c.do("POST", "/nodes/pve1/qemu/555/status/shutdown", ""), elsewhere)
		c.patch(emulator.Fields{"lock": nil, "qmpstatus": "paused"})
		wantRefusal(t, "shutdown paused", c.ask("POST", path+"/status/shutdown", ""), refusal{500, "VM is paused - cannot shutdown"})
		status := c.ask("GET", path+"/status/current", "")
		want(t, "paused", status.get("qmpstatus"), "paused")
		want(t, "still running", status.get("status"), "running")
	})
}

// TestStatus: live, with fields only where they mean something.
func TestStatus(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.ask("PUT", path+"/config", "tags=b%3Ba&memory=4096")
		stopped := c.ask("GET", path+"/status/current", "")
		for field, wanted := range map[string]any{
			"vmid": 100.0, "name": "web", "status": "stopped", "qmpstatus": "stopped", "cpus": 2.0, "maxmem": 4096.0 * (1 << 20),
			"pid": nil, "template": nil, "lock": nil, "agent": 1.0, "uptime": 0.0, "maxdisk": 3.0 * (1 << 30),
		} {
			want(t, field, stopped.get(field), wanted)
		}
		c.start(path)
		pass(time.Minute)
		running := c.ask("GET", path+"/status/current", "")
		want(t, "uptime", running.get("uptime"), 60.0)
		want(t, "HA", running.get("ha", "managed"), 0.0)
		if running.get("pid") == nil || running.get("running-qemu") == nil {
			t.Errorf("running: %v", running.data)
		}
		c.patch(emulator.Fields{"name": nil})
		want(t, "without a name", c.ask("GET", path+"/status/current", "").get("name"), "VM 100")
	})
}

// TestShutdownOfADeafGuest: the task fails after its timeout, or stops the machine with forceStop; it has the lock file
// meanwhile.
func TestShutdownOfADeafGuest(t *testing.T) {
	for name, test := range map[string]struct {
		values string
		exit   string
		took   time.Duration
		status string
	}{
		"default timeout": {"", "VM quit/powerdown failed - got timeout", 60 * time.Second, "running"},
		"own timeout":     {"timeout=5", "VM quit/powerdown failed - got timeout", 5 * time.Second, "running"},
		"forced":          {"timeout=5&forceStop=1", "OK", 5 * time.Second, "stopped"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				c.start(path)
				c.set(func(s *emulator.Settings) { s.ActionResults["guest_off"] = emulator.Result{Status: "never"} })
				began := time.Now()
				want(t, "exit", c.do("POST", path+"/status/shutdown", test.values), test.exit)
				want(t, "it took", time.Since(began), test.took)
				want(t, "status", c.status(path), test.status)
			})
		})
	}
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		c.set(func(s *emulator.Settings) { s.ActionResults["guest_off"] = emulator.Result{Status: "never"} })
		deaf := c.starts("POST", path+"/status/shutdown", "")
		want(t, "stop meanwhile", c.do("POST", path+"/status/stop", ""), "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout")
		want(t, "overruling stop", c.do("POST", path+"/status/stop", "overrule-shutdown=1"), "OK")
		want(t, "shutdown", c.ends(deaf), "unexpected status")
		want(t, "status", c.status(path), "stopped")
	})
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		c.set(func(s *emulator.Settings) { s.ActionTimes["guest_off"] = emulator.Duration(30 * time.Second) })
		began := time.Now()
		want(t, "slow guest", c.do("POST", path+"/status/shutdown", ""), "OK")
		want(t, "it took", time.Since(began), 30*time.Second)
	})
}

// TestDestroy: what refuses at once and what fails in the task, and what goes with the machine.
func TestDestroy(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.ask("PUT", path+"/config", "protection=1")
		wantRefusal(t, "protected", c.ask("DELETE", path, ""), refusal{500, "can't remove VM 100 - protection mode enabled"})
		c.ask("PUT", path+"/config", "protection=0")
		c.start(path)
		wantRefusal(t, "running", c.ask("DELETE", path, ""), refusal{500, "VM 100 is running - destroy failed"})
		c.do("POST", path+"/status/stop", "")
		want(t, "template in use", c.do("DELETE", template, ""), "base volume 'local-lvm:base-9000-disk-0' is still in use by linked cloned")
		want(t, "template is still there", c.config(template, "name"), "debian-13")
		c.set(func(s *emulator.Settings) {
			s.ActionResults["qmdestroy"] = emulator.Result{Status: "error", Message: "no"}
		})
		want(t, "failed", c.do("DELETE", path, ""), "no")
		want(t, "put back", c.config(path, "name"), "web")
		c.set(func(s *emulator.Settings) { s.ActionTimes["qmdestroy"] = emulator.Duration(5 * time.Second) })
		upid := c.starts("DELETE", path, "purge=1&destroy-unreferenced-disks=1")
		want(t, "meanwhile", c.config(path, "lock"), "destroyed")
		want(t, "destroy", c.ends(upid), "OK")
		want(t, "gone", c.ask("GET", path+"/config", "").status, 500)
		want(t, "volumes", c.volume("local-lvm:vm-100-disk-0") || c.volume("local-lvm:vm-100-cloudinit"), false)
		want(t, "the VMID is free", c.do("POST", template+"/clone", "newid=100"), "OK")
	})
}

// TestDestroyLeavesUnreferencedDisks unless it is told not to.
func TestDestroyLeavesUnreferencedDisks(t *testing.T) {
	for values, left := range map[string]bool{"": true, "destroy-unreferenced-disks=1": false} {
		inCluster(t, func(c cluster) {
			path := c.clone()
			want(t, "allocate", c.ask("POST", "/nodes/pve1/storage/local-lvm/content", "vmid=100&filename=vm-100-disk-9&size=1G").data, "local-lvm:vm-100-disk-9")
			want(t, "destroy", c.do("DELETE", path, values), "OK")
			want(t, "disk left with "+values, c.volume("local-lvm:vm-100-disk-9"), left)
		})
	}
}
