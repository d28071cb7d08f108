// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// plans are changes from the state of a finished machine to a configuration, and what is planned.
var plans = map[string]struct {
	state, config func(*model)
	private       private
	replace       string
	says          []string
	unknown       string
}{
	"nothing changes": {},
	"the image changes": {
		config: func(m *model) { m.Image = types.StringValue("ubuntu-24.04") }, replace: "image",
	},
	"the image changes with reinstall": {
		config: func(m *model) {
			m.Image, m.OnChange = types.StringValue("ubuntu-24.04"), onChange(types.StringValue("reinstall"), null, null)
		},
		says: []string{"Warning: The disk of web will be erased"}, unknown: "image_id state",
	},
	"the image changes with ignore": {
		config: func(m *model) {
			m.Image, m.OnChange = types.StringValue("ubuntu-24.04"), onChange(types.StringValue("ignore"), null, null)
		},
		says: []string{"Warning: A change of image that changes nothing on the machine"},
	},
	"the image changes and on_change is unknown": {
		config: func(m *model) {
			m.Image, m.OnChange = types.StringValue("ubuntu-24.04"), onChange(unknown, null, null)
		},
		says: []string{"Warning: Not known until apply: image"}, unknown: "image_id state",
	},
	"the image is unknown": {
		config: func(m *model) { m.Image = unknown },
		says:   []string{"Warning: Not known until apply: image"},
	},
	"the image is unknown and ignored": {
		config: func(m *model) { m.Image, m.OnChange = unknown, onChange(types.StringValue("ignore"), null, null) },
	},
	"user data comes": {
		config: func(m *model) { m.UserData = types.StringValue("#cloud-config") }, replace: "user_data",
	},
	"empty user data in place of none": {
		config: func(m *model) { m.UserData = types.StringValue("") },
	},
	"the version of the write-only user data changes": {
		state:  func(m *model) { m.UserDataWOVersion = types.StringValue("1") },
		config: func(m *model) { m.UserDataWOVersion = types.StringValue("2") }, replace: "user_data_wo_version",
	},
	"user data moves to the write-only argument": {
		state:   func(m *model) { m.UserData = types.StringValue("#cloud-config") },
		config:  func(m *model) { m.UserDataWOVersion = types.StringValue("1") },
		replace: "user_data user_data_wo_version",
	},
	"a key is added": {
		config: func(m *model) { m.SSHAuthorizedKeys = textSet(sshKey) },
		says:   []string{"Warning: A change of ssh_authorized_keys that changes nothing on the machine"},
	},
	"a key is added with replace": {
		config: func(m *model) {
			m.SSHAuthorizedKeys, m.OnChange = textSet(sshKey), onChange(null, null, types.StringValue("replace"))
		},
		replace: "ssh_authorized_keys",
	},
	"an empty set of keys in place of none": {
		config: func(m *model) { m.SSHAuthorizedKeys = textSet() },
	},
	"the region changes": {
		config: func(m *model) { m.Region = types.StringValue("nbg1") }, replace: "region",
	},
	"the region that it has is written": {
		config: func(m *model) { m.Region = types.StringValue("fsn1") },
	},
	"the region is unknown": {
		config: func(m *model) { m.Region = unknown }, says: []string{"Warning: Not known until apply: region"}, unknown: "region",
	},
	"an idempotency key comes": {
		config: func(m *model) { m.IdempotencyKey = types.StringValue("k") }, replace: "idempotency_key",
	},
	"the offer changes": {
		config: func(m *model) { m.OfferID = types.StringValue("cx33") },
		says:   []string{"Error: Unable to change offer_id of web without stopping it (INVALID_INPUT)"}, unknown: sizes,
	},
	"the offer changes and the machine may be stopped": {
		config: func(m *model) { m.OfferID, m.AllowStopping = types.StringValue("cx33"), types.BoolValue(true) },
		says:   []string{"Warning: web will be stopped and started again"}, unknown: sizes,
	},
	"the offer changes and whether it may be stopped is unknown": {
		config: func(m *model) { m.OfferID, m.AllowStopping = types.StringValue("cx33"), types.BoolUnknown() },
		says:   []string{"Warning: web will be stopped and started again"}, unknown: sizes,
	},
	"the offer of a machine that is off changes": {
		state:  func(m *model) { m.State = types.StringValue("stopped") },
		config: func(m *model) { m.OfferID = types.StringValue("cx33") },
		says:   []string{"Warning: web will be changed while it is off"}, unknown: sizes,
	},
	"the offer changes and the machine goes off": {
		config:  func(m *model) { m.OfferID, m.Power = types.StringValue("cx33"), types.StringValue("off") },
		says:    []string{"Warning: web will be changed while it is off", "Warning: web will be switched off"},
		unknown: "currency disk_gib memory_gib price_per_hour state vcpu",
	},
	"an update was broken off": {
		private: private{Stopped: true},
		state:   func(m *model) { m.State = types.StringValue("stopped") },
		says:    []string{"Warning: An update of web did not come to its end"}, unknown: "state",
	},
	"a resize was broken off": {
		private: private{Stopped: true},
		state:   func(m *model) { m.State = types.StringValue("stopped") },
		config:  func(m *model) { m.OfferID, m.AllowStopping = types.StringValue("cx33"), types.BoolValue(true) },
		says:    []string{"Warning: An update of web did not come to its end", "Warning: web will be changed while it is off"},
		unknown: "currency disk_gib memory_gib price_per_hour state vcpu",
	},
	"the offer is one of a list": {
		config: func(m *model) { m.OfferID, m.OfferIDs = null, textList("cx33", "cx23") },
	},
	"the list has not the offer any more": {
		config: func(m *model) {
			m.OfferID, m.OfferIDs, m.AllowStopping = null, textList("cx33", "cx43"), types.BoolValue(true)
		},
		says: []string{"Warning: web will be stopped and started again"}, unknown: sizes,
	},
	"the list of offers is unknown": {
		config: func(m *model) { m.OfferID, m.OfferIDs = null, types.ListUnknown(types.StringType) },
		says:   []string{"Warning: Not known until apply: offer_ids"},
	},
	"the region is one of a list": {
		config: func(m *model) { m.Regions = textList("nbg1", "fsn1") },
	},
	"the list has not the region any more": {
		config: func(m *model) { m.Regions = textList("nbg1", "hel1") }, replace: "regions",
		says: []string{"Warning: web will be replaced: its region is not in regions any more"},
	},
	"the list of regions is unknown": {
		config: func(m *model) { m.Regions = types.ListUnknown(types.StringType) },
		says:   []string{"Warning: Not known until apply: regions"},
	},
	"the offer changes with the idempotency key": {
		config: func(m *model) { m.OfferID, m.IdempotencyKey = types.StringValue("cx33"), types.StringValue("k") }, replace: "idempotency_key",
	},
	"the offer is unknown": {
		config: func(m *model) { m.OfferID = unknown }, says: []string{"Warning: Not known until apply: offer_id"}, unknown: sizes,
	},
	"the account is of another kind": {
		config: func(m *model) { m.ProviderAccount = accountOf("pacct_b", "digitalocean", "{}") }, replace: "provider_account",
	},
	"the account is another one of its kind": {
		config: func(m *model) { m.ProviderAccount = accountOf("pacct_b", "hetzner-cloud", "{}") },
	},
	"the account is unknown": {
		config: func(m *model) { m.ProviderAccount = types.ObjectUnknown(reference.Types) },
		says:   []string{"Warning: Not known until apply: provider_account"},
	},
	"name and labels change": {
		config: func(m *model) { m.Name, m.Labels = types.StringValue("api"), textMap(map[string]string{"a": "b"}) },
	},
	"power is set": {
		config: func(m *model) { m.Power = types.StringValue("off") }, unknown: "state",
		says: []string{"Warning: web will be switched off"},
	},
	"power is set on a machine that is off": {
		state:  func(m *model) { m.State = types.StringValue("stopped") },
		config: func(m *model) { m.Power = types.StringValue("on") }, unknown: "state",
		says: []string{"Warning: web will be switched on"},
	},
	"power is set to what it is": {
		config: func(m *model) { m.Power = types.StringValue("on") }, unknown: "state",
	},
	"power is let go of": {
		state: func(m *model) { m.Power = types.StringValue("on") },
	},
	"power is unknown": {
		config: func(m *model) { m.Power = unknown }, unknown: "state",
	},
	"the marks are missing": {
		state: func(m *model) { m.Managed = types.BoolValue(false) },
	},
	"the create was cut short": {
		private: private{Unfinished: true},
		state: func(m *model) {
			m.ImageID, m.VCPU, m.MemoryGiB, m.DiskGiB = null, types.Int64Null(), types.NumberNull(), types.NumberNull()
			m.PricePerHour, m.Currency, m.CreatedAt, m.Region = types.NumberNull(), null, null, null
		},
		unknown: "addresses created_at currency disk_gib image_id ipv4_address ipv6_address memory_gib price_per_hour region state vcpu",
	},
	"the create was cut short and all is known": {
		private: private{Unfinished: true},
		state:   func(m *model) { m.CreatedAt = types.StringValue("2026-01-01T00:00:00Z") },
		unknown: "addresses ipv4_address ipv6_address state",
	},
	"imported: what cannot be read back takes what is written": {
		private: private{Imported: true},
		config: func(m *model) {
			m.Image, m.Region, m.IdempotencyKey = types.StringValue("1001"), types.StringValue("FSN1"), types.StringValue("k")
			m.UserData, m.SSHAuthorizedKeys = types.StringValue("#cloud-config"), textSet(sshKey)
			m.OnChange = onChange(types.StringValue("reinstall"), types.StringValue("reinstall"), null)
		},
		unknown: "currency price_per_hour",
	},
	"imported through an account of another kind": {
		private: private{Imported: true},
		config:  func(m *model) { m.ProviderAccount = accountOf("pacct_b", "digitalocean", "{}") },
		says:    []string{"Error: The machine was imported through an account of another kind (INVALID_INPUT)"},
		unknown: "currency price_per_hour",
	},
	"unmarked and to be replaced": {
		private: private{Unmarked: "0-aaaaaaaaaaaaaaaa"},
		config:  func(m *model) { m.Region = types.StringValue("nbg1") },
		replace: "region", says: []string{"Error: Refusing to replace a machine that is not marked yet (INVALID_STATE)"},
	},
}

