// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package importid is the function provider::bettercompute::import_id, which makes the id for an import block from an
// account and the name of an object.
package importid

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/reference"
)

// Function is the function import_id.
type Function struct{}

var _ function.Function = Function{}

// New makes the function.
func New() function.Function { return Function{} }

// Metadata tells the function's name.
func (Function) Metadata(_ context.Context, _ function.MetadataRequest, response *function.MetadataResponse) {
	response.Name = "import_id"
}

// Definition tells the parameters and the result.
func (Function) Definition(_ context.Context, _ function.DefinitionRequest, response *function.DefinitionResponse) {
	response.Definition = function.Definition{
		Summary: "Id for an import block",
		MarkdownDescription: "Makes the `id` of an `import` block from an account and an object on it. The id is JSON that holds the account, so that the " +
			"object can be looked up before anything is in the state.",
		Parameters: []function.Parameter{
			function.ObjectParameter{
				Name: "provider_account", AttributeTypes: reference.Types,
				MarkdownDescription: "The account that the object is on: pass the whole `bettercompute_provider_account`. It must be known in the plan: use the data source.",
			},
			function.StringParameter{
				Name:                "object",
				MarkdownDescription: "The object to import: our id of it, the vendor's id, its name, or its address where it has one.",
			},
		},
		Return: function.StringReturn{},
	}
}

// account is the account object as an import id holds it.
type account struct {
	ID       string `json:"id"`
	TenantID string `json:"tenant_id"`
	Kind     string `json:"kind"`
	Config   string `json:"config"`
}

// Run answers {"provider_account":{"id":..,"tenant_id":..,"kind":..,"config":..},"id":".."}.
func (Function) Run(ctx context.Context, request function.RunRequest, response *function.RunResponse) {
	var owner types.Object
	var object types.String
	response.Error = request.Arguments.Get(ctx, &owner, &object)
	if response.Error != nil {
		return
	}
	decoded, known, diags := reference.Decode(ctx, owner)
	response.Error = function.FuncErrorFromDiags(ctx, diags)
	switch {
	case response.Error != nil:
		return
	case !known:
		response.Error = function.NewArgumentFuncError(0, "INVALID_INPUT: provider_account must be a whole bettercompute_provider_account; id, tenant_id, kind or config is null")
		return
	case object.ValueString() == "":
		response.Error = function.NewArgumentFuncError(1, "INVALID_INPUT: object must be our id, the vendor's id or the name of what is to be imported; it is empty")
		return
	}
	text, err := json.Marshal(struct {
		Account account `json:"provider_account"`
		ID      string  `json:"id"`
	}{Account: account(decoded), ID: object.ValueString()})
	if err != nil {
		response.Error = function.NewFuncError(err.Error())
		return
	}
	response.Error = response.Result.Set(ctx, string(text))
}

// Advice says how the id of an import is written: noun is the sort of object, to a resource's address, object what the
// example imports, and accepted what else may stand for it.
func Advice(noun, to, object, accepted string) string {
	return "The import id names the account and the " + noun + ": let the function write it.\n\n" +
		"  import {\n" +
		"    to = " + to + "\n" +
		"    id = provider::bettercompute::import_id(data.bettercompute_provider_account.main, \"" + object + "\")\n" +
		"  }\n\n" +
		"The second argument is " + accepted + "."
}
