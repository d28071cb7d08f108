// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"golang.org/x/crypto/ssh"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/diagnostics"
)

// ValidateConfig checks what needs no account: timeouts that could never be met, and keys that cannot be merged into the
// user data.
func (r *Resource) ValidateConfig(ctx context.Context, request resource.ValidateConfigRequest, response *resource.ValidateConfigResponse) {
	config := read(ctx, request.Config, &response.Diagnostics)
	if response.Diagnostics.HasError() {
		return
	}
	for name, value := range config.Timeouts.Attributes() {
		text, ok := value.(types.String)
		if !ok || text.IsNull() || text.IsUnknown() {
			continue
		}
		if allowed, err := time.ParseDuration(text.ValueString()); err == nil && allowed <= 0 {
			diagnostics.Error(&response.Diagnostics, path.Root("timeouts").AtName(name), driver.InvalidInput, "Invalid timeouts."+name,
				fmt.Sprintf("A timeout must be longer than nothing; it is %q. Leave it out for the default.", text.ValueString()))
		}
	}
	validateOptions(config, &response.Diagnostics)
	data, dataKnown := config.userData()
	keys, keysKnown := config.keys()
	if !dataKnown || !keysKnown {
		return
	}
	if _, err := compute.MergeUserData(data, keys); err != nil {
		diagnostics.Append(&response.Diagnostics, err, path.Root("ssh_authorized_keys"), argumentPaths(config))
	}
}

var labelPattern = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$`)

// hostName demands an RFC 1123 host name of at most 63 characters.
type hostName struct{}

// Description tells the rule.
func (hostName) Description(context.Context) string {
	return "must be a host name: letters, digits and hyphens, in parts separated by dots, at most 63 characters in all; no underscore, " +
		"and no part that begins or ends with a hyphen"
}

// MarkdownDescription tells the rule.
func (h hostName) MarkdownDescription(ctx context.Context) string { return h.Description(ctx) }

// ValidateString judges a known value.
func (h hostName) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	name := request.ConfigValue.ValueString()
	valid := len(name) <= 63
	for part := range strings.SplitSeq(name, ".") {
		valid = valid && labelPattern.MatchString(part)
	}
	if valid {
		return
	}
	advice := ""
	if strings.Contains(name, "_") {
		advice = fmt.Sprintf(" Write %q, for instance.", strings.ReplaceAll(name, "_", "-"))
	}
	diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid name",
		fmt.Sprintf("The name %s. It is %q.%s", h.Description(ctx), name, advice))
}

// publicKey demands one OpenSSH public key. The value is not shown: it may be a private key by mistake.
type publicKey struct{}

// Description tells the rule.
func (publicKey) Description(context.Context) string {
	return "must be one OpenSSH public key, as in a file that ends in .pub: type, key and comment on one line"
}

// MarkdownDescription tells the rule.
func (k publicKey) MarkdownDescription(ctx context.Context) string { return k.Description(ctx) }

// ValidateString judges a known value.
func (k publicKey) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	key := request.ConfigValue.ValueString()
	_, _, _, _, err := ssh.ParseAuthorizedKey([]byte(key))
	if err == nil && !strings.Contains(strings.TrimSpace(key), "\n") {
		return
	}
	diagnostics.Error(&response.Diagnostics, path.Root("ssh_authorized_keys"), driver.InvalidInput, "Invalid ssh_authorized_keys",
		fmt.Sprintf("Each element %s; one of %d characters is not.", k.Description(ctx), len(key)))
}

// duration demands a duration of nothing or more.
type duration struct{}

// Description tells the rule.
func (duration) Description(context.Context) string {
	return "must be a duration such as 90s or 2m, not below 0s"
}

// MarkdownDescription tells the rule.
func (d duration) MarkdownDescription(ctx context.Context) string { return d.Description(ctx) }

// ValidateString judges a known value.
func (d duration) ValidateString(ctx context.Context, request validator.StringRequest, response *validator.StringResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() {
		return
	}
	value, err := time.ParseDuration(request.ConfigValue.ValueString())
	if err == nil && value >= 0 {
		return
	}
	diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid "+request.Path.String(),
		fmt.Sprintf("%s %s. It is %q.", request.Path, d.Description(ctx), request.ConfigValue.ValueString()))
}

// notNegative demands a number of nothing or more.
type notNegative struct{}

// Description tells the rule.
func (notNegative) Description(context.Context) string { return "must not be below 0" }

// MarkdownDescription tells the rule.
func (n notNegative) MarkdownDescription(ctx context.Context) string { return n.Description(ctx) }

// ValidateNumber judges a known value.
func (n notNegative) ValidateNumber(ctx context.Context, request validator.NumberRequest, response *validator.NumberResponse) {
	if request.ConfigValue.IsNull() || request.ConfigValue.IsUnknown() || request.ConfigValue.ValueBigFloat().Sign() >= 0 {
		return
	}
	diagnostics.Error(&response.Diagnostics, request.Path, driver.InvalidInput, "Invalid "+request.Path.String(),
		fmt.Sprintf("%s %s. It is %s.", request.Path, n.Description(ctx), decimalText(request.ConfigValue)))
}
