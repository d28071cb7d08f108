// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/proxmox"
)

// TestPermissionComesFirst: before parameters, and before anybody is told whether a machine exists.
func TestPermissionComesFirst(t *testing.T) {
	for name, test := range map[string]struct{ method, path, values, text string }{
		"read":            {"GET", "/nodes/pve1/qemu/9000/config", "", "(/vms/9000, VM.Audit)"},
		"read missing":    {"GET", "/nodes/pve1/qemu/555/config", "", "(/vms/555, VM.Audit)"},
		"wrong parameter": {"GET", "/nodes/pve1/qemu/9000/config", "colour=red", "(/vms/9000, VM.Audit)"},
		"wrong node":      {"GET", "/nodes/nope/qemu/9000/config", "", "(/vms/9000, VM.Audit)"},
		"agent":           {"GET", "/nodes/pve1/qemu/9000/agent/network-get-interfaces", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				got := c.as("no_audit").ask(test.method, test.path, test.values)
				if name == "agent" { // VM.GuestAgent.Unrestricted is a right to do, not to look
					want(t, "status", got.status, 500)
					return
				}
				wantRefusal(t, name, got, refusal{403, "Permission check failed " + test.text})
			})
		})
	}
}

// TestEveryRouteIsGuarded: without any privilege a token gets 403, but for what everybody may ask, which shows it nothing,
// and tasks, which belong to who started them.
func TestEveryRouteIsGuarded(t *testing.T) {
	open := []string{
		"GET /version", "GET /access/permissions", "GET /cluster/nextid", "GET /cluster/resources", "GET /cluster/tasks", "GET /nodes",
		"GET /nodes/{node}", "GET /nodes/{node}/network", "GET /nodes/{node}/qemu", "GET /nodes/{node}/storage", "GET /nodes/{node}/tasks",
		"GET /nodes/{node}/version", "GET /pools", "GET /storage", "GET /cluster/sdn/zones", "GET /cluster/sdn/vnets",
		"GET /cluster/firewall/groups", "GET /nodes/{node}/capabilities/qemu/cpu",
	}
	fill := strings.NewReplacer("{node}", "pve1", "{vmid}", "9000", "{storage}", "local", "{volume...}", "local:iso/a.iso", "{poolid}", "team",
		"{zone}", "lab", "{vnet}", "back", "{group}", "web", "{pos}", "0",
		"{upid}", "UPID:pve1:00003A01:151D4671:6B0CD0EF:qmclone:9000:root@pam:")
	settings := core.NewSettings(core.Settings{Release: "9.1"})
	for _, route := range proxmox.New(core.NewClock(settings), settings).Routes() {
		inCluster(t, func(c cluster) {
			c.set(func(s *emulator.Settings) {
				s.Denied = strings.Fields("VM.Allocate VM.Audit VM.Clone VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk " +
					"VM.Config.HWType VM.Config.Memory VM.Config.Network VM.Config.Options VM.GuestAgent.Audit VM.GuestAgent.Unrestricted " +
					"VM.PowerMgmt Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit Pool.Allocate " +
					"Pool.Audit SDN.Allocate SDN.Audit SDN.Use Sys.Audit Sys.Modify")
			})
			c.plantNetwork("zones", emulator.Fields{"zone": "lab"})
			c.plantNetwork("vnets", emulator.Fields{"vnet": "back", "zone": "lab"})
			method, path, _ := strings.Cut(route, " ")
			status := 403
			if slices.Contains(open, route) {
				status = 200
			} else if strings.Contains(path, "{upid}") {
				status = 400
			}
			want(t, route, c.ask(method, fill.Replace(path), "").status, status)
		})
	}
}

