// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package listing

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// labels is the argument and the attribute of that name.
const labels = "labels"

// NamePattern is the argument name of data sources whose objects are narrowed by Fits.
func NamePattern(example string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
		MarkdownDescription: "Pattern of the names, in which `*` stands for any text and `?` for one character: `" + example + "`. Default: all.",
	}
}

// Region is the argument region, which a Read fills in with the account's where it is not written.
func Region(description string) schema.StringAttribute {
	return schema.StringAttribute{
		Optional: true, Computed: true, Validators: []validator.String{stringvalidator.LengthAtLeast(1)},
		MarkdownDescription: description + " Default: the account's.",
	}
}

// Fits says whether a name fits a pattern; all names fit one that is not written.
func Fits(name string, pattern types.String) bool {
	return pattern.IsNull() || matches(name, pattern.ValueString())
}

// matches says whether a name fits a pattern in which * is any text and ? one character.
func matches(name, pattern string) bool {
	letters := []rune(name)
	// fits[i] says whether the letters up to i fit the signs so far.
	fits := make([]bool, len(letters)+1)
	fits[0] = true
	for _, sign := range pattern {
		before := slices.Clone(fits)
		fits[0] = before[0] && sign == '*'
		for i, letter := range letters {
			if sign == '*' {
				fits[i+1] = before[i+1] || fits[i]
				continue
			}
			fits[i+1] = before[i] && (sign == '?' || sign == letter)
		}
	}
	return fits[len(letters)]
}

// labelled answers the rows that bear all labels that are wanted. Where the vendor keeps none with such objects, that is
// UNSUPPORTED at the argument.
func (d Definition) labelled(rows []Row, wanted types.Map, diags *diag.Diagnostics) []Row {
	if len(wanted.Elements()) == 0 {
		return rows
	}
	if slices.ContainsFunc(rows, func(row Row) bool { return row[labels].IsNull() }) {
		diagnostics.Error(diags, path.Root(labels), driver.Unsupported, "These objects have no labels",
			"The account's vendor keeps no labels with its "+d.Collection+". Leave labels out, and narrow the list by name.")
		return nil
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row Row) bool {
		own, _ := row[labels].(types.Map)
		return !bears(own.Elements(), wanted.Elements())
	})
}

func bears(own, wanted map[string]attr.Value) bool {
	for name, value := range wanted {
		if !value.Equal(own[name]) {
			return false
		}
	}
	return true
}

// LabelMap is the attribute labels of an object; nil, where the vendor keeps none, is null.
func LabelMap(own map[string]string) types.Map {
	if own == nil {
		return types.MapNull(types.StringType)
	}
	values := map[string]attr.Value{}
	for name, value := range own {
		values[name] = types.StringValue(value)
	}
	return types.MapValueMust(types.StringType, values)
}

// TextList is a list of texts, empty where there are none.
func TextList(texts []string) types.List {
	values := make([]attr.Value, len(texts))
	for i, text := range texts {
		values[i] = types.StringValue(text)
	}
	return types.ListValueMust(types.StringType, values)
}

// Texts is an attribute of a listed object that is a list of texts.
func Texts(description string) schema.ListAttribute {
	return schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: description}
}

// Labels is an attribute of a listed object with its labels.
func Labels(description string) schema.MapAttribute {
	return schema.MapAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: description}
}
