// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// objectsKept is how old a list may be that something is missing in: what another resource has made since then, in the same
// apply, shows in a newer one.
const objectsKept = 2 * time.Second

// objectsNamed answers what an option may name, and what of it has an id, else a name.
func (a *Account) objectsNamed(ctx context.Context, option driver.Option, named, region string) (objects, found []driver.Object, err error) {
	for _, oldest := range []time.Time{{}, time.Now().Add(-objectsKept)} {
		if objects, err = a.optionObjects(ctx, option, region, oldest); err != nil {
			return nil, nil, err
		}
		for _, wanted := range []func(driver.Object) bool{
			func(object driver.Object) bool { return object.ID == named }, func(object driver.Object) bool { return object.Name == named },
		} {
			found = slices.DeleteFunc(slices.Clone(objects), func(object driver.Object) bool { return !wanted(object) })
			if len(found) > 0 {
				return objects, found, nil
			}
		}
	}
	return objects, nil, nil
}
