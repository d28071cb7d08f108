// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package driver is what a vendor implements: thin calls, one vendor request each where possible, raw errors.
// Everything that is the same for all vendors (keys, claims, look-ups, waits, retries of busy answers, the words of an
// error) belongs to package compute, which is the only caller.
package driver

import (
	"context"
	"net/http"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Kind is one vendor as an account names it. A further vendor is one package with a Kind and one line in the list of
// kinds.
type Kind struct {
	// Manifest describes the account's config; Manifest.Kind is the kind's name, such as "hetzner-cloud".
	Manifest manifest.Manifest
	// Options are what a machine of this kind can be asked for besides what all have, in the order in which they are set.
	Options []Option
	// CheckOptions looks at options that depend on each other, as they are written; nil: none do. The first element of a
	// fault's path is the option.
	CheckOptions func(written manifest.Values) []manifest.Fault
	// Families answers the families of the addresses that a machine with these options has: of public ones, and of those in
	// its private network. What is not written is as a new machine has it. Nil: what addresses a machine has is not the
	// vendor's to say.
	Families func(options manifest.Values) (public, private []string)
	// Open builds a driver from a validated config with defaults filled in. It makes no request. A config that validates
	// but cannot be used (an unreadable certificate, an endpoint that is no URL) is an error, which is INVALID_CONFIG.
	Open func(config manifest.Values, environment Environment) (Driver, error)
	// Region answers the region of what names none of its own, from a config like that.
	Region func(config manifest.Values) string
}

// Environment is what the process gives every driver.
type Environment struct {
	// Resolve answers the value behind a reference such as env://HCLOUD_TOKEN. Drivers call it for every request and keep
	// nothing. Its errors are INVALID_CONFIG or INVALID_INPUT and never hold the value.
	Resolve func(ctx context.Context, reference string) (string, error)
	// ResolveText is Resolve for values of several lines, such as a private key in PEM.
	ResolveText func(ctx context.Context, reference string) (string, error)
	// Version is the provider's own, for the User-Agent.
	Version string
	// MaxRetries bounds the repeats of one request, RequestsPerSecond is a ceiling for one account (0: none).
	MaxRetries        int
	RequestsPerSecond float64
	// Base carries the requests; nil means a network transport with TLS verified by the system's roots.
	Base http.RoundTripper
}

// Driver is the part that every vendor has. All methods may be called at the same time from several goroutines. Errors
// are the vendor's own, as its library gave them; Describe explains them. Contexts end requests at once.
type Driver interface {
	// Limits are the vendor's fixed numbers. No request.
	Limits() Limits
	// Offers answers what can be ordered in query.Region (the account's own when empty). An impossible query gives none.
	Offers(ctx context.Context, query OfferQuery) ([]Offer, error)
	// Find answers every machine that bears the key, from the vendor's own index. Empty proves nothing while
	// Limits.IndexLag runs.
	Find(ctx context.Context, key string) ([]Machine, error)
	// Create orders a machine and returns as soon as there is an id, with the operations to wait for. It never looks
	// anything up; the marks go with the request. Codes: CONFLICT with Field "name" for a taken name, QUOTA_EXCEEDED,
	// CAPACITY_UNAVAILABLE, INVALID_INPUT with the field, ACCESS_DENIED.
	Create(ctx context.Context, spec Spec) (Created, error)
	// Resume carries a machine that Create left unfinished on to where Create would have left it. Where a create is one
	// request it only answers the operations that still run; where it is Limits.Stepwise, each call takes the next step by
	// what the machine shows, and no operations say that there is none left. Spec.Marks are the machine's: a machine that
	// shows another key or claim is a CONFLICT.
	Resume(ctx context.Context, spec Spec, machine Machine) (Created, error)
	// Get answers one machine; NOT_FOUND only for the vendor's well-formed "not found".
	Get(ctx context.Context, id string) (Machine, error)
	// Delete removes a machine and answers the operations to wait for. Gone already: NOT_FOUND. Busy: reason busy.
	Delete(ctx context.Context, id string) ([]Operation, error)
	// Poll answers where the operations stand, in one request for up to Limits.PollBatch of them. One that the vendor does
	// not show (yet) is left out of the answer.
	Poll(ctx context.Context, operations []Operation) ([]Progress, error)
	// Describe explains an error that a method of this driver returned. It never returns a zero Code.
	Describe(err error) Failure
}

// Power is the capability to switch machines. Nmi and what a vendor lacks is UNSUPPORTED.
type Power interface {
	// Power starts an action and answers the operations to wait for. The success of GracefulOff and GracefulRestart says
	// only that the guest was asked.
	Power(ctx context.Context, id string, action PowerAction) ([]Operation, error)
	// PowerActions are those that this vendor has. No request.
	PowerActions() []PowerAction
}

// Reinstall is the capability to put a fresh image on a machine's disk, which erases it. Id, addresses and marks stay.
type Reinstall interface {
	// Reinstall uses spec.ImageID and spec.UserData.
	Reinstall(ctx context.Context, id string, spec Spec) ([]Operation, error)
}

// Resize is the capability to give a machine another offer in place: id, addresses, marks and what is on its disk stay.
type Resize interface {
	// CheckResize answers why the vendor would not give the machine this offer of its region, such as a disk that would have
	// to shrink; nil where it may be tried. Its error is INVALID_INPUT with Field "offer_id". No request.
	CheckResize(machine Machine, offer Offer) error
	// Resize begins it on a machine that is off, and answers the operations to wait for. A disk grows to the offer's and is
	// never shrunk. The vendor may start the machine at the end. Where the vendor is Limits.Stepwise, each call takes the
	// next step by what the machine shows, and no operations say that there is none left. Codes: CAPACITY_UNAVAILABLE,
	// INVALID_INPUT with Field "offer_id", INVALID_STATE for a machine that runs.
	Resize(ctx context.Context, machine Machine, offer Offer) ([]Operation, error)
}

// List is the capability to list and to search by name.
type List interface {
	// List answers every machine that bears the managed mark, in full pages with the vendor's own filter.
	List(ctx context.Context) ([]Machine, error)
	// FindName answers machines with exactly this name, marked or not.
	FindName(ctx context.Context, name string) ([]Machine, error)
}

// Rename is the capability to change a machine's name in place. A taken name: CONFLICT with Field "name".
type Rename interface {
	Rename(ctx context.Context, id, name string) error
}

// Mark is the capability to write marks and labels on an existing machine.
type Mark interface {
	// Mark replaces the machine's marks and labels by the given ones: labels holds everything that is to stay on the
	// machine besides the marks, other people's included. Where the vendor keeps claims side by side, the new one is added
	// first, and then those that the given machine shows are removed.
	Mark(ctx context.Context, machine Machine, marks Marks, labels map[string]string) (Machine, error)
	// CheckLabels answers what the vendor would refuse, one error a label, without a request.
	CheckLabels(labels map[string]string) map[string]error
}

// Intent is the capability of a vendor whose names are not unique and whose index lags: an entry of the index is made
// before the machine and outlives it. An entry that is not there means that no create with this key was ever tried.
type Intent interface {
	// Intend makes the key's entry and answers whether it was there before. Doing it twice does no harm.
	Intend(ctx context.Context, key string) (existed bool, err error)
	// TakeBack removes the key's entry where the index shows nothing that bears it.
	TakeBack(ctx context.Context, key string) error
	// Forget removes the entries that a machine which is gone was the last one to bear. Rest is what the index still shows.
	Forget(ctx context.Context, gone Machine, rest []Machine) error
}

// Claims is the capability of a vendor that keeps several claims side by side, where a write does not take the place of
// another one that came in between. The smallest in byte order holds.
type Claims interface {
	// Withdraw takes one claim off a machine, and nothing else.
	Withdraw(ctx context.Context, machineID, claim string) error
}

// Regions is the capability to name the regions that there are.
type Regions interface {
	// Regions answers every region's name, open for orders or not.
	Regions(ctx context.Context) ([]string, error)
}

// Images is the capability to look images up.
type Images interface {
	// Images answers images by the query, deprecated ones included.
	Images(ctx context.Context, query ImageQuery) ([]Image, error)
}

// Verify is the capability to try the account's token with one authenticated read.
type Verify interface {
	// Verify answers nil when the token is accepted. It cannot tell a read-only token.
	Verify(ctx context.Context) error
}

// UserData is the capability of a vendor whose user data takes a way of its own, which an account may not have.
type UserData interface {
	// CheckUserData answers UNSUPPORTED with Field "user_data" where a machine made from the image could not be given any.
	CheckUserData(ctx context.Context, imageID string) error
}

// Warn is the capability to tell what somebody should know though nothing has failed.
type Warn interface {
	// Warnings answers what came up about a machine since it was last asked, or about the account itself where the id is
	// empty. No request.
	Warnings(id string) []string
}

// Prove is the capability to tell whether a token sees the place that a machine was made in, after the machine is gone.
type Prove interface {
	// Prove takes the Proof that Create gave with the machine. False with a nil error: this is another place, or it cannot
	// be told any more.
	Prove(ctx context.Context, proof string) (bool, error)
}

// PlaceProof is the capability to give a proof of the place without making anything there: for what was imported or
// adopted, and for what is made without an operation that could be asked for later.
type PlaceProof interface {
	// PlaceProof answers what Prove is to be given later, or nothing where that cannot be told. One that begins with TokenProof
	// is that of the account's token. At most one request for as long as the driver lives.
	PlaceProof(ctx context.Context) (string, error)
}

// TokenProof begins a proof that holds only as long as the account has the token that it was taken of.
const TokenProof = "token:"
