// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestInventory: the truth at once, with what is busy.
func TestInventory(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 10 * time.Second}, func(c cluster) {
		upid := c.starts("POST", template+"/clone", "newid=100&name=web")
		want(t, "cloning", *c.Objects("proxmox", "vms")[2].Busy, "clone")
		c.ends(upid)
		c.ask("PUT", "/nodes/pve1/qemu/100/config", "tags=b%3Ba&description=ours")
		c.starts("POST", "/nodes/pve1/qemu/100/status/start", "")
		o := c.Objects("proxmox", "vms")[2]
		want(t, "object", fmt.Sprint(o.ID, o.Name, o.State, o.Tags, o.Description, o.Node, o.Template, *o.Busy), "100webstopped[a b]ourspve1falseqmstart")
		pass(10 * time.Second)
		want(t, "running", c.Objects("proxmox", "vms")[2].State, "running")
		want(t, "holder", *c.Objects("proxmox", "volumes")[4].Holder, "100")
	})
}

// TestPlant: machines of others, with what they have.
func TestPlant(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.plant(emulator.Fields{
			"vmid": 150, "node": "pve2", "name": "theirs", "status": "running", "tags": "X;y", "pool": "team", "description": "foreign",
			"scsi0": "local-lvm:vm-150-disk-0,size=4G", "cores": 3, "onboot": true,
		})
		config := c.ask("GET", "/nodes/pve2/qemu/150/config", "")
		for key, wanted := range map[string]any{"name": "theirs", "tags": "x;y", "description": "foreign", "cores": 3.0, "onboot": 1.0} {
			want(t, key, config.get(key), wanted)
		}
		want(t, "status", c.status("/nodes/pve2/qemu/150"), "running")
		want(t, "pool", c.resource("qemu/150")["pool"], "team")
		want(t, "disk", c.volume("local-lvm:vm-150-disk-0"), true)
		want(t, "maxdisk", c.ask("GET", "/nodes/pve2/qemu/150/status/current", "").get("maxdisk"), 4.0*(1<<30))
		c.plant(emulator.Fields{"name": "any"})
		want(t, "first free VMID", c.Objects("proxmox", "vms")[3].ID, "100")
	})
}

// TestPatch: moved, powered, relabelled, locked by others.
func TestPatch(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.clone()
		c.patch(emulator.Fields{"status": "running", "node": "pve3", "description": "gone", "tags": nil, "lock": "migrate"})
		status := c.ask("GET", "/nodes/pve3/qemu/100/status/current", "")
		want(t, "status", status.get("status"), "running")
		want(t, "lock", status.get("lock"), "migrate")
		want(t, "description", c.config("/nodes/pve3/qemu/100", "description"), "gone")
		want(t, "disk moved along", c.ask("GET", "/nodes/pve3/storage/local-lvm/content", "vmid=100").row("volid", "local-lvm:vm-100-disk-0") != nil, true)
		if err := c.Vanish("proxmox", "vms", "100"); err != nil {
			t.Fatal(err)
		}
		want(t, "vanished", c.ask("GET", "/nodes/pve3/qemu/100/config", "").status, 500)
		want(t, "with its disk", c.volume("local-lvm:vm-100-disk-0"), false)
	})
}

// TestWrongFields change nothing and say what is wrong.
func TestWrongFields(t *testing.T) {
	inCluster(t, func(c cluster) {
		for text, fields := range map[string]emulator.Fields{
			"no such key":                  {"colour": "red", "name": "x"},
			"there is no node":             {"node": "pve9", "name": "x"},
			"neither running nor":          {"status": "flying", "name": "x"},
			"keeps its VMID":               {"vmid": 101, "name": "x"},
			"there is no pool":             {"pool": "none", "name": "x"},
			"neither text, a number nor a": {"name": []string{"x"}},
		} {
			if _, err := c.Patch("proxmox", "vms", "9000", fields); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v: %v", fields, err)
			}
			want(t, "name", c.config(template, "name"), "debian-13")
		}
		for text, fields := range map[string]emulator.Fields{
			"already exists": {"vmid": 9001},
			"minimum value":  {"vmid": 5},
		} {
			if _, err := c.Plant("proxmox", "vms", fields); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v: %v", fields, err)
			}
		}
		for text, fields := range map[string]emulator.Fields{
			"a volume needs one": {"content": "iso"},
			"no storage":         {"volid": "none:iso/a.iso"},
			"no such field":      {"volid": "local:iso/a.iso", "colour": "red"},
			"no node":            {"volid": "local:iso/a.iso", "node": "pve9"},
		} {
			if _, err := c.Plant("proxmox", "volumes", fields); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%v: %v", fields, err)
			}
		}
		for _, kind := range []string{"vms", "volumes"} {
			if _, err := c.Patch("proxmox", kind, "555", nil); err == nil {
				t.Errorf("patches %s 555", kind)
			}
			if err := c.Vanish("proxmox", kind, "555"); err == nil {
				t.Errorf("%s 555 vanishes", kind)
			}
		}
	})
}

// TestVanishingUnderATask: what the tasks find then.
func TestVanishingUnderATask(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 10 * time.Second}, func(c cluster) {
		upid := c.starts("POST", template+"/clone", "newid=100")
		if err := c.Vanish("proxmox", "vms", "9000"); err != nil {
			t.Fatal(err)
		}
		want(t, "clone", c.ends(upid), "OK")
		upid = c.starts("POST", "/nodes/pve1/qemu/100/config", "cores=3")
		if err := c.Vanish("proxmox", "vms", "100"); err != nil {
			t.Fatal(err)
		}
		want(t, "config", c.ends(upid), "Configuration file 'nodes/pve1/qemu-server/100.conf' does not exist")
	})
}

// TestReset: everything is as from the start; tokens stay and no UPID comes twice.
func TestReset(t *testing.T) {
	inCluster(t, func(c cluster) {
		before := c.starts("POST", template+"/clone", "newid=100")
		c.Reset()
		want(t, "machines", len(c.Objects("proxmox", "vms")), 2)
		if after := c.starts("POST", template+"/clone", "newid=100"); after == before {
			t.Errorf("%s twice", after)
		}
	})
}

// TestOperations: the journal names what a path asks for.
func TestOperations(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.ClearJournal()
		c.ask("PUT", path+"/config", "cores=1")
		c.start(path)
		c.do("POST", path+"/status/stop", "")
		c.upload("pve1", "local", "a.iso", "x")
		c.do("DELETE", "/nodes/pve1/storage/local/content/local:iso/a.iso", "")
		c.do("DELETE", path, "")
		var got []string
		for _, entry := range c.Journal() {
			if entry.Operation != "" {
				got = append(got, entry.Operation+" "+entry.Object+" "+entry.Token)
			}
		}
		want(t, "operations", strings.Join(got, ", "), "config 100 main, start 100 main, stop 100 main, upload local:iso/a.iso main, "+
			"delete local:iso/a.iso main, destroy 100 main")
	})
}
