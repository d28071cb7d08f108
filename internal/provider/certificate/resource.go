// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package certificate is the resource bettercompute_certificate and the data source bettercompute_certificates: TLS
// certificates at any vendor that has them. What a plan decides is a function of configuration, state and private state;
// what the vendor knows enters a plan as errors and warnings only.
package certificate

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/accounts"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

var (
	_ resource.ResourceWithConfigure      = (*Resource)(nil)
	_ resource.ResourceWithImportState    = (*Resource)(nil)
	_ resource.ResourceWithModifyPlan     = (*Resource)(nil)
	_ resource.ResourceWithValidateConfig = (*Resource)(nil)
)

// Resource is bettercompute_certificate.
type Resource struct {
	accounts.Opener
}

// NewResource makes the resource for the provider's list.
func NewResource() resource.Resource { return &Resource{} }

// Metadata names the resource's type.
func (r *Resource) Metadata(_ context.Context, request resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = request.ProviderTypeName + "_certificate"
}

// Configure takes the accounts that the provider has made for this command.
func (r *Resource) Configure(_ context.Context, request resource.ConfigureRequest, response *resource.ConfigureResponse) {
	r.Take(request.ProviderData, &response.Diagnostics)
}

func accountPath() path.Path { return path.Root(reference.Name) }
