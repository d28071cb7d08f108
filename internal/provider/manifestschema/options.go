// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifestschema

import (
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	resourceschema "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// OptionAttributes are the arguments of a machine for the options of all kinds: those that mean the same at every vendor, and
// one nested argument for each kind with what only it has. Where one is not written the provider fills in what the vendor
// shows.
func OptionAttributes(kinds []driver.Kind) map[string]resourceschema.Attribute {
	var common []manifest.Field
	for _, field := range driver.CommonFields() {
		field.Doc += commonEffects(kinds, field.Name)
		common = append(common, field)
	}
	attributes := resourceAttributes(common, true)
	for _, kind := range kinds {
		own := kind.OptionManifest()
		for i, field := range own.Fields {
			option, _ := kind.Option(field.Name)
			own.Fields[i].Doc += " " + sentence(option) + told(option) + note(option)
		}
		attributes[own.Attribute] = resourceschema.SingleNestedAttribute{
			Optional: true, Computed: true, MarkdownDescription: own.Doc + " With an account of another vendor the argument is an error in the plan.",
			Attributes: resourceAttributes(own.Fields, true),
		}
	}
	return attributes
}

// commonEffects says of every vendor what a change of an option does there.
func commonEffects(kinds []driver.Kind, name string) string {
	text := " Not written, it is as the vendor has it."
	for _, kind := range kinds {
		option, has := kind.Option(name)
		if !has {
			text += " " + kind.Manifest.Title + ": not there, an error in the plan."
			continue
		}
		text += " " + kind.Manifest.Title + ": " + Effect(option) + "."
		if note := note(option); note != "" {
			text += note
		}
	}
	return text
}

func sentence(option driver.Option) string {
	switch {
	case option.Off != 0 && option.Off != option.Effect:
		return "A change: " + Effect(option) + "."
	case option.Effect == driver.Replaces:
		return "A change replaces the machine."
	case option.Effect == driver.Restarts:
		return "A change stops the machine and starts it again, see `allow_stopping_for_update`."
	}
	return "A change is made in place."
}

func told(option driver.Option) string {
	switch {
	case option.Hidden:
		return " The vendor does not tell it, so its drift is not seen, and after an import what is written is taken for what is there."
	case option.Project:
		return " It is read back only where it is written, from the project's list: of a machine that is in another one it is null, and the next apply " +
			"moves the machine back. After an import it is null."
	}
	return ""
}

func note(option driver.Option) string {
	if option.Note == "" {
		return ""
	}
	return " " + option.Note
}

// Effect says in a few words what a change of an option does.
func Effect(option driver.Option) string {
	words := map[driver.Effect]string{driver.InPlace: "in place", driver.Restarts: "stops and starts", driver.Replaces: "replaces"}
	if option.Off == 0 || option.Off == option.Effect {
		return words[option.Effect]
	}
	return words[option.Effect] + ", to `false` " + words[option.Off]
}

// OptionTypes are the attributes of the nested argument that has a kind's name.
func OptionTypes(kind driver.Kind) map[string]attr.Type {
	return fieldTypes(kind.OptionManifest().Fields)
}

// Value answers what was written in one attribute of a manifest: nil where that is null, or unknown, which known tells.
func Value(attribute attr.Value) (value any, known bool) { return decode(attribute) }

// Unknown is a value of the field that is not known yet.
func Unknown(field manifest.Field) attr.Value {
	switch field.Type {
	case manifest.String:
		return types.StringUnknown()
	case manifest.Integer:
		return types.Int64Unknown()
	case manifest.Boolean:
		return types.BoolUnknown()
	case manifest.StringList:
		return types.ListUnknown(types.StringType)
	case manifest.StringSet:
		return types.SetUnknown(types.StringType)
	case manifest.StringMap, manifest.Object:
	}
	panic(notOfAnOption(field))
}

// Encode is a value of the field as a plan or a state has it; nil is null.
func Encode(field manifest.Field, value any) attr.Value {
	switch field.Type {
	case manifest.String:
		text, there := value.(string)
		return choose(there, types.StringValue(text), types.StringNull())
	case manifest.Integer:
		number, there := value.(int64)
		return choose(there, types.Int64Value(number), types.Int64Null())
	case manifest.Boolean:
		truth, there := value.(bool)
		return choose(there, types.BoolValue(truth), types.BoolNull())
	case manifest.StringList:
		texts, there := value.([]string)
		return choose(there, types.ListValueMust(types.StringType, elements(texts)), types.ListNull(types.StringType))
	case manifest.StringSet:
		texts, there := value.([]string)
		texts = slices.Compact(slices.Sorted(slices.Values(texts)))
		return choose(there, types.SetValueMust(types.StringType, elements(texts)), types.SetNull(types.StringType))
	case manifest.StringMap, manifest.Object:
	}
	panic(notOfAnOption(field))
}

func choose(there bool, value, null attr.Value) attr.Value {
	if there {
		return value
	}
	return null
}

func elements(texts []string) []attr.Value {
	values := make([]attr.Value, len(texts))
	for i, text := range texts {
		values[i] = types.StringValue(text)
	}
	return values
}

// notOfAnOption is a mistake in a kind, which a test of every kind finds.
func notOfAnOption(field manifest.Field) string {
	return fmt.Sprintf("option %q has a type that no option of a machine can have", field.Name)
}
