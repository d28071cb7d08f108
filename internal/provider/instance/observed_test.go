// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func TestACompletedPlanHasNothingUnknownAndKeepsWhatItKnew(t *testing.T) {
	config := written()
	config.Name = types.StringValue("planned")
	plan := proposed(config)
	plan.ID, plan.TenantID = types.StringValue("inst_x"), types.StringValue("root")
	machine := running
	machine.Name, machine.CreatedAt = "other", time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("CET", 3600))
	got := plan.completed(machine, options{}, &driver.Offer{PricePerHour: "0.0056", Currency: "EUR"})
	want := made()
	want.Name, want.CreatedAt = types.StringValue("planned"), types.StringValue("2026-01-02T02:04:05Z")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
}

func TestAPlanThatHasBegunIsSavedWithTheMachineAndWithoutUnknowns(t *testing.T) {
	plan := proposed(written())
	plan.ID, plan.TenantID = types.StringValue("inst_x"), types.StringValue("root")
	got := plan.begun(driver.Machine{ID: "42", Region: "fsn1", State: driver.StatePending}, &driver.Offer{PricePerHour: "0.0056", Currency: "EUR"})
	if open := unknownComputed(got); len(open) > 0 {
		t.Errorf("still unknown: %v", open)
	}
	if got.MachineID.ValueString() != "42" || got.Region.ValueString() != "fsn1" || got.Currency.ValueString() != "EUR" {
		t.Errorf("machine %s, region %s, currency %s", got.MachineID, got.Region, got.Currency)
	}
	if !got.State.IsNull() || !got.Addresses.IsNull() || !got.VCPU.IsNull() {
		t.Errorf("state %s, addresses %s, vcpu %s are not null", got.State, got.Addresses, got.VCPU)
	}
}

// A machine that is being cloned shows no offer: the state's stays, for an update to compare with.
func TestAnOfferThatIsNotShownStays(t *testing.T) {
	for shown, want := range map[string]string{"": "cx23", "cx33": "cx33"} {
		state := model{OfferID: types.StringValue("cx23"), Labels: types.MapNull(types.StringType)}
		if got := state.drifted(driver.Machine{OfferID: shown}, options{}, private{}).OfferID; got.ValueString() != want {
			t.Errorf("shown is %q, the state has %s, want %s", shown, got, want)
		}
	}
}

func TestAddressesComeInOneOrder(t *testing.T) {
	addresses := []driver.Address{
		{Address: "10.0.0.9", Family: "ipv4", Scope: "private"},
		{Address: "2001:db8::1", Family: "ipv6", Scope: "public"},
		{Address: "192.0.2.10", Family: "ipv4", Scope: "public"},
		{Address: "192.0.2.9", Family: "ipv4", Scope: "public"},
	}
	var got []string
	for _, address := range ordered(addresses) {
		got = append(got, address.Address)
	}
	if diff := cmp.Diff([]string{"192.0.2.9", "192.0.2.10", "2001:db8::1", "10.0.0.9"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if first := firstAddress(addresses, "ipv4"); first.ValueString() != "192.0.2.9" {
		t.Errorf("first IPv4 address is %s", first)
	}
	if first := firstAddress(addresses[:1], "ipv6"); !first.IsNull() {
		t.Errorf("first IPv6 address of a machine without any is %s", first)
	}
}

func TestNumbersAreExactDecimals(t *testing.T) {
	for _, number := range []string{"0", "0.1", "0.0056", "40", "123456789.000000001"} {
		if got := decimalText(decimal(number)); got != number {
			t.Errorf("%s became %s", number, got)
		}
	}
	if !decimal("").IsNull() || decimalText(types.NumberNull()) != "" || !size(0).IsNull() {
		t.Error("what is missing is not null")
	}
}

func TestDrift(t *testing.T) {
	for name, test := range map[string]struct {
		state   func(*model)
		private private
		machine func(*driver.Machine)
		want    func(*model)
	}{
		"nothing": {},
		"renamed and resized": {
			machine: func(m *driver.Machine) { m.Name, m.OfferID = "api", "cx33" },
			want:    func(m *model) { m.Name, m.OfferID = types.StringValue("api"), types.StringValue("cx33") },
		},
		"other people's labels": {
			machine: func(m *driver.Machine) { m.Labels = map[string]string{"theirs": "1"} },
		},
		"our labels changed and gone": {
			state:   func(m *model) { m.Labels = textMap(map[string]string{"a": "1", "b": "2"}) },
			machine: func(m *driver.Machine) { m.Labels = map[string]string{"a": "9", "theirs": "1"} },
			want:    func(m *model) { m.Labels = textMap(map[string]string{"a": "9"}) },
		},
		"switched off and not kept": {
			machine: func(m *driver.Machine) { m.State = driver.StateStopped },
		},
		"switched off and kept on": {
			state:   func(m *model) { m.Power = types.StringValue("on") },
			machine: func(m *driver.Machine) { m.State = driver.StateStopped },
			want:    func(m *model) { m.Power = types.StringValue("off") },
		},
		"neither on nor off": {
			state:   func(m *model) { m.Power = types.StringValue("on") },
			machine: func(m *driver.Machine) { m.State = driver.StateUnknown },
			want:    func(m *model) { m.Power = types.StringValue("on") },
		},
		"off because it is not finished": {
			private: private{Unfinished: true},
			state:   func(m *model) { m.Power = types.StringValue("on") },
			machine: func(m *driver.Machine) { m.State = driver.StateStopped },
			want:    func(m *model) { m.Power = types.StringValue("on") },
		},
		"image and region spelled by the user": {
			state: func(m *model) { m.Image, m.Region = types.StringValue("1001"), types.StringValue("FSN1") },
			want:  func(m *model) { m.Image, m.Region = types.StringValue("1001"), types.StringValue("FSN1") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			state, machine, want := made(), running, made()
			change(&state, test.state)
			if test.machine != nil {
				test.machine(&machine)
			}
			change(&want, test.want)
			if diff := cmp.Diff(want, state.drifted(machine, state.Options, test.private)); diff != "" {
				t.Errorf("state (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFailedUpdateSavesWhatIsTrue(t *testing.T) {
	state, config := made(), written()
	state.Labels = textMap(map[string]string{"old": "1"})
	config.Name, config.Image, config.Labels = types.StringValue("api"), types.StringValue("ubuntu-24.04"), textMap(map[string]string{"new": "2"})
	config.OnChange = onChange(types.StringValue("reinstall"), types.StringNull(), types.StringNull())
	p, _ := planned(t, state, config, private{})
	machine := running
	machine.Name, machine.ImageID, machine.State = "api", "1002", driver.StateStopped
	machine.Labels, machine.Marks.Key = map[string]string{"old": "1", "new": "2", "theirs": "3"}, "inst_x"
	u := &updating{prior: state, plan: p.plan, config: config}
	want := state
	want.Name, want.Labels = types.StringValue("api"), textMap(map[string]string{"old": "1", "new": "2"})
	want.State = types.StringValue("stopped")
	if diff := cmp.Diff(want, u.truth(compute.Made{Machine: machine}, state.Options)); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(state, u.truth(compute.Made{}, state.Options)); diff != "" {
		t.Errorf("state of a machine that was not reached (-want +got):\n%s", diff)
	}
}
