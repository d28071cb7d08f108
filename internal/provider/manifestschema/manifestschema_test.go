// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifestschema_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// everything is a kind with a field of every type.
var everything = manifest.Manifest{
	Kind: "every-thing", Attribute: "every_thing", Title: "Everything", Doc: "Everything.",
	Fields: []manifest.Field{
		{Name: "token", Type: manifest.String, Required: true, Secret: true, Doc: "Token."},
		{Name: "mode", Type: manifest.String, Allowed: []string{"fast", "slow"}, Default: "fast", Doc: "Mode."},
		{Name: "lowest", Type: manifest.Integer, Default: int64(1), Doc: "Lowest."},
		{Name: "highest", Type: manifest.Integer, Default: int64(9), Doc: "Highest."},
		{Name: "full", Type: manifest.Boolean, Doc: "Full."},
		{Name: "zones", Type: manifest.StringMap, Doc: "Zones.", Check: shortTexts},
		{Name: "sizes", Type: manifest.StringList, Doc: "Sizes.", Check: shortTexts},
		{Name: "upload", Type: manifest.Object, Doc: "Upload.", Fields: []manifest.Field{
			{Name: "host", Type: manifest.String, Required: true, Doc: "Host."},
			{Name: "private_key", Type: manifest.String, Secret: true, Doc: "Key."},
		}},
	},
	Check: func(values manifest.Values) []manifest.Fault {
		if values.Integer("lowest") > values.Integer("highest") {
			return []manifest.Fault{{Path: []string{"lowest"}, Message: "must not be above highest"}}
		}
		return nil
	},
}

// shortTexts refuses elements of more than three letters.
func shortTexts(value any) error {
	var faults []error
	refuse := func(element, text string) {
		if len(text) > 3 {
			faults = append(faults, manifest.At(element, "must be short"))
		}
	}
	switch value := value.(type) {
	case map[string]string:
		for key, text := range value {
			refuse(key, text)
		}
	case []string:
		for i, text := range value {
			refuse(fmt.Sprint(i), text)
		}
	}
	return errors.Join(faults...)
}

// object makes the config with the given attributes and null for the others.
func object(given map[string]attr.Value) types.Object {
	upload := types.ObjectType{AttrTypes: map[string]attr.Type{"host": types.StringType, "private_key": types.StringType}}
	attributes := map[string]attr.Value{
		"token":   types.StringNull(),
		"mode":    types.StringNull(),
		"lowest":  types.Int64Null(),
		"highest": types.Int64Null(),
		"full":    types.BoolNull(),
		"zones":   types.MapNull(types.StringType),
		"sizes":   types.ListNull(types.StringType),
		"upload":  types.ObjectNull(upload.AttrTypes),
	}
	for name, value := range given {
		attributes[name] = value
	}
	return types.ObjectValueMust(manifestschema.Types(everything), attributes)
}

func upload(host, key types.String) types.Object {
	return types.ObjectValueMust(map[string]attr.Type{"host": types.StringType, "private_key": types.StringType},
		map[string]attr.Value{"host": host, "private_key": key})
}

func texts(values ...attr.Value) types.List { return types.ListValueMust(types.StringType, values) }

func zones(values map[string]attr.Value) types.Map {
	return types.MapValueMust(types.StringType, values)
}

func TestBothFlavoursHaveTheManifestsTypes(t *testing.T) {
	want := types.ObjectType{AttrTypes: manifestschema.Types(everything)}
	if got := manifestschema.ResourceAttribute(everything).GetType(); !got.Equal(want) {
		t.Errorf("resource attribute is %s, want %s", got, want)
	}
	if got := manifestschema.DataSourceAttribute(everything).GetType(); !got.Equal(want) {
		t.Errorf("data source attribute is %s, want %s", got, want)
	}
}

func TestAttributesCarryDocumentationAndNoDefaults(t *testing.T) {
	attribute := manifestschema.ResourceAttribute(everything)
	for _, field := range everything.Fields {
		nested := attribute.Attributes[field.Name]
		if nested.GetMarkdownDescription() != field.Doc {
			t.Errorf("%s is documented as %q, want %q", field.Name, nested.GetMarkdownDescription(), field.Doc)
		}
		if nested.IsRequired() != field.Required || nested.IsOptional() == field.Required || nested.IsComputed() {
			t.Errorf("%s: required %t, optional %t, computed %t", field.Name, nested.IsRequired(), nested.IsOptional(), nested.IsComputed())
		}
	}
}

