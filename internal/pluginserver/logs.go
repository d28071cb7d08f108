// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package pluginserver

import (
	"os"
	"path"
	"strings"
)

// quiet stops logs that nobody reads. Without TF_LOG a CLI throws away what a provider logs, but the loggers of the plugin
// framework write everything nevertheless, thousands of lines for a hundred objects: a fifth of the provider's time, and as
// much of the CLI's, which parses them. The name is the provider's address.
func quiet(name string) {
	for _, entry := range os.Environ() {
		if strings.HasPrefix(entry, "TF_LOG") && !strings.HasSuffix(entry, "=") {
			return
		}
	}
	for _, variable := range []string{
		"TF_LOG_SDK", "TF_LOG_SDK_PROTO", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_PROVIDER_" + strings.ToUpper(path.Base(name)),
	} {
		_ = os.Setenv(variable, "OFF") //nolint:forbidigo // the loggers know no other way, and this process serves one CLI only
	}
}
