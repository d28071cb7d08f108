// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestCloneShowsItself: first a temporary configuration, then the whole one still locked, then unlocked.
func TestCloneShowsItself(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 40 * time.Second}, func(c cluster) {
		c.ask("PUT", template+"/config", "tags=z;a&description=template")
		upid := c.starts("POST", template+"/clone", "newid=100&name=web&description=better-compute+x%0A")
		wantText(t, "task's id is the template's", upid, ":qmclone:9000:root@pam!emulator:")
		path := "/nodes/pve1/qemu/100"
		early := c.ask("GET", path+"/config", "")
		want(t, "description at first", early.get("description"), " qmclone temporary file")
		want(t, "lock at first", early.get("lock"), "clone")
		want(t, "name at first", early.get("name"), nil)
		want(t, "keys at first", len(early.data.(map[string]any)), 3)
		row := c.ask("GET", "/cluster/resources", "type=vm").row("id", "qemu/100")
		want(t, "status in resources", row["status"], "unknown")
		want(t, "lock in resources", row["lock"], "clone")
		want(t, "no name in resources", row["name"], nil)
		pass(20 * time.Second)
		want(t, "description after the first disk", c.config(path, "description"), "better-compute x")
		want(t, "lock after the first disk", c.config(path, "lock"), "clone")
		want(t, "delete of a locked machine", c.do("DELETE", path, ""), "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout")
		want(t, "end", c.ends(upid), "OK")
		want(t, "lock in the end", c.config(path, "lock"), nil)
	})
}

// TestCloneCopies: what a clone takes from its template and what it does not.
func TestCloneCopies(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.ask("PUT", template+"/config", "tags=z;A&description=template&ciuser=admin&onboot=1&protection=1")
		want(t, "clone", c.do("POST", template+"/clone", "newid=100"), "OK")
		theirs, ours := c.ask("GET", template+"/config", ""), c.ask("GET", "/nodes/pve1/qemu/100/config", "")
		for _, key := range []string{"tags", "description", "ciuser", "onboot", "protection", "cores", "memory", "agent", "ipconfig0"} {
			want(t, key, ours.get(key), theirs.get(key))
		}
		for _, key := range []string{"net0", "smbios1", "vmgenid", "scsi0", "ide2", "digest"} {
			if ours.get(key) == theirs.get(key) || ours.get(key) == nil {
				t.Errorf("%s: %v is the template's", key, ours.get(key))
			}
		}
		want(t, "name", ours.get("name"), "Copy-of-VM-debian-13")
		want(t, "template", ours.get("template"), nil)
		want(t, "lock", ours.get("lock"), nil)
		want(t, "disk", ours.get("scsi0"), "local-lvm:vm-100-disk-0,discard=on,iothread=1,size=3G")
		want(t, "cloud-init drive", ours.get("ide2"), "local-lvm:vm-100-cloudinit,media=cdrom")
	})
}

// TestCloneRefusals: what is found before the task.
func TestCloneRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		values string
		want   refusal
	}{
		"taken on the same node":     {"newid=9001", refusal{500, "unable to create VM 9001: config file already exists"}},
		"storage of a linked clone":  {"newid=100&storage=shared", refusal{500, "parameter 'storage' not allowed for linked clones"}},
		"format of a linked clone":   {"newid=100&format=raw", refusal{500, "parameter 'format' not allowed for linked clones"}},
		"local disks to other node":  {"newid=100&target=pve2", refusal{500, "can't clone VM to node 'pve2' (VM uses local storage)"}},
		"to local storage elsewhere": {"newid=100&target=pve2&full=1&storage=local-lvm", refusal{500, "can't clone to non-shared storage 'local-lvm'"}},
		"unknown target":             {"newid=100&target=pve9", refusal{500, "no such cluster node 'pve9'"}},
		"unknown storage":            {"newid=100&full=1&storage=none", refusal{500, "storage 'none' does not exist"}},
		"storage without images":     {"newid=100&full=1&storage=local", refusal{500, "storage 'local' does not support content-type 'images'"}},
		"unknown snapshot":           {"newid=100&snapname=old", refusal{500, "snapshot 'old' does not exist"}},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				wantRefusal(t, name, c.ask("POST", template+"/clone", test.values), test.want)
				want(t, "machines", len(c.Objects("proxmox", "vms")), 2)
				want(t, "tasks", c.ask("GET", "/nodes/pve1/tasks", "source=all").total, 0)
			})
		})
	}
	inCluster(t, func(c cluster) {
		path := c.clone()
		wantRefusal(t, "linked clone of a machine", c.ask("POST", path+"/clone", "newid=101&full=0"),
			refusal{500, "Linked clone feature is not supported for 'local-lvm:vm-100-disk-0' (scsi0)"})
		want(t, "full is the default for a machine", c.do("POST", path+"/clone", "newid=101"), "OK")
		c.patch(emulator.Fields{"lock": "backup"})
		wantRefusal(t, "locked source", c.ask("POST", path+"/clone", "newid=102"), refusal{500, "VM is locked (backup)"})
	})
}

