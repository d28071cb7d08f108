// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func (c *command) validate(arguments map[string]any) []*tfprotov6.Diagnostic {
	c.t.Helper()
	response, err := c.server.ValidateResourceConfig(c.t.Context(), &tfprotov6.ValidateResourceConfigRequest{
		TypeName: typeName, Config: c.dynamic(c.config(arguments)),
		ClientCapabilities: &tfprotov6.ValidateResourceConfigClientCapabilities{WriteOnlyAttributesAllowed: true},
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return response.Diagnostics
}

func keys(texts ...string) []tftypes.Value {
	var values []tftypes.Value
	for _, text := range texts {
		values = append(values, tftypes.NewValue(tftypes.String, text))
	}
	return values
}

func TestArgumentsThatCanNeverBeRight(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		for name, test := range map[string]struct {
			changes map[string]any
			at      string
		}{
			"a name with an underscore":            {map[string]any{"name": "web_1"}, "name"},
			"an empty offer":                       {map[string]any{"offer_id": ""}, "offer_id"},
			"an empty image":                       {map[string]any{"image": ""}, "image"},
			"both kinds of user data":              {map[string]any{"user_data": "a", "user_data_wo": "b", "user_data_wo_version": "1"}, "user_data"},
			"write-only user data, no version":     {map[string]any{"user_data_wo": "b"}, "user_data_wo"},
			"a version of nothing":                 {map[string]any{"user_data_wo_version": "1"}, "user_data_wo_version"},
			"keys and user data that is no config": {map[string]any{"user_data": "#!/bin/sh\n", "ssh_authorized_keys": keys(validKey)}, "user_data"},
			"the same with write-only user data":   {map[string]any{"user_data_wo": "#!/bin/sh\n", "user_data_wo_version": "1", "ssh_authorized_keys": keys(validKey)}, "user_data_wo"},
			"a key that is none":                   {map[string]any{"ssh_authorized_keys": keys("secret")}, "ssh_authorized_keys"},
			"a policy that is none":                {map[string]any{"on_change": map[string]any{"image": "rebuild"}}, "on_change"},
			"a power state that is none":           {map[string]any{"power": "reset"}, "power"},
			"a timeout of nothing":                 {map[string]any{"timeouts": map[string]any{"create": "0s"}}, "timeouts"},
			"a shutdown timeout without a unit":    {map[string]any{"shutdown_timeout": "60"}, "shutdown_timeout"},
			"a price below nothing":                {map[string]any{"max_price_per_hour": -1}, "max_price_per_hour"},
			"an idempotency key with a space":      {map[string]any{"idempotency_key": "a b"}, "idempotency_key"},
			"a label without a value":              {map[string]any{"labels": map[string]any{"a": nil}}, "labels"},
		} {
			t.Run(name, func(t *testing.T) {
				mustRefuse(t, begin(t, nil).validate(w.written(test.changes)), test.at, "")
			})
		}
		if diagnostics := begin(t, nil).validate(w.written(map[string]any{"user_data_wo": "b", "user_data_wo_version": "1", "ssh_authorized_keys": nil})); len(diagnostics) > 0 {
			t.Errorf("what is right is refused: %v", summariesOf(diagnostics))
		}
	})
}

