// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package moved answers `moved` blocks that come from a resource of a vendor's own provider. Both CLIs hand over the state of the
// old resource and nothing else, and ask before any configuration is looked at, while each of our resources needs its account,
// which only the configuration names: the next refresh could not find the object. So the answer is an error with the way that
// there is, in blocks that are ready to be pasted.
package moved

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// From answers the movers of a resource, target being its type, for the types of other providers that it can take the place of:
// each ends in UNSUPPORTED. For any other type the framework says itself that it knows no way.
func From(target string, sources ...string) []resource.StateMover {
	return []resource.StateMover{{StateMover: func(_ context.Context, request resource.MoveStateRequest, response *resource.MoveStateResponse) {
		if !slices.Contains(sources, request.SourceTypeName) {
			return
		}
		diagnostics.Error(&response.Diagnostics, path.Empty(), driver.Unsupported, "A "+request.SourceTypeName+" is imported, not moved",
			advice(target, request.SourceTypeName, objectOf(request)))
	}}}
}

// objectOf is the id that the old resource's state has, which is the vendor's at all providers whose resources are moved.
func objectOf(request resource.MoveStateRequest) string {
	var state struct {
		ID string `json:"id"`
	}
	if request.SourceRawState == nil || json.Unmarshal(request.SourceRawState.JSON, &state) != nil || state.ID == "" {
		return "ID"
	}
	return state.ID
}

func advice(target, source, object string) string {
	return fmt.Sprintf("A moved block hands over the old resource's state, which does not name the account that %s needs. "+
		"Put these two blocks in its place; nothing at the vendor is touched but for the marks that the apply puts on:\n\n"+
		"  removed {\n"+
		"    from = %s.NAME\n"+
		"    lifecycle {\n"+
		"      destroy = false\n"+
		"    }\n"+
		"  }\n\n"+
		"  import {\n"+
		"    to = %s.NAME\n"+
		"    id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, %q)\n"+
		"  }\n\n"+
		"The guide \"From the vendors' own providers\" shows it whole.", target, source, target, object)
}
