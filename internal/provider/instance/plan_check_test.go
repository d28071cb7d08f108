// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// bare is a vendor that has nothing but what every vendor has.
type bare struct{ driver.Driver }

func TestWhatAVendorHasNotIsRefusedWithoutACall(t *testing.T) {
	account := compute.NewAccount(compute.Settings{Driver: bare{}, Reference: compute.Reference{Kind: "bare"}})
	for name, test := range map[string]struct {
		state, config func(*model)
		want          []string
	}{
		"nothing of it": {},
		"power": {
			config: func(m *model) { m.Power = types.StringValue("on") },
			want:   []string{"power: An account of kind bare cannot switch machines on and off (UNSUPPORTED)"},
		},
		"labels": {
			config: func(m *model) { m.Labels = textMap(map[string]string{"a": "b"}) },
			want:   []string{"labels: An account of kind bare cannot label machines (UNSUPPORTED)"},
		},
		"another name": {
			config: func(m *model) { m.Name = types.StringValue("api") },
			want:   []string{"name: An account of kind bare cannot rename machines in place (UNSUPPORTED)"},
		},
		"the name of a new machine": {
			state: func(m *model) { m.Name = null }, config: func(m *model) { m.Name = types.StringValue("api") },
		},
		"reinstall": {
			config: func(m *model) { m.OnChange = onChange(null, types.StringValue("reinstall"), null) },
			want:   []string{"on_change: An account of kind bare cannot reinstall machines (UNSUPPORTED)"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var diags diag.Diagnostics
			state, config := made(), written()
			change(&state, test.state)
			change(&config, test.config)
			p := &planning{prior: state, plan: config, diags: &diags}
			p.checkCapabilities(account)
			var got []string
			for _, problem := range diags {
				located, ok := problem.(diag.DiagnosticWithPath)
				if !ok {
					t.Fatalf("%s is at no attribute", problem.Summary())
				}
				got = append(got, located.Path().String()+": "+problem.Summary())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
