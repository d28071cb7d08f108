// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"crypto/tls"
	"errors"
	"net/http"
	"regexp"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

// Describe explains an error of this driver.
func (c *cloud) Describe(err error) driver.Failure {
	described := driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown, Message: err.Error()}
	if _, ok := errors.AsType[*transport.NotSentError](err); ok {
		described.Outcome = driver.NotDone
	}
	if refused, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		described.Code, described.Field, described.Outcome = driver.InvalidConfig, "tls_fingerprint", driver.NotDone
		described.Message = distrust(c.host, refused)
		return described
	}
	if failure.BeforeSending(err, &described) || describeOwn(err, &described) {
		return described
	}
	if answer, ok := errors.AsType[*answerError](err); ok {
		describeAnswer(answer, &described)
		return described
	}
	failure.NoAnswer(err, c.host, &described)
	return described
}

// describeOwn explains what the driver has found itself; nothing was done then.
func describeOwn(err error, described *driver.Failure) bool {
	if missing, ok := errors.AsType[*missingError](err); ok {
		described.Code, described.Message, described.Status = driver.NotFound, missing.Error(), http.StatusOK
	} else if hidden, ok := errors.AsType[*hiddenError](err); ok {
		described.Code, described.Field, described.Message = driver.AccessDenied, "token", hidden.Error()
	} else if busy, ok := errors.AsType[*busyError](err); ok {
		described.Code, described.Reason, described.Message = driver.Conflict, driver.ReasonBusy, busy.message
	} else if taken, ok := errors.AsType[*placeTakenError](err); ok {
		described.Code, described.Reason, described.Message = driver.Conflict, driver.ReasonPlaceTaken, taken.message
	} else if conflict, ok := errors.AsType[*conflictError](err); ok {
		described.Code, described.Message = driver.Conflict, conflict.message
	} else if full, ok := errors.AsType[*fullError](err); ok {
		described.Code, described.Field, described.Message = driver.CapacityUnavailable, "provider_account", full.message
	} else if protected, ok := errors.AsType[*protectedError](err); ok {
		described.Code, described.Reason, described.Message = driver.InvalidState, driver.ReasonProtected, protected.message
	} else if rights, ok := errors.AsType[*rightsError](err); ok {
		described.Code, described.Field, described.Message, described.Next = driver.AccessDenied, "token", rights.Error(), rightsNext
	} else if running, ok := errors.AsType[*runningError](err); ok {
		described.Code, described.Message = driver.InvalidState, running.message
	} else if unsupported, ok := errors.AsType[*unsupportedUserData](err); ok {
		described.Code, described.Field, described.Message, described.Next = driver.Unsupported, "user_data", unsupported.message, unsupported.next
	} else {
		return describeLate(err, described)
	}
	described.Outcome = driver.NotDone
	return true
}

// describeLate explains what may have had an effect.
func describeLate(err error, described *driver.Failure) bool {
	if late, ok := errors.AsType[*taskTimeoutError](err); ok {
		described.Code, described.Message = driver.Timeout, late.message
		return true
	}
	if snippet, ok := errors.AsType[*snippetError](err); ok {
		described.Code, described.Field, described.Message = driver.InvalidConfig, "snippets", snippet.Error()
		described.Outcome = driver.NotDone
		return true
	}
	return false
}

// meaning is what a text of the vendor means.
type meaning struct {
	phrase string
	code   driver.Code
	reason driver.Reason
	field  string
}