func TestArgumentsThatTheVendorWouldRefuseAreErrorsInThePlan(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for name, test := range map[string]struct {
			changes  map[string]any
			settings func(*emulator.Settings)
			at, code string
			says     string
			lacks    bool
		}{
			"an unknown offer":                {changes: map[string]any{"offer_id": vendor.Offer + "x"}, at: "offer_id", code: "(INVALID_INPUT)", says: vendor.Offer},
			"an unknown image":                {changes: map[string]any{"image": "x" + vendor.OtherImage}, at: "image", code: "(INVALID_INPUT)", says: vendor.OtherImage},
			"an unknown region":               {changes: map[string]any{"region": vendor.Region + "x"}, at: "region", code: "(INVALID_INPUT)", says: vendor.Region},
			"an offer that costs too much":    {changes: map[string]any{"max_price_per_hour": 0.0001}, at: "offer_id", code: "(INVALID_INPUT)", says: "0.0001", lacks: vendor.Currency == ""},
			"too much user data":              {changes: map[string]any{"user_data": strings.Repeat("x", vendor.UserDataBytes+1)}, at: "user_data", code: "(INVALID_INPUT)", says: strconv.Itoa(vendor.UserDataBytes)},
			"a label that the vendor has not": {changes: map[string]any{"labels": map[string]any{vendor.BadLabel: "c"}}, at: "labels", code: "(INVALID_INPUT)"},
			"a label of the provider's own":   {changes: map[string]any{"labels": map[string]any{vendor.OwnLabel: "c"}}, at: "labels", code: "(INVALID_INPUT)"},
			"an offer without stock": {
				settings: func(s *emulator.Settings) {
					s.Capacity = []emulator.Capacity{{Offer: vendor.Offer, Region: vendor.Region, Catalogue: new(bool)}}
				},
				at: vendor.OutOfStock.At, code: vendor.OutOfStock.Code, says: vendor.OtherRegion, lacks: vendor.OtherRegion == "",
			},
			"an offer that is sold elsewhere": {changes: map[string]any{"offer_id": vendor.Scarce}, at: "offer_id", code: "(INVALID_INPUT)", says: vendor.Elsewhere, lacks: vendor.Scarce == ""},
			"a region that is closed": {
				settings: func(s *emulator.Settings) { s.ClosedRegions = []string{vendor.Region} },
				at:       vendor.Closed.At, code: vendor.Closed.Code, says: vendor.OtherRegion, lacks: vendor.OtherRegion == "",
			},
		} {
			t.Run(name, func(t *testing.T) {
				if test.lacks {
					t.Skip("the vendor has no such thing")
				}
				w := newWorld(t, vendor)
				if test.settings != nil {
					w.set(test.settings)
				}
				command := begin(t, nil)
				plan := command.plan(command.nothing(), w.written(test.changes))
				mustRefuse(t, plan.diagnostics, test.at, test.code)
				if len(plan.diagnostics) > 0 && !strings.Contains(plan.diagnostics[0].Detail, test.says) {
					t.Errorf("the message lacks %q: %s", test.says, plan.diagnostics[0].Detail)
				}
				if writes := w.writes(); len(writes) > 0 {
					t.Errorf("the plan has written: %v", writes)
				}
			})
		}
	})
}

func TestAReinstallThatCannotPutOtherUserDataIsRefused(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for _, setting := range []string{"user_data", "ssh_authorized_keys"} {
			command := begin(t, nil)
			w := newWorld(t, vendor)
			plan := command.plan(command.nothing(), w.written(map[string]any{"on_change": map[string]any{setting: "reinstall"}}))
			if vendor.ReinstallsUserData {
				w.mustPass(setting, plan.diagnostics)
				continue
			}
			mustRefuse(t, plan.diagnostics, "on_change", "(UNSUPPORTED)")
		}
	})
}

func TestAWrongTokenIsAnErrorAtTheAccount(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		for name, test := range map[string]struct{ token, code string }{
			"not the vendor's":  {strings.Repeat("x", 64), "(ACCESS_DENIED)"},
			"with a line break": {"planted\nsecret", "(INVALID_INPUT)"},
			"empty":             {"", "(INVALID_INPUT)"},
		} {
			t.Run(name, func(t *testing.T) {
				w := newWorld(t, vendor)
				t.Setenv(tokenVariable, test.token)
				command := begin(t, nil)
				plan := command.plan(command.nothing(), w.written(nil))
				mustRefuse(t, plan.diagnostics, "provider_account", test.code)
				for _, diagnostic := range plan.diagnostics {
					if test.token != "" && strings.Contains(diagnostic.Summary+diagnostic.Detail, test.token) {
						t.Errorf("the token is shown: %s", diagnostic.Detail)
					}
				}
			})
		}
	})
}

func TestATokenBehindAVariableThatIsNotSet(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		w.account["config"] = strings.Replace(w.account["config"].(string), tokenVariable, "INSTANCE_TEST_UNSET", 1)
		command := begin(t, nil)
		diagnostics := command.plan(command.nothing(), w.written(nil)).diagnostics
		mustRefuse(t, diagnostics, "provider_account", "")
		if len(diagnostics) > 0 && !strings.Contains(diagnostics[0].Detail, "env://INSTANCE_TEST_UNSET") {
			t.Errorf("the message does not name the reference: %s", diagnostics[0].Detail)
		}
	})
}

