// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package networks is the data source bettercompute_networks: the private networks that machines of an account can be in.
package networks

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/listing"
)

// NewDataSource makes the data source for the provider's list.
func NewDataSource() datasource.DataSource {
	return listing.Definition{
		TypeName: "networks", Collection: "networks",
		Description: "The private networks that machines of an account can be in: networks at Hetzner Cloud, VPCs at DigitalOcean, bridges and VNets of Proxmox VE. " +
			"They are read and never changed, anew each time, also in an apply.",
		CollectionDescription: "The networks that machines of the region can be in, by name, then id.",
		Labels:                "Labels that a network has to bear, all of them. Only Hetzner Cloud keeps labels with networks; elsewhere this is UNSUPPORTED. Default: all networks.",
		Elements: listing.Elements{
			"id":   listing.Text("The vendor's id of the network, on Proxmox VE its name. The argument `network` of `bettercompute_instance` takes it."),
			"name": listing.Text("Name of the network, which that argument takes too, where it is the only one of this name."),
			"regions": listing.Texts("Regions whose machines can be in it, in ascending order: at Hetzner Cloud those whose network zone it has a subnet in, at DigitalOcean its own. " +
				"Empty on Proxmox VE, where there is one region."),
			"nodes":     listing.Texts("Nodes of Proxmox VE that have it, where not all of those that could be asked do. Empty otherwise."),
			"ip_ranges": listing.Texts("Its address ranges in CIDR form. Empty where the vendor knows none: a bridge without an address of the node's own."),
			"labels":    listing.Labels("Its labels. Null where the vendor keeps none with networks."),
			"default":   listing.Flag("Whether a machine that names no network is in it: the default VPC of a region at DigitalOcean."),
		},
		Arguments: map[string]schema.StringAttribute{
			"region": listing.Region("Region of the machines: only networks that they can be in are listed."),
			"name":   listing.NamePattern("backend-*"),
		},
		Read: list,
	}.New()
}

func list(ctx context.Context, account *compute.Account, arguments listing.Arguments) ([]listing.Row, error) {
	region := cmp.Or(arguments["region"].ValueString(), account.Region())
	found, err := account.ListNetworks(ctx, region)
	if err != nil {
		return nil, err
	}
	arguments["region"] = attributes.Text(region)
	var rows []listing.Row
	for _, network := range found {
		if listing.Fits(network.Name, arguments["name"]) {
			rows = append(rows, show(network))
		}
	}
	return rows, nil
}

func show(network driver.Network) listing.Row {
	return listing.Row{
		"id":        types.StringValue(network.ID),
		"name":      attributes.Text(network.Name),
		"regions":   listing.TextList(network.Regions),
		"nodes":     listing.TextList(network.Nodes),
		"ip_ranges": listing.TextList(network.Ranges),
		"labels":    listing.LabelMap(network.Labels),
		"default":   types.BoolValue(network.Default),
	}
}
