// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package images is the data source bettercompute_images: what machines of an account can be made from.
package images

import (
	"cmp"
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/listing"
)

// NewDataSource makes the data source for the provider's list.
func NewDataSource() datasource.DataSource {
	return listing.Definition{
		TypeName: "images", Collection: "images",
		Description:           "The images that machines of an account can be made from: those of the vendor and the account's own; on Proxmox VE the templates that the token may see.",
		CollectionDescription: "The images, by name, then architecture, then id; those without a name come last. Deprecated ones are among them.",
		Elements: listing.Elements{
			"id":           listing.Text("The vendor's id of the image. The argument `image` of `bettercompute_instance` takes it."),
			"name":         listing.Text("The vendor's name or slug, which that argument takes too. Null for an image without one, such as a snapshot."),
			"architecture": listing.Text("`x86` or `arm`. Null where the vendor does not say."),
			"min_disk_gib": schema.Float64Attribute{Computed: true, MarkdownDescription: "The smallest disk in GiB that the image fits on. Null where the vendor does not say."},
			"deprecated":   listing.Text("When the vendor began to retire the image, as RFC 3339 in UTC. Null for one that is current."),
		},
		Arguments: map[string]schema.StringAttribute{
			"region": listing.Region("Region that the images can be used in."),
			"name":   listing.NamePattern("debian-*"),
			"architecture": {
				Optional: true, Validators: []validator.String{stringvalidator.OneOf("x86", "arm")},
				MarkdownDescription: "`x86` or `arm`; images of which the vendor does not say it are left in. Default: both.",
			},
		},
		Read: list,
	}.New()
}

func list(ctx context.Context, account *compute.Account, arguments listing.Arguments) ([]listing.Row, error) {
	region := cmp.Or(arguments["region"].ValueString(), account.Region())
	architecture, pattern := arguments["architecture"].ValueString(), arguments["name"]
	found, err := account.ListImages(ctx, driver.ImageQuery{Region: region, Architecture: architecture})
	if err != nil {
		return nil, err
	}
	arguments["region"] = attributes.Text(region)
	var rows []listing.Row
	for _, image := range found {
		if listing.Fits(image.Name, pattern) {
			rows = append(rows, show(image))
		}
	}
	return rows, nil
}

func show(image driver.Image) listing.Row {
	disk := types.Float64Null()
	if image.MinDiskGiB > 0 {
		disk = types.Float64Value(image.MinDiskGiB)
	}
	return listing.Row{
		"id":           types.StringValue(image.ID),
		"name":         attributes.Text(image.Name),
		"architecture": attributes.Text(image.Architecture),
		"min_disk_gib": disk,
		"deprecated":   attributes.Moment(image.Deprecated),
	}
}
