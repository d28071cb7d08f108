// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package validators_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

// expect checks that there is one INVALID_INPUT at the argument with the rule's own words, or nothing.
func expect(t *testing.T, diags diag.Diagnostics, fault bool, rule string) {
	t.Helper()
	if !fault {
		if len(diags) > 0 {
			t.Errorf("got %v, want no fault", diags)
		}
		return
	}
	if len(diags) != 1 || !strings.HasSuffix(diags[0].Summary(), "(INVALID_INPUT)") || !strings.Contains(diags[0].Detail(), rule) {
		t.Fatalf("got %v, want one INVALID_INPUT that says %q", diags, rule)
	}
	if located, ok := diags[0].(diag.DiagnosticWithPath); !ok || !located.Path().Equal(path.Root("argument")) {
		t.Errorf("%v is not at the argument", diags[0])
	}
}

func TestTexts(t *testing.T) {
	long := strings.Repeat("a", 128)
	tests := map[string]struct {
		rule  validator.String
		value types.String
		fault bool
	}{
		"tenant":             {rule: validators.Tenant()[0], value: types.StringValue("Team_1.a:b-c")},
		"longest tenant":     {rule: validators.Tenant()[0], value: types.StringValue(long)},
		"tenant too long":    {rule: validators.Tenant()[0], value: types.StringValue(long + "a"), fault: true},
		"tenant with a line": {rule: validators.Tenant()[0], value: types.StringValue("a\n"), fault: true},
		"unknown tenant":     {rule: validators.Tenant()[0], value: types.StringUnknown()},
		"no tenant":          {rule: validators.Tenant()[0], value: types.StringNull()},
		"key":                {rule: validators.IdempotencyKey()[0], value: types.StringValue("k")},
		"key with a slash":   {rule: validators.IdempotencyKey()[0], value: types.StringValue("a/b"), fault: true},
		"one of":             {rule: validators.OneOf("metal", "v.s"), value: types.StringValue("v.s")},
		"none of":            {rule: validators.OneOf("metal", "v.s"), value: types.StringValue("vps"), fault: true},
		"more than one of":   {rule: validators.OneOf("metal", "v.s"), value: types.StringValue("metals"), fault: true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			request := validator.StringRequest{Path: path.Root("argument"), ConfigValue: test.value}
			var response validator.StringResponse
			test.rule.ValidateString(t.Context(), request, &response)
			expect(t, response.Diagnostics, test.fault, test.rule.Description(t.Context()))
		})
	}
}

func TestWholeNumbers(t *testing.T) {
	for value, fault := range map[types.Int64]bool{
		types.Int64Value(0): false, types.Int64Value(64): false, types.Int64Value(-1): true, types.Int64Value(65): true,
		types.Int64Null(): false, types.Int64Unknown(): false,
	} {
		t.Run(value.String(), func(t *testing.T) {
			rule := validators.Between(0, 64)
			var response validator.Int64Response
			rule.ValidateInt64(t.Context(), validator.Int64Request{Path: path.Root("argument"), ConfigValue: value}, &response)
			expect(t, response.Diagnostics, fault, rule.Description(t.Context()))
		})
	}
}

func TestNumbersThatAreNotNegative(t *testing.T) {
	for name, test := range map[string]struct {
		value types.Float64
		fault bool
	}{
		"zero": {value: types.Float64Value(0)}, "more": {value: types.Float64Value(0.5)}, "less": {value: types.Float64Value(-0.5), fault: true},
		"unknown": {value: types.Float64Unknown()}, "null": {value: types.Float64Null()},
	} {
		t.Run(name, func(t *testing.T) {
			rule := validators.NotNegative()
			var response validator.Float64Response
			rule.ValidateFloat64(t.Context(), validator.Float64Request{Path: path.Root("argument"), ConfigValue: test.value}, &response)
			expect(t, response.Diagnostics, test.fault, rule.Description(t.Context()))
		})
	}
}
