// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// only is the one object of a collection, templates and what others have planted aside.
func (s *stage) only(collection string) emulator.Object {
	s.T.Helper()
	var found []emulator.Object
	for _, object := range s.Emulator.Objects(s.Vendor.Name, collection) {
		if !object.Template && object.Name != "foreign" {
			found = append(found, object)
		}
	}
	if len(found) == 0 {
		s.T.Fatalf("there are no %s", collection)
	}
	return found[0]
}

func (s *stage) patch(collection, id string, fields emulator.Fields) {
	s.T.Helper()
	if _, err := s.Emulator.Patch(s.Vendor.Name, collection, id, fields); err != nil {
		s.T.Fatal(err)
	}
}

// patched is a change of the one object of a collection; fields are by vendor.
func patched(collection func(*stage) string, fields map[string]emulator.Fields) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		s.patch(collection(s), s.only(collection(s)).ID, fields[s.Vendor.Name])
	}
}

func same(fields emulator.Fields) map[string]emulator.Fields {
	return map[string]emulator.Fields{"hetzner": fields, "digitalocean": fields, "proxmox": fields}
}

func vanished(collection func(*stage) string) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		if err := s.Emulator.Vanish(s.Vendor.Name, collection(s), s.only(collection(s)).ID); err != nil {
			s.T.Fatal(err)
		}
	}
}

func machines(s *stage) string { return s.Vendor.Collection }

// relabelled changes labels and marks of the machine.
func relabelled(by func(labels, marks map[string]string)) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		one := s.only(machines(s))
		labels, marks := s.Vendor.Labels(one)
		by(labels, marks)
		if err := s.Vendor.Relabel(s.Emulator, one.ID, labels, marks); err != nil {
			s.T.Fatal(err)
		}
	}
}

func wiped(_, marks map[string]string) { clear(marks) }

func resized(s *stage, _ providertest.State) {
	if err := s.Vendor.Resize(s.Emulator, s.only(machines(s)).ID); err != nil {
		s.T.Fatal(err)
	}
}

func switched(on bool) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		word := s.Vendor.OffWord()
		if on {
			word = s.Vendor.Running
		}
		s.patch(machines(s), s.only(machines(s)).ID, emulator.Fields{"status": word})
	}
}

// grown gives the machine's disk 200 GiB.
func grown(s *stage, _ providertest.State) {
	one := s.only(machines(s))
	fields := map[string]emulator.Fields{"hetzner": {"primary_disk_size": 200}, "digitalocean": {"disk": 200}}
	for _, volume := range s.Emulator.Objects("proxmox", "volumes") {
		if s.Vendor.Name == "proxmox" && volume.Holder != nil && *volume.Holder == one.ID && volume.State == "images" {
			fields["proxmox"] = emulator.Fields{"scsi0": volume.ID + ",size=200G"}
		}
	}
	s.patch(machines(s), one.ID, fields[s.Vendor.Name])
}

// detached takes the first or the second public address of the machine off.
func detached(at int) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		s.patch("primary_ips", s.Emulator.Objects("hetzner", "primary_ips")[at].ID, emulator.Fields{"assignee_id": nil})
	}
}

