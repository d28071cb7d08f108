// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"errors"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// wantSeedForEachDevice wants the user data to name the hardware address of every network device.
func (l *lab) wantSeedForEachDevice(id string) {
	l.Helper()
	network := l.seed(id)["network-config"]
	for _, card := range l.config(id).nics() {
		if !strings.Contains(network, card.mac) {
			l.Errorf("the user data does not name net%d, %s", card.index, card.mac)
		}
	}
}

func withOptions(wish compute.Wish, options manifest.Values) compute.Wish {
	wish.Options = options
	return wish
}

// TestOptionsGoWithTheConfiguration: only further network devices take a request of their own, and reading none costs one.
func TestOptionsGoWithTheConfiguration(t *testing.T) {
	for name, test := range map[string]struct {
		options        manifest.Values
		configurations int
	}{
		"none": {nil, 1},
		"all but devices": {manifest.Values{
			driver.OptionNetwork: "vmbr1.100", optionCPUType: "host", optionOnBoot: true, driver.OptionDeleteProtection: true,
		}, 1},
		"devices":                    {manifest.Values{optionDevices: []string{"vmbr1"}}, 2},
		"no devices, as it is":       {manifest.Values{optionDevices: []string{}}, 1},
		"bridge and VLAN, as it is":  {manifest.Values{optionBridge: "vmbr0", optionVLAN: int64(0)}, 1},
		"what the template has":      {manifest.Values{optionCPUType: "x86-64-v2-AES", driver.OptionNetwork: "vmbr0"}, 1},
		"the vendor's protection":    {manifest.Values{optionProtection: true}, 1},
		"no start with its own node": {manifest.Values{optionOnBoot: false}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				made := l.create(l.account("", nil), withOptions(wishFor("web"), test.options))
				writes := slices.DeleteFunc(l.writes(), func(entry emulator.Entry) bool { return entry.Operation != "config" })
				// The last one takes the mark off that the create is under way.
				if len(writes)-1 != test.configurations {
					l.Errorf("%d configurations, want %d", len(writes)-1, test.configurations)
				}
				for option, value := range test.options {
					if !reflect.DeepEqual(made.Machine.Options[option], value) {
						l.Errorf("%s is %v, want %v", option, made.Machine.Options[option], value)
					}
				}
				before := len(l.Journal())
				if _, err := l.open(nil).List(l.Context()); err != nil {
					l.Fatal(err)
				}
				if reads := len(l.Journal()) - before; reads != 3 {
					l.Errorf("%d requests to read one machine: the list, its config and its agent are 3", reads)
				}
			})
		})
	}
}