// patch changes the machine 100 as others would.
func (c cluster) patch(fields emulator.Fields) {
	c.t.Helper()
	if _, err := c.Patch("proxmox", "vms", "100", fields); err != nil {
		c.t.Fatal(err)
	}
}

// plant makes a machine of others.
func (c cluster) plant(fields emulator.Fields) {
	c.t.Helper()
	if _, err := c.Plant("proxmox", "vms", fields); err != nil {
		c.t.Fatal(err)
	}
}

// TestCloneCollisions: exactly one wins; the losers see three texts over two channels.
func TestCloneCollisions(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 5 * time.Second}, func(c cluster) {
		c.plant(emulator.Fields{"vmid": 200, "node": "pve2", "name": "foreign"})
		want(t, "taken on another node", c.do("POST", template+"/clone", "newid=200"),
			"close (rename) atomic file '/etc/pve/nodes/pve1/qemu-server/200.conf' failed: File exists")
		first := c.starts("POST", template+"/clone", "newid=100&name=first")
		wantRefusal(t, "second, same node", c.ask("POST", template+"/clone", "newid=100&name=second"),
			refusal{500, "unable to create VM 100: config file already exists"})
		c.plant(emulator.Fields{
			"vmid": 9100, "node": "pve2", "template": 1, "scsi0": "shared:9100/base-9100-disk-0.qcow2,size=2G",
		})
		want(t, "second, other node", c.do("POST", "/nodes/pve2/qemu/9100/clone", "newid=100"),
			"can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout")
		want(t, "first", c.ends(first), "OK")
		want(t, "winner", c.config("/nodes/pve1/qemu/100", "name"), "first")
		want(t, "foreign one", c.config("/nodes/pve2/qemu/200", "name"), "foreign")
	})
}

// TestManyClonesAtOnce: the template is only share-locked.
func TestManyClonesAtOnce(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: time.Minute}, func(c cluster) {
		var upids []string
		for _, id := range strings.Fields("100 101 102 103 104 105 106 107 108 109") {
			upids = append(upids, c.starts("POST", template+"/clone", "newid="+id))
		}
		for _, upid := range upids {
			want(t, upid, c.ends(upid), "OK")
		}
	})
}

// TestCloneToAnotherNode: the machine lives on the template's node until the end, and is in its pool only then.
func TestCloneToAnotherNode(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 10 * time.Second}, func(c cluster) {
		c.plant(emulator.Fields{"vmid": 9100, "template": 1, "scsi0": "shared:9100/base-9100-disk-0.qcow2,size=2G"})
		upid := c.starts("POST", "/nodes/pve1/qemu/9100/clone", "newid=100&target=pve3&pool=team")
		pass(6 * time.Second)
		want(t, "on the target meanwhile", c.ask("GET", "/nodes/pve3/qemu/100/config", "").status, 500)
		want(t, "on the template's node meanwhile", c.ask("GET", "/nodes/pve1/qemu/100/config", "").status, 200)
		want(t, "pool meanwhile", c.ask("GET", "/cluster/resources", "type=vm").row("id", "qemu/100")["pool"], nil)
		want(t, "end", c.ends(upid), "OK")
		want(t, "on the target", c.config("/nodes/pve3/qemu/100", "scsi0"), "shared:9100/base-9100-disk-0.qcow2/100/vm-100-disk-0.qcow2,size=2G")
		want(t, "on the template's node", c.ask("GET", "/nodes/pve1/qemu/100/config", "").status, 500)
		want(t, "pool", c.ask("GET", "/cluster/resources", "type=vm").row("id", "qemu/100")["pool"], "team")
		want(t, "full clone", c.do("POST", "/nodes/pve1/qemu/9100/clone", "newid=101&full=1&storage=shared"), "OK")
		want(t, "its disk", c.config("/nodes/pve1/qemu/101", "scsi0"), "shared:101/vm-101-disk-0.qcow2,size=2G")
	})
}

