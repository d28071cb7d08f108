// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func TestSingleArguments(t *testing.T) {
	long := strings.Repeat("a", 63)
	for name, test := range map[string]struct {
		rule  validator.String
		value types.String
		valid bool
	}{
		"a name":                        {hostName{}, types.StringValue("web-1.example.com"), true},
		"a name in capitals":            {hostName{}, types.StringValue("Web1"), true},
		"a name of 63 characters":       {hostName{}, types.StringValue(long), true},
		"a name of 64 characters":       {hostName{}, types.StringValue(long + "a"), false},
		"no name":                       {hostName{}, types.StringValue(""), false},
		"a name with an underscore":     {hostName{}, types.StringValue("web_1"), false},
		"a name that begins with a -":   {hostName{}, types.StringValue("-web"), false},
		"a part that ends with a -":     {hostName{}, types.StringValue("web-.example"), false},
		"a name that ends with a dot":   {hostName{}, types.StringValue("web."), false},
		"an unknown name":               {hostName{}, types.StringUnknown(), true},
		"a public key":                  {publicKey{}, types.StringValue(sshKey), true},
		"a public key and its newline":  {publicKey{}, types.StringValue(sshKey + "\n"), true},
		"two public keys":               {publicKey{}, types.StringValue(sshKey + "\n" + sshKey), false},
		"a private key":                 {publicKey{}, types.StringValue("-----BEGIN OPENSSH PRIVATE KEY-----"), false},
		"a duration":                    {duration{}, types.StringValue("1m30s"), true},
		"no time at all":                {duration{}, types.StringValue("0s"), true},
		"a number for a duration":       {duration{}, types.StringValue("60"), false},
		"a duration below nothing":      {duration{}, types.StringValue("-1s"), false},
		"a duration that is left out":   {duration{}, types.StringNull(), true},
		"a key that turns out in apply": {publicKey{}, types.StringUnknown(), true},
	} {
		t.Run(name, func(t *testing.T) {
			var response validator.StringResponse
			test.rule.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("argument"), ConfigValue: test.value}, &response)
			if got := !response.Diagnostics.HasError(); got != test.valid {
				t.Errorf("valid: %t, want %t: %v", got, test.valid, response.Diagnostics)
			}
		})
	}
}

func TestARefusedKeyIsNotShown(t *testing.T) {
	const planted = "AAAA-PLANTED"
	var response validator.StringResponse
	publicKey{}.ValidateString(t.Context(), validator.StringRequest{
		Path: path.Root("ssh_authorized_keys").AtSetValue(types.StringValue(planted)), ConfigValue: types.StringValue(planted),
	}, &response)
	for _, diagnostic := range response.Diagnostics {
		if strings.Contains(diagnostic.Summary()+diagnostic.Detail(), planted) {
			t.Errorf("the key is shown: %s", diagnostic.Detail())
		}
	}
	if !response.Diagnostics.HasError() {
		t.Error("the key is not refused")
	}
}

func TestAPriceIsNotNegative(t *testing.T) {
	for number, valid := range map[float64]bool{0: true, 0.01: true, -0.01: false} {
		var response validator.NumberResponse
		notNegative{}.ValidateNumber(t.Context(), validator.NumberRequest{
			Path: path.Root("max_price_per_hour"), ConfigValue: types.NumberValue(big.NewFloat(number)),
		}, &response)
		if got := !response.Diagnostics.HasError(); got != valid {
			t.Errorf("%g is valid: %t, want %t", number, got, valid)
		}
	}
}
