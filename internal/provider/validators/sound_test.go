// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package validators_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/validators"
)

func TestTextsThatACheckJudges(t *testing.T) {
	rule := validators.Sound(func(text string) error {
		if text == "good" {
			return nil
		}
		return errors.New("must be good")
	})
	for value, fault := range map[types.String]bool{
		types.StringValue("good"): false, types.StringNull(): false, types.StringUnknown(): false, types.StringValue("planted"): true,
	} {
		var response validator.StringResponse
		rule.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("argument"), ConfigValue: value}, &response)
		expect(t, response.Diagnostics, fault, "argument must be good.")
		if fault && strings.Contains(response.Diagnostics[0].Detail(), "planted") {
			t.Errorf("the message repeats the text: %v", response.Diagnostics)
		}
	}
}