// TestPrivileges: what each change needs.
func TestPrivileges(t *testing.T) {
	const path = "/nodes/pve1/qemu/100"
	for name, test := range map[string]struct{ denied, method, path, values, text string }{
		"clone":             {"VM.Clone", "POST", template + "/clone", "newid=101", "(/vms/9000, VM.Clone)"},
		"allocate":          {"VM.Allocate", "POST", template + "/clone", "newid=101", ""},
		"space":             {"Datastore.AllocateSpace", "POST", template + "/clone", "newid=101", "(/storage/local-lvm, Datastore.AllocateSpace)"},
		"bridge of a clone": {"SDN.Use", "POST", template + "/clone", "newid=101", "(/sdn/zones/localnetwork/vmbr0, SDN.Use)"},
		"bridge":            {"SDN.Use", "PUT", path + "/config", "net0=virtio%2Cbridge%3Dvmbr0%2Ctag%3D7", "(/sdn/zones/localnetwork/vmbr0/7, SDN.Use)"},
		"cores":             {"VM.Config.CPU", "PUT", path + "/config", "cores=1", "(/vms/100, VM.Config.CPU)"},
		"memory":            {"VM.Config.Memory", "PUT", path + "/config", "memory=1", "(/vms/100, VM.Config.Memory)"},
		"name":              {"VM.Config.Options", "PUT", path + "/config", "name=x", "(/vms/100, VM.Config.Options)"},
		"tags":              {"VM.Config.Options", "PUT", path + "/config", "tags=x", "(/vms/100, VM.Config.Options)"},
		"disk":              {"VM.Config.Disk", "PUT", path + "/config", "delete=scsi0", "(/vms/100, VM.Config.Disk)"},
		"boot order":        {"VM.Config.Disk", "PUT", path + "/config", "boot=order%3Dscsi0", "(/vms/100, VM.Config.Disk)"},
		"CD-ROM":            {"VM.Config.CDROM", "PUT", path + "/config", "ide3=none%2Cmedia%3Dcdrom", "(/vms/100, VM.Config.CDROM)"},
		"remove CD-ROM":     {"VM.Config.CDROM", "PUT", path + "/config", "delete=ide2", "(/vms/100, VM.Config.CDROM)"},
		"cloud-init drive":  {"VM.Config.Cloudinit", "PUT", path + "/config", "ide3=local-lvm%3Acloudinit", "(/vms/100, VM.Config.Cloudinit)"},
		"hardware":          {"VM.Config.HWType", "PUT", path + "/config", "bios=ovmf", "(/vms/100, VM.Config.HWType)"},
		"new disk":          {"Datastore.AllocateSpace", "PUT", path + "/config", "scsi1=local-lvm%3A8", "(/storage/local-lvm, Datastore.AllocateSpace)"},
		"resize":            {"VM.Config.Disk", "PUT", path + "/resize", "disk=scsi0&size=9G", "(/vms/100, VM.Config.Disk)"},
		"power":             {"VM.PowerMgmt", "POST", path + "/status/start", "", "(/vms/100, VM.PowerMgmt)"},
		"destroy":           {"VM.Allocate", "DELETE", path, "", "(/vms/100, VM.Allocate)"},
		"upload":            {"Datastore.AllocateTemplate", "POST", "/nodes/pve1/storage/local/upload", "", "(/storage/local, Datastore.AllocateTemplate)"},
		"remove a volume":   {"Datastore.Allocate", "DELETE", "/nodes/pve1/storage/local/content/local:iso/a.iso", "", "(/storage/local, Datastore.Allocate)"},
		"pool":              {"Pool.Allocate", "POST", "/pools", "poolid=x", "(/pool/x, Pool.Allocate)"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				c.clone()
				if name != "hardware" {
					want(t, "before", c.as("separated").ask(test.method, test.path, test.values).status != 403, true)
					c.Reset()
					c.clone()
				}
				c.set(func(s *emulator.Settings) { s.Denied = []string{test.denied} })
				text := "Permission check failed"
				if test.text != "" {
					text += " " + test.text
				}
				wantRefusal(t, name, c.as("separated").ask(test.method, test.path, test.values), refusal{403, text})
			})
		})
	}
}

// TestCloudInitKeysNeedOneOfTwo privileges; none of any is refused before the keys are looked at.
func TestCloudInitKeysNeedOneOfTwo(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		for _, denied := range []string{"VM.Config.Network", "VM.Config.Cloudinit"} {
			c.set(func(s *emulator.Settings) { s.Denied = []string{denied} })
			want(t, "without "+denied, c.as("separated").ask("PUT", path+"/config", "ipconfig0=ip%3Ddhcp").status, 200)
		}
		c.set(func(s *emulator.Settings) { s.Denied = []string{"VM.Config.Network", "VM.Config.Cloudinit"} })
		want(t, "without both", c.as("separated").ask("PUT", path+"/config", "ipconfig0=ip%3Ddhcp").message,
			"Permission check failed (/vms/100, VM.Config.Network|VM.Config.Cloudinit)")
		want(t, "none at all", c.as("pool").ask("PUT", path+"/config", "cores=1").message, "Permission check failed (/vms/100, "+
			"VM.Config.Disk|VM.Config.CDROM|VM.Config.CPU|VM.Config.Memory|VM.Config.Network|VM.Config.HWType|VM.Config.Options|VM.Config.Cloudinit)")
	})
}

