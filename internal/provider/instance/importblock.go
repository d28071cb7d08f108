// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

// withImportBlock adds the import block to an error that an import may be the answer to. It is indented, since CLIs wrap
// what is not.
func withImportBlock(err error) error {
	failure, ok := errors.AsType[*compute.Error](err)
	if !ok || failure.Import == "" {
		return err
	}
	return withAdvice(err, "The block for an import, with this resource's name in place of NAME:\n\n"+importBlock(failure.Account, failure.Import))
}

func importBlock(account compute.Reference, object string) string {
	return strings.Join([]string{
		"  import {",
		"    to = bettercompute_instance.NAME",
		"    id = provider::bettercompute::import_id({",
		"      id        = " + quoted(account.ID),
		"      tenant_id = " + quoted(account.TenantID),
		"      kind      = " + quoted(account.Kind),
		"      config    = " + quoted(account.Config),
		"    }, " + quoted(object) + ")",
		"  }",
	}, "\n")
}

// quoted writes a text as a string of the configuration language, in which ${ and %{ begin templates.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(text); err != nil {
		panic("a text can always be written as JSON: " + err.Error())
	}
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(strings.TrimSpace(out.String()))
}
