// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func (c cluster) plantNetwork(kind string, fields emulator.Fields) emulator.Object {
	c.t.Helper()
	made, err := c.Plant("proxmox", kind, fields)
	if err != nil {
		c.t.Fatal(err)
	}
	return made
}

// TestNetworkLists: bridges by node and type, VNets where they are asked for, and only what a token may see.
func TestNetworkLists(t *testing.T) {
	inCluster(t, func(c cluster) {
		c.plantNetwork("zones", emulator.Fields{"zone": "lab", "type": "vlan", "bridge": "vmbr1", "nodes": []string{"pve1", "pve2"}})
		c.plantNetwork("vnets", emulator.Fields{"vnet": "back", "zone": "lab", "tag": 42, "alias": "backend"})
		c.plantNetwork("bridges", emulator.Fields{"node": "pve2", "iface": "vmbr7", "bridge_vlan_aware": true})
		names := func(node, kind string) string {
			var found []string
			for _, row := range c.ask("GET", "/nodes/"+node+"/network", kind).data.([]any) {
				found = append(found, row.(map[string]any)["iface"].(string))
			}
			return strings.Join(found, " ")
		}
		for asked, wanted := range map[string]string{
			"":                      "eno1 eno2 vmbr0 vmbr1",
			"type=bridge":           "vmbr0 vmbr1",
			"type=any_local_bridge": "vmbr0 vmbr1",
			"type=any_bridge":       "vmbr0 vmbr1 back",
			"type=vnet":             "back",
			"type=include_sdn":      "eno1 eno2 vmbr0 vmbr1 back",
			"type=bond":             "",
		} {
			want(t, asked, names("pve1", asked), wanted)
		}
		want(t, "on pve2", names("pve2", "type=any_bridge"), "vmbr0 vmbr1 vmbr7 back")
		want(t, "zone not there", names("pve3", "type=any_bridge"), "vmbr0 vmbr1")
		want(t, "VLANs", c.ask("GET", "/nodes/pve1/network", "").row("iface", "vmbr1")["bridge_vlan_aware"], 1.0)
		want(t, "VNet", c.ask("GET", "/cluster/sdn/vnets", "").row("vnet", "back")["tag"], 42.0)
		want(t, "VNet", c.ask("GET", "/cluster/sdn/vnets/back", "").get("alias"), "backend")
		want(t, "zone", c.ask("GET", "/cluster/sdn/zones", "type=vlan").row("zone", "lab")["nodes"], "pve1,pve2")
		want(t, "zone", c.ask("GET", "/cluster/sdn/zones/lab", "").get("bridge"), "vmbr1")
		want(t, "zones of another type", c.ask("GET", "/cluster/sdn/zones", "type=evpn").get(0), nil)
		wantRefusal(t, "missing VNet", c.ask("GET", "/cluster/sdn/vnets/none", ""), refusal{500, "sdn 'none' does not exist"})
		wantRefusal(t, "missing zone", c.ask("GET", "/cluster/sdn/zones/none", ""), refusal{500, "sdn 'none' does not exist"})
		separated := c.as("separated")
		want(t, "without SDN.Audit", separated.ask("GET", "/cluster/sdn/vnets", "").get(0), nil)
		want(t, "of localnetwork", separated.ask("GET", "/nodes/pve1/network", "type=any_bridge").row("iface", "vmbr0")["type"], "bridge")
		want(t, "of another zone", len(separated.ask("GET", "/nodes/pve1/network", "type=vnet").data.([]any)), 0)
		wantRefusal(t, "VNet", separated.ask("GET", "/cluster/sdn/vnets/back", ""), refusal{403, "Permission check failed (/sdn/zones/lab/back, SDN.Audit|SDN.Allocate)"})
	})
}

// nicOf is a form that sets net0.
func nicOf(value string) string { return "net0=" + url.QueryEscape(value) }

