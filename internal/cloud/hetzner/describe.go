// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

// meaning is what one of the vendor's error codes means in our words.
type meaning struct {
	code   driver.Code
	reason driver.Reason
	field  string
}

// meanings are the vendor's codes (Hetzner API document, "Errors", and the operations). What is missing is
// PROVIDER_ERROR: method_not_allowed, maintenance, server_error, bad_gateway, unavailable, timeout and new ones.
var meanings = map[hcloud.ErrorCode]meaning{
	hcloud.ErrorCodeNotFound:                                {code: driver.NotFound},
	hcloud.ErrorCodeRateLimitExceeded:                       {code: driver.RateLimited},
	hcloud.ErrorCodeUniquenessError:                         {code: driver.Conflict, reason: driver.ReasonNameTaken, field: "name"},
	hcloud.ErrorCodeProtected:                               {code: driver.Conflict, reason: driver.ReasonProtected},
	hcloud.ErrorCodeConflict:                                {code: driver.Conflict, reason: driver.ReasonBusy},
	hcloud.ErrorCodeLocked:                                  {code: driver.Conflict, reason: driver.ReasonBusy},
	"must_be_unassigned":                                    {code: driver.InvalidState},
	"floating_ip_assigned":                                  {code: driver.InvalidState},
	hcloud.ErrorCodePrimaryIPAssigned:                       {code: driver.InvalidState},
	hcloud.ErrorCodePrimaryIPAlreadyAssigned:                {code: driver.InvalidState},
	hcloud.ErrorCodeServerNotStopped:                        {code: driver.InvalidState},
	hcloud.ErrorCodeInvalidInput:                            {code: driver.InvalidInput},
	hcloud.ErrorCodeJSONError:                               {code: driver.InvalidInput},
	hcloud.ErrorCodeInvalidServerType:                       {code: driver.InvalidInput, field: "offer_id"},
	hcloud.ErrorCodePrimaryIPVersionMismatch:                {code: driver.InvalidInput},
	hcloud.ErrorCodePrimaryIPDatacenterMismatch:             {code: driver.InvalidInput},
	hcloud.ErrorCodeResourceUnavailable:                     {code: driver.CapacityUnavailable},
	hcloud.ErrorCodeServerAlreadyAttached:                   {code: driver.InvalidState, reason: driver.ReasonBusy},
	hcloud.ErrorCodeIPNotAvailable:                          {code: driver.InvalidInput, field: optionNetworkIP},
	hcloud.ErrorCodeNoSubnetAvailable:                       {code: driver.InvalidInput, field: driver.OptionNetwork},
	"networks_overlap":                                      {code: driver.InvalidInput, field: driver.OptionNetwork},
	"private_net_only_server":                               {code: driver.InvalidState, field: optionFirewalls},
	"firewall_managed_by_label_selector":                    {code: driver.InvalidState, field: optionFirewalls},
	"firewall_resource_not_found":                           {code: driver.NotFound},
	"firewall_already_applied":                              {code: driver.InvalidState, reason: driver.ReasonBusy},
	hcloud.ErrorCodePlacementError:                          {code: driver.CapacityUnavailable},
	hcloud.ErrorCodeResourceLimitExceeded:                   {code: driver.QuotaExceeded},
	hcloud.ErrorCodeUnauthorized:                            {code: driver.AccessDenied, field: "token"},
	hcloud.ErrorCodeForbidden:                               {code: driver.AccessDenied, field: "token"},
	"token_readonly":                                        {code: driver.AccessDenied, field: "token"},
	hcloud.ErrorUnsupportedError:                            {code: driver.Unsupported},
	"ca_too_many_authorizations_failed_recently":            {code: driver.RateLimited, field: "domains"},
	"ca_too_many_certificates_issued_for_registered_domain": {code: driver.RateLimited, field: "domains"},
	"ca_too_many_duplicate_certificates":                    {code: driver.RateLimited, field: "domains"},
	hcloud.ErrorDeprecatedAPIEndpoint:                       {code: driver.Unsupported},
}

// fields are the vendor's names of what an order says, with our names of the arguments.
var fields = map[string]string{
	"name":        "name",
	"server_type": "offer_id",
	"image":       "image",
	"location":    "region",
	"labels":      "labels",
	"user_data":   "user_data",
	"ssh_keys":    "ssh_authorized_keys",

	"certificate":  "certificate",
	"private_key":  "private_key",
	"domain_names": "domains",

	"home_location": "region",
	"description":   "description",
	"server":        "instance",

	"networks":        driver.OptionNetwork,
	"network":         driver.OptionNetwork,
	"public_net":      driver.OptionPublicIPv4,
	"firewalls":       optionFirewalls,
	"placement_group": optionGroup,
	"ip":              optionNetworkIP,
	"dns_ptr":         driver.OptionReverseDNS,
}

