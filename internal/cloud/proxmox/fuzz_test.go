// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// An offer's name means one size, which has this name.
func FuzzOffer(f *testing.F) {
	for _, seed := range []string{"1c-2g", "4c-8g-100d", "0c-1g", "999c-99999g-999999d", "1c-2g-", "1C-2G", "1c-2g-01d", "-1c-2g"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if read, err := parseOffer(name); err == nil && read.String() != name {
			t.Errorf("%q is read as %+v", name, read)
		}
	})
}

// A description keeps what other people have written, and what was written is read again.
func FuzzDescription(f *testing.F) {
	for _, seed := range []string{
		"", "hello", "better-compute inst_x\naccount pacct_y\nclaim 0-z\ncreating\n\nnotes of others", "created yesterday",
		"claim a\nclaim b", "better-compute  two  spaces", "unfinished\r\ncreating\r\n", "\n\n# title\n",
		"notes\ncreating ", "creating\v", " creating", "\u0085unfinished\u00a0",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		once := readRecord(text)
		again := readRecord(once.String())
		if again.String() != once.String() {
			t.Errorf("%q becomes %q, then %q", text, once.String(), again.String())
		}
		if again.key != once.key || again.claim != once.claim || again.creating != once.creating {
			t.Errorf("%q: the marks were %+v and are %+v", text, once, again)
		}
	})
}

// Whatever a server or a proxy answers with an error, it is explained and nothing breaks.
func FuzzRefusal(f *testing.F) {
	for _, seed := range []string{
		`{"message":"VM 100 already exists on node 'pve1'\n","data":null}`, `{"errors":{"vmid":"invalid","x":[1]}}`, "<html>502</html>", "", "null",
		`{"message":7}`,
	} {
		f.Add(500, seed)
		f.Add(403, seed)
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		response := &http.Response{StatusCode: status, Status: "500 got timeout", Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
		err := refusal(response, []byte(body))
		if described := (&cloud{}).Describe(err); described.Code == "" {
			t.Errorf("%d %q has no code", status, body)
		}
	})
}

// A machine's config and what its guest tells are read as something that a state can hold: no number is without end, no
// address is none.
func FuzzMachine(f *testing.F) {
	for _, seed := range []string{
		`{"data":{"cores":2,"sockets":"1","memory":"4096","smbios1":"uuid=AA-BB","scsi0":"local-lvm:vm-100-disk-0,size=10G","agent":"1",` +
			`"net0":"virtio=BC:24:11:00:00:01,bridge=vmbr0,tag=7","net1":"e1000=BC:24:11:00:00:02","tags":"better-compute;color.blue","boot":"order=scsi0",` +
			`"description":"better-compute inst_x\nclaim 0-z\noffer 2c-4g","ipconfig0":"ip=dhcp","ide2":"local:iso/x.iso,media=cdrom"}}`,
		`{"data":{"memory":"current=2048","scsi0":"x,size=512M","cores":"-1","lock":"clone","template":1}}`, `{"data":{"scsi0":"x,size="}}`, `{"data":null}`, "",
	} {
		f.Add(seed, `{"data":{"result":[{"hardware-address":"bc:24:11:00:00:01","ip-addresses":[{"ip-address":"192.0.2.1"},{"ip-address":"fe80::1%eth0"}]}]}}`)
		f.Add(seed, `{"data":{"result":{"error":{"class":"x"}}}}`)
	}
	own := &cloud{settings: settings{region: "pve", disk: "scsi0", offers: []size{{vcpu: 1, memoryMiB: 2048}}}}
	f.Fuzz(func(t *testing.T, config, guest string) {
		found := vm{vmid: 100, node: "pve1"}
		response := &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{}}
		if err := decode(response, []byte(config), &found.config); err != nil {
			if own.Describe(err).Code == "" {
				t.Errorf("%q has no code", config)
			}
			return
		}
		var answer struct{ Result []agentNIC }
		_ = decode(response, []byte(guest), &answer) // a guest that cannot be asked has no addresses
		machine := own.machine(found, statusRunning, addressesOf(answer.Result, found.config.nics()))
		if text, err := json.Marshal(machine); err != nil {
			t.Errorf("%q: %v", config, err)
		} else if machine.VCPU < 0 || machine.MemoryGiB < 0 || machine.DiskGiB < 0 {
			t.Errorf("%q has a negative size: %s", config, text)
		}
		for _, one := range machine.Addresses {
			if _, usable := usableAddress(one.Address); !usable {
				t.Errorf("%q shows %+v", guest, one)
			}
		}
	})
}
