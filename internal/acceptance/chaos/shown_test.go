// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// asWritten says which argument the vendor has otherwise than it is written, by what it tells others; nil: none.
func (s *scene) asWritten(written arguments) *verdict {
	if written == nil || s.on.shows == nil {
		return nil
	}
	wanted := texts("", written)
	for _, object := range s.objects() {
		shown := s.on.shows(s, object)
		for _, name := range slices.Sorted(maps.Keys(shown)) {
			if text, asked := wanted[name]; asked && text != shown[name] {
				return fault(unset, "%s of %s %s is %q at the vendor, written is %q", name, s.on.name, object.ID, shown[name], text)
			}
		}
	}
	return nil
}

// texts are arguments in dots with their values as text: the elements of a list are parted by spaces.
func texts(path string, written arguments) map[string]string {
	all := map[string]string{}
	for name, value := range written {
		switch value := value.(type) {
		case arguments:
			maps.Copy(all, texts(path+name+".", value))
		case []any:
			var elements []string
			for _, element := range value {
				elements = append(elements, fmt.Sprint(element))
			}
			all[path+name] = strings.Join(elements, " ")
		default:
			all[path+name] = fmt.Sprint(value)
		}
	}
	return all
}

// ask reads an object as others do, by a path below the vendor's endpoint.
func (s *scene) ask(at string, answer any) {
	s.t.Helper()
	providertest.AsOthers(s.t, s.on.Of(s.cloud), http.MethodGet, at, nil, answer)
}
