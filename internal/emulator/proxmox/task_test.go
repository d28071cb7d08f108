// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestTask: its UPID, its status while it runs and after, its log.
func TestTask(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 5 * time.Second}, func(c cluster) {
		upid := c.starts("POST", template+"/clone", "newid=100")
		if !regexp.MustCompile(`^UPID:pve1:[0-9A-F]{8}:[0-9A-F]{8,9}:[0-9A-F]{8}:qmclone:9000:root@pam!emulator:$`).MatchString(upid) {
			t.Errorf("UPID %s", upid)
		}
		path := "/nodes/pve1/tasks/" + upid
		running := c.ask("GET", path+"/status", "")
		for field, wanted := range map[string]any{
			"upid": upid, "node": "pve1", "type": "qmclone", "id": "9000", "user": "root@pam", "tokenid": "emulator", "status": "running",
			"exitstatus": nil,
		} {
			want(t, field, running.get(field), wanted)
		}
		want(t, "stopped", c.ends(upid), "OK")
		log := c.ask("GET", path+"/log", "start=0&limit=1")
		want(t, "lines", log.total, 2)
		want(t, "number", log.get(0, "n"), 1.0)
		want(t, "one line", log.get(1), nil)
		want(t, "last line", c.ask("GET", path+"/log", "start=1").get(0, "t"), "TASK OK")
	})
}

// TestTaskEnds: how action_results ends tasks, and what their logs say.
func TestTaskEnds(t *testing.T) {
	for name, test := range map[string]struct {
		result     emulator.Result
		exit, line string
		status     string
	}{
		"error":    {emulator.Result{Status: "error", Message: "start failed:\nno memory"}, "start failed: no memory", "TASK ERROR: start failed:\nno memory", "stopped"},
		"warnings": {emulator.Result{Status: "warnings: 1"}, "WARNINGS: 1", "TASK WARNINGS: 1", "running"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				c.set(func(s *emulator.Settings) { s.ActionResults["qmstart"] = test.result })
				upid := c.starts("POST", path+"/status/start", "")
				want(t, "exit", c.ends(upid), test.exit)
				want(t, "status", c.status(path), test.status)
				log := c.ask("GET", "/nodes/pve1/tasks/"+upid+"/log", "")
				want(t, "last line", log.get(log.total-1, "t"), test.line)
			})
		})
	}
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.set(func(s *emulator.Settings) { s.ActionResults["qmstart"] = emulator.Result{Status: "never"} })
		upid := c.starts("POST", path+"/status/start", "")
		pass(24 * time.Hour)
		want(t, "after a day", c.ask("GET", "/nodes/pve1/tasks/"+upid+"/status", "").get("status"), "running")
		want(t, "no content", c.ask("GET", "/nodes/pve1/tasks/"+upid+"/log", "").get(0, "t"), "generating cloud-init ISO")
		want(t, "abort", c.ask("DELETE", "/nodes/pve1/tasks/"+upid, "").raw, `{"data":null}`)
		want(t, "aborted", c.ends(upid), "unexpected status")
		want(t, "its lock file is free", c.do("POST", path+"/status/start", ""), "OK")
	})
}

// TestAbortedClone clears up after itself.
func TestAbortedClone(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: time.Minute}, func(c cluster) {
		upid := c.starts("POST", template+"/clone", "newid=100")
		pass(40 * time.Second)
		c.ask("DELETE", "/nodes/pve1/tasks/"+upid, "")
		want(t, "exit", c.ends(upid), "clone failed: interrupted by signal")
		want(t, "machines", len(c.Objects("proxmox", "vms")), 2)
		want(t, "volumes", len(c.Objects("proxmox", "volumes")), 4)
	})
}

// TestUnknownTasks are 400.
func TestUnknownTasks(t *testing.T) {
	for upid, text := range map[string]string{
		"UPID:pve1:00003A01:151D4671:6B0CD0EF:qmclone:9000:root@pam:": "no such task",
		"UPID:pve1:nonsense": "unable to parse worker upid",
	} {
		inCluster(t, func(c cluster) {
			got := c.ask("GET", "/nodes/pve1/tasks/"+upid+"/status", "")
			want(t, upid, got.status, 400)
			want(t, upid, got.errors["upid"], text)
		})
	}
}

// TestTaskLists: by machine, type and source; status is how a task ended there, or RUNNING.
func TestTaskLists(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.set(func(s *emulator.Settings) { s.ActionTimes["qmstart"] = emulator.Duration(time.Hour) })
		c.starts("POST", path+"/status/start", "")
		for query, wanted := range map[string]int{
			"": 1, "source=all": 2, "source=active": 1, "source=archive": 1, "source=all&vmid=9000": 1, "source=all&vmid=100": 1,
			"source=all&typefilter=qmclone": 1, "source=all&limit=1": 2, "errors=1": 0, "statusfilter=ok": 1, "statusfilter=error,warning": 0, "source=all&userfilter=nobody": 0,
		} {
			want(t, query, c.ask("GET", "/nodes/pve1/tasks", query).total, wanted)
		}
		want(t, "running", c.ask("GET", "/nodes/pve1/tasks", "source=active").get(0, "status"), "RUNNING")
		want(t, "ended", c.ask("GET", "/nodes/pve1/tasks", "").get(0, "status"), "OK")
		want(t, "newest first", c.ask("GET", "/cluster/tasks", "").get(0, "type"), "qmstart")
		want(t, "limited", c.ask("GET", "/nodes/pve1/tasks", "source=all&limit=1").get(1), nil)
		want(t, "other node", c.ask("GET", "/nodes/pve2/tasks", "source=all").total, 0)
	})
}
