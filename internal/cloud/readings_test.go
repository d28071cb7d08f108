// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// reading is one way to ask a vendor.
type reading func(ctx context.Context) answer

// answer is what was read, or the error with what the driver makes of it.
type answer struct {
	found   any
	err     error
	failure driver.Failure
}

// isSound says what is wrong with an answer: an error that has no code, or something that no state can hold, such as a
// number without end.
func (a answer) isSound() error {
	if a.err != nil && a.failure.Code == "" {
		return fmt.Errorf("the error %w has no code", a.err)
	}
	_, err := json.Marshal(a.found)
	return err
}

// known are objects of the vendor to ask for.
type known struct {
	machine, address, certificate, prefix string

	operations []driver.Operation
}

// readings are all ways to ask that a driver has.
func readings(own driver.Driver, options []driver.Option, there known) map[string]reading {
	all := map[string]reading{}
	ask(all, own, "offers", func(ctx context.Context) ([]driver.Offer, error) { return own.Offers(ctx, driver.OfferQuery{}) })
	ask(all, own, "find", func(ctx context.Context) ([]driver.Machine, error) { return own.Find(ctx, "inst_x") })
	ask(all, own, "get", func(ctx context.Context) (driver.Machine, error) { return own.Get(ctx, there.machine) })
	ask(all, own, "poll", func(ctx context.Context) ([]driver.Progress, error) {
		return own.Poll(ctx, there.operations)
	})
	if can, ok := own.(driver.List); ok {
		ask(all, own, "list", can.List)
		ask(all, own, "name", func(ctx context.Context) ([]driver.Machine, error) { return can.FindName(ctx, "web") })
	}
	if can, ok := own.(driver.ListAll); ok {
		ask(all, own, "list all", can.ListAll)
	}
	if can, ok := own.(driver.Verify); ok {
		ask(all, own, "verify", func(ctx context.Context) (any, error) { return nil, can.Verify(ctx) })
	}
	if can, ok := own.(driver.Images); ok {
		ask(all, own, "images", func(ctx context.Context) ([]driver.Image, error) { return can.Images(ctx, driver.ImageQuery{}) })
	}
	if can, ok := own.(driver.Regions); ok {
		ask(all, own, "regions", can.Regions)
	}
	readingsBesides(all, own, there)
	readingsOfPlaces(all, own)
	if can, ok := own.(driver.Options); ok {
		for _, option := range options {
			if !option.Refers {
				continue
			}
			ask(all, own, "objects of "+option.Name, func(ctx context.Context) ([]driver.Object, error) { return can.Objects(ctx, option.Name, "") })
		}
	}
	return all
}

// readingsBesides are those of what is no machine.
func readingsBesides(all map[string]reading, own driver.Driver, there known) {
	if can, ok := own.(driver.Addresses); ok {
		ask(all, own, "addresses", can.ListAddresses)
		ask(all, own, "address", func(ctx context.Context) (driver.ReservedAddress, error) { return can.GetAddress(ctx, there.address) })
	}
	if can, ok := own.(driver.Certificates); ok {
		ask(all, own, "certificates", can.Certificates)
		ask(all, own, "certificate", func(ctx context.Context) (driver.Certificate, error) { return can.Certificate(ctx, there.certificate) })
		ask(all, own, "zones", can.Zones)
	}
	if can, ok := own.(driver.Prefixes); ok {
		ask(all, own, "prefixes", can.ListPrefixes)
		ask(all, own, "prefix in use", func(ctx context.Context) ([]string, error) { return can.PrefixInUse(ctx, there.prefix) })
	}
	if can, ok := own.(driver.Rows); ok {
		ask(all, own, "rows", can.ListRows)
	}
	if can, ok := own.(driver.Projects); ok {
		ask(all, own, "machines of the project", func(ctx context.Context) ([]string, error) { return can.ProjectMachines(ctx, "") })
	}
}

// readingsOfPlaces are those of what machines can be put into, and of how many there may be.
func readingsOfPlaces(all map[string]reading, own driver.Driver) {
	if can, ok := own.(driver.Networks); ok {
		ask(all, own, "networks", can.Networks)
	}
	if can, ok := own.(driver.Firewalls); ok {
		ask(all, own, "firewalls", can.Firewalls)
	}
	if can, ok := own.(driver.Quotas); ok {
		ask(all, own, "quota", func(ctx context.Context) (int, error) { return can.QuotaOf(ctx, driver.CountedMachines) })
		ask(all, own, "count", func(ctx context.Context) (int, error) { return can.CountOf(ctx, driver.CountedMachines) })
	}
}

func ask[Found any](all map[string]reading, own driver.Driver, name string, read func(context.Context) (Found, error)) {
	all[name] = func(ctx context.Context) answer {
		found, err := read(ctx)
		if err != nil {
			return answer{err: err, failure: own.Describe(err)}
		}
		return answer{found: found}
	}
}
