// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Diagnostics are the errors and warnings of an answer.
type Diagnostics []*tfprotov6.Diagnostic

// Errors are the errors alone.
func (d Diagnostics) Errors() Diagnostics { return d.of(tfprotov6.DiagnosticSeverityError) }

// Warnings are the warnings alone.
func (d Diagnostics) Warnings() Diagnostics { return d.of(tfprotov6.DiagnosticSeverityWarning) }

func (d Diagnostics) of(severity tfprotov6.DiagnosticSeverity) Diagnostics {
	var some Diagnostics
	for _, diagnostic := range d {
		if diagnostic.Severity == severity {
			some = append(some, diagnostic)
		}
	}
	return some
}

// At answers the diagnostics at a path in dots, such as hetzner_cloud.token; "" for those at no attribute.
func (d Diagnostics) At(path string) Diagnostics {
	var some Diagnostics
	for _, diagnostic := range d {
		if dotted(diagnostic.Attribute) == path {
			some = append(some, diagnostic)
		}
	}
	return some
}

// String is everything that a user would read, a line for each.
func (d Diagnostics) String() string {
	var lines []string
	for _, diagnostic := range d {
		lines = append(lines, diagnostic.Severity.String()+" at "+dotted(diagnostic.Attribute)+": "+diagnostic.Summary+": "+diagnostic.Detail)
	}
	return strings.Join(lines, "\n")
}

func dotted(path *tftypes.AttributePath) string {
	var names []string
	for _, step := range path.Steps() {
		switch step := step.(type) {
		case tftypes.AttributeName:
			names = append(names, string(step))
		case tftypes.ElementKeyString:
			names = append(names, string(step))
		}
	}
	return strings.Join(names, ".")
}

// Fields are the attributes of an object.
func Fields(t *testing.T, object tftypes.Value) map[string]tftypes.Value {
	t.Helper()
	var fields map[string]tftypes.Value
	must(t, object.As(&fields))
	return fields
}

// Text is an attribute of an object that is a string; "" when it is null.
func Text(t *testing.T, object tftypes.Value, name string) string {
	t.Helper()
	var text *string
	must(t, Fields(t, object)[name].As(&text))
	if text == nil {
		return ""
	}
	return *text
}

// value makes a value of the type from what a test writes.
func value(t *testing.T, of tftypes.Type, written any) tftypes.Value {
	t.Helper()
	switch written := written.(type) {
	case tftypes.Value:
		return written
	case Attributes:
		object, ok := of.(tftypes.Object)
		if !ok {
			return mapValue(t, of, written)
		}
		attributes := map[string]tftypes.Value{}
		for name := range written {
			if _, there := object.AttributeTypes[name]; !there {
				t.Fatalf("the schema has no attribute %s", name)
			}
		}
		for name, inner := range object.AttributeTypes {
			attributes[name] = value(t, inner, written[name])
		}
		return tftypes.NewValue(of, attributes)
	case []any:
		return listValue(t, of, written)
	}
	return tftypes.NewValue(of, written)
}

func mapValue(t *testing.T, of tftypes.Type, written Attributes) tftypes.Value {
	t.Helper()
	inner, ok := of.(tftypes.Map)
	if !ok {
		t.Fatalf("%s takes no attributes", of)
	}
	elements := map[string]tftypes.Value{}
	for key, element := range written {
		elements[key] = value(t, inner.ElementType, element)
	}
	return tftypes.NewValue(of, elements)
}

func listValue(t *testing.T, of tftypes.Type, written []any) tftypes.Value {
	t.Helper()
	var element tftypes.Type
	switch of := of.(type) {
	case tftypes.List:
		element = of.ElementType
	case tftypes.Set:
		element = of.ElementType
	default:
		t.Fatalf("%s takes no list", of)
	}
	elements := make([]tftypes.Value, 0, len(written))
	for _, one := range written {
		elements = append(elements, value(t, element, one))
	}
	return tftypes.NewValue(of, elements)
}

func encode(t *testing.T, written tftypes.Value) *tfprotov6.DynamicValue {
	t.Helper()
	encoded, err := tfprotov6.NewDynamicValue(written.Type(), written)
	must(t, err)
	return &encoded
}

func decode(t *testing.T, of tftypes.Type, encoded *tfprotov6.DynamicValue) tftypes.Value {
	t.Helper()
	if encoded == nil {
		return tftypes.NewValue(of, nil)
	}
	decoded, err := encoded.Unmarshal(of)
	must(t, err)
	return decoded
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Print is a value that a test writes, for the name of a case.
func Print(written any) string {
	switch written := written.(type) {
	case nil:
		return "nothing"
	case string:
		return strconv.Quote(written)
	}
	return fmt.Sprint(written)
}