func TestWithoutPreflightAPlanAsksNothing(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		command := begin(t, map[string]any{"preflight": false})
		plan := command.plan(command.nothing(), w.written(map[string]any{"offer_id": vendor.Offer + "x"}))
		if len(plan.diagnostics) > 0 || len(w.emulator.Journal()) > 0 {
			t.Errorf("diagnostics %v, %d requests", summariesOf(plan.diagnostics), len(w.emulator.Journal()))
		}
		plan = command.plan(command.nothing(), w.written(map[string]any{"name": "api", "labels": map[string]any{vendor.BadLabel: "c"}}))
		mustRefuse(t, plan.diagnostics, "labels", "(INVALID_INPUT)")
	})
}

func TestAVendorOutOfReachIsAWarningInThePlan(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		if _, err := w.emulator.AddFault(emulator.Fault{Action: "status", Status: 400, Body: `{"error":{"code":"unavailable","message":"down"}}`, Times: new(int)}); err != nil {
			t.Fatal(err)
		}
		w.emulator.Close()
		command := begin(t, map[string]any{"max_retries": 0})
		plan := command.plan(command.nothing(), w.written(nil))
		w.mustPass("plan", plan.diagnostics)
		if len(plan.diagnostics) != 1 {
			t.Errorf("diagnostics are %v, want one warning", summariesOf(plan.diagnostics))
		}
	})
}

func TestTwoMachinesThatWouldBeOne(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		for name, test := range map[string]struct {
			first, second map[string]any
			at            string
		}{
			"one name":                          {map[string]any{}, map[string]any{"offer_id": vendor.OtherOffer}, "name"},
			"one name in other letters":         {map[string]any{}, map[string]any{"name": "WEB"}, "name"},
			"one name, two keys":                {map[string]any{"idempotency_key": "a"}, map[string]any{"idempotency_key": "b"}, "name"},
			"one key":                           {map[string]any{"idempotency_key": "a"}, map[string]any{"name": "api", "idempotency_key": "a"}, "idempotency_key"},
			"nothing but the offer is the same": {map[string]any{}, map[string]any{"name": "api"}, ""},
		} {
			t.Run(name, func(t *testing.T) {
				command := begin(t, nil)
				w.mustPass("first plan", command.plan(command.nothing(), w.written(test.first)).diagnostics)
				second := command.plan(command.nothing(), w.written(test.second)).diagnostics
				if test.at == "" {
					w.mustPass("second plan", second)
					return
				}
				mustRefuse(t, second, test.at, "(CONFLICT)")
			})
		}
	})
}

func TestAReplacementWithTheIdOfTheOldMachineWarnsOfCreateBeforeDestroy(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		command := begin(t, nil)
		command.plan(command.read(state.stored).stored, w.written(nil))
		again := command.plan(stored{command.nothing().value, state.private}, w.written(nil))
		if !slices.Contains(summariesOf(again.diagnostics), "WARNING: The replacement has the id of the machine that it replaces") {
			t.Errorf("diagnostics are %v", summariesOf(again.diagnostics))
		}
		changed := w.written(map[string]any{"image": vendor.OtherImage})
		command = begin(t, nil)
		if plan := command.plan(command.read(state.stored).stored, changed); !slices.Equal(plan.replaces, []string{"image"}) {
			t.Errorf("replaces on %v", plan.replaces)
		}
		if fresh := command.plan(stored{command.nothing().value, state.private}, changed); len(fresh.diagnostics) > 0 || fresh.text(t, "id") == state.text(t, "id") {
			t.Errorf("diagnostics %v, id %s", summariesOf(fresh.diagnostics), fresh.text(t, "id"))
		}
	})
}

func TestAMachineMovesToAnotherAccountThatSeesIt(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		w := newWorld(t, vendor)
		state := w.change(begin(t, nil).nothing(), w.written(nil))
		second := w.accountOf("second")
		moved := w.written(map[string]any{"provider_account": second})
		again := w.change(state.stored, moved)
		if again.text(t, "id") != state.text(t, "id") || w.marks()["account"] != second["id"] {
			t.Errorf("id %s, marks %v", again.text(t, "id"), w.marks())
		}
		w.mustBeQuiet(again.stored, moved)

		elsewhere := maps.Clone(w.accountOf("elsewhere"))
		elsewhere["config"] = strings.Replace(elsewhere["config"].(string), tokenVariable, "INSTANCE_TEST_FOREIGN", 1)
		t.Setenv("INSTANCE_TEST_FOREIGN", vendor.Of(w.emulator).Tokens["foreign"])
		plan := begin(t, nil).plan(again.stored, w.written(map[string]any{"provider_account": elsewhere}))
		mustRefuse(t, plan.diagnostics, "provider_account", "")
	})
}
