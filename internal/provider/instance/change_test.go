// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

// changes are updates in place, and what they do at the vendor.
var changes = map[string]struct {
	state, config func(*model)
	private       private
	want          compute.Change
	nothing       bool
}{
	"another text of the account's config": {
		config: func(m *model) { m.ProviderAccount = accountOf("pacct_a", "hetzner-cloud", `{"token":"env://NEW"}`) }, nothing: true,
	},
	"on_change, shutdown and price limit": {
		config: func(m *model) {
			m.OnChange, m.ShutdownTimeout = onChange(types.StringValue("ignore"), null, null), types.StringValue("5s")
			m.ShutdownBeforeDestroy, m.MaxPricePerHour = types.BoolValue(true), decimal("1")
		},
		nothing: true,
	},
	"a key that is ignored": {
		config: func(m *model) { m.SSHAuthorizedKeys = textSet(sshKey) }, nothing: true,
	},
	"empty labels in place of none": {
		config: func(m *model) { m.Labels = textMap(nil) }, nothing: true,
	},
	"power let go of": {
		state: func(m *model) { m.Power = types.StringValue("on") }, nothing: true,
	},
	"name": {
		config: func(m *model) { m.Name = types.StringValue("api") }, want: compute.Change{Name: "api"},
	},
	"labels": {
		state:  func(m *model) { m.Labels = textMap(map[string]string{"a": "1"}) },
		config: func(m *model) { m.Labels = textMap(map[string]string{"b": "2"}) },
		want: compute.Change{
			ChangeLabels: true, PriorLabels: map[string]string{"a": "1"}, Labels: map[string]string{"b": "2"},
		},
	},
	"labels taken away": {
		state: func(m *model) { m.Labels = textMap(map[string]string{"a": "1"}) },
		want:  compute.Change{ChangeLabels: true, PriorLabels: map[string]string{"a": "1"}, Labels: map[string]string{}},
	},
	"power": {
		config: func(m *model) { m.Power = types.StringValue("off") }, want: compute.Change{Power: "off"},
	},
	"offer": {
		config: func(m *model) { m.OfferID, m.AllowStopping = types.StringValue("cx33"), types.BoolValue(true) },
		want:   compute.Change{OfferID: "cx33", AllowStopping: true},
	},
	"offer, with the power that is kept": {
		state: func(m *model) { m.Power = types.StringValue("on") },
		config: func(m *model) {
			m.OfferID, m.AllowStopping, m.Power = types.StringValue("cx33"), types.BoolValue(true), types.StringValue("on")
		},
		want: compute.Change{OfferID: "cx33", AllowStopping: true, Power: "on"},
	},
	"a list of offers in the place of one": {
		config: func(m *model) { m.OfferID, m.OfferIDs, m.Regions = null, textList("cx33", "cx23"), textList("fsn1") }, nothing: true,
	},
	"whether it may be stopped": {
		config: func(m *model) { m.AllowStopping = types.BoolValue(true) }, nothing: true,
	},
	"another account": {
		config: func(m *model) { m.ProviderAccount = accountOf("pacct_b", "hetzner-cloud", "{}") }, want: compute.Change{RestoreMarks: true},
	},
	"marks that are missing": {
		state: func(m *model) { m.Managed = types.BoolValue(false) }, want: compute.Change{RestoreMarks: true},
	},
	"imported without marks": {
		private: private{Imported: true, Unmarked: "0-aaaaaaaaaaaaaaaa"},
		config:  func(m *model) { m.Image = types.StringValue("1001") },
		want:    compute.Change{RestoreMarks: true},
	},
	"imported, another spelling of the image and reinstall": {
		private: private{Imported: true},
		config: func(m *model) {
			m.Image, m.OnChange = types.StringValue("1001"), onChange(types.StringValue("reinstall"), null, null)
		},
		nothing: true,
	},
	"reinstall": {
		config: func(m *model) {
			m.Image, m.OnChange = types.StringValue("ubuntu-24.04"), onChange(types.StringValue("reinstall"), null, null)
			m.UserDataWO, m.SSHAuthorizedKeys = types.StringValue("#cloud-config"), textSet(sshKey)
		},
		want: compute.Change{Reinstall: &compute.Wish{
			Key: "inst_x", Name: "web", OfferID: "cx23", Image: "ubuntu-24.04", Region: "fsn1", UserData: []byte("#cloud-config"),
			SSHAuthorizedKeys: []string{sshKey}, Labels: map[string]string{}, KeyCoversContent: true, ShutdownTimeout: defaultShutdown,
			WaitForAddress: true,
		}},
	},
}

func TestWhatAnUpdateDoesAtTheVendor(t *testing.T) {
	for name, test := range changes {
		t.Run(name, func(t *testing.T) {
			state, config := made(), written()
			change(&state, test.state)
			change(&config, test.config)
			p, _ := planned(t, state, config, test.private)
			got, needed := changeOf(p.prior, p.plan, config, test.private)
			test.want.ShutdownTimeout = config.shutdownTimeout()
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("change (-want +got):\n%s", diff)
			}
			if needed == test.nothing {
				t.Errorf("calls the vendor: %t", needed)
			}
		})
	}
}