func TestDecode(t *testing.T) {
	tests := map[string]struct {
		object types.Object
		values manifest.Values
		known  bool
	}{
		"nothing":       {object: object(nil), values: manifest.Values{}, known: true},
		"wholly absent": {object: types.ObjectNull(manifestschema.Types(everything)), values: manifest.Values{}, known: true},
		"unknown":       {object: types.ObjectUnknown(manifestschema.Types(everything)), values: manifest.Values{}},
		"every type": {
			object: object(map[string]attr.Value{
				"token": types.StringValue("env://TOKEN"), "lowest": types.Int64Value(2), "full": types.BoolValue(false),
				"zones":  zones(map[string]attr.Value{"a.example": types.StringValue("shop"), "b.example": types.StringNull()}),
				"sizes":  texts(types.StringValue("s"), types.StringNull(), types.StringValue("m")),
				"upload": upload(types.StringValue("h"), types.StringNull()),
			}),
			values: manifest.Values{
				"token": "env://TOKEN", "lowest": int64(2), "full": false, "zones": map[string]string{"a.example": "shop"},
				"sizes": []string{"s", "", "m"}, "upload": manifest.Values{"host": "h"},
			},
			known: true,
		},
		"something unknown in every type": {
			object: object(map[string]attr.Value{
				"token": types.StringUnknown(), "lowest": types.Int64Unknown(), "mode": types.StringValue("slow"),
				"zones":  zones(map[string]attr.Value{"a.example": types.StringUnknown(), "b.example": types.StringValue("x")}),
				"sizes":  texts(types.StringValue("s"), types.StringUnknown()),
				"upload": upload(types.StringValue("h"), types.StringUnknown()),
			}),
			values: manifest.Values{"mode": "slow", "upload": manifest.Values{"host": "h"}},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			values, known := manifestschema.Decode(test.object)
			if diff := cmp.Diff(test.values, values); diff != "" || known != test.known {
				t.Errorf("known %t, want %t; values (-want +got):\n%s", known, test.known, diff)
			}
		})
	}
}

func TestValidatePutsEveryFaultAtItsPath(t *testing.T) {
	root := path.Root("every_thing")
	tests := map[string]struct {
		attributes map[string]attr.Value
		at         []path.Path
	}{
		"sound": {attributes: map[string]attr.Value{"token": types.StringValue("env://TOKEN")}},
		"all at once": {
			attributes: map[string]attr.Value{
				"token": types.StringValue("plain-secret"), "mode": types.StringValue("quick"),
				"zones":  zones(map[string]attr.Value{"a.example": types.StringValue("long")}),
				"sizes":  texts(types.StringValue("s"), types.StringValue("long")),
				"upload": upload(types.StringValue(""), types.StringValue("plain-secret")),
			},
			at: []path.Path{
				root.AtName("token"), root.AtName("mode"), root.AtName("zones").AtMapKey("a.example"), root.AtName("sizes").AtListIndex(1),
				root.AtName("upload").AtName("host"), root.AtName("upload").AtName("private_key"),
			},
		},
		"a required field that is null is the framework's": {attributes: map[string]attr.Value{"mode": types.StringValue("slow")}},
		"a required field that is empty": {
			attributes: map[string]attr.Value{"token": types.StringValue("")}, at: []path.Path{root.AtName("token")},
		},
		"fields that depend on each other": {
			attributes: map[string]attr.Value{"token": types.StringValue("env://T"), "lowest": types.Int64Value(10)},
			at:         []path.Path{root.AtName("lowest")},
		},
		"fields that depend on an unknown one": {
			attributes: map[string]attr.Value{
				"token": types.StringValue("env://T"), "lowest": types.Int64Value(10), "highest": types.Int64Unknown(),
			},
		},
		"unknown where a fault would be": {attributes: map[string]attr.Value{
			"token": types.StringUnknown(), "mode": types.StringUnknown(),
			"zones":  zones(map[string]attr.Value{"a.example": types.StringUnknown()}),
			"sizes":  texts(types.StringUnknown()),
			"upload": upload(types.StringUnknown(), types.StringUnknown()),
		}},
		"a fault beside something unknown": {
			attributes: map[string]attr.Value{"token": types.StringUnknown(), "mode": types.StringValue("quick")},
			at:         []path.Path{root.AtName("mode")},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			diags := manifestschema.Validate(everything, object(test.attributes), root, secret.Check)
			if got := pathsOf(diags); !slices.EqualFunc(got, test.at, path.Path.Equal) {
				t.Errorf("faults at %s, want %s: %v", got, test.at, diags)
			}
			for _, fault := range diags {
				if !strings.HasSuffix(fault.Summary(), "(INVALID_INPUT)") {
					t.Errorf("summary %q does not end with the code", fault.Summary())
				}
				if strings.Contains(fault.Summary()+fault.Detail(), "plain-secret") {
					t.Errorf("a secret is repeated: %s: %s", fault.Summary(), fault.Detail())
				}
			}
		})
	}
}

func pathsOf(diags diag.Diagnostics) []path.Path {
	var paths []path.Path
	for _, diagnostic := range diags {
		if located, ok := diagnostic.(diag.DiagnosticWithPath); ok {
			paths = append(paths, located.Path())
		}
	}
	return paths
}

func TestPathsLeadToNestedFields(t *testing.T) {
	root := path.Root("every_thing")
	paths := manifestschema.Paths(everything, root)
	for name, want := range map[string]path.Path{
		"token":              root.AtName("token"),
		"upload":             root.AtName("upload"),
		"upload.private_key": root.AtName("upload").AtName("private_key"),
	} {
		if got, there := paths[name]; !there || !got.Equal(want) {
			t.Errorf("%s is at %s, want %s", name, got, want)
		}
	}
}