// TestADeviceKeepsWhatTheTemplateSays: hardware address, model and the firewall's flag.
func TestADeviceKeepsWhatTheTemplateSays(t *testing.T) {
	for name, test := range map[string]struct {
		device, network, want string
	}{
		"moved":       {"e1000=BC:24:11:00:00:01,bridge=vmbr0,firewall=1", "vmbr1.100", "e1000=BC:24:11:00:00:01,firewall=1,bridge=vmbr1,tag=100"},
		"off a VLAN":  {"virtio=BC:24:11:00:00:01,bridge=vmbr1,tag=100,mtu=1", "vmbr1", "virtio=BC:24:11:00:00:01,mtu=1,bridge=vmbr1"},
		"a new one":   {"", "vmbr1.7", "virtio,bridge=vmbr1,tag=7"},
		"on no VLAN":  {"virtio=BC:24:11:00:00:01,bridge=vmbr0", "vmbr1.4095", "virtio=BC:24:11:00:00:01,bridge=vmbr1.4095"},
		"on a bridge": {"virtio=BC:24:11:00:00:01", "vmbr1", "virtio=BC:24:11:00:00:01,bridge=vmbr1"},
	} {
		bridge, vlan := splitNetwork(test.network)
		if got := withNetwork(test.device, bridge, vlan); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// TestFlagsOfTheCPUStay when its type changes.
func TestFlagsOfTheCPUStay(t *testing.T) {
	for had, want := range map[string]string{
		"": "host", "kvm64": "host", "cputype=kvm64,flags=+aes": "host,flags=+aes", "kvm64,flags=+aes;+pcid,hidden=1": "host,flags=+aes;+pcid,hidden=1", "host,flags=+aes": "",
	} {
		change := change{set: map[string][]string{}}
		change.option(vmConfig{"cpu": had}, optionCPUType, "host")
		if got := change.set.Get("cpu"); got != want {
			t.Errorf("%q: %q, want %q", had, got, want)
		}
	}
	if got := cpuTypeOf(vmConfig{}); got != standardCPU {
		t.Errorf("a machine without a type is %s", got)
	}
}

// TestAProtectedTemplate: its clones are not protected, also where drives have to go first, unless that is written.
func TestAProtectedTemplate(t *testing.T) {
	for name, options := range map[string]manifest.Values{
		"not written": nil, "written": {driver.OptionDeleteProtection: true}, "written off": {driver.OptionDeleteProtection: false},
	} {
		t.Run(name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				more := emulator.Fields{"protection": true, "ide0": "local-lvm:vm-9000-cloudinit-2,media=cdrom"}
				if _, err := l.Patch("proxmox", "vms", "9000", more); err != nil {
					l.Fatal(err)
				}
				wish := withOptions(wishFor("web"), options)
				wish.UserData = []byte("#cloud-config\n{}\n")
				made := l.create(l.account("", nil), wish)
				want := options[driver.OptionDeleteProtection] == true
				if made.Machine.Options[driver.OptionDeleteProtection] != want {
					l.Errorf("options %v", made.Machine.Options)
				}
				_, err := l.account("", nil).Delete(l.Context(), heldOf(made, wish), 0)
				if refused, ok := errors.AsType[*compute.Error](err); want != (ok && refused.Reason == driver.ReasonProtected) {
					l.Errorf("the delete: %v", err)
				}
			})
		})
	}
}

// TestADeviceThatCannotBePluggedIsTakenBack, so that the machine starts again the next time.
func TestADeviceThatCannotBePluggedIsTakenBack(t *testing.T) {
	inLab(t, func(l *lab) {
		wish := withOptions(wishFor("web"), manifest.Values{driver.OptionNetwork: "vmbr0"})
		made := l.create(l.account("", nil), wish)
		before := l.config(made.Machine.ID)
		account := l.account("", nil)
		wanted := manifest.Values{driver.OptionNetwork: "vmbr1.100"}
		if _, err := account.ResolveOptions(l.Context(), wanted, "pve"); err != nil {
			l.Fatal(err)
		}
		if err := l.Vanish("proxmox", "bridges", "pve1/vmbr1"); err != nil {
			l.Fatal(err)
		}
		_, err := account.Update(l.Context(), heldOf(made, wish), compute.Change{Options: compute.OptionChange{Written: wanted, Prior: wish.Options, All: wanted}})
		refused, ok := errors.AsType[*compute.Error](err)
		if !ok || refused.Code != driver.InvalidInput || refused.Field != driver.OptionNetwork || !strings.Contains(err.Error(), "bridge 'vmbr1' does not exist") {
			l.Errorf("the error is %+v", err)
		}
		if after := l.config(made.Machine.ID); after["net0"] != before["net0"] {
			l.Errorf("net0 is %s and was %s", after["net0"], before["net0"])
		}
	})
}

