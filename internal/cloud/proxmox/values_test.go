// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func TestSlots(t *testing.T) {
	first := slots("inst_a", 100000000, 999999999)
	if len(first) != 64 || !slices.Equal(first, slots("inst_a", 100000000, 999999999)) {
		t.Errorf("the places of a key are %v", first)
	}
	if other := slots("inst_b", 100000000, 999999999); other[0] == first[0] {
		t.Errorf("two keys begin at %d", other[0])
	}
	small := slots("inst_a", 500, 509)
	slices.Sort(small)
	if want := []int{500, 501, 502, 503, 504, 505, 506, 507, 508, 509}; !slices.Equal(small, want) {
		t.Errorf("the places in a small range are %v, want each of %v once", small, want)
	}
	if only := slots("inst_a", 500, 500); !slices.Equal(only, []int{500}) {
		t.Errorf("the one place is %v", only)
	}
	for _, vmid := range slots("inst_a", 100000000, 100000100) {
		if vmid < 100000000 || vmid > 100000100 {
			t.Errorf("place %d is outside the range", vmid)
		}
	}
}

func TestRecordSurvivesTheVendor(t *testing.T) {
	own := record{
		key: "inst_a", account: "pacct_b", claim: "0-aaaaaaaaaaaaaaaa", creating: true, image: "9000", offer: "2c-4g",
		created: time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC), unfinished: true, other: "A person's note\nwith two lines",
	}
	want := "better-compute inst_a\naccount pacct_b\nclaim 0-aaaaaaaaaaaaaaaa\nimage 9000\noffer 2c-4g\ncreated 2026-11-30T01:02:03Z\n" +
		"creating\nunfinished\n\nA person's note\nwith two lines"
	if own.String() != want {
		t.Errorf("the description is\n%s\nwant\n%s", own, want)
	}
	if got := readRecord(own.String() + "\n"); got != own {
		t.Errorf("read back: %+v, want %+v", got, own)
	}
	if got := readRecord(strings.ReplaceAll(own.String(), "\n", "\r\n")); got.key != own.key || !got.unfinished {
		t.Errorf("with the line ends of a browser: %+v", got)
	}
}

func TestRecordOfOthers(t *testing.T) {
	tests := map[string]record{
		"":                                       {},
		" qmclone temporary file":                {other: "qmclone temporary file"},
		"creating a web server":                  {other: "creating a web server"},
		"image of debian 13":                     {other: "image of debian 13"},
		"better-compute inst_a\ncreated lately":  {key: "inst_a", other: "created lately"},
		"note\nclaim 0-bbbbbbbbbbbbbbbb\nnote 2": {claim: "0-bbbbbbbbbbbbbbbb", other: "note\nnote 2"},
	}
	for description, want := range tests {
		if got := readRecord(description); got != want {
			t.Errorf("%q: %+v, want %+v", description, got, want)
		}
	}
	if text := (record{other: "a note"}).withMarks(driver.Marks{}).String(); text != "a note" {
		t.Errorf("without marks the description is %q", text)
	}
}

func TestTags(t *testing.T) {
	labels := map[string]string{"color": "blue", "production": "", "zone": "a.b"}
	tags := joinTags(labels, true)
	if tags != "better-compute;color.blue;production;zone.a.b" {
		t.Errorf("the tags are %s", tags)
	}
	got, managed := splitTags(tags)
	if !managed || !maps.Equal(got, labels) {
		t.Errorf("read back: %v, managed %t", got, managed)
	}
	twice := "color.blue;color.red"
	got, managed = splitTags(twice)
	if managed || joinTags(got, false) != twice {
		t.Errorf("two tags with one key become %v and then %s", got, joinTags(got, false))
	}
}

func TestCheckLabels(t *testing.T) {
	faults := (&cloud{}).CheckLabels(map[string]string{
		"color": "blue", "empty": "", "a_b-c+d": "1.2_3+4-5", "_x": "y",
		"Upper": "x", "dotted.key": "x", "-first": "x", "better-compute": "x", "better-compute-x": "y", "value": "Upper",
		"slash": "a/b", "umlaut": "ä", "long": strings.Repeat("x", 121),
	})
	want := []string{"-first", "Upper", "better-compute", "better-compute-x", "dotted.key", "long", "slash", "umlaut", "value"}
	if got := slices.Sorted(maps.Keys(faults)); !slices.Equal(got, want) {
		t.Errorf("refused are %v, want %v", got, want)
	}
}

func TestConfigOfEveryRelease(t *testing.T) {
	tests := map[string]struct {
		json   string
		vcpu   int
		memory int
	}{
		"numbers as numbers":  {`{"cores":2,"sockets":2,"memory":2048}`, 4, 2048},
		"numbers as texts":    {`{"cores":"2","memory":"4096"}`, 2, 4096},
		"memory as property":  {`{"cores":1,"memory":"current=1024"}`, 1, 1024},
		"nothing is there":    {`{}`, 1, 512},
		"null, true and else": {`{"cores":null,"memory":null,"onboot":true,"x":{"y":1}}`, 1, 512},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var config vmConfig
			if err := json.Unmarshal([]byte(test.json), &config); err != nil {
				t.Fatal(err)
			}
			if config.vcpu() != test.vcpu || config.memoryMiB() != test.memory {
				t.Errorf("%d CPUs, %d MiB", config.vcpu(), config.memoryMiB())
			}
		})
	}
}