// TestNICParts: what a network device may say.
func TestNICParts(t *testing.T) {
	for name, test := range map[string]struct{ value, problem string }{
		"everything":      {"virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=7,firewall=1,link_down=0,mtu=1,queues=4,rate=12.5,trunks=2;4-8", ""},
		"model by name":   {"model=e1000,macaddr=bc:24:11:00:00:01,bridge=vmbr1", ""},
		"without bridge":  {"virtio", ""},
		"no model":        {"bridge=vmbr0", "model: property is missing and it is not optional"},
		"unknown model":   {"ne3000,bridge=vmbr0", "model: value 'ne3000' does not have a value in the enumeration"},
		"VLAN 0":          {"virtio,bridge=vmbr0,tag=0", "tag: value must have a minimum value of 1"},
		"VLAN 4095":       {"virtio,bridge=vmbr0,tag=4095", "tag: value must have a maximum value of 4094"},
		"VLAN of letters": {"virtio,bridge=vmbr0,tag=x", "tag: type check ('integer') failed - got 'x'"},
		"firewall true":   {"virtio,bridge=vmbr0,firewall=true", "firewall: type check ('boolean') failed - got 'true'"},
		"multicast MAC":   {"virtio=01:24:11:00:00:01,bridge=vmbr0", "macaddr: invalid format - value does not look like a valid unicast MAC address"},
		"bridge":          {"virtio,bridge=vm br0", "bridge: invalid format - invalid bridge ID 'vm br0'"},
		"unknown part":    {"virtio,bridge=vmbr0,vlan=7", "vlan: property is not defined in schema and the schema does not allow additional properties"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				got := c.ask("PUT", path+"/config", nicOf(test.value))
				if test.problem == "" {
					want(t, "status", got.status, 200)
					return
				}
				want(t, "status", got.status, 400)
				wantText(t, "net0", got.errors["net0"], test.problem)
				wantText(t, "net0", got.errors["net0"], "invalid format - format error\n")
			})
		})
	}
}

// TestCPUTypes: a built-in type, perhaps with flags.
func TestCPUTypes(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		for value, problem := range map[string]string{
			"host": "", "x86-64-v3": "", "cputype=EPYC-Genoa,flags=+aes": "",
			"pentium9": "invalid format - Built-in cputype 'pentium9' is not defined (missing 'custom-' prefix?)",
			"custom-a": "invalid format - Custom cputype 'a' not found",
			"flags=x":  "invalid format - CPU is missing cputype",
		} {
			got := c.ask("PUT", path+"/config", "cpu="+url.QueryEscape(value))
			want(t, value, strings.TrimSpace(got.errors["cpu"]), problem)
		}
		want(t, "listed", c.ask("GET", "/nodes/pve1/capabilities/qemu/cpu", "").row("name", "EPYC-Genoa")["vendor"], "AuthenticAMD")
		want(t, "right", c.ask("PUT", path+"/config", "cpu=host").status, 200)
	})
}

// TestNICsArePluggedWhileTheMachineRuns: but for a bridge that is not there, and where hotplug leaves the network out.
func TestNICsArePluggedWhileTheMachineRuns(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		current := func(key string) any { return c.ask("GET", path+"/config", "current=1").get(key) }
		want(t, "plugged", c.ask("PUT", path+"/config", nicOf("virtio=BC:24:11:00:00:01,bridge=vmbr1,tag=9")).status, 200)
		want(t, "at once", current("net0"), "virtio=BC:24:11:00:00:01,bridge=vmbr1,tag=9")
		got := c.ask("PUT", path+"/config", nicOf("virtio=BC:24:11:00:00:01,bridge=vmbr9"))
		want(t, "status", got.status, 400)
		want(t, "text", got.errors["net0"], "hotplug problem - bridge 'vmbr9' does not exist\n")
		want(t, "of the guest", current("net0"), "virtio=BC:24:11:00:00:01,bridge=vmbr1,tag=9")
		want(t, "pending", c.ask("GET", path+"/pending", "").row("key", "net0")["pending"], "virtio=BC:24:11:00:00:01,bridge=vmbr9")
		want(t, "by task", c.do("POST", path+"/config", "net1="+url.QueryEscape("virtio,bridge=vmbr9")),
			"400 Parameter verification failed. net1: hotplug problem - bridge 'vmbr9' does not exist")
		c.ask("PUT", path+"/config", "hotplug=0&revert=net0,net1")
		want(t, "stop", c.do("POST", path+"/status/stop", ""), "OK")
		c.start(path)
		c.ask("PUT", path+"/config", nicOf("virtio=BC:24:11:00:00:01,bridge=vmbr0"))
		want(t, "waits", current("net0"), "virtio=BC:24:11:00:00:01,bridge=vmbr1,tag=9")
		want(t, "shown", c.config(path, "net0"), "virtio=BC:24:11:00:00:01,bridge=vmbr0")
	})
}

