// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestCreateRefusals: the vendor's code and the field that it names for everything that POST /servers refuses.
func TestCreateRefusals(t *testing.T) {
	cases := map[string]struct {
		body   string
		status int
		code   string
		field  string
	}{
		"no JSON":               {`{"name"`, 400, "json_error", ""},
		"no name":               {`{"server_type":"cx23","image":"debian-13"}`, 422, "invalid_input", "name"},
		"underscore in name":    {`{"name":"a_b","server_type":"cx23","image":"debian-13"}`, 422, "invalid_input", "name"},
		"long label in name":    {`{"name":"` + strings.Repeat("a", 64) + `","server_type":"cx23","image":"debian-13"}`, 422, "invalid_input", "name"},
		"name is a number":      {`{"name":5,"server_type":"cx23","image":"debian-13"}`, 422, "invalid_input", "name"},
		"no type":               {`{"name":"a","image":"debian-13"}`, 422, "invalid_input", "server_type"},
		"unknown type":          {`{"name":"a","server_type":"cx99","image":"debian-13"}`, 422, "invalid_input", "server_type"},
		"type is a list":        {`{"name":"a","server_type":[],"image":"debian-13"}`, 422, "invalid_input", "server_type"},
		"retired type":          {`{"name":"a","server_type":"cx22","image":"debian-13","location":"fsn1"}`, 412, "resource_unavailable", ""},
		"no image":              {`{"name":"a","server_type":"cx23"}`, 422, "invalid_input", "image"},
		"unknown image":         {`{"name":"a","server_type":"cx23","image":"beos-5"}`, 422, "invalid_input", "image"},
		"image for another CPU": {`{"name":"a","server_type":"cx23","image":161547270}`, 422, "invalid_input", "image"},
		"unknown location":      {`{"name":"a","server_type":"cx23","image":"debian-13","location":"xyz1"}`, 422, "invalid_input", "location"},
		"type not sold there":   {`{"name":"a","server_type":"cx23","image":"debian-13","location":"ash"}`, 422, "invalid_input", "location"},
		"bad label key":         {`{"name":"a","server_type":"cx23","image":"debian-13","labels":{"-a":"b"}}`, 422, "invalid_input", "labels"},
		"bad label value":       {`{"name":"a","server_type":"cx23","image":"debian-13","labels":{"a":"b c"}}`, 422, "invalid_input", "labels"},
		"reserved label":        {`{"name":"a","server_type":"cx23","image":"debian-13","labels":{"hetzner.cloud/x":"y"}}`, 422, "invalid_input", "labels"},
		"labels are a list":     {`{"name":"a","server_type":"cx23","image":"debian-13","labels":["a"]}`, 422, "invalid_input", "labels"},
		"user data too long":    {`{"name":"a","server_type":"cx23","image":"debian-13","user_data":"` + strings.Repeat("x", 32<<10+1) + `"}`, 422, "invalid_input", "user_data"},
		"unknown SSH key":       {`{"name":"a","server_type":"cx23","image":"debian-13","ssh_keys":[7]}`, 422, "invalid_input", "ssh_keys"},
		"unknown primary IP":    {`{"name":"a","server_type":"cx23","image":"debian-13","public_net":{"ipv4":7}}`, 422, "invalid_input", "public_net.ipv4"},
		"a volume":              {`{"name":"a","server_type":"cx23","image":"debian-13","volumes":[7]}`, 422, "invalid_input", "volumes"},
		"a placement group":     {`{"name":"a","server_type":"cx23","image":"debian-13","placement_group":7}`, 422, "invalid_input", "placement_group"},
		"datacenter is gone":    {`{"name":"a","server_type":"cx23","image":"debian-13","datacenter":"fsn1-dc14"}`, 422, "invalid_input", "datacenter"},
		"name taken":            {webBody, 409, "uniqueness_error", "name"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				c.make()
				got := c.ask("POST", "/servers", test.body)
				want(c.t, "status", got.status, test.status)
				want(c.t, "code", got.code(), test.code)
				field, _ := got.get("error", "details", "fields", 0, "name").(string)
				want(c.t, "field", field, test.field)
				want(c.t, "servers", len(c.Objects("hetzner", "servers")), 1)
			})
		})
	}
}

// TestErrorsKeepTheVendorsShape: details of a 422 have messages, those of a 409 have none; all wrong fields are named.
func TestErrorsKeepTheVendorsShape(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.make()
		wrong := c.ask("POST", "/servers", `{"name":"a_b","server_type":"cx23","image":"debian-13"}`)
		want(c.t, "message", wrong.get("error", "message"), "invalid input in field 'name': is not a valid hostname")
		want(c.t, "messages", wrong.get("error", "details", "fields", 0, "messages", 0), "is not a valid hostname")
		both := c.ask("POST", "/servers", `{"name":"a_b","server_type":"cx23","image":"debian-13","user_data":5}`)
		want(c.t, "message", both.get("error", "message"), "invalid input in fields 'name', 'user_data'")
		taken := c.ask("POST", "/servers", webBody)
		want(c.t, "message", taken.get("error", "message"), "server name is already used")
		want(c.t, "messages", taken.get("error", "details", "fields", 0, "messages"), nil)
		nowhere := c.ask("POST", "/servers", `{"name":"b","server_type":"cx23","image":"debian-13","location":"ash"}`)
		want(c.t, "message", nowhere.get("error", "message"), "unsupported location for server type")
	})
}

func TestQuotaAndCapacity(t *testing.T) {
	cases := map[string]struct {
		change func(*emulator.Settings)
		status int
		code   string
		limit  any
	}{
		"server quota":     {func(s *emulator.Settings) { s.Quotas["servers"] = 1 }, 403, "resource_limit_exceeded", "server_limit"},
		"primary IP quota": {func(s *emulator.Settings) { s.Quotas["primary_ips"] = 3 }, 403, "resource_limit_exceeded", "primary_ip_limit"},
		"no room": {func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Offer: "cx23", Region: "fsn1", Create: new(false)}}
		}, 412, "resource_unavailable", nil},
		"closed region": {func(s *emulator.Settings) { s.ClosedRegions = []string{"fsn1"} }, 412, "resource_unavailable", nil},
		"room elsewhere only": {func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Region: "nbg1", Create: new(false)}}
		}, 201, "", nil},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				c.make()
				if err := c.ChangeSettings(test.change); err != nil {
					c.t.Fatal(err)
				}
				got := c.ask("POST", "/servers", strings.Replace(webBody, "web", "second", 1))
				want(c.t, "status", got.status, test.status)
				want(c.t, "code", got.code(), test.code)
				want(c.t, "limit", got.get("error", "details", "limits", 0, "name"), test.limit)
			})
		})
	}
}
