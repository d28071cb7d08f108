// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// ErrInterrupted is what an operation ends with when its context is cancelled (Ctrl-C), as opposed to having run out of
// time. What is known by then is in the operation's result.
var ErrInterrupted = errors.New("interrupted")

// Error is the one type of error that this package gives, explained once, where it came from the driver.
type Error struct {
	driver.Failure
	// Vendor is the vendor's name for people.
	Vendor string
	// Action is what was tried, as a phrase such as "create machine web".
	Action string
	// Object is what it was about, such as "machine web (id 42)". Empty where Action says it.
	Object string
	// Advice is what to do next, in a sentence.
	Advice string
	// Import, where an import may be the answer, is the object to import through Account.
	Import  string
	Account Reference
	cause   error
}

// Error is Summary and Detail in one line, for logs.
func (e *Error) Error() string {
	return e.Summary() + ": " + strings.ReplaceAll(e.Detail(), "\n", " ")
}

// Unwrap is what the driver returned, or ErrInterrupted's kin.
func (e *Error) Unwrap() error { return e.cause }

// Summary is one line that ends with the code in brackets.
func (e *Error) Summary() string {
	return fmt.Sprintf("Unable to %s (%s)", e.Action, e.Code)
}

// Detail says what happened, on which object, the vendor's own words and request id, and what to do.
func (e *Error) Detail() string {
	lines := []string{e.happened()}
	if words := e.vendorWords(); words != "" {
		lines = append(lines, words)
	}
	if e.Advice != "" {
		lines = append(lines, "", e.Advice)
	}
	return strings.Join(lines, "\n")
}

func (e *Error) happened() string {
	text := e.Message
	if e.VendorCode != "" || e.Status != 0 {
		text = fmt.Sprintf("%s answered: %s", e.Vendor, e.Message)
	}
	if e.Object == "" {
		return text
	}
	return capital(e.Object) + ": " + text
}

func (e *Error) vendorWords() string {
	var parts []string
	if e.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP status %d", e.Status))
	}
	if e.VendorCode != "" {
		parts = append(parts, "code "+e.VendorCode)
	}
	if e.RequestID != "" {
		parts = append(parts, "request id "+e.RequestID)
	}
	if len(parts) == 0 {
		return ""
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// CodeOf answers the code of an error of this package, PROVIDER_ERROR for any other and "" for nil.
func CodeOf(err error) driver.Code {
	if err == nil {
		return ""
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known.Code
	}
	return driver.ProviderError
}

// fault makes an error of our own, which no vendor answered.
func (a *Account) fault(code driver.Code, field, action, message, advice string) *Error {
	return &Error{
		Failure: driver.Failure{Code: code, Field: field, Message: message},
		Vendor:  a.title(), Action: action, Advice: advice,
	}
}

// explain gives an error of the driver its code, once. The context tells a timeout of ours and an interrupt from a fault
// of the network.
func (a *Account) explain(ctx context.Context, err error, action, object string) error {
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if ended := a.ended(ctx, action, object, err); ended != nil {
		return ended
	}
	failure := a.driver.Describe(err)
	return &Error{Failure: failure, Vendor: a.title(), Action: action, Object: object, Advice: cmp.Or(failure.Next, advice(failure)), cause: err}
}

// ended answers the error of a context that is over, nil while it is not.
func (a *Account) ended(ctx context.Context, action, object string, last error) error {
	switch {
	case ctx.Err() == nil:
		return nil
	case errors.Is(ctx.Err(), context.Canceled):
		return &Error{
			Failure: driver.Failure{Code: driver.Timeout, Message: "the command was interrupted"},
			Vendor:  a.title(), Action: action, Object: object, Advice: "Run the same command again: it goes on where it stopped.",
			cause: ErrInterrupted,
		}
	}
	return a.timedOut(action, object, last)
}

// timedOut says what the operation was waiting for when its time ran out: a limit of the vendor's keeps its own code, and so
// does what is in use.
func (a *Account) timedOut(action, object string, last error) error {
	if known, ok := errors.AsType[*Error](last); ok && known.Code == driver.RateLimited && errors.Is(known, context.DeadlineExceeded) {
		// It was said already, where it was known what the time was spent on.
		return known
	}
	failure := driver.Failure{Code: driver.Timeout, Message: "the time allowed for the operation has run out"}
	if last != nil && !errors.Is(last, context.DeadlineExceeded) {
		described := a.describe(last)
		failure.Message += "; the last answer was: " + described.Message
		failure.Status, failure.VendorCode, failure.RequestID = described.Status, described.VendorCode, described.RequestID
		switch {
		case described.Code == driver.RateLimited:
			failure.Code = driver.RateLimited
		case described.Reason == driver.ReasonInUse:
			failure.Code, failure.Reason = described.Code, described.Reason
		}
	}
	next := "Nothing is lost: run the same command again. If the vendor is slow, raise the resource's `timeouts`."
	if failure.Reason == driver.ReasonInUse {
		next = advice(failure)
	}
	return &Error{
		Failure: failure, Vendor: a.title(), Action: action, Object: object, cause: context.DeadlineExceeded, Advice: next,
	}
}

func (a *Account) describe(err error) driver.Failure {
	if known, ok := errors.AsType[*Error](err); ok {
		return known.Failure
	}
	return a.driver.Describe(err)
}
