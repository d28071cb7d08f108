// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package diagnostics_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

func taken() *compute.Error {
	return &compute.Error{
		Failure: driver.Failure{
			Code: driver.Conflict, Field: "name", Status: 409, VendorCode: "uniqueness_error", RequestID: "req-7",
			Message: "server name is already used",
		},
		Vendor: "Hetzner Cloud", Action: "create machine web", Advice: "Choose another name.",
	}
}

func TestAppend(t *testing.T) {
	paths := map[string]path.Path{"name": path.Root("name")}
	account := path.Root("provider_account")
	tests := map[string]struct {
		err     error
		paths   map[string]path.Path
		summary []string
		at      path.Path
	}{
		"no error": {},
		"at the argument": {
			err: taken(), paths: paths, summary: []string{"Unable to create machine web (CONFLICT)"}, at: path.Root("name"),
		},
		"wrapped": {
			err: fmt.Errorf("wrapped: %w", taken()), paths: paths,
			summary: []string{"Unable to create machine web (CONFLICT)"}, at: path.Root("name"),
		},
		"field without an argument": {err: taken(), summary: []string{"Unable to create machine web (CONFLICT)"}, at: account},
		"joined": {
			err: errors.Join(taken(), errors.New("something else")), paths: map[string]path.Path{"name": account},
			summary: []string{"Unable to create machine web (CONFLICT)", "Unexpected error (PROVIDER_ERROR)"}, at: account,
		},
		"cancelled":   {err: context.Canceled, summary: []string{"Interrupted"}, at: account},
		"interrupted": {err: compute.ErrInterrupted, summary: []string{"Interrupted"}, at: account},
		"out of time": {err: context.DeadlineExceeded, summary: []string{"The time for the operation ran out (TIMEOUT)"}, at: account},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var diags diag.Diagnostics
			diagnostics.Append(&diags, test.err, account, test.paths)
			if diags.ErrorsCount() != len(test.summary) || diags.WarningsCount() != 0 {
				t.Fatalf("%d errors and %d warnings, want %d errors: %v", diags.ErrorsCount(), diags.WarningsCount(), len(test.summary), diags)
			}
			for i, diagnostic := range diags {
				if diagnostic.Summary() != test.summary[i] {
					t.Errorf("summary %q, want %q", diagnostic.Summary(), test.summary[i])
				}
				where, ok := diagnostic.(diag.DiagnosticWithPath)
				if !ok || !where.Path().Equal(test.at) {
					t.Errorf("%v is not at %s", diagnostic, test.at)
				}
			}
		})
	}
}

func TestAppendTellsTheVendorsWordsAndTheNextStep(t *testing.T) {
	var diags diag.Diagnostics
	diagnostics.Append(&diags, taken(), path.Empty(), nil)
	detail := diags[0].Detail()
	for _, want := range []string{"server name is already used", "409", "uniqueness_error", "req-7", "Choose another name."} {
		if !strings.Contains(detail, want) {
			t.Errorf("the detail lacks %q:\n%s", want, detail)
		}
	}
	if _, ok := diags[0].(diag.DiagnosticWithPath); ok {
		t.Error("an error about no argument has a path")
	}
}

func TestNestedArgumentIsNamed(t *testing.T) {
	token := path.Root("hetzner_cloud").AtName("token")
	for name, test := range map[string]struct {
		at   path.Path
		want bool
	}{"nested": {at: token, want: true}, "at the top": {at: path.Root("token")}} {
		t.Run(name, func(t *testing.T) {
			var diags diag.Diagnostics
			diagnostics.Append(&diags, taken(), test.at, nil)
			diagnostics.AppendWarning(&diags, taken(), test.at, nil)
			for _, diagnostic := range diags {
				if named := strings.Contains(diagnostic.Detail(), "hetzner_cloud.token"); named != test.want {
					t.Errorf("named: %t, want %t: %s", named, test.want, diagnostic.Detail())
				}
			}
		})
	}
}

func TestWarn(t *testing.T) {
	var diags diag.Diagnostics
	diagnostics.Warn(&diags, []compute.Notice{
		{Summary: "Machine web was adopted", Detail: "It was left by an interrupted apply."},
		{Summary: "Image is deprecated", Detail: "Choose another.", Field: "image"},
	}, map[string]path.Path{"image": path.Root("image")})
	want := diag.Diagnostics{
		diag.NewWarningDiagnostic("Machine web was adopted", "It was left by an interrupted apply."),
		diag.NewAttributeWarningDiagnostic(path.Root("image"), "Image is deprecated", "Choose another."),
	}
	if !diags.Equal(want) {
		t.Errorf("got %v, want %v", diags, want)
	}
}

func TestAppendWarningStopsNothing(t *testing.T) {
	var diags diag.Diagnostics
	diagnostics.AppendWarning(&diags, taken(), path.Root("name"), nil)
	if diags.HasError() || diags.WarningsCount() != 1 {
		t.Errorf("got %v, want one warning", diags)
	}
}
