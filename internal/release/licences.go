// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
)

// allowed are the SPDX names of the licences under which somebody else's code may be in the binaries: they ask for their
// text and the authors' names to be passed on, MPL-2.0 also for the source of its own files.
var allowed = []string{
	"Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MPL-2.0",
	// What the detector takes the Go project's own BSD-3-Clause for.
	"BSD-Source-Code",
}

// bom is the part of a CycloneDX bill of materials that is read here.
type bom struct {
	Components []component `json:"components"`
}

// component is one module; what a detector found is evidence, not an assertion.
type component struct {
	Name     string    `json:"name"`
	Version  string    `json:"version"`
	Licences []licence `json:"licenses"`
	Evidence struct {
		Licences []licence `json:"licenses"`
	} `json:"evidence"`
}

type licence struct {
	License struct {
		ID   string `json:"id"`
		Name string `json:"name"`
	} `json:"license"`
}

func (l licence) name() string { return l.License.ID + l.License.Name }

// checkLicences answers one error that names every module without a licence that is allowed.
func checkLicences(files []string, out io.Writer) error {
	found := map[string]int{}
	var faults []error
	seen := map[string]bool{}
	for _, file := range files {
		modules, err := components(file)
		if err != nil {
			return err
		}
		for _, module := range modules {
			id := module.Name + "@" + module.Version
			if seen[id] {
				continue
			}
			seen[id] = true
			licence, err := module.licence()
			if err != nil {
				faults = append(faults, fmt.Errorf("%s: %w", id, err))
			}
			found[licence]++
		}
	}
	if len(seen) == 0 {
		return errors.New("the bill of materials names no module at all")
	}
	if err := errors.Join(faults...); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		fmt.Fprintf(out, "%3d modules under %s\n", found[name], name)
	}
	return nil
}

// licence answers the module's licences as one text, and an error unless each of them is allowed.
func (c component) licence() (string, error) {
	var names []string
	for _, one := range append(c.Licences, c.Evidence.Licences...) {
		names = append(names, one.name())
	}
	all := strings.Join(names, " and ")
	if len(names) == 0 {
		return "none", errors.New("no licence was found in its source")
	}
	for _, name := range names {
		if !slices.Contains(allowed, name) {
			return all, fmt.Errorf("%s is not on the list of allowed licences (internal/release)", all)
		}
	}
	return all, nil
}

func components(file string) ([]component, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var read bom
	if err := json.Unmarshal(text, &read); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return read.Components, nil
}