// meanings are the texts that tell one failure from another, the first that is found counts (qemu-server, API2/Qemu.pm and
// QemuServer.pm; pve-storage; pve-guest-common).
var meanings = []meaning{
	{hotplugProblem, driver.InvalidInput, "", ""},
	{"protection mode enabled", driver.InvalidState, driver.ReasonProtected, ""},
	{"is still in use by linked cloned", driver.InvalidState, driver.ReasonInUse, ""},
	{"parameter 'storage' not allowed for linked clones", driver.InvalidInput, "", "provider_account"},
	{"Linked clone feature is not supported", driver.InvalidInput, "", "image"},
	{"can't clone VM to node", driver.InvalidInput, "", "provider_account"},
	{"can't clone to non-shared storage", driver.InvalidInput, "", "provider_account"},
	{"no such cluster node", driver.InvalidInput, "", "provider_account"},
	{"SSH public key validation error", driver.InvalidInput, "", "ssh_authorized_keys"},
	{"shrinking disks is not supported", driver.InvalidInput, "", "offer_id"},
	{"not enough free space", driver.CapacityUnavailable, "", ""},
	{"No space left", driver.CapacityUnavailable, "", ""},
	{"out of space", driver.CapacityUnavailable, "", ""},
	{"not running", driver.InvalidState, "", ""},
	{"is paused", driver.InvalidState, "", ""},
	{"you can't start a vm if it's a template", driver.InvalidState, "", ""},
}

var storageMissing = regexp.MustCompile(`(?i)storage '[^']+' does not exist`)

// describeAnswer explains a refusal by its status and its text. Any die of the vendor is a 500, so that the status alone
// says little; what a refused request was asked to do has not been done.
func describeAnswer(answer *answerError, described *driver.Failure) {
	described.Status, described.Message = answer.status, answer.Error()
	if answer.status >= 400 && answer.status <= 501 {
		described.Outcome = driver.NotDone
	}
	if answer.status == 0 {
		described.VendorCode = answer.method
		described.Message = "task " + answer.method + " failed: " + answer.text
	}
	switch {
	case answer.foreign:
		described.Message = "the answer is not that of Proxmox VE: " + answer.Error()
		describeStatus(answer, described)
	case answer.locked():
		described.Code, described.Reason = driver.Conflict, driver.ReasonBusy
	case answer.missing() != 0:
		described.Code = driver.ProviderError
	case storageMissing.MatchString(answer.text):
		described.Code, described.Field = driver.InvalidInput, "provider_account"
	case describeMeaning(answer, described):
	default:
		describeStatus(answer, described)
	}
}

func describeMeaning(answer *answerError, described *driver.Failure) bool {
	for _, meaning := range meanings {
		if answer.says(meaning.phrase) {
			described.Code, described.Reason, described.Field = meaning.code, meaning.reason, meaning.field
			return true
		}
	}
	return false
}

// fields are the vendor's names of parameters, with our names of the arguments.
var fields = map[string]string{
	"name": "name", "tags": "labels", "sshkeys": "ssh_authorized_keys", "cores": "offer_id", "memory": "offer_id", "size": "offer_id",
	"cpu": optionCPUType, "net0": driver.OptionNetwork,
	"pool": "provider_account", "storage": "provider_account", "target": "provider_account", "newid": "provider_account",
}

// describeStatus explains a refusal whose text says nothing special. A task's exit status may begin with a status, too.
func describeStatus(answer *answerError, described *driver.Failure) {
	status := answer.status
	if status == 0 && strings.HasPrefix(answer.text, "403 ") {
		status = http.StatusForbidden
	}
	switch {
	case status == http.StatusUnauthorized:
		described.Code, described.Field = driver.AccessDenied, "token"
		described.Message += " (the token is unknown, disabled or expired, or its secret is wrong; the vendor does not say which)"
	case status == http.StatusForbidden:
		described.Code, described.Field = driver.AccessDenied, "token"
		if why := purpose(answer); why != "" {
			described.Message += " (" + why + ")"
		}
	case status == http.StatusBadRequest:
		described.Code = driver.InvalidInput
		for name := range answer.errors {
			if field := fields[name]; field != "" {
				described.Field = field
			}
		}
	case status == http.StatusTooManyRequests:
		described.Code = driver.RateLimited
	case status == http.StatusNotImplemented:
		described.Code = driver.Unsupported
	case unreachable(status):
		described.Message = "the node that this is about cannot be reached from the one that was asked: " + answer.Error()
	}
}
