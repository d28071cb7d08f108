// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import "strings"

// Marks says whether a request, by its method and path, can only have written names, labels, tags or descriptions: what
// marks an object. A floating IP's protection is set to what it is, which leaves a proof.
func (v Vendor) Marks(request string) bool {
	method, path, _ := strings.Cut(request, " ")
	switch v.Name {
	case "hetzner":
		return method == "PUT" || strings.HasSuffix(path, "/change_protection")
	case "digitalocean":
		return strings.HasPrefix(path, "/v2/tags")
	}
	return method == "PUT" && strings.HasSuffix(path, "/config")
}

// Requests counts the requests of a method and a path since the journal was emptied.
func (s *Scene) Requests(method, path string) int {
	count := 0
	for _, entry := range s.Emulator.Journal() {
		if entry.Method == method && entry.Path == path {
			count++
		}
	}
	return count
}
