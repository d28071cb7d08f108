// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package manifest

import (
	"fmt"
	"regexp"
	"strings"
)

var (
	kindPattern = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)
	namePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
)

// Faults answers what is wrong with the manifest itself, one sentence each; a test asks every kind.
func (m Manifest) Faults() []string {
	var faults []string
	if !kindPattern.MatchString(m.Kind) {
		faults = append(faults, fmt.Sprintf("kind %q does not match %s", m.Kind, kindPattern))
	}
	if want := strings.ReplaceAll(m.Kind, "-", "_"); m.Attribute != want {
		faults = append(faults, fmt.Sprintf("attribute is %q, not %q", m.Attribute, want))
	}
	if m.Title == "" || m.Doc == "" {
		faults = append(faults, "title or doc is missing")
	}
	return append(faults, fieldFaults(m.Fields, "")...)
}

func fieldFaults(fields []Field, prefix string) []string {
	var faults []string
	seen := map[string]bool{}
	for _, field := range fields {
		path := prefix + field.Name
		if seen[field.Name] {
			faults = append(faults, path+" is there twice")
		}
		seen[field.Name] = true
		for _, fault := range field.faults() {
			faults = append(faults, path+" "+fault)
		}
		faults = append(faults, fieldFaults(field.Fields, path+".")...)
	}
	return faults
}

func (f Field) faults() []string {
	rules := []struct {
		broken bool
		fault  string
	}{
		{!namePattern.MatchString(f.Name), "does not match " + namePattern.String()},
		{f.Type < String || f.Type > StringSet, "has no type"},
		{f.Doc == "", "has no doc"},
		{f.Type == String && endsInSecretWord(f.Name) && !f.Secret, "has the name of a secret and is not marked as one"},
		{f.Secret && !f.holdsText(), "is secret and holds no text"},
		{f.Secret && (f.Default != nil || len(f.Allowed) > 0), "is secret and has a default or allowed values"},
		{f.Required && f.Default != nil, "is required and has a default"},
		{len(f.Allowed) > 0 && !f.holdsText(), "has allowed values and holds no text"},
		{(f.Type == Object) != (len(f.Fields) > 0), "is an object without fields, or fields without an object"},
		{f.Type == Object && f.Default != nil, "is an object with a default"},
	}
	var faults []string
	for _, rule := range rules {
		if rule.broken {
			faults = append(faults, rule.fault)
		}
	}
	return append(faults, f.defaultFaults()...)
}

func (f Field) defaultFaults() []string {
	if f.Default == nil || f.Type == Object || f.Secret {
		return nil
	}
	check := validation{checkReference: func(string) error { return nil }}
	check.field(f, f.Default, nil)
	var faults []string
	for _, fault := range check.faults {
		faults = append(faults, "has a default that "+fault.Message)
	}
	return faults
}

func (f Field) holdsText() bool {
	return f.Type == String || f.Type == StringMap || f.Type == StringList || f.Type == StringSet
}
