// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraddress

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/listing"
)

// NewDataSource makes bettercompute_provider_addresses for the provider's list.
func NewDataSource() datasource.DataSource {
	return listing.Definition{
		TypeName: "provider_addresses", Collection: "addresses",
		Description: "The reserved addresses of an account that bear this provider's marks, those of all states among them, oldest first. On DigitalOcean also what may " +
			"have leaked: intents without an address, and addresses that nothing has recorded.",
		CollectionDescription: "The addresses.",
		Elements: listing.Elements{
			"id":         listing.Text("Our id of the address: `paddr_` and 52 characters. Null for one that nothing has recorded."),
			"address":    listing.Text("The address. Null for an intent: an earlier create that never learned what it had reserved."),
			"name":       listing.Text("Name of the address, null where the vendor keeps none."),
			"state":      listing.Text("`ready`, `pending` (not finished, or an intent), or `error` (the vendor has blocked it)."),
			"owned":      listing.Flag("Whether a state owns it."),
			"family":     listing.Text("`ipv4` or `ipv6`. Null for an intent."),
			"region":     listing.Text("Region of the address. Null for an intent."),
			"machine_id": listing.Text("The vendor's id of the machine that it is on, null on none."),
		},
		Read: listAddresses,
	}.New()
}

func listAddresses(ctx context.Context, account *compute.Account, _ listing.Arguments) ([]listing.Row, error) {
	found, err := account.ManagedAddresses(ctx)
	rows := make([]listing.Row, len(found))
	for i, one := range found {
		rows[i] = listed(one)
	}
	return rows, err
}

func listed(one compute.ListedAddress) listing.Row {
	state := stateReady
	switch {
	case one.Address.ID == "", one.Address.Marks.Creating:
		state = statePending
	case one.Address.Blocked:
		state = stateError
	}
	return listing.Row{
		"id": attributes.Text(one.Key), "address": attributes.Text(one.Address.Address), "name": attributes.Text(compute.AddressName(one.Address)),
		"state": types.StringValue(state), "owned": types.BoolValue(one.Owned), "family": attributes.Text(one.Address.Family),
		"region": attributes.Text(one.Address.Region), "machine_id": attributes.Text(one.Address.Holder),
	}
}
