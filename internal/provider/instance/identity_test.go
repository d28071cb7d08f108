// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestPlannedIDIsKnownUnlessAnArgumentOfItIsNot(t *testing.T) {
	plain := plannedID("root", written())
	if plain.IsUnknown() {
		t.Fatal("the id of a known configuration is unknown")
	}
	for name, test := range map[string]struct {
		config  func(*model)
		tenant  string
		unknown bool
		same    bool
	}{
		"nothing but an offer":            {config: func(m *model) { m.OfferID = unknown }, same: true},
		"labels unknown":                  {config: func(m *model) { m.Labels = types.MapUnknown(types.StringType) }, same: true},
		"write-only user data alone":      {config: func(m *model) { m.UserDataWO = types.StringValue("x") }, same: true},
		"empty user data":                 {config: func(m *model) { m.UserData = types.StringValue("") }, same: true},
		"keys, which are ignored":         {config: func(m *model) { m.SSHAuthorizedKeys = textSet(sshKey) }, same: true},
		"keys unknown, which are ignored": {config: func(m *model) { m.SSHAuthorizedKeys = types.SetUnknown(types.StringType) }, same: true},
		"no keys that replace":            {config: func(m *model) { m.OnChange = onChange(null, null, types.StringValue("replace")) }, same: true},
		"another image":                   {config: func(m *model) { m.Image = types.StringValue("x") }},
		"user data":                       {config: func(m *model) { m.UserData = types.StringValue("x") }},
		"a version":                       {config: func(m *model) { m.UserDataWOVersion = types.StringValue("1") }},
		"a region":                        {config: func(m *model) { m.Region = types.StringValue("fsn1") }},
		"another tenant":                  {tenant: "team"},
		"an idempotency key":              {config: func(m *model) { m.IdempotencyKey = types.StringValue("k") }},
		"an idempotency key, all else unknown": {config: func(m *model) {
			m.IdempotencyKey, m.Name, m.Image, m.UserData = types.StringValue("k"), unknown, unknown, unknown
		}},
		"name unknown":            {config: func(m *model) { m.Name = unknown }, unknown: true},
		"region unknown":          {config: func(m *model) { m.Region = unknown }, unknown: true},
		"user data unknown":       {config: func(m *model) { m.UserData = unknown }, unknown: true},
		"idempotency key unknown": {config: func(m *model) { m.IdempotencyKey = unknown }, unknown: true},
		"account unknown":         {config: func(m *model) { m.ProviderAccount = types.ObjectUnknown(m.ProviderAccount.AttributeTypes(t.Context())) }, unknown: true},
		"on_change unknown":       {config: func(m *model) { m.OnChange = types.ObjectUnknown(m.OnChange.AttributeTypes(t.Context())) }, unknown: true},
		"keys unknown, which replace": {config: func(m *model) {
			m.SSHAuthorizedKeys, m.OnChange = types.SetUnknown(types.StringType), onChange(null, null, types.StringValue("replace"))
		}, unknown: true},
		"the provider's tenant is not known yet": {tenant: "-", unknown: true},
	} {
		t.Run(name, func(t *testing.T) {
			config, tenant := written(), "root"
			change(&config, test.config)
			switch test.tenant {
			case "":
			case "-":
				tenant = ""
			default:
				tenant = test.tenant
			}
			id := plannedID(tenant, config)
			if id.IsUnknown() != test.unknown {
				t.Fatalf("id is %s", id)
			}
			if same := id.Equal(plain); !test.unknown && same != test.same {
				t.Errorf("id is %s, the plain one %s", id, plain)
			}
		})
	}
}