// Describe explains an error of this driver.
func (c *cloud) Describe(err error) driver.Failure {
	failure := driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown, Message: err.Error()}
	if request, ok := errors.AsType[*requestError](err); ok {
		failure.Status = request.status
		failure.RequestID = request.header.Get(requestIDHeader)
		failure.RetryAfter = transport.RetryAfter(request.header, time.Now())
		if request.status >= 400 && request.status < 500 {
			failure.Outcome = driver.NotDone
		}
	}
	if _, ok := errors.AsType[*transport.NotSentError](err); ok {
		failure.Outcome = driver.NotDone
	}
	for _, describe := range []func(error, *driver.Failure) bool{
		c.describeOwn, c.describeAnswer, c.describeAction, c.describeStatus, c.describeNoAnswer,
	} {
		if describe(err, &failure) {
			break
		}
	}
	return failure
}

// describeOwn explains errors that were found before anything was sent.
func (c *cloud) describeOwn(err error, explained *driver.Failure) bool {
	if failure.BeforeSending(err, explained) {
		return true
	}
	argument, ok := errors.AsType[hcloud.ArgumentError](err)
	if ok {
		explained.Code, explained.Message, explained.Outcome = driver.InvalidInput, argument.Error(), driver.NotDone
	}
	return ok
}

// describeAnswer explains an error that the vendor has worded.
func (c *cloud) describeAnswer(err error, failure *driver.Failure) bool {
	answer, ok := errors.AsType[hcloud.Error](err)
	if !ok {
		return false
	}
	c.mean(answer.Code, answer.Message, failure)
	if field := fieldOf(answer.Details); field != "" {
		failure.Field = field
	}
	switch failure.Code {
	case driver.RateLimited:
		failure.Message += limitOf(err)
	case driver.NotFound:
		c.describeMissing(err, failure)
	default:
	}
	return true
}

// describeMissing tells a missing server from a missing image, server type or location that a request has named.
func (c *cloud) describeMissing(err error, failure *driver.Failure) {
	request, ok := errors.AsType[*requestError](err)
	if !ok || !request.order {
		return
	}
	message := strings.ReplaceAll(strings.ToLower(failure.Message), " ", "_")
	for _, named := range []string{"image", "server_type", "location"} {
		if strings.Contains(message, named) {
			failure.Code, failure.Field = driver.InvalidInput, fields[named]
			return
		}
	}
}

// describeAction explains an action that the vendor accepted and then gave up. What it has done until then is not known.
func (c *cloud) describeAction(err error, failure *driver.Failure) bool {
	action, ok := errors.AsType[hcloud.ActionError](err)
	if !ok {
		return false
	}
	c.mean(hcloud.ErrorCode(action.Code), action.Message, failure)
	if started := action.Action(); started != nil {
		failure.Message = fmt.Sprintf("action %s (%d) failed: %s", started.Command, started.ID, failure.Message)
	}
	return true
}

func (c *cloud) mean(code hcloud.ErrorCode, message string, failure *driver.Failure) {
	failure.VendorCode, failure.Message = string(code), message
	if meaning, known := meanings[code]; known {
		failure.Code, failure.Reason, failure.Field = meaning.code, meaning.reason, meaning.field
	}
	if explained := issuanceAdvice[code]; explained != "" {
		failure.Message += ": " + explained
	}
	if code == hcloud.ErrorCodeServiceError && strings.Contains(message, "in use") {
		failure.Code, failure.Reason = driver.InvalidState, driver.ReasonInUse
	}
}

// fieldOf answers our name of the first field that an invalid_input names; labels may be named one by one.
func fieldOf(details any) string {
	input, ok := details.(hcloud.ErrorDetailsInvalidInput)
	if !ok {
		return ""
	}
	for _, field := range input.Fields {
		name, _, _ := strings.Cut(field.Name, ".")
		if ours := fields[name]; ours != "" {
			return ours
		}
	}
	return ""
}

// limitOf says in words what the rate limit's headers say (Hetzner API document, "Rate Limiting").
func limitOf(err error) string {
	request, ok := errors.AsType[*requestError](err)
	if !ok {
		return ""
	}
	limit, err := strconv.Atoi(request.header.Get("RateLimit-Limit"))
	if err != nil {
		return ""
	}
	text := fmt.Sprintf(" (the limit of %d requests per hour is per project", limit)
	if reset, err := strconv.ParseInt(request.header.Get("RateLimit-Reset"), 10, 64); err == nil {
		text += "; all of them are back at " + time.Unix(reset, 0).UTC().Format(time.RFC3339)
	}
	return text + ")"
}

// describeStatus explains an answer that is not the vendor's JSON: a proxy's page, or an endpoint that is another one. A
// 404 of that sort is no proof that something is gone.
func (c *cloud) describeStatus(err error, failure *driver.Failure) bool {
	request, ok := errors.AsType[*requestError](err)
	if !ok || request.status == 0 {
		return false
	}
	switch request.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		failure.Code, failure.Field = driver.AccessDenied, "token"
	case http.StatusTooManyRequests:
		failure.Code = driver.RateLimited
	}
	failure.Message = fmt.Sprintf("%s answered with status %d and a body (%s) that is not the JSON of Hetzner Cloud: %s",
		c.host, request.status, request.header.Get("Content-Type"), request.err)
	return true
}

// describeNoAnswer explains why there was no answer.
func (c *cloud) describeNoAnswer(err error, explained *driver.Failure) bool {
	failure.NoAnswer(err, c.host, explained)
	return true
}
