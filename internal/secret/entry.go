// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"cmp"
	"fmt"
	"strings"
)

// Entry names a value in the sealed file: what secret://TENANT/NAME refers to.
type Entry struct {
	Tenant, Name string
}

// ParseEntry reads secret://TENANT/NAME, or TENANT/NAME alone. Its errors are of type *Error and do not repeat the text.
func ParseEntry(text string) (Entry, error) {
	if !strings.Contains(text, "://") {
		text = schemeSecret + "://" + text
	}
	parsed, err := parse(text)
	if err != nil {
		return Entry{}, err
	}
	if parsed.scheme != schemeSecret {
		return Entry{}, &Error{Message: "must have the form secret://TENANT/NAME, such as secret://root/hcloud-token"}
	}
	return parsed.entry(), nil
}

// String is the reference to the entry.
func (e Entry) String() string { return schemeSecret + "://" + e.Tenant + "/" + e.Name }

// compare orders entries by tenant and then by name, both by their bytes.
func (e Entry) compare(other Entry) int {
	return cmp.Or(strings.Compare(e.Tenant, other.Tenant), strings.Compare(e.Name, other.Name))
}

// CheckTenant refuses a secret:// reference of another tenant: what belongs to one tenant must not be made from another's
// secrets. References of other schemes name no tenant and pass. Its errors are of type *Error.
func CheckTenant(text, tenant string) error {
	parsed, err := parse(text)
	if err != nil || parsed.scheme != schemeSecret {
		return err
	}
	if owner := parsed.entry().Tenant; owner != tenant {
		return &Error{Message: fmt.Sprintf("must be a secret of the tenant %s, secret://%s/NAME; it is one of the tenant %s", tenant, tenant, owner)}
	}
	return nil
}
