// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"net/url"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestUpload: an ISO comes with a task, shows in lists, overwrites one of its name, and goes with another task.
func TestUpload(t *testing.T) {
	inCluster(t, func(c cluster) {
		upid, _ := c.sendFile("pve2", "local", "iso", "my seed.iso", "one").data.(string)
		wantText(t, "task", upid, "UPID:pve2:")
		wantText(t, "type", upid, ":imgcopy::")
		want(t, "end", c.ends(upid), "OK")
		const volid = "local:iso/my_seed.iso"
		row := c.ask("GET", "/nodes/pve2/storage/local/content", "content=iso").row("volid", volid)
		want(t, "size", row["size"], 3.0)
		want(t, "format", row["format"], "iso")
		want(t, "on another node", c.ask("GET", "/nodes/pve1/storage/local/content", "").row("volid", volid) == nil, true)
		want(t, "again", c.upload("pve2", "local", "my_seed.iso", "second"), "OK")
		content, err := c.Bytes("proxmox", "volumes", volid)
		want(t, "content", string(content), "second")
		want(t, "error", err, nil)
		want(t, "by id", c.ask("GET", "/nodes/pve2/storage/local/content/"+url.PathEscape(volid), "").get("size"), 6.0)
		want(t, "delete", c.do("DELETE", "/nodes/pve2/storage/local/content/"+volid, ""), "OK")
		want(t, "gone", c.volume(volid), false)
		want(t, "delete again", c.do("DELETE", "/nodes/pve2/storage/local/content/"+url.PathEscape(volid), ""), "unable to remove 'local:iso/my_seed.iso': no such volume")
		if _, err := c.Bytes("proxmox", "volumes", volid); err == nil {
			t.Error("bytes of a volume that is gone")
		}
		want(t, "shared", c.upload("pve1", "shared", "a.iso", "x"), "OK")
		want(t, "on every node", c.ask("GET", "/nodes/pve3/storage/shared/content", "").row("volid", "shared:iso/a.iso")["content"], "iso")
	})
}

// TestUploadRefusals: snippets cannot be uploaded, and a storage takes only what it is for.
func TestUploadRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		storage, kind, file string
		want                refusal
		errors              map[string]string
	}{
		"snippets": {"local", "snippets", "u.yaml", refusal{400, "Parameter verification failed."},
			map[string]string{"content": "value 'snippets' does not have a value in the enumeration 'iso, vztmpl, import'"}},
		"no ISOs here":    {"local-lvm", "iso", "a.iso", refusal{500, "storage 'local-lvm' does not support 'iso' content"}, nil},
		"wrong ending":    {"local", "iso", "a.txt", refusal{400, "Parameter verification failed."}, map[string]string{"filename": "wrong file extension"}},
		"no such storage": {"none", "iso", "a.iso", refusal{500, "storage 'none' does not exist"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				got := c.sendFile("pve1", test.storage, test.kind, test.file, "x")
				wantRefusal(t, name, got, test.want)
				for param, text := range test.errors {
					want(t, param, got.errors[param], text)
				}
				want(t, "volumes", len(c.Objects("proxmox", "volumes")), 4)
			})
		})
	}
}

// TestStorages: what each node has.
func TestStorages(t *testing.T) {
	inCluster(t, func(c cluster) {
		rows := c.ask("GET", "/nodes/pve2/storage", "")
		want(t, "local", rows.row("storage", "local")["content"], "iso,vztmpl,snippets,import")
		want(t, "local-lvm", rows.row("storage", "local-lvm")["type"], "lvmthin")
		want(t, "shared", rows.row("storage", "shared")["shared"], 1.0)
		want(t, "for ISOs", c.ask("GET", "/nodes/pve2/storage", "content=iso").row("storage", "local-lvm") == nil, true)
		status := c.ask("GET", "/nodes/pve1/storage/local-lvm/status", "")
		want(t, "sum", status.get("used").(float64)+status.get("avail").(float64), status.get("total"))
		want(t, "without rights", c.as("pool").ask("GET", "/nodes/pve1/storage", "").row("storage", "local")["type"], "dir")
		want(t, "definitions", c.ask("GET", "/storage", "").row("storage", "shared")["type"], "nfs")
		want(t, "one definition", c.ask("GET", "/storage/local-lvm", "").get("vgname"), "pve")
		want(t, "in resources", c.ask("GET", "/cluster/resources", "type=storage").row("id", "storage/pve3/shared")["plugintype"], "nfs")
		c.set(func(s *emulator.Settings) { s.Denied = []string{"Datastore.Audit", "Datastore.AllocateSpace"} })
		want(t, "denied", c.as("separated").ask("GET", "/nodes/pve1/storage", "").get(0), nil)
		want(t, "disks", c.ask("GET", "/nodes/pve1/storage/local-lvm/content", "vmid=9000").row("volid", "local-lvm:base-9000-disk-0") == nil, true)
	})
}

// TestDiskInUse: a volume that a machine has cannot be removed.
func TestDiskInUse(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.clone()
		wantRefusal(t, "in use", c.ask("DELETE", "/nodes/pve1/storage/local-lvm/content/local-lvm:vm-100-disk-0", ""),
			refusal{500, "cannot remove volume 'local-lvm:vm-100-disk-0', it is in use by VM 100"})
		want(t, "parent", c.ask("GET", "/nodes/pve1/storage/local-lvm/content", "vmid=100").row("volid", "local-lvm:vm-100-disk-0")["parent"], "base-9000-disk-0")
	})
}

// TestPools: their machines, their rules.
func TestPools(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.clone()
		want(t, "make", c.ask("POST", "/pools", "poolid=lab&comment=ours").status, 200)
		wantText(t, "twice", c.ask("POST", "/pools", "poolid=lab").message, "already exists")
		want(t, "add", c.ask("PUT", "/pools", "poolid=lab&vms=100").status, 200)
		one := c.ask("GET", "/pools", "poolid=lab&type=qemu")
		want(t, "member", one.get(0, "members", 0, "vmid"), 100.0)
		want(t, "comment", one.get(0, "comment"), "ours")
		want(t, "old form", c.ask("GET", "/pools/lab", "").get("members", 0, "id"), "qemu/100")
		want(t, "all", c.ask("GET", "/pools", "").row("poolid", "team") != nil, true)
		wantText(t, "from another pool", c.ask("PUT", "/pools/team", "vms=100").message, "belongs already to pool 'lab'")
		want(t, "moved", c.ask("PUT", "/pools/team", "vms=100&allow-move=1").status, 200)
		want(t, "pool", c.resource("qemu/100")["pool"], "team")
		wantText(t, "not empty", c.ask("DELETE", "/pools", "poolid=team").message, "not empty")
		want(t, "empty", c.ask("DELETE", "/pools/lab", "").status, 200)
		want(t, "taken out", c.ask("PUT", "/pools/team", "vms=100&delete=1").status, 200)
		want(t, "no pool", c.resource("qemu/100")["pool"], nil)
		wantText(t, "form", c.ask("POST", "/pools", "poolid=a%20b").errors["poolid"], "invalid characters in pool name")
	})
}
