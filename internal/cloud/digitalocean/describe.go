// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

// Describe explains an error of this driver.
func (c *cloud) Describe(err error) driver.Failure {
	explained := driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown, Message: err.Error()}
	if _, ok := errors.AsType[*transport.NotSentError](err); ok {
		explained.Outcome = driver.NotDone
	}
	for _, describe := range []func(error, *driver.Failure) bool{
		failure.BeforeSending, describeArgument, describeAction, c.describeAnswer,
	} {
		if describe(err, &explained) {
			if named, ok := errors.AsType[*namedVPC](err); ok && explained.Field == optionVPC {
				explained.Field = named.option
			}
			return explained
		}
	}
	failure.NoAnswer(err, c.host, &explained)
	return explained
}

// describeArgument explains what the library refuses to send.
func describeArgument(err error, explained *driver.Failure) bool {
	argument, ok := errors.AsType[*godo.ArgError](err)
	if ok {
		explained.Code, explained.Message, explained.Outcome = driver.InvalidInput, argument.Error(), driver.NotDone
	}
	return ok
}

// describeAction explains an action that came to nothing. A create that does has found no room.
func describeAction(err error, explained *driver.Failure) bool {
	action, ok := errors.AsType[*actionError](err)
	if !ok {
		return false
	}
	explained.Outcome, explained.Message = driver.NotDone, action.Error()
	if action.operation == actionCreate {
		explained.Code = driver.CapacityUnavailable
	}
	return true
}

// describeAnswer explains what the vendor answered.
func (c *cloud) describeAnswer(err error, explained *driver.Failure) bool {
	answer, ok := errors.AsType[*requestError](err)
	if !ok {
		return false
	}
	explained.Status, explained.RequestID, explained.VendorCode = answer.status, answer.requestID, answer.id
	explained.RetryAfter = transport.RetryAfter(answer.header, time.Now())
	if answer.status < http.StatusInternalServerError {
		explained.Outcome = driver.NotDone
	}
	if answer.id == "" {
		explained.Message = fmt.Sprintf("%s answered with status %d and a body (%s) that is not the JSON of DigitalOcean",
			c.host, answer.status, answer.header.Get("Content-Type"))
		describeStatus(answer.status, explained)
		return true
	}
	if answer.status == http.StatusNotFound && answer.id == "not_found" {
		explained.Code = driver.NotFound
		return true
	}
	describeStatus(answer.status, explained)
	explained.Field = cmp.Or(answer.about, explained.Field)
	describeWords(answer, explained)
	describeInUse(answer, explained)
	if answer.about == projectField && explained.Code == driver.AccessDenied {
		explained.Message += " (project_id needs a token with the scopes project:read and project:assign_resource)"
		explained.Next = "Give the account a token with these scopes, or leave project_id out."
	}
	return true
}

// describeStatus says what a status means by itself. A 404 that is not the vendor's own is no proof that something is gone.
func describeStatus(status int, explained *driver.Failure) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		explained.Code, explained.Field = driver.AccessDenied, "token"
	case http.StatusTooManyRequests:
		explained.Code = driver.RateLimited
	}
}

// describeInUse tells the 403 of a certificate that a load balancer uses from one of a token without rights
// (terraform-provider-digitalocean, certificate/resource_certificate.go).
func describeInUse(answer *requestError, explained *driver.Failure) {
	if answer.status != http.StatusForbidden {
		return
	}
	for _, text := range []string{"not in use before deleting", "used by one or more load balancers"} {
		if strings.Contains(answer.message, text) {
			explained.Code, explained.Reason, explained.Field = driver.InvalidState, driver.ReasonInUse, ""
		}
	}
}

// words are what the vendor's messages are told apart by: it has one code for all of them (DigitalOcean API document,
// "Errors"; the texts as its clients match them). The first that fits decides.
var words = []struct {
	text   string
	code   driver.Code
	reason driver.Reason
}{
	{"pending event", driver.Conflict, driver.ReasonBusy},
	{"limit", driver.QuotaExceeded, ""},
	{"smaller disk", driver.InvalidInput, ""},
	{"powered off to", driver.InvalidState, ""},
	{"too large to fit", driver.CapacityUnavailable, ""},
	{"not available", driver.CapacityUnavailable, ""},
	{"unavailable", driver.CapacityUnavailable, ""},
	{"try again", driver.CapacityUnavailable, ""},
	{"name is not unique", driver.Conflict, driver.ReasonNameTaken},
	{"already", driver.Conflict, ""},
	{"assigned", driver.Conflict, ""},
}

// arguments are the words of a message that name an argument, with our names. The first that fits decides.
var arguments = []struct{ text, field string }{
	{"private_key", "private_key"}, {"certificate_chain", "chain"}, {"leaf_certificate", "certificate"}, {"dns_names", "domains"}, {"domain", "domains"},
	{"size", "offer_id"}, {"region", "region"}, {"image", "image"}, {"user_data", "user_data"}, {"user data", "user_data"},
	{"tag", "labels"}, {"vpc", optionVPC}, {"key identifiers", optionSSHKeys}, {"backup", driver.OptionBackups}, {"ipv6", driver.OptionPublicIPv6},
	{"project_id", "project_id"}, {"name", "name"},
}

func describeWords(answer *requestError, explained *driver.Failure) {
	message := strings.ToLower(answer.message)
	switch answer.status {
	case http.StatusUnprocessableEntity:
		explained.Code = driver.InvalidInput
		for _, known := range words {
			if strings.Contains(message, known.text) {
				explained.Code, explained.Reason = known.code, known.reason
				break
			}
		}
	case http.StatusBadRequest:
		explained.Code = driver.InvalidInput
		// terraform-provider-digitalocean, pull request 1277.
		if strings.Contains(message, "assigned flip") {
			explained.Code = driver.InvalidState
		}
	case http.StatusConflict:
		explained.Code = driver.Conflict
	default:
		return
	}
	if explained.Code != driver.InvalidInput && explained.Code != driver.CapacityUnavailable {
		return
	}
	for _, known := range arguments {
		if strings.Contains(message, known.text) {
			explained.Field = known.field
			return
		}
	}
}
