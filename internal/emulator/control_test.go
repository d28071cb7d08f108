// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// control sends a request to the control API and gives status and body.
func control(t *testing.T, e *emulator.Emulator, method, path, body string) (int, string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	recorder := httptest.NewRecorder()
	e.ControlHandler().ServeHTTP(recorder, request)
	data, err := io.ReadAll(recorder.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return recorder.Code, strings.TrimSpace(string(data))
}

func mustControl(t *testing.T, e *emulator.Emulator, method, path, body string) string {
	t.Helper()
	status, answer := control(t, e, method, path, body)
	if status != http.StatusOK {
		t.Fatalf("%s %s: %d %s", method, path, status, answer)
	}
	return answer
}

func mustSend(t *testing.T, e *emulator.Emulator, method, path, body string) {
	t.Helper()
	if _, _, err := send(t.Context(), e.Hetzner, e.Hetzner.Client(), method, path, body); err != nil {
		t.Fatal(err)
	}
}

func TestControlJournal(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	if got := mustControl(t, e, "GET", "/journal", ""); got != "[]" {
		t.Errorf("fresh journal: %s", got)
	}
	mustSend(t, e, "GET", "/images?name=debian-13&architecture=arm", "")
	mustSend(t, e, "POST", "/servers", webBody)
	mustSend(t, e, "POST", "/servers", webBody)
	var entries []emulator.Entry
	if err := json.Unmarshal([]byte(mustControl(t, e, "GET", "/journal?vendor=hetzner&since=0", "")), &entries); err != nil {
		t.Fatal(err)
	}
	for i, want := range []emulator.Entry{
		{Seq: 1, Vendor: "hetzner", Token: "main", Method: "GET", Path: "/v1/images", Query: "name=debian-13&architecture=arm", Status: 200, Accepted: true},
		{Seq: 2, Vendor: "hetzner", Token: "main", Method: "POST", Path: "/v1/servers", Status: 201, Accepted: true, Object: e.Objects("hetzner", "servers")[0].ID},
		{Seq: 3, Vendor: "hetzner", Token: "main", Method: "POST", Path: "/v1/servers", Status: 409},
	} {
		if entries[i].Time.IsZero() {
			t.Errorf("entry %d has no time", i)
		}
		want.Time = entries[i].Time
		if entries[i] != want {
			t.Errorf("entry %+v, want %+v", entries[i], want)
		}
	}
	for query, count := range map[string]int{"?since=2": 1, "?vendor=proxmox": 0, "?since=9": 0} {
		if got := strings.Count(mustControl(t, e, "GET", "/journal"+query, ""), `"seq"`); got != count {
			t.Errorf("journal%s has %d entries, want %d", query, got, count)
		}
	}
	mustControl(t, e, "DELETE", "/journal", "")
	mustSend(t, e, "GET", "/servers", "")
	if left := e.Journal(); len(left) != 1 || left[0].Seq != 4 {
		t.Errorf("journal after it was emptied: %+v", left)
	}
}

// TestJournalKeepsNoSecrets: neither tokens nor bodies.
func TestJournalKeepsNoSecrets(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	mustSend(t, e, "POST", "/servers", strings.Replace(webBody, "{", `{"user_data":"planted-secret",`, 1))
	journal := mustControl(t, e, "GET", "/journal", "")
	for _, secret := range []string{e.Hetzner.Token, "planted-secret"} {
		if strings.Contains(journal, secret) {
			t.Errorf("journal shows %s", secret)
		}
	}
}

// emptyInventory names every vendor and kind; on Proxmox the templates are there.
const emptyInventory = `{"digitalocean":{"byoip_prefixes":[],"certificates":[],"domains":[{"id":"example.com","name":"example.com","state":"","holder":null,"busy":null,"project":"main"}],"droplets":[],` +
	`"firewalls":[],"load_balancers":[],"reserved_ips":[],"reserved_ipv6":[],"tags":[],"vpcs":[]},"hetzner":{"certificates":[],"firewalls":[],"floating_ips":[],"load_balancers":[],"networks":[],"placement_groups":[],"primary_ips":[],"servers":[],` +
	`"zones":[{"id":"example.com","name":"example.com","state":"ok","holder":null,"busy":null,"project":"main"}]},` +
	`"proxmox":{` + bridges + `,"security_groups":[],"vms":[` +
	`{"id":"9000","name":"debian-13","state":"stopped","tags":[],"holder":null,"busy":null,"node":"pve1","template":true},` +
	`{"id":"9001","name":"ubuntu-24.04","state":"stopped","tags":[],"holder":null,"busy":null,"node":"pve1","template":true}],` +
	`"vnets":[],"volumes":[` +
	`{"id":"local-lvm:vm-9000-cloudinit","name":"vm-9000-cloudinit","state":"images","holder":"9000","busy":null,"node":"pve1"},` +
	`{"id":"local-lvm:base-9000-disk-0","name":"base-9000-disk-0","state":"images","holder":"9000","busy":null,"node":"pve1"},` +
	`{"id":"local-lvm:vm-9001-cloudinit","name":"vm-9001-cloudinit","state":"images","holder":"9001","busy":null,"node":"pve1"},` +
	`{"id":"local-lvm:base-9001-disk-0","name":"base-9001-disk-0","state":"images","holder":"9001","busy":null,"node":"pve1"}],"zones":[]}}`

// bridges are those that each node has.
const bridges = `"bridges":[` +
	`{"id":"pve1/vmbr0","name":"vmbr0","state":"active","holder":null,"busy":null,"node":"pve1"},` +
	`{"id":"pve1/vmbr1","name":"vmbr1","state":"active","holder":null,"busy":null,"node":"pve1"},` +
	`{"id":"pve2/vmbr0","name":"vmbr0","state":"active","holder":null,"busy":null,"node":"pve2"},` +
	`{"id":"pve2/vmbr1","name":"vmbr1","state":"active","holder":null,"busy":null,"node":"pve2"},` +
	`{"id":"pve3/vmbr0","name":"vmbr0","state":"active","holder":null,"busy":null,"node":"pve3"},` +
	`{"id":"pve3/vmbr1","name":"vmbr1","state":"active","holder":null,"busy":null,"node":"pve3"}]`

// TestBytesOfAVolume: what was uploaded comes back as it was.
func TestBytesOfAVolume(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	content := "CD001\x00\xff"
	if _, err := e.Plant("proxmox", "volumes", emulator.Fields{"volid": "local:iso/seed.iso", "data": []byte(content)}); err != nil {
		t.Fatal(err)
	}
	if got := mustControl(t, e, "GET", "/inventory/proxmox/volumes/local:iso%2Fseed.iso", ""); got != content {
		t.Errorf("bytes %q", got)
	}
}

func TestControlInventory(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	if got := mustControl(t, e, "GET", "/inventory", ""); got != emptyInventory {
		t.Errorf("empty inventory: %s", got)
	}
	var planted emulator.Object
	answer := mustControl(t, e, "POST", "/inventory/hetzner/servers", `{"name":"theirs","labels":{"a":"b"},"status":"off"}`)
	if err := json.Unmarshal([]byte(answer), &planted); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(`{"id":%q,"name":"theirs","state":"off","labels":{"a":"b"},"holder":null,"busy":null,"project":"main"}`, planted.ID)
	if answer != want {
		t.Errorf("planted: %s, want %s", answer, want)
	}
	path := "/inventory/hetzner/servers/" + planted.ID
	if changed := mustControl(t, e, "PATCH", path, `{"status":"running","labels":{}}`); !strings.Contains(changed, `"state":"running","labels":{}`) {
		t.Errorf("changed: %s", changed)
	}
	mustControl(t, e, "DELETE", path, "")
	if got := mustControl(t, e, "GET", "/inventory", ""); got != emptyInventory {
		t.Errorf("inventory afterwards: %s", got)
	}
	if entries := e.Journal(); len(entries) != 0 {
		t.Errorf("control shows in the journal: %+v", entries)
	}
}

func TestControlFaults(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	if got := mustControl(t, e, "POST", "/faults", `{"method":"GET","action":"drop","times":0}`); got != `{"id":"fault-1"}` {
		t.Errorf("added: %s", got)
	}
	want := `[{"id":"fault-1","method":"GET","skip":0,"times":0,"point":"before","action":"drop","hits":0,"holding":0}]`
	if got := mustControl(t, e, "GET", "/faults", ""); got != want {
		t.Errorf("faults: %s, want %s", got, want)
	}
	mustControl(t, e, "DELETE", "/faults/fault-1", "")
	mustControl(t, e, "POST", "/faults", `{"action":"hang","delay":"90s"}`)
	mustControl(t, e, "DELETE", "/faults", "")
	if got := mustControl(t, e, "GET", "/faults", ""); got != "[]" {
		t.Errorf("faults afterwards: %s", got)
	}
}

func TestControlSettings(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	var explained map[string]struct{ Meaning string }
	if err := json.Unmarshal([]byte(mustControl(t, e, "GET", "/settings", "")), &explained); err != nil {
		t.Fatal(err)
	}
	for key, setting := range explained {
		if setting.Meaning == "" {
			t.Errorf("%s has no meaning", key)
		}
	}
	mustControl(t, e, "POST", "/settings", `{"action_time":"5s","quotas":{"servers":3},"action_times":{"create_server":"1m"}}`)
	mustControl(t, e, "POST", "/settings", `{"action_times":{"delete_server":"2m"},"limits":{"hetzner":{"remaining":5}}}`)
	s := e.Settings()
	if s.ActionTime.String() != "5s" || s.Quotas["servers"] != 3 || s.Quotas["primary_ips"] != 2000 {
		t.Errorf("merged: %+v", s)
	}
	if len(s.ActionTimes) != 2 || s.Limits["hetzner"].PerHour != 3600 || *s.Limits["hetzner"].Remaining != 5 {
		t.Errorf("merged: %+v", s)
	}
	mustControl(t, e, "POST", "/settings", `{"action_time":null,"quotas":{"servers":null},"action_times":{"create_server":null}}`)
	s = e.Settings()
	if s.ActionTime.String() != "200ms" || s.Quotas["servers"] != 1000 || len(s.ActionTimes) != 1 {
		t.Errorf("put back: %+v", s)
	}
	mustControl(t, e, "POST", "/reset", "")
	if s = e.Settings(); len(s.ActionTimes) != 0 || s.Limits["hetzner"].Remaining != nil {
		t.Errorf("reset: %+v", s)
	}
}

// TestControlRefuses: 400 with the reason, and nothing changes.
func TestControlRefuses(t *testing.T) {
	cases := map[string][3]string{
		"unknown field of a fault":    {"POST", "/faults", `{"action":"drop","colour":"red"}`},
		"two faults at once":          {"POST", "/faults", `{"action":"drop"}{"action":"drop"}`},
		"fault without an action":     {"POST", "/faults", `{}`},
		"missing fault":               {"DELETE", "/faults/fault-7", ""},
		"unknown setting":             {"POST", "/settings", `{"colour":"red"}`},
		"unknown field in a setting":  {"POST", "/settings", `{"lag":{"colour":"1s"}}`},
		"duration without a unit":     {"POST", "/settings", `{"action_time":5}`},
		"negative duration":           {"POST", "/settings", `{"delay":"-1s"}`},
		"unknown operation":           {"POST", "/settings", `{"action_times":{"fly":"1s"}}`},
		"unknown operation's result":  {"POST", "/settings", `{"action_results":{"fly":{"status":"error"}}}`},
		"result without a status":     {"POST", "/settings", `{"action_results":{"create_server":{}}}`},
		"unknown kind":                {"POST", "/settings", `{"quotas":{"planets":9}}`},
		"unknown vendor of a limit":   {"POST", "/settings", `{"limits":{"azure":{"per_hour":5}}}`},
		"limit of 0":                  {"POST", "/settings", `{"limits":{"hetzner":{"per_hour":0}}}`},
		"negative lag":                {"POST", "/settings", `{"lag":{"tag":"-1s"}}`},
		"negative minute's limit":     {"POST", "/settings", `{"limits":{"digitalocean":{"per_minute":-1}}}`},
		"settings are a list":         {"POST", "/settings", `[]`},
		"no release":                  {"POST", "/settings", `{"release":"trixie"}`},
		"neither on nor off":          {"POST", "/settings", `{"agent":{"100":"maybe"}}`},
		"agent before the start":      {"POST", "/settings", `{"agent":{"":"-5s"}}`},
		"bytes of nothing":            {"GET", "/inventory/proxmox/volumes/local:iso%2Fnone.iso", ""},
		"bytes of a server":           {"GET", "/inventory/hetzner/servers/1", ""},
		"since is no number":          {"GET", "/journal?since=x", ""},
		"unknown vendor":              {"POST", "/inventory/azure/servers", `{}`},
		"unknown kind of object":      {"POST", "/inventory/hetzner/planets", `{}`},
		"unknown field of an object":  {"POST", "/inventory/hetzner/servers", `{"colour":"red"}`},
		"object that is not there":    {"PATCH", "/inventory/hetzner/servers/1", `{}`},
		"vanishing what is not there": {"DELETE", "/inventory/hetzner/servers/1", ""},
		"no JSON":                     {"POST", "/inventory/hetzner/servers", `{`},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			e := emulator.InMemory(t, emulator.Options{})
			state := func() string {
				return mustControl(t, e, "GET", "/settings", "") + mustControl(t, e, "GET", "/faults", "") + mustControl(t, e, "GET", "/inventory", "")
			}
			before := state()
			status, body := control(t, e, test[0], test[1], test[2])
			if status != http.StatusBadRequest || !strings.HasPrefix(body, `{"error":"`) {
				t.Errorf("%d %s", status, body)
			}
			if after := state(); after != before {
				t.Errorf("changed from %s to %s", before, after)
			}
		})
	}
	if status, body := control(t, emulator.New(emulator.Options{}), "GET", "/nothing", ""); status != 404 {
		t.Errorf("unknown route: %d %s", status, body)
	}
}

func TestResetPutsAllBack(t *testing.T) {
	e := emulator.InMemory(t, emulator.Options{})
	token := e.Hetzner.Token
	mustSend(t, e, "POST", "/servers", webBody)
	mustFault(t, e, emulator.Fault{Action: "drop", Method: "DELETE"})
	mustControl(t, e, "POST", "/settings", `{"page_max":3}`)
	mustControl(t, e, "POST", "/reset", "")
	if left := mustControl(t, e, "GET", "/inventory", ""); left != emptyInventory {
		t.Errorf("inventory: %s", left)
	}
	if len(e.Faults()) != 0 || len(e.Journal()) != 0 || e.Settings().PageMax != 0 || e.Hetzner.Token != token {
		t.Errorf("faults %v, journal %v, settings %+v", e.Faults(), e.Journal(), e.Settings())
	}
}