func TestConfigProperties(t *testing.T) {
	config := vmConfig{
		"scsi0": "local-lvm:vm-100-disk-0,discard=on,size=3584M", "scsi1": "shared:100/vm-100-disk-1.qcow2,size=1T", "scsi2": "x:y,size=1073741824",
		"ide2": "local-lvm:vm-100-cloudinit,media=cdrom", "ide0": "none,media=cdrom", "sata0": "local:100/vm-100-cloudinit.qcow2,media=cdrom",
		"smbios1": "uuid=1B4E28BA-2FA1-41D2-883F-0016D3CCA427,manufacturer=x", "net1": "virtio=BC:24:11:00:00:02,bridge=vmbr0",
		"net0": "model=virtio,macaddr=BC:24:11:00:00:01,bridge=vmbr0", "net10": "e1000=BC:24:11:00:00:0A,bridge=vmbr0,firewall=1",
	}
	for drive, want := range map[string]float64{"scsi0": 3.5, "scsi1": 1024, "scsi2": 1, "ide0": 0, "scsi9": 0} {
		if got := config.sizeGiB(drive); got != want {
			t.Errorf("%s has %g GiB, want %g", drive, got, want)
		}
	}
	if got := config.drives(isCloudInit); !slices.Equal(got, []string{"ide2", "sata0"}) {
		t.Errorf("cloud-init drives are %v", got)
	}
	if config.uuid() != "1b4e28ba-2fa1-41d2-883f-0016d3cca427" {
		t.Errorf("the UUID is %s", config.uuid())
	}
	want := []nic{{0, "bc:24:11:00:00:01"}, {1, "bc:24:11:00:00:02"}, {10, "bc:24:11:00:00:0a"}}
	if got := config.nics(); !slices.Equal(got, want) {
		t.Errorf("the cards are %v", got)
	}
	if drive, err := config.freeIDE(); err != nil || drive != "ide1" {
		t.Errorf("the free drive is %s, %v", drive, err)
	}
}

func TestAddressesAreThoseOfTheMachinesOwnCards(t *testing.T) {
	var nics []agentNIC
	err := json.Unmarshal([]byte(`[
		{"name":"lo","hardware-address":"00:00:00:00:00:00","ip-addresses":[{"ip-address":"127.0.0.1"}]},
		{"name":"docker0","hardware-address":"02:42:00:00:00:01","ip-addresses":[{"ip-address":"172.17.0.1"}]},
		{"name":"eth1","hardware-address":"BC:24:11:00:00:02","ip-addresses":[{"ip-address":"203.0.113.9"},{"ip-address":"100.64.0.9"}]},
		{"name":"eth0","hardware-address":"bc:24:11:00:00:01","ip-addresses":[
			{"ip-address":"fe80::1%eth0"},{"ip-address":"2001:db8::2"},{"ip-address":"10.0.0.20"},{"ip-address":"10.0.0.3"},{"ip-address":"10.0.0.3"},{"ip-address":"nonsense"}]},
		{"name":"tun0"}]`), &nics)
	if err != nil {
		t.Fatal(err)
	}
	got := addressesOf(nics, []nic{{0, "bc:24:11:00:00:01"}, {1, "bc:24:11:00:00:02"}})
	want := []driver.Address{
		{Address: "10.0.0.3", Family: "ipv4", Scope: "private"}, {Address: "10.0.0.20", Family: "ipv4", Scope: "private"},
		{Address: "2001:db8::2", Family: "ipv6", Scope: "public"},
		{Address: "100.64.0.9", Family: "ipv4", Scope: "private"}, {Address: "203.0.113.9", Family: "ipv4", Scope: "public"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if none := addressesOf(nics, nil); none != nil {
		t.Errorf("without cards: %v, want nil: they are not known", none)
	}
}

func TestParseOffer(t *testing.T) {
	for id, want := range map[string]size{
		"1c-2g": {1, 2048, 0}, "4c-8g-100d": {4, 8192, 100}, "128c-4096g": {128, 4194304, 0},
	} {
		if got, err := parseOffer(id); err != nil || got != want || got.String() != id {
			t.Errorf("%s: %+v (%s), %v", id, got, got, err)
		}
	}
	for _, id := range []string{"", "2c", "2c-4", "0c-1g", "2c-0g", "2c-4g-0d", "2c-1.5g", "c-g", "2C-4G", "2c-4g-10", " 2c-4g"} {
		if got, err := parseOffer(id); err == nil {
			t.Errorf("%q is taken as %+v", id, got)
		}
	}
	if got := (size{vcpu: 2, memoryMiB: 1536}).String(); got != "2c-1.5g" {
		t.Errorf("a size between offers is %s", got)
	}
}

func TestSSHKeysAreEncodedTwice(t *testing.T) {
	if got := encodeKeys([]string{"ssh-ed25519 AA+/= me@host"}); got != "ssh-ed25519%20AA%2B%2F%3D%20me%40host%0A" {
		t.Errorf("the keys are %s", got)
	}
}

func TestTaskFields(t *testing.T) {
	const upid = "UPID:pve1:0002F1A3:00AB12CD:65A1B2C3:qmclone:9000:root@pam!emulator:"
	if taskNode(upid) != "pve1" || taskType(upid) != "qmclone" {
		t.Errorf("node %s, type %s", taskNode(upid), taskType(upid))
	}
	for _, text := range []string{"", "pve1", "a:b:c:d:e:f:g"} {
		if taskNode(text) != "" {
			t.Errorf("%q has node %s", text, taskNode(text))
		}
	}
}