// hidden makes sure that no answer of the vendor shows what somebody could have changed inside the machine.
func hidden(text string) func(*stage, providertest.State) {
	return func(s *stage, state providertest.State) {
		paths := map[string]string{"hetzner": "/servers", "digitalocean": "v2/droplets", "proxmox": "/api2/json/nodes/pve1/qemu/" + s.only(machines(s)).ID + "/config"}
		vendor := s.Vendor.Of(s.Emulator)
		request, err := http.NewRequestWithContext(s.T.Context(), http.MethodGet, vendor.Endpoint+paths[s.Vendor.Name], nil)
		if err != nil {
			s.T.Fatal(err)
		}
		request.Header.Set("Authorization", map[bool]string{true: "PVEAPIToken=", false: "Bearer "}[s.Vendor.Name == "proxmox"]+vendor.Token)
		response, err := vendor.Client().Do(request)
		if err != nil {
			s.T.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != http.StatusOK || !strings.Contains(string(body), "web") {
			s.T.Fatalf("%d %v: %s", response.StatusCode, err, body)
		}
		if strings.Contains(string(body), text) {
			s.T.Errorf("the vendor shows %s, so a change of it could be seen", text)
		}
	}
}

// keysChanged takes the keys off where the vendor shows its own copy of them.
func keysChanged(s *stage, state providertest.State) {
	if s.Vendor.Name == "proxmox" {
		s.patch(machines(s), s.only(machines(s)).ID, emulator.Fields{"sshkeys": nil})
		return
	}
	hidden(strings.Fields(oneKey)[1])(s, state)
}

var instanceHands = map[string]tampering{
	"machine_id: deleted": {do: vanished(machines)},
	"id: another id written over ours in the marks": {do: relabelled(func(_, marks map[string]string) {
		marks["key"] = "inst_" + strings.Repeat("a", 52)
	})},
	"managed: the marks wiped":                                       {do: relabelled(wiped)},
	"name: renamed":                                                  {do: patched(machines, same(emulator.Fields{"name": "api"}))},
	"labels: one of `labels` changed":                                {before: webLabel, do: relabelled(func(labels, _ map[string]string) { labels["role"] = "api" })},
	"labels: one of `labels` taken off":                              {before: webLabel, do: relabelled(func(labels, _ map[string]string) { delete(labels, "role") })},
	"labels: one that is not in `labels` put on":                     {before: webLabel, do: relabelled(func(labels, _ map[string]string) { labels["team"] = "a" })},
	"offer_id: resized, and `allow_stopping_for_update` is true":     {before: values{"allow_stopping_for_update": true}, do: resized},
	"offer_id: resized, and `allow_stopping_for_update` is not true": {do: resized, code: "INVALID_INPUT"},
	"offer_id: resized to another one of `offer_ids`":                {before: values{"offer_id": nil, "offer_ids": listOf(smallOffer, largerOffer)}, do: resized},
	"vcpu: resized to what `offer_id` says since":                    {after: values{"offer_id": largerOffer}, do: resized},
	"memory_gib: resized to what `offer_id` says since":              {after: values{"offer_id": largerOffer}, do: resized},
	"price_per_hour: resized to what `offer_id` says since":          {after: values{"offer_id": largerOffer}, do: resized},
	"currency: resized to what `offer_id` says since":                {after: values{"offer_id": largerOffer}, do: resized},
	"disk_gib: the disk grown":                                       {do: grown},
	"power: switched off, and `power` is \"on\"":                     {before: values{"power": "on"}, do: switched(false)},
	"power: switched on, and `power` is \"off\"":                     {before: values{"power": "off"}, do: switched(true)},
	"power: switched off, and `power` is not set":                    {do: switched(false)},
	"state: switched off":                                            {do: switched(false)},
	"image: another image put on the disk":                           {do: patched(machines, anotherImage)},
	"image_id: another image put on the disk":                        {do: patched(machines, anotherImage)},
	"region: moved to another node":                                  {do: patched(machines, same(emulator.Fields{"node": "pve2"}))},
	"addresses: the public IPv4 address taken off":                   {do: detached(0)},
	"ipv4_address: the public IPv4 address taken off":                {do: detached(0)},
	"ipv6_address: the public IPv6 address taken off":                {do: detached(1)},
	"user_data: changed inside the machine":                          {before: values{"user_data": "#cloud-config\n# planted\n"}, do: hidden("planted")},
	"user_data_wo: changed inside the machine": {
		before: values{"user_data_wo": "#cloud-config\n# planted\n", "user_data_wo_version": "1"}, do: hidden("planted"),
	},
	"ssh_authorized_keys: changed inside the machine": {
		before: values{"ssh_authorized_keys": []any{oneKey}, "user_data": "#cloud-config\n{}\n"}, do: keysChanged,
	},
}

var (
	webLabel     = values{"labels": values{"role": "web"}}
	anotherImage = map[string]emulator.Fields{"hetzner": {"image": "debian-13"}, "digitalocean": {"image": "debian-13-x64"}}
)

func reserved(s *stage) string {
	return map[string]string{"hetzner": "floating_ips", "digitalocean": "reserved_ips"}[s.Vendor.Name]
}

// unmarked takes off what says whose an address or a certificate is.
func unmarked(collection func(*stage) string) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		if s.Vendor.Name == "hetzner" {
			s.patch(collection(s), s.only(collection(s)).ID, emulator.Fields{"labels": map[string]string{}})
			return
		}
		for _, tag := range s.Emulator.Objects("digitalocean", "tags") {
			if err := s.Emulator.Vanish("digitalocean", "tags", tag.ID); err != nil {
				s.T.Fatal(err)
			}
		}
	}
}

// placed puts the address on a machine of somebody else, or on none.
func placed(foreign bool) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		var holder any
		if foreign {
			planted, err := s.Vendor.Plant(s.Emulator, "foreign", nil, nil)
			if err != nil {
				s.T.Fatal(err)
			}
			if holder, err = strconv.ParseInt(planted.ID, 10, 64); err != nil {
				s.T.Fatal(err)
			}
		}
		fields := map[string]emulator.Fields{"hetzner": {"server": holder}, "digitalocean": {"droplet": holder}}
		s.patch(reserved(s), s.only(reserved(s)).ID, fields[s.Vendor.Name])
	}
}

