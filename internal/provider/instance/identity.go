// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/manifestschema"
)

// plannedID answers the id of a machine that is to be made, from its configuration; unknown while one of the arguments
// that the id is made of is unknown. An idempotency key takes the place of all but tenant and account.
func plannedID(tenant string, config model) types.String {
	account := attributes.TextOf(config.ProviderAccount, "id")
	if tenant == "" || account.IsUnknown() || config.IdempotencyKey.IsUnknown() {
		return types.StringUnknown()
	}
	identity := compute.InstanceIdentity{
		Tenant: tenant, AccountID: account.ValueString(), IdempotencyKey: config.IdempotencyKey.ValueString(),
	}
	if identity.IdempotencyKey == "" && !describe(&identity, config) {
		return types.StringUnknown()
	}
	return types.StringValue(identity.ID())
}

// describe puts the arguments into the identity as they are written; false while one of them is unknown.
func describe(identity *compute.InstanceIdentity, config model) bool {
	for _, argument := range []types.String{config.Name, config.Image, config.Region, config.UserData, config.UserDataWOVersion} {
		if argument.IsUnknown() {
			return false
		}
	}
	identity.Name = config.Name.ValueString()
	identity.Image = config.Image.ValueString()
	identity.Region = config.Region.ValueString()
	regions, known := texts(config.Regions)
	if !known {
		return false
	}
	identity.Regions = regions
	identity.UserDataVersion = config.UserDataWOVersion.ValueString()
	if data := config.UserData.ValueString(); data != "" {
		sum := sha256.Sum256([]byte(data))
		identity.UserDataSHA256 = hex.EncodeToString(sum[:])
	}
	return describeOptions(identity, config) && describeKeys(identity, config)
}

// describeOptions puts in what is written of the options whose change can replace the machine.
func describeOptions(identity *compute.InstanceIdentity, config model) bool {
	kind, _ := kindOf(config)
	identity.Options = manifest.Values{}
	for _, option := range kind.Options {
		if !option.CanReplace() {
			continue
		}
		value, known := manifestschema.Value(config.Options.value(kind, option))
		if !known {
			return false
		}
		if value == nil || meansNothing(value) {
			continue
		}
		if texts, isList := value.([]string); isList && option.Type == manifest.StringSet {
			value = slices.Sorted(slices.Values(texts))
		}
		identity.Options[option.Name] = value
	}
	return true
}

func describeKeys(identity *compute.InstanceIdentity, config model) bool {
	switch config.policies().SSHAuthorizedKeys {
	case replace:
		keys, known := config.keys()
		identity.SSHAuthorizedKeys = keys
		return known
	case undecided:
		return false
	case reinstall, ignore:
	}
	return true
}
