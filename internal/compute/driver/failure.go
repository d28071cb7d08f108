// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import "time"

// Code says what kind of failure it is. The texts are part of the product: people search for them.
type Code string

// The codes. CONFLICT is somebody else's object, a taken name or a lost race; what is merely in use or in the wrong
// power state is INVALID_STATE. PROVIDER_ERROR is also a vendor that is out of reach. TIMEOUT is our own, of an operation.
const (
	InvalidInput        Code = "INVALID_INPUT"
	InvalidConfig       Code = "INVALID_CONFIG"
	InvalidState        Code = "INVALID_STATE"
	NotFound            Code = "NOT_FOUND"
	Conflict            Code = "CONFLICT"
	AccessDenied        Code = "ACCESS_DENIED"
	QuotaExceeded       Code = "QUOTA_EXCEEDED"
	CapacityUnavailable Code = "CAPACITY_UNAVAILABLE"
	RateLimited         Code = "RATE_LIMITED"
	Unsupported         Code = "UNSUPPORTED"
	Timeout             Code = "TIMEOUT"
	ProviderError       Code = "PROVIDER_ERROR"
)

// Reason narrows a code where somebody acts on it.
type Reason string

// The reasons.
const (
	// ReasonBusy: another change is under way; waited out.
	ReasonBusy Reason = "busy"
	// ReasonInUse: something else at the vendor still needs the object.
	ReasonInUse Reason = "inUse"
	// ReasonProtected: a person has set a protection at the vendor; never lifted by us.
	ReasonProtected Reason = "protected"
	// ReasonDomainNotOwned: the domain is in no zone of the tenant.
	ReasonDomainNotOwned Reason = "domainNotOwned"
	// ReasonPlaceTaken: the id that this create had chosen has gone to another machine, perhaps one with the same key.
	// Nothing was made, and the create may be sent again.
	ReasonPlaceTaken Reason = "placeTaken"
	// ReasonNameTaken: the name belongs to another object.
	ReasonNameTaken Reason = "nameTaken"
	// ReasonNotOwner: an address prefix belongs to the account's owner tenant alone.
	ReasonNotOwner Reason = "byoipNotOwner"
)

// Outcome says whether the request that failed has had an effect.
type Outcome int

// The outcomes. Unknown is what a lost answer leaves.
const (
	NotDone Outcome = iota
	Unknown
	Done
)

// Failure is an error in words common to all vendors.
type Failure struct {
	Code   Code
	Reason Reason
	// Field is the argument at fault in our words: name, offer_id, image, region, user_data, labels, ssh_authorized_keys,
	// domains, certificate, private_key, chain, the name of a machine's option, or a path in the account's config such as
	// token. Empty when it is none.
	Field   string
	Outcome Outcome
	// Status is the HTTP status, 0 when there was no answer. VendorCode and RequestID are the vendor's own.
	Status     int
	VendorCode string
	RequestID  string
	// RetryAfter is how long the vendor asks to wait; 0: it does not say.
	RetryAfter time.Duration
	// Message is the vendor's words, or the cause when there was no answer. It holds no secret.
	Message string
	// Next is what to do next, in sentences, where the driver knows more of it than the code tells.
	Next string
}
