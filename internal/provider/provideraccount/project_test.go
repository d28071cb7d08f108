// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provideraccount_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

func TestAProjectIsJudgedWhereItIsWritten(t *testing.T) {
	e := start(t)
	const nobody = "00000000-0000-4000-8000-000000000000"
	for name, test := range map[string]struct {
		project, token string
		says           []string
	}{
		"it is not there":         {nobody, e.DigitalOcean.Token, []string{"(INVALID_INPUT)", nobody, "nearest", "(main)"}},
		"it is a name":            {"shop", e.DigitalOcean.Token, []string{"(INVALID_INPUT)", "must be a UUID"}},
		"the token sees none":     {nobody, e.DigitalOcean.Tokens["no_projects"], []string{"(ACCESS_DENIED)", "project:read"}},
		"the token of other ones": {nobody, e.DigitalOcean.Tokens["foreign"], []string{"(INVALID_INPUT)", "(foreign)"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(variable, test.token)
			written := attributes{"name": "main", "digitalocean": attributes{
				"token": "env://" + variable, "endpoint": e.DigitalOcean.Endpoint, "region": "fra1", "project_id": test.project,
			}}
			server := providertest.Serve(t, quick)
			planned := server.Plan(typeName, tftypes.Value{}, written)
			faults := append(server.Validate(typeName, written).Errors(), planned.Diagnostics.Errors()...)
			if len(faults.At("digitalocean.project_id")) == 0 {
				t.Fatalf("nothing is told at the argument: %s", faults)
			}
			for _, words := range test.says {
				if !strings.Contains(faults.String(), words) {
					t.Errorf("%q is missing in: %s", words, faults)
				}
			}
		})
	}
}