// TestRightsThroughAPool: the new machine is out of reach until it is in the pool, and again when it is gone.
func TestRightsThroughAPool(t *testing.T) {
	inCluster(t, func(c cluster) {
		mine := c.as("pool")
		wantRefusal(t, "outside the pool", mine.ask("POST", template+"/clone", "newid=100"), refusal{403, "Permission check failed"})
		const path, forbidden = "/nodes/pve1/qemu/100", "Permission check failed (/vms/100, VM.Audit)"
		upid := mine.starts("POST", template+"/clone", "newid=100&pool=team")
		wantRefusal(t, "meanwhile", mine.ask("GET", path+"/config", ""), refusal{403, forbidden})
		want(t, "clone", mine.ends(upid), "OK")
		want(t, "afterwards", mine.ask("GET", path+"/config", "").status, 200)
		want(t, "listed", mine.resource("qemu/100")["pool"], "team")
		want(t, "destroy", mine.do("DELETE", path, ""), "OK")
		wantRefusal(t, "gone", mine.ask("GET", path+"/config", ""), refusal{403, forbidden})
		want(t, "free", mine.ask("GET", "/cluster/nextid", "vmid=100").data, "100")
	})
}

// TestTasksOfOthers need Sys.Audit.
func TestTasksOfOthers(t *testing.T) {
	inCluster(t, func(c cluster) {
		upid := c.starts("POST", template+"/clone", "newid=100")
		path := "/nodes/pve1/tasks/" + url.PathEscape(upid) + "/status"
		wantRefusal(t, "status", c.as("no_audit").ask("GET", path, ""), refusal{403, "Permission check failed (/nodes/pve1, Sys.Audit)"})
		wantRefusal(t, "abort", c.as("separated").ask("DELETE", "/nodes/pve1/tasks/"+url.PathEscape(upid), ""), refusal{403, "Permission check failed (/nodes/pve1, Sys.Modify)"})
		want(t, "with Sys.Audit", c.as("separated").ask("GET", path, "").status, 200)
		want(t, "list", c.as("no_audit").ask("GET", "/nodes/pve1/tasks", "source=all").total, 0)
		want(t, "cluster's list", c.as("no_audit").ask("GET", "/cluster/tasks", "").get(0), nil)
	})
}

// TestOwnPermissions: a token reads its own rights.
func TestOwnPermissions(t *testing.T) {
	inCluster(t, func(c cluster) {
		want(t, "main", c.ask("GET", "/access/permissions", "").get("/", "Sys.Audit"), 1.0)
		mine := c.as("separated").ask("GET", "/access/permissions", "")
		want(t, "machines", mine.get("/vms", "VM.Clone"), 1.0)
		want(t, "bridges", mine.get("/sdn/zones/localnetwork", "SDN.Use"), 1.0)
		want(t, "everything", mine.get("/"), nil)
		want(t, "not of this release", mine.get("/vms", "VM.Monitor"), nil)
		want(t, "path", c.as("pool").ask("GET", "/access/permissions", "path=/vms/9000").get("/vms/9000", "VM.Clone"), 1.0)
		want(t, "nothing there", len(c.as("pool").ask("GET", "/access/permissions", "path=/vms/555").get("/vms/555").(map[string]any)), 0)
	})
}

// TestNoAudit: a token without rights to look sees an empty cluster, which proves nothing.
func TestNoAudit(t *testing.T) {
	inCluster(t, func(c cluster) {
		blind := c.as("no_audit")
		want(t, "machines", blind.ask("GET", "/cluster/resources", "type=vm").raw, `{"data":[]}`)
		want(t, "but it can clone", blind.do("POST", template+"/clone", "newid=100"), "OK")
		want(t, "and destroy", blind.do("DELETE", "/nodes/pve1/qemu/100", ""), "OK")
	})
}
