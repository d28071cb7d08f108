// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/listing"
)

// NewDataSource makes bettercompute_instances for the provider's list.
func NewDataSource() datasource.DataSource {
	return listing.Definition{
		TypeName: "instances", Collection: "instances",
		Description: "The machines that bear the marks of an account, whichever state they belong to, oldest first. What an interrupted apply has left behind shows here. " +
			"It is read anew each time, also in an apply.",
		CollectionDescription: "The machines, oldest first, then by the vendor's id.",
		Elements: listing.Elements{
			"id":         listing.Text("Our id: `inst_` and 52 characters. Null for a machine whose key was wiped."),
			"machine_id": listing.Text("The vendor's id of the machine."),
			"name":       listing.Text("Name of the machine at the vendor."),
			"state":      listing.Text("`pending`, `running`, `stopped`, `rescue`, `deleting`, `deleted`, `error` or `unknown`."),
			"owned":      listing.Flag("False as long as a create is under way, or after it was interrupted: no state owns the machine then."),
			"region":     listing.Text("Region that the machine is in, in the vendor's words."),
			"created_at": listing.Text("When the vendor made the machine, as RFC 3339 in UTC."),
		},
		Read: listInstances,
	}.New()
}

func listInstances(ctx context.Context, account *compute.Account, _ listing.Arguments) ([]listing.Row, error) {
	found, err := account.Managed(ctx)
	rows := make([]listing.Row, len(found))
	for i, machine := range found {
		rows[i] = listed(machine)
	}
	return rows, err
}

func listed(machine driver.Machine) listing.Row {
	return listing.Row{
		"id":         attributes.Text(machine.Marks.Key),
		"machine_id": types.StringValue(machine.ID),
		"name":       attributes.Text(machine.Name),
		"state":      types.StringValue(string(machine.State)),
		"owned":      types.BoolValue(!machine.Marks.Creating),
		"region":     attributes.Text(machine.Region),
		"created_at": attributes.Moment(machine.CreatedAt),
	}
}