// TestAMissingBridgeIsFoundAtTheStart, not when it is written on a stopped machine.
func TestAMissingBridgeIsFoundAtTheStart(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		want(t, "written", c.ask("PUT", path+"/config", nicOf("virtio,bridge=back")).status, 200)
		want(t, "start", c.do("POST", path+"/status/start", ""), "start failed: QEMU exited with code 1")
		want(t, "status", c.status(path), "stopped")
		c.plantNetwork("zones", emulator.Fields{"zone": "lab"})
		c.plantNetwork("vnets", emulator.Fields{"vnet": "back", "zone": "lab"})
		c.start(path)
		wantRefusal(t, "SDN.Use of the zone", c.as("separated").ask("PUT", path+"/config", nicOf("virtio,bridge=back,tag=7")),
			refusal{403, "Permission check failed (/sdn/zones/lab/back/7, SDN.Use)"})
	})
}

// TestProtection: a protected machine keeps its drives and itself, until the protection is off.
func TestProtection(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.ask("POST", path+"/config", "scsi1=local-lvm:1")
		pass(1e9)
		c.ask("PUT", path+"/config", "delete=scsi1")
		c.ask("PUT", path+"/config", "protection=1")
		wantRefusal(t, "drive", c.ask("PUT", path+"/config", "delete=ide2"), refusal{500, "can't remove drive 'ide2' - protection mode enabled"})
		wantRefusal(t, "unused disk", c.ask("PUT", path+"/config", "delete=unused0"), refusal{500, "can't remove unused disk 'local-lvm:vm-100-disk-1' - protection mode enabled"})
		want(t, "by task", c.do("POST", path+"/config", "delete=ide2"), "can't remove drive 'ide2' - protection mode enabled")
		wantRefusal(t, "machine", c.ask("DELETE", path, ""), refusal{500, "can't remove VM 100 - protection mode enabled"})
		wantRefusal(t, "with the protection", c.ask("PUT", path+"/config", "delete=protection,ide2"), refusal{500, "can't remove drive 'ide2' - protection mode enabled"})
		c.ask("PUT", path+"/config", "protection=1")
		want(t, "other keys", c.ask("PUT", path+"/config", "delete=vga").status, 200)
		c.ask("PUT", path+"/config", "delete=protection")
		want(t, "destroy", c.do("DELETE", path, ""), "OK")
	})
}

// TestControlChangesNetworks: bridges, zones, VNets and groups are planted, changed and removed.
func TestControlChangesNetworks(t *testing.T) {
	inCluster(t, func(c cluster) {
		for _, test := range []struct {
			kind, id    string
			made, other emulator.Fields
		}{
			{"bridges", "pve3/vmbr5", emulator.Fields{"node": "pve3", "iface": "vmbr5"}, emulator.Fields{"comments": "x", "cidr": "10.9.0.1/24"}},
			{"zones", "lab", emulator.Fields{"zone": "lab"}, emulator.Fields{"nodes": []string{"pve1"}}},
			{"vnets", "back", emulator.Fields{"vnet": "back", "zone": "lab"}, emulator.Fields{"vlanaware": true}},
			{"security_groups", "web", emulator.Fields{"group": "web"}, emulator.Fields{"comment": "x"}},
		} {
			want(t, "id", c.plantNetwork(test.kind, test.made).ID, test.id)
			if _, err := c.Plant("proxmox", test.kind, test.made); err == nil {
				t.Errorf("%s %s was planted twice", test.kind, test.id)
			}
			if _, err := c.Patch("proxmox", test.kind, test.id, test.other); err != nil {
				t.Error(err)
			}
			for _, wrong := range []emulator.Fields{{"colour": "red"}, test.made, {"zone": "none", "node": "pve9"}} {
				if _, err := c.Patch("proxmox", test.kind, test.id, wrong); err == nil && test.kind != "bridges" {
					t.Errorf("%s took %v", test.kind, wrong)
				}
			}
		}
		for _, gone := range [][2]string{{"security_groups", "web"}, {"vnets", "back"}, {"zones", "lab"}, {"bridges", "pve3/vmbr5"}} {
			if err := c.Vanish("proxmox", gone[0], gone[1]); err != nil {
				t.Error(err)
			}
			if err := c.Vanish("proxmox", gone[0], gone[1]); err == nil {
				t.Errorf("%v vanished twice", gone)
			}
		}
		if _, err := c.Plant("proxmox", "bonds", emulator.Fields{}); err == nil {
			t.Error("a bond was planted")
		}
	})
}
