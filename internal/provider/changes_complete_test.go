// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// TestEveryAttributeHasARow at each vendor that has the resource: one that is new fails here until the table says what its
// changes come to.
func TestEveryAttributeHasARow(t *testing.T) {
	_, schemas := serve(t, fillings["all null"])
	for name, schema := range schemas.ResourceSchemas {
		at := slices.IndexFunc(subjects, func(of subject) bool { return of.resource == name })
		if at < 0 {
			t.Errorf("%s is not in the table", name)
			continue
		}
		for _, vendor := range vendorsOf(subjects[at].on) {
			for _, path := range written(schema.Block.Attributes, vendor) {
				if !isOption(name, path) && !subjects[at].has(path, vendor.Name) {
					t.Errorf("%s at %s has no row for %s", name, vendor.Name, path)
				}
			}
		}
	}
}

// isOption says whether an attribute is an option of a machine, which comes from the data of the vendors' drivers: package
// instance has the tables of what changes of them do, and a test that they are whole.
func isOption(resource, path string) bool {
	name, _, _ := strings.Cut(path, ".")
	return resource == instanceType && slices.ContainsFunc(cloud.Kinds(), func(kind driver.Kind) bool {
		return slices.ContainsFunc(kind.Options, func(option driver.Option) bool {
			return name == kind.Manifest.Attribute || option.Common && name == option.Name
		})
	})
}

// written are the paths of what can be written, objects with all that is in them. Of another vendor's account there is
// nothing to change but that it is there.
func written(attributes []*tfprotov6.SchemaAttribute, vendor providertest.Vendor) []string {
	var paths []string
	for _, attribute := range attributes {
		switch {
		case !attribute.Required && !attribute.Optional:
		case attribute.NestedType == nil || attribute.NestedType.Nesting != tfprotov6.SchemaObjectNestingModeSingle,
			slices.Contains(kinds(), attribute.Name) && attribute.Name != vendor.Attribute:
			paths = append(paths, attribute.Name)
		default:
			for _, inner := range written(attribute.NestedType.Attributes, vendor) {
				paths = append(paths, attribute.Name+"."+inner)
			}
		}
	}
	return paths
}

func (of subject) has(path, vendor string) bool {
	return slices.ContainsFunc(of.rows, func(row changed) bool {
		return row.attribute == path && (row.on == "" || strings.Contains(row.on, vendor))
	})
}

// TestNothingIsWrittenThatTheProviderFillsIn: every computed attribute is refused in a configuration, at its own path.
func TestNothingIsWrittenThatTheProviderFillsIn(t *testing.T) {
	_, schemas := serve(t, fillings["all null"])
	for _, of := range subjects {
		s := newStage(t, of, vendorsOf(of.on)[0])
		for _, attribute := range schemas.ResourceSchemas[of.resource].Block.Attributes {
			if attribute.Required || attribute.Optional {
				continue
			}
			config := s.config("", providertest.Attributes{attribute.Name: leaves(attribute.ValueType(), nil)})
			if attribute.Type != nil {
				config[attribute.Name] = empty(attribute.ValueType())
			}
			if faults := s.Begin().Validate(of.resource, config).At(attribute.Name).Errors(); len(faults) == 0 {
				t.Errorf("%s takes a value for %s", of.resource, attribute.Name)
			}
		}
	}
}

// TestEveryRowIsOfAnAttribute: what is gone from a schema is gone from the table.
func TestEveryRowIsOfAnAttribute(t *testing.T) {
	_, schemas := serve(t, fillings["all null"])
	for _, of := range subjects {
		known := map[string]bool{}
		for _, vendor := range vendorsOf(of.on) {
			for _, path := range written(schemas.ResourceSchemas[of.resource].Block.Attributes, vendor) {
				known[path] = true
			}
		}
		for _, row := range of.rows {
			if !known[row.attribute] {
				t.Errorf("%s has no attribute %s", of.resource, row.attribute)
			}
		}
	}
}
