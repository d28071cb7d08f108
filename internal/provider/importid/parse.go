// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package importid

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
)

// written is what the function import_id writes.
type written struct {
	ProviderAccount struct {
		ID       string `json:"id"`
		TenantID string `json:"tenant_id"`
		Kind     string `json:"kind"`
		Config   string `json:"config"`
	} `json:"provider_account"`
	ID string `json:"id"`
}

// Parse reads what the function has written: the account and the object in it.
func Parse(text string) (account compute.Reference, object string, err error) {
	decoder := json.NewDecoder(bytes.NewReader([]byte(text)))
	decoder.DisallowUnknownFields()
	var id written
	if err := decoder.Decode(&id); err != nil {
		return account, "", errors.New("it is not the JSON that the function import_id writes")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return account, "", errors.New("there is something after the JSON that the function import_id writes")
	}
	from := id.ProviderAccount
	if from.ID == "" || from.TenantID == "" || from.Kind == "" || from.Config == "" || id.ID == "" {
		return account, "", errors.New("it lacks the object, or a part of the account")
	}
	return compute.Reference{ID: from.ID, TenantID: from.TenantID, Kind: from.Kind, Config: from.Config}, id.ID, nil
}

// WithBlock adds the import block to an error that an import may be the answer to. It is indented, since CLIs wrap what is
// not. Resource is the type, such as bettercompute_instance.
func WithBlock(err error, resource string) error {
	failure, ok := errors.AsType[*compute.Error](err)
	if !ok || failure.Import == "" {
		return err
	}
	return WithAdvice(err, "The block for an import, with this resource's name in place of NAME:\n\n"+Block(resource, failure.Account, failure.Import))
}

// WithAdvice adds a sentence on what to do next to an error of compute.
func WithAdvice(err error, advice string) error {
	failure, ok := errors.AsType[*compute.Error](err)
	if !ok {
		return err
	}
	advised := *failure
	if advised.Advice != "" {
		advised.Advice += "\n\n"
	}
	advised.Advice += advice
	return &advised
}

// Block is an import block, ready to paste but for the resource's name.
func Block(resource string, account compute.Reference, object string) string {
	return strings.Join([]string{
		"  import {",
		"    to = " + resource + ".NAME",
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
