// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/listing"
)

// NewDataSource makes bettercompute_certificates for the provider's list.
func NewDataSource() datasource.DataSource {
	return listing.Definition{
		TypeName: "certificates", Collection: "certificates",
		Description:           "The certificates that bear the marks of an account, whichever state they belong to, oldest first. What an interrupted apply has left behind shows here.",
		CollectionDescription: "The certificates, oldest first, then by the vendor's id.",
		Elements: listing.Elements{
			"id":             listing.Text("Our id: `pcert_` and 52 characters."),
			"certificate_id": listing.Text("The vendor's id."),
			"name":           listing.Text("The name, without the part of our id that follows it at the vendor."),
			"state":          listing.Text("`pending`, `ready`, `deleting` or `error`."),
			"owned":          listing.Flag("False as long as a create is under way, or after it was interrupted: no state owns the certificate then."),
		},
		Read: listCertificates,
	}.New()
}

func listCertificates(ctx context.Context, account *compute.Account, _ listing.Arguments) ([]listing.Row, error) {
	found, err := account.ManagedCertificates(ctx)
	rows := make([]listing.Row, len(found))
	for i, certificate := range found {
		rows[i] = listed(certificate)
	}
	return rows, err
}

func listed(certificate driver.Certificate) listing.Row {
	return listing.Row{
		"id":             attributes.Text(certificate.Marks.Key),
		"certificate_id": types.StringValue(certificate.ID),
		"name":           types.StringValue(driver.PlainName(certificate.Name, certificate.Marks.Key)),
		"state":          types.StringValue(string(certificate.State)),
		"owned":          types.BoolValue(!certificate.Marks.Creating),
	}
}
