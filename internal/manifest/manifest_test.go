// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// example is a manifest with a field of every type, nested secrets among them.
func example() Manifest {
	return Manifest{
		Kind: "example-cloud", Attribute: "example_cloud", Title: "Example", Doc: "An example.",
		Fields: []Field{
			{Name: "token", Type: String, Required: true, Secret: true, Doc: "The token."},
			{Name: "region", Type: String, Default: "north", Allowed: []string{"north", "south"}, Doc: "The region."},
			{Name: "least", Type: Integer, Default: int64(100), Doc: "The least."},
			{Name: "most", Type: Integer, Default: int64(900), Doc: "The most."},
			{Name: "previews", Type: Boolean, Doc: "Previews."},
			{Name: "dns_zones", Type: StringMap, Doc: "Zones.", Check: func(value any) error {
				var faults []error
				for zone := range value.(map[string]string) {
					if !strings.Contains(zone, ".") {
						faults = append(faults, At(zone, "is not a domain"))
					}
				}
				return errors.Join(faults...)
			}},
			{Name: "offers", Type: StringList, Default: []string{"small"}, Allowed: []string{"small", "large"}, Doc: "Offers."},
			{Name: "snippets", Type: Object, Doc: "Snippets.", Fields: []Field{
				{Name: "storage", Type: String, Required: true, Doc: "The storage."},
				{Name: "port", Type: Integer, Default: int64(22), Doc: "The port."},
				{Name: "private_key", Type: String, Secret: true, Doc: "The key."},
			}},
		},
		Check: func(values Values) []Fault {
			if values.Integer("least") > values.Integer("most") {
				return []Fault{{Path: []string{"most"}, Message: "is less than least"}}
			}
			return nil
		},
	}
}

func checkReference(text string) error {
	if strings.HasPrefix(text, "env://") {
		return nil
	}
	return errors.New("is not a reference")
}