// TestCloneThatFails clears up after itself; one whose worker is killed leaves its lock for root.
func TestCloneThatFails(t *testing.T) {
	for name, test := range map[string]struct {
		result emulator.Result
		exit   string
		left   int
	}{
		"error":    {emulator.Result{Status: "error", Message: "clone failed: can't lock file '/var/lock/pve-manager/pve-storage-shared' - got timeout"}, "clone failed: can't lock file '/var/lock/pve-manager/pve-storage-shared' - got timeout", 2},
		"no text":  {emulator.Result{Status: "error"}, "command failed", 2},
		"killed":   {emulator.Result{Status: "killed"}, "unexpected status", 3},
		"warnings": {emulator.Result{Status: "warnings: 2"}, "WARNINGS: 2", 3},
		"word":     {emulator.Result{Status: "exploded"}, "exploded", 2},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				c.set(func(s *emulator.Settings) { s.ActionResults["qmclone"] = test.result })
				want(t, "exit", c.do("POST", template+"/clone", "newid=100"), test.exit)
				want(t, "machines", len(c.Objects("proxmox", "vms")), test.left)
				want(t, "volumes", len(c.Objects("proxmox", "volumes")), 2*test.left)
				if name != "killed" {
					return
				}
				want(t, "lock", c.config("/nodes/pve1/qemu/100", "lock"), "clone")
				want(t, "delete", c.do("DELETE", "/nodes/pve1/qemu/100", ""), "VM is locked (clone)")
			})
		})
	}
	inCluster(t, func(c cluster) {
		c.set(func(s *emulator.Settings) { s.Capacity = []emulator.Capacity{{Region: "pve1", Create: new(false)}} })
		want(t, "full storage", c.do("POST", template+"/clone", "newid=100"), "clone failed: lvcreate 'pve/vm-100-disk-0' error:   "+
			"Cannot create new thin volume, free space in thin pool pve/data reached threshold.")
		want(t, "full shared storage", c.do("POST", template+"/clone", "newid=100&full=1&storage=shared"),
			"clone failed: unable to create image: No space left on device")
		want(t, "machines", len(c.Objects("proxmox", "vms")), 2)
	})
}

// TestConvertToTemplate: the disks are renamed, and it cannot be started any more.
func TestConvertToTemplate(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		want(t, "running", c.ask("POST", path+"/template", "").reason, "you can't convert a VM to template if VM is running")
		want(t, "stop", c.do("POST", path+"/status/stop", ""), "OK")
		want(t, "convert", c.do("POST", path+"/template", ""), "OK")
		want(t, "disk", c.config(path, "scsi0"), "local-lvm:base-100-disk-0,discard=on,iothread=1,size=3G")
		want(t, "flag", c.config(path, "template"), 1.0)
		want(t, "status", c.ask("GET", path+"/status/current", "").get("template"), 1.0)
		want(t, "again", c.ask("POST", path+"/template", "").reason, "you can't convert a template to a template")
		want(t, "start", c.do("POST", path+"/status/start", ""), "you can't start a vm if it's a template")
	})
}

// TestCreate: a machine without a template.
func TestCreate(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 5 * time.Second}, func(c cluster) {
		const values = "vmid=100&name=bare&cores=2&memory=1024&scsi0=local-lvm:8&ide2=local-lvm:cloudinit&net0=virtio%2Cbridge%3Dvmbr0&pool=team"
		upid := c.as("pool").starts("POST", "/nodes/pve2/qemu", values+"&start=1")
		const path = "/nodes/pve2/qemu/100"
		want(t, "meanwhile", c.config(path, "lock"), "create")
		wantRefusal(t, "again", c.ask("POST", "/nodes/pve1/qemu", "vmid=100"), refusal{500, "unable to create VM 100 - VM 100 already exists on node 'pve2'"})
		want(t, "end", c.ends(upid), "OK")
		want(t, "disk", c.config(path, "scsi0"), "local-lvm:vm-100-disk-0,size=8G")
		want(t, "cloud-init drive", c.config(path, "ide2"), "local-lvm:vm-100-cloudinit,media=cdrom")
		want(t, "status", c.status(path), "running")
		want(t, "pool", c.resource("qemu/100")["pool"], "team")
		wantRefusal(t, "without rights", c.as("pool").ask("POST", "/nodes/pve1/qemu", "vmid=101"), refusal{403, "Permission check failed"})
		wantRefusal(t, "storage", c.ask("POST", "/nodes/pve1/qemu", "vmid=101&scsi0=none:8"), refusal{500, "storage 'none' does not exist"})
		c.set(func(s *emulator.Settings) {
			s.ActionResults["qmcreate"] = emulator.Result{Status: "error", Message: "no"}
		})
		want(t, "failed", c.do("POST", "/nodes/pve1/qemu", "vmid=101&scsi0=shared:8"), "no")
		want(t, "nothing left", len(c.Objects("proxmox", "vms")), 3)
	})
}
