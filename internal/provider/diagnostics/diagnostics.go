// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package diagnostics turns errors and notices of the client layer into Terraform diagnostics: the one place that decides
// what their summaries and details look like.
package diagnostics

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Append turns an error of compute into an error diagnostic: at paths[Field] where the error names a field that is
// there, else at fallback; path.Empty() puts it at no attribute. Errors that were joined become one diagnostic each. A
// nil error adds nothing.
func Append(diags *diag.Diagnostics, err error, fallback path.Path, paths map[string]path.Path) {
	for _, single := range separate(err) {
		summary, detail := Text(single)
		where := at(FieldOf(single), fallback, paths)
		add(diags, where, diag.NewErrorDiagnostic(summary, naming(where, detail)))
	}
}

// AppendWarning is Append for an error that does not stop anything.
func AppendWarning(diags *diag.Diagnostics, err error, fallback path.Path, paths map[string]path.Path) {
	for _, single := range separate(err) {
		summary, detail := Text(single)
		where := at(FieldOf(single), fallback, paths)
		add(diags, where, diag.NewWarningDiagnostic(summary, naming(where, detail)))
	}
}

// Report turns what a plan has found into errors and warnings.
func Report(diags *diag.Diagnostics, findings []compute.Finding, fallback path.Path, paths map[string]path.Path) {
	for _, finding := range findings {
		if finding.Warning {
			AppendWarning(diags, finding.Err, fallback, paths)
			continue
		}
		Append(diags, finding.Err, fallback, paths)
	}
}

// Warn turns notices into warnings, at paths[Field] where there is such a path.
func Warn(diags *diag.Diagnostics, notices []compute.Notice, paths map[string]path.Path) {
	for _, notice := range notices {
		warning := diag.NewWarningDiagnostic(notice.Summary, notice.Detail)
		add(diags, at(notice.Field, path.Empty(), paths), warning)
	}
}

// Error adds an error of ours, which no vendor had a part in: its summary is what happened with the code in brackets.
func Error(diags *diag.Diagnostics, where path.Path, code driver.Code, what, detail string) {
	add(diags, where, diag.NewErrorDiagnostic(fmt.Sprintf("%s (%s)", what, code), detail))
}

// Text answers summary and detail of one error. The summary ends with the code in brackets.
func Text(err error) (summary, detail string) {
	if failure, ok := errors.AsType[*compute.Error](err); ok {
		return failure.Summary(), failure.Detail()
	}
	switch {
	case errors.Is(err, compute.ErrInterrupted), errors.Is(err, context.Canceled):
		return "Interrupted", "The request was cancelled before it was done. Run the same command again to go on."
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("The time for the operation ran out (%s)", driver.Timeout), err.Error()
	}
	return fmt.Sprintf("Unexpected error (%s)", driver.ProviderError), err.Error()
}

// FieldOf answers the argument that the error is about, in the words of compute; empty when it is none.
func FieldOf(err error) string {
	if failure, ok := errors.AsType[*compute.Error](err); ok {
		return failure.Field
	}
	return ""
}

// separate answers the errors that were joined with errors.Join, or the error itself.
func separate(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var all []error
		for _, inner := range joined.Unwrap() {
			all = append(all, separate(inner)...)
		}
		return all
	}
	return []error{err}
}

func at(field string, fallback path.Path, paths map[string]path.Path) path.Path {
	if where, ok := paths[field]; ok && field != "" {
		return where
	}
	return fallback
}

// naming adds the argument to a detail where it is a nested one: the CLIs then show the head of the whole block only.
func naming(where path.Path, detail string) string {
	if len(where.Steps()) < 2 || strings.Contains(detail, where.String()) {
		return detail
	}
	return detail + "\n\nThe argument is " + where.String() + "."
}

// add appends the diagnostic once: the framework drops repetitions of the same text at the same place.
func add(diags *diag.Diagnostics, where path.Path, diagnostic diag.Diagnostic) {
	if where.Equal(path.Empty()) {
		diags.Append(diagnostic)
		return
	}
	diags.Append(diag.WithPath(where, diagnostic))
}

// NotConfigured says that something needs the provider while an argument of its block is not known yet.
func NotConfigured(diags *diag.Diagnostics, where path.Path) {
	Error(diags, where, driver.InvalidConfig, "The provider is not configured yet",
		"An argument of the provider block \"bettercompute\" is known only after the apply, and this needs it now. Give the argument a value that is "+
			"known in the plan, or apply first what gives it, with -target.")
}