// sizes are what another offer changes.
const sizes = "currency disk_gib memory_gib price_per_hour vcpu"

func TestPlanOfAMachineThatTheStateHolds(t *testing.T) {
	for name, test := range plans {
		t.Run(name, func(t *testing.T) {
			state, config := made(), written()
			state.CreatedAt = types.StringValue("2026-01-01T00:00:00Z")
			change(&state, test.state)
			change(&config, test.config)
			p, diags := planned(t, state, config, test.private)
			if got := p.replace.String(); got != bracketed(test.replace) {
				t.Errorf("replaces on %s, want %s", got, bracketed(test.replace))
			}
			if diff := cmp.Diff(test.says, summaries(diags)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
			if got := strings.Join(unknownComputed(p.plan), " "); test.replace == "" && got != test.unknown {
				t.Errorf("unknown: %q, want %q", got, test.unknown)
			}
			if p.plan.ID != state.ID || p.plan.TenantID != state.TenantID || p.plan.MachineID != state.MachineID {
				t.Errorf("id %s, tenant %s and machine %s are not those of the state", p.plan.ID, p.plan.TenantID, p.plan.MachineID)
			}
			if !p.plan.Managed.ValueBool() {
				t.Error("managed is not planned as true")
			}
		})
	}
}

func change(target *model, by func(*model)) {
	if by != nil {
		by(target)
	}
}

func bracketed(paths string) string {
	if paths == "" {
		return "[]"
	}
	return "[" + strings.ReplaceAll(paths, " ", ",") + "]"
}

// unknownComputed names the computed attributes that a plan leaves open.
func unknownComputed(plan model) []string {
	var names []string
	for _, attribute := range []struct {
		name    string
		unknown bool
	}{
		{"addresses", plan.Addresses.IsUnknown()}, {"created_at", plan.CreatedAt.IsUnknown()}, {"currency", plan.Currency.IsUnknown()},
		{"disk_gib", plan.DiskGiB.IsUnknown()}, {"image_id", plan.ImageID.IsUnknown()}, {"ipv4_address", plan.IPv4Address.IsUnknown()},
		{"ipv6_address", plan.IPv6Address.IsUnknown()}, {"memory_gib", plan.MemoryGiB.IsUnknown()},
		{"price_per_hour", plan.PricePerHour.IsUnknown()}, {"region", plan.Region.IsUnknown()},
		{"state", plan.State.IsUnknown()}, {"vcpu", plan.VCPU.IsUnknown()},
	} {
		if attribute.unknown {
			names = append(names, attribute.name)
		}
	}
	return names
}