func TestValidateReportsAllFaultsAtTheirPaths(t *testing.T) {
	tests := map[string]struct {
		values Values
		want   []string
	}{
		"sound": {values: Values{"token": "env://TOKEN", "region": "south"}},
		"every fault at once": {
			values: Values{
				"region": "west", "least": "many", "dns_zones": map[string]string{"lan": "root", "wan": "root", "example.com": "root"},
				"offers": []string{"small", "huge"}, "colour": "red",
				"snippets": Values{"private_key": "hunter2", "path": "x"},
			},
			want: []string{
				"token is required",
				`region must be one of "north", "south", not "west"`,
				"least must be a whole number",
				"dns_zones.lan is not a domain",
				"dns_zones.wan is not a domain",
				`offers.1 must be one of "small", "large", not "huge"`,
				"snippets.storage is required",
				"snippets.private_key is not a reference",
				"snippets.path is not a field of this config; the fields are storage, port, private_key",
				"colour is not a field of this config; the fields are token, region, least, most, previews, dns_zones, offers, snippets",
			},
		},
		"null and empty are not written": {
			values: Values{"token": "", "region": nil, "offers": []string{}, "dns_zones": map[string]string{}, "snippets": Values{"storage": ""}},
			want:   []string{"token is required"},
		},
		"fields that depend on each other see the defaults": {
			values: Values{"token": "env://TOKEN", "least": int64(901)},
			want:   []string{"most is less than least"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, fault := range example().Validate(test.values, checkReference) {
				got = append(got, fault.asError().Error())
				if strings.Contains(fault.Message, "hunter2") {
					t.Errorf("the message repeats a secret: %s", fault.Message)
				}
			}
			slices.Sort(got)
			slices.Sort(test.want)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestSecretNamesAreReferencesWithoutTheMark(t *testing.T) {
	for _, name := range []string{"token", "client_secret", "root_password", "ssh_key"} {
		m := Manifest{Fields: []Field{{Name: "outer", Type: Object, Fields: []Field{{Name: name, Type: String}}}}}
		faults := m.Validate(Values{"outer": Values{name: "hunter2"}}, checkReference)
		if len(faults) != 1 || !slices.Equal(faults[0].Path, []string{"outer", name}) {
			t.Errorf("%s: faults %v, want one at outer.%s", name, faults, name)
		}
	}
	m := Manifest{Fields: []Field{{Name: "labels", Type: StringMap}}}
	if faults := m.Validate(Values{"labels": map[string]string{"api_token": "plain"}}, checkReference); len(faults) > 0 {
		t.Errorf("the key of a user's map counts as a secret: %v", faults)
	}
}

func TestWithDefaultsCopies(t *testing.T) {
	zones := map[string]string{"example.com": "root"}
	values := Values{"token": "env://TOKEN", "dns_zones": zones, "snippets": Values{"storage": "local"}}
	got := example().WithDefaults(values)
	want := Values{
		"token": "env://TOKEN", "region": "north", "least": int64(100), "most": int64(900), "offers": []string{"small"},
		"dns_zones": map[string]string{"example.com": "root"}, "snippets": Values{"storage": "local", "port": int64(22)},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got.StringMap("dns_zones")["example.com"] = "changed"
	got.StringList("offers")[0] = "changed"
	if zones["example.com"] != "root" || example().WithDefaults(nil).StringList("offers")[0] != "small" {
		t.Error("a change of the copy shows in the original or in the manifest")
	}
}

func TestCanonicalIsStableAndParsesBack(t *testing.T) {
	values := Values{
		"token": "env://A<B>&C", "region": nil, "least": int64(9007199254740993), "previews": false, "offers": []string{"small"},
		"dns_zones": map[string]string{"b.example": "root", "a.example": "shop"}, "snippets": Values{"storage": "local", "private_key": ""},
	}
	got, err := example().Canonical(values)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"config":{"dns_zones":{"a.example":"shop","b.example":"root"},"least":9007199254740993,"offers":["small"],` +
		`"previews":false,"snippets":{"storage":"local"},"token":"env://A<B>&C"},"format":1}`
	if got != want {
		t.Errorf("canonical\n%s\nwant\n%s", got, want)
	}
	parsed, err := example().Parse(got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(written(values), parsed); diff != "" {
		t.Error(diff)
	}
	if again, err := example().Canonical(parsed); err != nil || again != want {
		t.Errorf("a second round gives %s, %v", again, err)
	}
}

func TestCanonicalRefusesWhatItCouldNotRead(t *testing.T) {
	for want, values := range map[string]Values{
		"colour is not a field":              {"colour": "red"},
		"least must be a whole number":       {"least": "1"},
		"snippets.port must be a whole":      {"snippets": Values{"port": 22}},
		"snippets.color is not a field of t": {"snippets": Values{"color": "x"}},
	} {
		if text, err := example().Canonical(values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("canonical %q, error %v, want %q", text, err, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	tests := map[string]string{
		`{"config":{},"format":2}`:                                      "format 2, this release of the provider knows format 1",
		`{"config":{}}`:                                                 "format 0",
		`{"config":{"hunter2":"x"},"format":1}`:                         "hunter2 is not a field",
		`{"config":{"least":1.5},"format":1}`:                           "least must be a whole number",
		`{"config":{"token":["hunter2"]},"format":1}`:                   "token must be a string",
		`{"config":{"offers":[1]},"format":1}`:                          "offers must be a list of strings",
		`{"config":{"dns_zones":{"a":1}},"format":1}`:                   "dns_zones must be a map of strings",
		`{"config":{"snippets":{"port":"22"}},"format":1}`:              "snippets.port must be a whole number",
		`{"config":{},"format":1,"more":1}`:                             "is not the JSON",
		`{"config":{},"format":1}{}`:                                    "text after its JSON",
		`plain-token`:                                                   "is not the JSON",
		`{"config":{"least":99999999999999999999999999999},"format":1}`: "least must be a whole number",
	}
	for text, want := range tests {
		values, err := example().Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("parse %s: %v, error %v, want %q", text, values, err, want)
		}
	}
}

func TestFaultsOfManifests(t *testing.T) {
	if faults := example().Faults(); len(faults) > 0 {
		t.Errorf("the sound example has faults: %q", faults)
	}
	broken := Manifest{
		Kind: "Example_Cloud", Attribute: "example",
		Fields: []Field{
			{Name: "token", Type: String, Doc: "Unmarked."},
			{Name: "token", Type: String, Secret: true, Default: "env://X", Doc: "Twice, with a default."},
			{Name: "Region", Type: String, Default: "west", Allowed: []string{"north"}},
			{Name: "size", Type: Integer, Default: 5, Required: true, Doc: "A default of the wrong type."},
			{Name: "flag", Type: Boolean, Secret: true, Allowed: []string{"x"}, Doc: "A secret flag."},
			{Name: "group", Type: Object, Default: Values{}, Doc: "Empty."},
			{Name: "nothing", Doc: "No type."},
		},
	}
	want := []string{
		`kind "Example_Cloud" does not match ^[a-z][a-z0-9-]*$`,
		`attribute is "example", not "Example_Cloud"`,
		"title or doc is missing",
		"token has the name of a secret and is not marked as one",
		"token is there twice",
		"token is secret and has a default or allowed values",
		"Region does not match ^[a-z][a-z0-9_]*$",
		"Region has no doc",
		`Region has a default that must be one of "north", not "west"`,
		"size is required and has a default",
		"size has a default that must be a whole number",
		"flag is secret and holds no text",
		"flag is secret and has a default or allowed values",
		"flag has allowed values and holds no text",
		"group is an object without fields, or fields without an object",
		"group is an object with a default",
		"nothing has no type",
	}
	if diff := cmp.Diff(want, broken.Faults()); diff != "" {
		t.Error(diff)
	}
}

func TestGettersOfAbsentFields(t *testing.T) {
	var v Values
	if v.String("a") != "" || v.Integer("a") != 0 || v.Boolean("a") || v.StringMap("a") != nil || v.StringList("a") != nil || v.Object("a").String("b") != "" {
		t.Error("an absent field is not the zero value")
	}
}
