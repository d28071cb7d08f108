// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

// TestOptionsInTheID: only those whose change can replace the machine count, only when they are written, and the order of a
// set does not.
func TestOptionsInTheID(t *testing.T) {
	without := plannedID("root", written())
	hetzner, _ := kindNamed("hetzner-cloud")
	id := func(name string, value any) types.String {
		option, has := hetzner.Option(name)
		if !has {
			t.Fatalf("there is no option %s", name)
		}
		config := written()
		config.Options = config.Options.with(hetzner, option, manifestschema.Encode(option.Field, value))
		return plannedID("root", config)
	}
	for name, value := range map[string]any{
		"network": "blue", "backups": true, "delete_protection": true, "firewall_ids": []string{"web"}, "placement_group_id": "spread", "ssh_key_ids": []string{},
	} {
		if got := id(name, value); got != without {
			t.Errorf("%s = %v changes the id", name, value)
		}
	}
	for name, value := range map[string]any{"public_ipv4": true, "public_ipv6": false, "ssh_key_ids": []string{"laptop"}} {
		if got := id(name, value); got == without {
			t.Errorf("%s = %v does not change the id", name, value)
		}
	}
	config := written()
	option, _ := hetzner.Option("ssh_key_ids")
	texts := types.SetValueMust(types.StringType, []attr.Value{types.StringValue("b"), types.StringValue("a")})
	config.Options = config.Options.with(hetzner, option, texts)
	if id("ssh_key_ids", []string{"a", "b"}) != plannedID("root", config) {
		t.Error("the order of a set counts")
	}
	config.Options = config.Options.with(hetzner, option, types.SetUnknown(types.StringType))
	if got := plannedID("root", config); !got.IsUnknown() {
		t.Errorf("with keys that are not known the id is %s", got)
	}
}

// TestEveryOptionIsAnArgument holds the kinds to what the resource makes of them.
func TestEveryOptionIsAnArgument(t *testing.T) {
	schema := manifestschema.OptionAttributes(kinds())
	for _, kind := range kinds() {
		var names []string
		for _, option := range kind.Options {
			if slices.Contains(names, option.Name) {
				t.Errorf("%s has %s twice", kind.Manifest.Kind, option.Name)
			}
			names = append(names, option.Name)
			if option.Required || option.Secret || option.Effect < driver.InPlace || option.Effect > driver.Replaces {
				t.Errorf("%s.%s: required %t, secret %t, effect %d", kind.Manifest.Kind, option.Name, option.Required, option.Secret, option.Effect)
			}
			if _, there := schema[option.Name]; option.Common && !there {
				t.Errorf("%s is no argument", option.Name)
			}
			for _, value := range []any{nil, exampleOf(option.Type)} {
				encoded := manifestschema.Encode(option.Field, value)
				if decoded, known := manifestschema.Value(encoded); !known || (decoded == nil) != (value == nil) {
					t.Errorf("%s.%s: %v became %v", kind.Manifest.Kind, option.Name, value, decoded)
				}
				if !encoded.Type(t.Context()).Equal(manifestschema.Unknown(option.Field).Type(t.Context())) {
					t.Errorf("%s.%s: unknown is of another type", kind.Manifest.Kind, option.Name)
				}
			}
		}
		if described := kind.OptionManifest(); len(described.Faults()) > 0 {
			t.Errorf("%s: %v", kind.Manifest.Kind, described.Faults())
		}
	}
}

func exampleOf(of manifest.Type) any {
	switch of {
	case manifest.Integer:
		return int64(7)
	case manifest.Boolean:
		return false
	case manifest.StringList, manifest.StringSet:
		return []string{"b", "a"}
	case manifest.String, manifest.StringMap, manifest.Object:
	}
	return "text"
}