// TestOptionsThatOthersChanged are seen and brought back, while the machine runs where that can be.
func TestOptionsThatOthersChanged(t *testing.T) {
	inLab(t, func(l *lab) {
		wish := withOptions(wishFor("web"), manifest.Values{
			driver.OptionNetwork: "vmbr1.100", optionOnBoot: true, optionDevices: []string{"vmbr0"}, driver.OptionDeleteProtection: true,
		})
		made := l.create(l.account("", nil), wish)
		mac := l.config(made.Machine.ID).nics()[0].mac
		others := emulator.Fields{"net0": "virtio=" + mac + ",bridge=vmbr0", "onboot": nil, "net1": nil, "protection": nil}
		if _, err := l.Patch("proxmox", "vms", made.Machine.ID, others); err != nil {
			l.Fatal(err)
		}
		account := l.account("", nil)
		seen, err := l.open(nil).Get(l.Context(), made.Machine.ID)
		if err != nil {
			l.Fatal(err)
		}
		shown, err := account.ShownOptions(l.Context(), seen, wish.Options)
		for option, value := range wish.Options {
			if err != nil || reflect.DeepEqual(shown[option], value) {
				l.Errorf("the drift of %s is not seen: %v, %v", option, shown[option], err)
			}
		}
		updated, err := account.Update(l.Context(), heldOf(made, wish), compute.Change{Options: compute.OptionChange{Written: wish.Options, Prior: shown, All: wish.Options}})
		if err != nil || updated.Machine.State != driver.StateRunning {
			l.Fatalf("%+v, %v", updated, err)
		}
		for option, value := range wish.Options {
			if !reflect.DeepEqual(updated.Machine.Options[option], value) {
				l.Errorf("%s is %v, want %v", option, updated.Machine.Options[option], value)
			}
		}
		if stops := l.count(http.MethodPost, "/status/stop") + l.count(http.MethodPost, "/status/shutdown"); stops > 0 {
			l.Errorf("the machine was stopped")
		}
	})
}

// TestOptionsThatDependOnEachOther.
func TestOptionsThatDependOnEachOther(t *testing.T) {
	for name, test := range map[string]struct {
		written manifest.Values
		at      []string
	}{
		"another bridge and VLAN than the network's": {
			manifest.Values{driver.OptionNetwork: "vmbr0", optionBridge: "vmbr1", optionVLAN: int64(7)}, []string{optionBridge, optionVLAN},
		},
		"another VLAN than the network's":    {manifest.Values{driver.OptionNetwork: "vmbr0.7", optionBridge: "vmbr0", optionVLAN: int64(8)}, []string{optionVLAN}},
		"the bridge and VLAN of the network": {manifest.Values{driver.OptionNetwork: "vmbr0.7", optionBridge: "vmbr0", optionVLAN: int64(7)}, nil},
		"no network":                         {manifest.Values{driver.OptionNetwork: ""}, []string{driver.OptionNetwork}},
		"contradiction":                      {manifest.Values{optionProtection: false, driver.OptionDeleteProtection: true}, []string{optionProtection}},
		"agreement":                          {manifest.Values{optionProtection: true, driver.OptionDeleteProtection: true}, nil},
		"bridge and VLAN":                    {manifest.Values{optionBridge: "vmbr0", optionVLAN: int64(7)}, nil},
	} {
		var at []string
		for _, fault := range checkOptions(test.written) {
			at = append(at, fault.Path[0])
		}
		if !slices.Equal(at, test.at) {
			t.Errorf("%s: faults at %v, want %v", name, at, test.at)
		}
	}
	if checkVLAN(int64(4095)) == nil || checkVLAN(int64(-1)) == nil || checkVLAN(int64(4094)) != nil || checkDevices(make([]string, 10)) == nil {
		t.Error("a VLAN or a number of devices passes that cannot be")
	}
}

