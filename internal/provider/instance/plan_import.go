// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// takeWritten plans the first change after an import: arguments that cannot be read back or have several spellings take
// what is written, in place. What is written must be the machine, though.
func (p *planning) takeWritten(ctx context.Context) {
	before, after := attributes.TextOf(p.prior.ProviderAccount, "kind"), attributes.TextOf(p.plan.ProviderAccount, "kind")
	if !after.IsUnknown() && !attributes.SameText(before, after) {
		diagnostics.Error(p.diags, accountPath(), driver.InvalidInput, "The machine was imported through an account of another kind",
			fmt.Sprintf("It was imported through an account of kind %s, the configuration names one of kind %s. "+
				"Name the account that it was imported through.", before.ValueString(), after.ValueString()))
		return
	}
	if changesOffer(p.prior, p.plan) {
		diagnostics.Error(p.diags, offerPath(p.config), driver.InvalidInput, "The imported machine has another offer",
			fmt.Sprintf("The machine has offer %s, the configuration says %s. Write the machine's offer: an import never resizes. "+
				"To give it another one, apply the import first and change the offer then.", p.prior.OfferID.ValueString(), p.plan.OfferID.ValueString()))
		return
	}
	p.checkWrittenOptions(ctx)
	if !p.resource.preflight() {
		return
	}
	account := p.resource.open(ctx, p.plan.ProviderAccount, p.diags)
	if account == nil {
		return
	}
	p.checkWrittenImage(ctx, account)
	p.checkWrittenRegion(ctx, account)
}

// checkWrittenOptions refuses options that the machine shows otherwise and that no change in place can bring.
func (p *planning) checkWrittenOptions(ctx context.Context) {
	for _, change := range p.options {
		told := !change.unknown && change.before != nil && !change.Hidden
		if !told || change.effect() != driver.Replaces || change.Refers && !p.resource.preflight() || p.sameThing(ctx, change) {
			continue
		}
		diagnostics.Error(p.diags, change.path, driver.InvalidInput, "The imported machine has another "+change.Name,
			fmt.Sprintf("The machine has %s, the configuration says %s. Write what the machine has, or leave the argument out: an import replaces nothing.",
				optionText(change.before), optionText(change.after)))
	}
}

func (p *planning) checkWrittenImage(ctx context.Context, account *compute.Account) {
	if p.plan.Image.IsUnknown() || attributes.SameText(p.plan.Image, p.prior.Image) || p.prior.ImageID.IsNull() || !account.Has(compute.CapabilityImages) {
		return
	}
	written := p.plan.Image.ValueString()
	images, err := account.Images(ctx, driver.ImageQuery{Region: p.prior.Region.ValueString(), Name: written})
	if err != nil {
		diagnostics.AppendWarning(p.diags, err, path.Root("image"), p.paths())
		return
	}
	if slices.ContainsFunc(images, func(image driver.Image) bool { return image.ID == p.prior.ImageID.ValueString() }) {
		return
	}
	diagnostics.Error(p.diags, path.Root("image"), driver.InvalidInput, "The imported machine has another image",
		fmt.Sprintf("The machine was made from image %q (id %s); %q is %s. Write the machine's image: an import never reinstalls. "+
			"To have another image, apply the import first and change the image then.",
			p.prior.Image.ValueString(), p.prior.ImageID.ValueString(), written, imagesText(images)))
}

func imagesText(images []driver.Image) string {
	if len(images) == 0 {
		return "no image that this account has"
	}
	var ids []string
	for _, image := range images {
		ids = append(ids, image.ID)
	}
	return "the image with id " + strings.Join(ids, " or ")
}

// checkWrittenRegion refuses a region that is another one of the vendor's; another spelling of the same is taken.
func (p *planning) checkWrittenRegion(ctx context.Context, account *compute.Account) {
	if p.regionLeft() {
		regions, _ := texts(p.config.Regions)
		diagnostics.Error(p.diags, path.Root("regions"), driver.InvalidInput, "The imported machine is in another region",
			fmt.Sprintf("The machine is in %s, regions names %s. Name the machine's region too: an import replaces nothing.",
				p.prior.Region.ValueString(), strings.Join(regions, ", ")))
		return
	}
	written := p.config.Region
	if written.IsNull() || written.IsUnknown() || p.prior.Region.IsNull() || strings.EqualFold(written.ValueString(), p.prior.Region.ValueString()) {
		return
	}
	regions, err := account.Regions(ctx)
	if err != nil {
		diagnostics.AppendWarning(p.diags, err, path.Root("region"), p.paths())
		return
	}
	if !slices.Contains(regions, written.ValueString()) {
		return
	}
	diagnostics.Error(p.diags, path.Root("region"), driver.InvalidInput, "The imported machine is in another region",
		fmt.Sprintf("The machine is in %s, the configuration says %s. Write the machine's region, or leave the argument out.",
			p.prior.Region.ValueString(), written.ValueString()))
}
