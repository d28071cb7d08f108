// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package manifestschema turns the manifest of a kind of account into the nested attribute of a Terraform schema, and what
// a user wrote there into the values that the manifest judges. It is the only place where manifests meet the framework.
//
// No schema default is ever set: the config of an account is what was written, and defaults are filled in when a driver
// is built, so that a new release with a new default changes no plan.
package manifestschema

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	datasourceschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// ResourceAttribute is the optional attribute of a resource that holds the config of the manifest's kind.
func ResourceAttribute(m manifest.Manifest) resourceschema.SingleNestedAttribute {
	return resourceschema.SingleNestedAttribute{
		Optional: true, MarkdownDescription: m.Doc, Attributes: resourceAttributes(m.Fields, false),
	}
}

// DataSourceAttribute is the optional attribute of a data source that holds the config of the manifest's kind.
func DataSourceAttribute(m manifest.Manifest) datasourceschema.SingleNestedAttribute {
	return datasourceschema.SingleNestedAttribute{
		Optional: true, MarkdownDescription: m.Doc, Attributes: dataSourceAttributes(m.Fields),
	}
}

// Types are the attributes of the manifest's object.
func Types(m manifest.Manifest) map[string]attr.Type {
	return fieldTypes(m.Fields)
}

// resourceAttributes are those of the fields; computed says that the provider fills in what is not written.
func resourceAttributes(fields []manifest.Field, computed bool) map[string]resourceschema.Attribute {
	attributes := make(map[string]resourceschema.Attribute, len(fields))
	for _, field := range fields {
		attributes[field.Name] = resourceAttribute(field, computed)
	}
	return attributes
}

func resourceAttribute(field manifest.Field, computed bool) resourceschema.Attribute {
	required, optional, doc := field.Required, !field.Required, field.Doc
	switch field.Type {
	case manifest.String:
		return resourceschema.StringAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case manifest.Integer:
		return resourceschema.Int64Attribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case manifest.Boolean:
		return resourceschema.BoolAttribute{Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case manifest.StringMap:
		return resourceschema.MapAttribute{ElementType: types.StringType, Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case manifest.StringList:
		return resourceschema.ListAttribute{ElementType: types.StringType, Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case manifest.StringSet:
		return resourceschema.SetAttribute{ElementType: types.StringType, Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc}
	case manifest.Object:
		return resourceschema.SingleNestedAttribute{
			Required: required, Optional: optional, Computed: computed, MarkdownDescription: doc, Attributes: resourceAttributes(field.Fields, computed),
		}
	}
	panic(withoutType(field))
}

func dataSourceAttributes(fields []manifest.Field) map[string]datasourceschema.Attribute {
	attributes := make(map[string]datasourceschema.Attribute, len(fields))
	for _, field := range fields {
		attributes[field.Name] = dataSourceAttribute(field)
	}
	return attributes
}

func dataSourceAttribute(field manifest.Field) datasourceschema.Attribute {
	required, optional, doc := field.Required, !field.Required, field.Doc
	switch field.Type {
	case manifest.String:
		return datasourceschema.StringAttribute{Required: required, Optional: optional, MarkdownDescription: doc}
	case manifest.Integer:
		return datasourceschema.Int64Attribute{Required: required, Optional: optional, MarkdownDescription: doc}
	case manifest.Boolean:
		return datasourceschema.BoolAttribute{Required: required, Optional: optional, MarkdownDescription: doc}
	case manifest.StringMap:
		return datasourceschema.MapAttribute{ElementType: types.StringType, Required: required, Optional: optional, MarkdownDescription: doc}
	case manifest.StringList:
		return datasourceschema.ListAttribute{ElementType: types.StringType, Required: required, Optional: optional, MarkdownDescription: doc}
	case manifest.StringSet:
		return datasourceschema.SetAttribute{ElementType: types.StringType, Required: required, Optional: optional, MarkdownDescription: doc}
	case manifest.Object:
		return datasourceschema.SingleNestedAttribute{
			Required: required, Optional: optional, MarkdownDescription: doc, Attributes: dataSourceAttributes(field.Fields),
		}
	}
	panic(withoutType(field))
}

func fieldTypes(fields []manifest.Field) map[string]attr.Type {
	attributes := make(map[string]attr.Type, len(fields))
	for _, field := range fields {
		attributes[field.Name] = fieldType(field)
	}
	return attributes
}

func fieldType(field manifest.Field) attr.Type {
	switch field.Type {
	case manifest.String:
		return types.StringType
	case manifest.Integer:
		return types.Int64Type
	case manifest.Boolean:
		return types.BoolType
	case manifest.StringMap:
		return types.MapType{ElemType: types.StringType}
	case manifest.StringList:
		return types.ListType{ElemType: types.StringType}
	case manifest.StringSet:
		return types.SetType{ElemType: types.StringType}
	case manifest.Object:
		return types.ObjectType{AttrTypes: fieldTypes(field.Fields)}
	}
	panic(withoutType(field))
}

// withoutType is a mistake in a manifest, which a test of every kind finds.
func withoutType(field manifest.Field) string {
	return fmt.Sprintf("field %q of a manifest has no type", field.Name)
}
