// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package manifest describes the config of a provider account: its fields, their types, defaults and rules. Schema,
// documentation, validation and the canonical JSON of a config all come from one Manifest. It knows nothing of Terraform
// and nothing of HTTP.
package manifest

// Type is the type of a field.
type Type int

// The types, with the Go type that a value has in Values.
const (
	String     Type = iota + 1 // string
	Integer                    // int64
	Boolean                    // bool
	StringMap                  // map[string]string
	StringList                 // []string
	Object                     // Values
	StringSet                  // []string, whose order does not count
)

// Field is one field of a config.
type Field struct {
	Name     string
	Type     Type
	Required bool
	// Secret fields hold references to secrets, never secrets. Every string field whose name ends in token, secret,
	// password or key must be one.
	Secret bool
	// Default is filled in by WithDefaults where nothing is written; nil: none.
	Default any
	// Allowed are the values of a string field; empty: any.
	Allowed []string
	// Check is a further rule for one value that is there; it says in a sentence what is wrong with it.
	Check func(value any) error
	// Fields are those of an Object.
	Fields []Field
	// Doc is the documentation: a sentence or two, Markdown, with unit and default.
	Doc string
}

// Manifest describes one kind of account.
type Manifest struct {
	// Kind is the kind's name, such as "hetzner-cloud"; Attribute the HCL attribute, such as "hetzner_cloud".
	Kind      string
	Attribute string
	// Title is the vendor's name for people, such as "Hetzner Cloud".
	Title  string
	Doc    string
	Fields []Field
	// Check looks at fields that depend on each other; nil: none do.
	Check func(values Values) []Fault
}

// Values is a config: what a user wrote, by field name. A field that is not written is absent; null and empty are the same.
type Values map[string]any

// Fault is one thing that is wrong with a config.
type Fault struct {
	// Path leads to the field: names of fields, for a map its key, for a list its index in decimal.
	Path    []string
	Message string
}