// TestWhatOptionsMayName: bridges, VNets, nodes and CPU types, with the nearest where there is none.
func TestWhatOptionsMayName(t *testing.T) {
	inLab(t, func(l *lab) {
		for kind, fields := range map[string]emulator.Fields{"zones": {"zone": "lab"}, "bridges": {"node": "pve2", "iface": "vmbr9"}} {
			if _, err := l.Plant("proxmox", kind, fields); err != nil {
				l.Fatal(err)
			}
		}
		if _, err := l.Plant("proxmox", "vnets", emulator.Fields{"vnet": "back", "zone": "lab"}); err != nil {
			l.Fatal(err)
		}
		l.set(func(settings *emulator.Settings) { settings.NodesDown = []string{"pve3"} })
		account := l.account("", nil)
		for _, good := range []manifest.Values{
			{driver.OptionNetwork: "back.7"}, {optionBridge: "vmbr9"}, {optionDevices: []string{"vmbr1.100", "back"}}, {optionNode: "pve2"}, {optionCPUType: "EPYC-Genoa"},
		} {
			if resolved, err := account.ResolveOptions(l.Context(), good, "pve"); err != nil || !reflect.DeepEqual(resolved, good) {
				l.Errorf("%v: %v, %v", good, resolved, err)
			}
		}
		for _, test := range []struct {
			written manifest.Values
			words   string
		}{
			{manifest.Values{driver.OptionNetwork: "vmbr.100"}, "vmbr0"},
			{manifest.Values{optionDevices: []string{"vmbr0", "vmbr8"}}, "vmbr9"},
			{manifest.Values{optionNode: "pve3"}, "is offline now"},
			{manifest.Values{optionNode: "pve4"}, "pve1"},
			{manifest.Values{optionCPUType: "x86-64-v5"}, "x86-64-v4"},
		} {
			_, err := account.ResolveOptions(l.Context(), test.written, "pve")
			l.wantCode(err, driver.InvalidInput, test.words)
		}
		pinned := l.account("", manifest.Values{"node": "pve1"})
		_, err := pinned.ResolveOptions(l.Context(), manifest.Values{driver.OptionNetwork: "vmbr9"}, "pve")
		l.wantCode(err, driver.InvalidInput)
		l.set(func(settings *emulator.Settings) { settings.NodesDown = []string{"pve1", "pve2", "pve3"} })
		_, err = l.account("", nil).ResolveOptions(l.Context(), manifest.Values{driver.OptionNetwork: "vmbr0"}, "pve")
		l.wantCode(err, driver.ProviderError, "no node")
	})
}

// TestAMachineOnItsOwnNode is cloned there, and refused where only local storage has the template.
func TestAMachineOnItsOwnNode(t *testing.T) {
	inLab(t, func(l *lab) {
		wish := withOptions(wishFor("web"), manifest.Values{optionNode: "pve2"})
		_, err := l.account("", nil).Create(l.Context(), wish)
		l.wantCode(err, driver.InvalidInput, "VM uses local storage")
		if _, err := l.Patch("proxmox", "vms", "9000", emulator.Fields{"ide2": nil, "scsi0": "shared:9000/base-9000-disk-0.qcow2,size=3G"}); err != nil {
			l.Fatal(err)
		}
		made := l.create(l.account("", nil), wish)
		if node := l.vm(made.Machine.ID).Node; node != "pve2" {
			l.Errorf("it is on %s", node)
		}
		_, err = l.open(nil).SetOption(l.Context(), made.Machine, driver.Setting{Name: optionNode, Value: "pve1"})
		if described := l.open(nil).Describe(err); described.Code != driver.InvalidInput || described.Field != optionNode {
			l.Errorf("a migration: %+v", described)
		}
	})
}

// TestOthersMachinesAreNotSet: SetOption looks whose it is itself.
func TestOthersMachinesAreNotSet(t *testing.T) {
	inLab(t, func(l *lab) {
		made := l.create(l.account("", nil), wishFor("web"))
		theirs := made.Machine
		theirs.Marks.Key = "inst_other"
		_, err := l.open(nil).SetOption(l.Context(), theirs, driver.Setting{Name: optionOnBoot, Value: true})
		if described := l.open(nil).Describe(err); described.Code != driver.Conflict {
			l.Errorf("%+v", described)
		}
	})
}

