// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"errors"
	"net/http"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Finding is something that would make the apply fail, or a warning.
type Finding struct {
	// Field is the argument at fault.
	Field   string
	Err     *Error
	Warning bool
	// once, where it is not empty, names what is told once for an account and not once for each resource.
	once string
}

// outOfReach is what is told once of a vendor that cannot be asked.
const outOfReach = "out of reach"

// cannotAsk says whether an error is the vendor's silence: it does not make a plan wrong.
func cannotAsk(err error) bool {
	known, ok := errors.AsType[*Error](err)
	return ok && (known.Code == driver.ProviderError || known.Code == driver.RateLimited || known.Code == driver.Timeout)
}

// appendFinding adds what an error says of a plan, each of several that were joined; nil adds nothing.
func appendFinding(findings []Finding, err error) []Finding {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, single := range joined.Unwrap() {
			findings = appendFinding(findings, single)
		}
		return findings
	}
	known, ok := errors.AsType[*Error](err)
	if !ok {
		return findings
	}
	finding := Finding{Field: cmp.Or(known.Field, "provider_account"), Err: known}
	if cannotAsk(known) {
		silent := *known
		silent.Advice = "The plan goes on without the vendor's word: what would be refused shows in the apply."
		finding.Err, finding.Warning, finding.once = &silent, true, outOfReach
	}
	return append(findings, finding)
}

// unanswered says whether the vendor gave no answer, or none for this account: every other question would end in the same.
func (f Finding) unanswered() bool {
	if f.once == outOfReach || f.Err.Code == driver.InvalidConfig || f.Err.Status == http.StatusUnauthorized {
		return true
	}
	return !f.Warning && (f.Err.Field == "token" || f.Err.Field == "provider_account")
}

// ask puts questions one after the other, until one is not answered: a plan says once that a token is wrong, not once for
// each question.
func ask(questions ...func() []Finding) (all []Finding) {
	for _, question := range questions {
		findings := question()
		all = append(all, findings...)
		if slices.ContainsFunc(findings, Finding.unanswered) {
			break
		}
	}
	return all
}

// report leaves out what the command has been told of the account already.
func (a *Account) report(findings []Finding) []Finding {
	return slices.DeleteFunc(findings, func(finding Finding) bool {
		return finding.once != "" && !a.firstTold(finding.once)
	})
}

func (a *Account) firstTold(what string) bool {
	_, told := a.told.LoadOrStore(what, true)
	return !told
}

// accountFindings are what the account's driver has to say of the account itself.
func (a *Account) accountFindings() []Finding {
	var findings []Finding
	for _, notice := range a.warnings("") {
		findings = append(findings, Finding{
			Field: "provider_account", Warning: true, once: notice.Detail,
			Err: a.fault(driver.AccessDenied, "provider_account", "see all that the plan could use", notice.Detail,
				"Nothing has failed. Give the token the right, or leave it so."),
		})
	}
	return findings
}