// renamedReverse gives the address another host name.
func renamedReverse(s *stage, state providertest.State) {
	names := []map[string]string{{"ip": providertest.Text(s.T, state.Value, "address"), "dns_ptr": "other.example.com"}}
	s.patch(reserved(s), s.only(reserved(s)).ID, emulator.Fields{"dns_ptr": names})
}

var addressHands = map[string]tampering{
	"address: released":                                    {do: vanished(reserved)},
	"state: the marks wiped":                               {do: unmarked(reserved)},
	"state: blocked":                                       {do: patched(reserved, same(emulator.Fields{"blocked": true}))},
	"name: renamed":                                        {do: patched(reserved, same(emulator.Fields{"name": "back"}))},
	"reverse_dns: another host name":                       {before: values{"reverse_dns": "www.example.com"}, do: renamedReverse},
	"reverse_dns: one, and `reverse_dns` is not set":       {do: renamedReverse},
	"description: changed":                                 {before: values{"description": "the front door"}, do: patched(reserved, same(emulator.Fields{"description": "gone"}))},
	"region: its home moved":                               {do: patched(reserved, same(emulator.Fields{"home_location": "nbg1"}))},
	"instance: taken off its machine":                      {before: onBlue, do: placed(false)},
	"instance: put on a machine of somebody else":          {before: onBlue, do: placed(true), code: "CONFLICT"},
	"assignment_state: taken off its machine":              {before: onBlue, do: placed(false)},
	"reserved_at: released, and reserved anew by somebody": {do: patched(reserved, same(emulator.Fields{"created": "2020-01-01T00:00:00Z"}))},
}

func uploaded(*stage) string { return "certificates" }

// renewed gives the certificate a later end.
func renewed(s *stage, _ providertest.State) {
	until := time.Now().Add(100 * 24 * time.Hour).UTC()
	patched(uploaded, map[string]emulator.Fields{"hetzner": {"not_valid_after": until}, "digitalocean": {"not_after": until}})(s, providertest.State{})
}

// turned puts something else behind a reference.
func turned(variable, value string) func(*stage, providertest.State) {
	return func(s *stage, _ providertest.State) {
		s.T.Setenv("BETTERCOMPUTE_CHANGES_"+variable, s.values[value].(string))
	}
}

var certificateHands = map[string]tampering{
	"certificate_id: deleted":               {do: vanished(uploaded)},
	"certificate_id: renewed by the vendor": {do: renewed},
	"not_before: renewed by the vendor":     {do: renewed},
	"not_after: renewed by the vendor":      {do: renewed},
	"fingerprint: renewed by the vendor":    {do: renewed},
	"managed: the marks wiped":              {do: unmarked(uploaded)},
	"name: renamed":                         {do: patched(uploaded, same(emulator.Fields{"name": "other"}))},
	"state: its renewal or issuance has failed": {do: patched(uploaded, map[string]emulator.Fields{
		"hetzner": {"status": map[string]string{"issuance": "failed", "renewal": "unavailable"}}, "digitalocean": {"state": "error"},
	})},
	"certificate: another certificate put behind the reference": {base: "references", do: turned("ONE", "two")},
	"private_key: another key put behind the reference":         {base: "references", do: turned("ONE_KEY", "two key")},
	"chain: another chain put behind the reference":             {base: "references", do: turned("CHAIN", "one")},
}

var accountHands = map[string]tampering{
	"verify: the token revoked": {before: values{"verify": true}, code: "ACCESS_DENIED", do: func(s *stage, _ providertest.State) {
		token := s.Vendor.Of(s.Emulator).Token
		s.T.Setenv(providertest.SceneVariable, token[:len(token)-4]+"0000")
	}},
}

var secretHands = map[string]tampering{
	"ref: the entry taken out of the file": {do: func(s *stage, _ providertest.State) {
		if _, err := s.values["file"].(*secret.SealedFile).Remove(s.T.Context(), secret.Entry{Tenant: "root", Name: "token"}); err != nil {
			s.T.Fatal(err)
		}
	}},
	"value_wo: another value put into the file": {do: func(s *stage, _ providertest.State) {
		if err := s.values["file"].(*secret.SealedFile).Put(s.T.Context(), secret.Entry{Tenant: "root", Name: "token"}, "two"); err != nil {
			s.T.Fatal(err)
		}
	}},
}