// TestNetworksAndFirewallsAreListed: bridges of all nodes once, those of some by node; groups with the rules that hold.
func TestNetworksAndFirewallsAreListed(t *testing.T) {
	inLab(t, func(l *lab) {
		for _, planted := range []struct {
			kind   string
			fields emulator.Fields
		}{
			{"bridges", emulator.Fields{"node": "pve2", "iface": "vmbr9", "cidr": "10.9.0.1/24"}},
			{"zones", emulator.Fields{"zone": "lab", "nodes": []string{"pve1", "pve3"}}}, {"vnets", emulator.Fields{"vnet": "back", "zone": "lab"}},
			{"security_groups", emulator.Fields{"group": "web"}},
		} {
			if _, err := l.Plant("proxmox", planted.kind, planted.fields); err != nil {
				l.Fatal(err)
			}
		}
		networks, err := l.open(nil).Networks(l.Context())
		want := []driver.Network{
			{ID: "back", Name: "back", Everywhere: true, Nodes: []string{"pve1", "pve3"}},
			{ID: "vmbr0", Name: "vmbr0", Everywhere: true, Ranges: []string{"10.0.0.0/16"}}, {ID: "vmbr1", Name: "vmbr1", Everywhere: true},
			{ID: "vmbr9", Name: "vmbr9", Everywhere: true, Nodes: []string{"pve2"}, Ranges: []string{"10.9.0.0/24"}},
		}
		if err != nil || !reflect.DeepEqual(networks, want) {
			l.Errorf("networks %+v, %v", networks, err)
		}
		cluster := l.open(nil)
		for _, rule := range []map[string]string{
			{"type": "out", "action": "DROP", "dest": "10.0.0.0/8,192.168.0.0/16", "enable": "1"},
			{"type": "in", "action": "ACCEPT", "proto": "tcp", "dport": "80:85", "source": "10.0.0.0/8", "enable": "1", "comment": "web"},
			{"type": "in", "action": "ACCEPT", "macro": "SSH", "enable": "1"}, {"type": "in", "action": "REJECT"},
		} {
			form := map[string][]string{}
			for name, value := range maps.All(rule) {
				form[name] = []string{value}
			}
			if err := cluster.client.post(l.Context(), "/cluster/firewall/groups/web", form, nil); err != nil {
				l.Fatal(err)
			}
		}
		firewalls, err := cluster.Firewalls(l.Context())
		rules := []driver.FirewallRule{
			{Direction: "in", Action: "accept", Description: "macro SSH"},
			{Direction: "in", Action: "accept", Protocol: "tcp", Ports: "80-85", Peers: []string{"10.0.0.0/8"}, Description: "web"},
			{Direction: "out", Action: "drop", Peers: []string{"10.0.0.0/8", "192.168.0.0/16"}},
		}
		if err != nil || !reflect.DeepEqual(firewalls, []driver.Firewall{{ID: "web", Name: "web", Rules: rules}}) {
			l.Errorf("firewalls %+v, %v", firewalls, err)
		}
		l.token = l.Proxmox.Tokens["separated"]
		firewalls, err = l.open(nil).Firewalls(l.Context())
		if err != nil || !reflect.DeepEqual(firewalls, []driver.Firewall{{ID: "web", Name: "web"}}) {
			l.Errorf("without Sys.Audit: %+v, %v", firewalls, err)
		}
		l.fault(emulator.Fault{Path: "/(network|groups)$", Action: "status", Status: http.StatusInternalServerError, Times: new(0)})
		if _, err := l.open(nil).Networks(l.Context()); err == nil {
			l.Error("networks are listed though no node answers")
		}
		if _, err := l.open(nil).Firewalls(l.Context()); err == nil {
			l.Error("firewalls are listed though the cluster does not answer")
		}
	})
}
