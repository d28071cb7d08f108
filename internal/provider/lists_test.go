// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const instanceType = "bettercompute_instance"

// rowsOf reads a data source and answers the objects in one of its attributes.
func rowsOf(s *providertest.Scene, name, collection string, arguments providertest.Attributes) []map[string]tftypes.Value {
	s.T.Helper()
	config := providertest.Attributes{"provider_account": s.Account}
	for argument, value := range arguments {
		config[argument] = value
	}
	state, faults := s.Begin().DataSource(name, config)
	if len(faults) > 0 {
		s.T.Fatal(faults)
	}
	var elements []tftypes.Value
	if err := providertest.Fields(s.T, state)[collection].As(&elements); err != nil {
		s.T.Fatal(err)
	}
	rows := make([]map[string]tftypes.Value, len(elements))
	for i, element := range elements {
		rows[i] = providertest.Fields(s.T, element)
	}
	return rows
}

// texts are the values of one attribute of all rows; null is "".
func texts(t *testing.T, rows []map[string]tftypes.Value, name string) []string {
	t.Helper()
	all := []string{}
	for _, row := range rows {
		var text *string
		if err := row[name].As(&text); err != nil {
			t.Fatal(err)
		}
		if text == nil {
			text = new("")
		}
		all = append(all, *text)
	}
	return all
}

func TestImagesAreListedByTheirArguments(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		all := texts(t, rowsOf(s, "bettercompute_images", "images", nil), "name")
		if !slices.Contains(all, vendor.Image) || !slices.Contains(all, vendor.OtherImage) || !slices.IsSorted(all) {
			t.Errorf("all images: %v", all)
		}
		pattern := vendor.Image[:4] + "*" + vendor.Image[len(vendor.Image)-2:len(vendor.Image)-1] + "?"
		some := texts(t, rowsOf(s, "bettercompute_images", "images", providertest.Attributes{"name": pattern}), "name")
		if !slices.Contains(some, vendor.Image) || slices.Contains(some, vendor.OtherImage) {
			t.Errorf("images that fit %s: %v", pattern, some)
		}
		one := rowsOf(s, "bettercompute_images", "images", providertest.Attributes{"name": vendor.Image, "architecture": "x86", "region": vendor.Region})
		if diff := cmp.Diff([]string{vendor.ImageID}, texts(t, one, "id")); diff != "" {
			t.Errorf("the image by its name and architecture (-want +got):\n%s", diff)
		}
		if none := rowsOf(s, "bettercompute_images", "images", providertest.Attributes{"name": "no such"}); len(none) != 0 {
			t.Errorf("images that there are not: %v", none)
		}
	})
}

func TestImagesOfARegionThatThereIsNot(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		_, faults := s.Begin().DataSource("bettercompute_images", providertest.Attributes{"provider_account": s.Account, "region": "nowhere"})
		if len(faults.At("region").Errors()) != 1 {
			t.Errorf("faults: %s", faults)
		}
	})
}

// TestADeprecatedImageIsListedAsOne: Hetzner Cloud is the vendor that tells.
func TestADeprecatedImageIsListedAsOne(t *testing.T) {
	s := providertest.NewScene(t, providertest.Vendors[0])
	if err := s.Emulator.ChangeSettings(func(settings *emulator.Settings) {
		settings.Retired = []emulator.Retired{{Kind: "images", ID: s.Vendor.ImageID, Announced: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), UnavailableAfter: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}}
	}); err != nil {
		t.Fatal(err)
	}
	rows := rowsOf(s, "bettercompute_images", "images", providertest.Attributes{"name": s.Vendor.Image, "architecture": "x86"})
	if moments := texts(t, rows, "deprecated"); len(moments) != 1 || moments[0] == "" {
		t.Errorf("deprecated: %v", moments)
	}
}

func TestInstancesAreWhatBearsTheMarksOfTheAccount(t *testing.T) {
	providertest.OnEachVendor(t, func(t *testing.T, vendor providertest.Vendor) {
		s := providertest.NewScene(t, vendor)
		if rows := rowsOf(s, "bettercompute_instances", "instances", nil); len(rows) != 0 {
			t.Errorf("without machines: %v", rows)
		}
		made := s.Apply(instanceType, s.Begin().Nothing(instanceType), s.Machine(nil))
		key := "inst_" + "0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjk"
		left, err := vendor.Plant(s.Emulator, "left", nil, map[string]string{
			"managed": "true", "creating": "true", "account": s.Account["id"].(string), "key": key, "claim": "0-0123456789abcdef",
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := vendor.Plant(s.Emulator, "foreign", nil, nil); err != nil {
			t.Fatal(err)
		}
		type machine struct {
			id, machine string
			owned       bool
		}
		want := map[string]machine{
			"web":  {providertest.Text(t, made.Value, "id"), providertest.Text(t, made.Value, "machine_id"), true},
			"left": {key, left.ID, false},
		}
		got := map[string]machine{}
		rows := rowsOf(s, "bettercompute_instances", "instances", nil)
		for i, name := range texts(t, rows, "name") {
			row := machine{id: texts(t, rows, "id")[i], machine: texts(t, rows, "machine_id")[i]}
			if err := rows[i]["owned"].As(&row.owned); err != nil {
				t.Fatal(err)
			}
			got[name] = row
		}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(machine{})); diff != "" {
			t.Errorf("machines (-want +got):\n%s", diff)
		}
	})
}
