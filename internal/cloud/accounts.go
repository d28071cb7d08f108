// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// Options are what the provider block says, and what tests put in its place.
type Options struct {
	// Version is the provider's own.
	Version string
	// TenantID owns what is made; Owner names the state, empty: not named.
	TenantID, Owner string
	// MaxRetries bounds the repeats of one request, RequestsPerSecond is a ceiling for each account (0: none).
	MaxRetries        int
	RequestsPerSecond float64
	// Preflight switches the plan's checks against the vendor on.
	Preflight bool
	// Resolve answers the value behind a reference.
	Resolve func(ctx context.Context, reference string) (string, error)
	// ResolveText is Resolve for values of several lines.
	ResolveText func(ctx context.Context, reference string) (string, error)
	// Secrets is the sealed file behind secret:// references; nil where none is configured.
	Secrets *secret.SealedFile
	// Transports carry the requests of a kind, by its name; without one they go over the network.
	Transports map[string]http.RoundTripper
}

// Accounts are the accounts of one provider instance, from its Configure to the end of the command. All methods may be
// called at the same time.
type Accounts struct {
	options Options
	opened  time.Time
	mutex   sync.Mutex
	newest  map[string]compute.Reference
	open    map[compute.Reference]*opening
	seen    map[string]bool
	kept    map[string]string
}

// opening is one account, being built or built.
type opening struct {
	ended   chan struct{}
	account *compute.Account
	err     error
}

// NewAccounts makes the accounts of a command that begins now.
func NewAccounts(options Options) *Accounts {
	return &Accounts{
		options: options, opened: time.Now(),
		newest: map[string]compute.Reference{}, open: map[compute.Reference]*opening{}, seen: map[string]bool{},
		kept: map[string]string{},
	}
}

// TenantID owns what is made.
func (a *Accounts) TenantID() string { return a.options.TenantID }

// Owner names the state that the command works for; empty: not named.
func (a *Accounts) Owner() string { return a.options.Owner }

// ResolveOnly answers how to find the values of several lines behind these references, and behind no other.
func (a *Accounts) ResolveOnly(references ...string) func(context.Context, string) (string, error) {
	return secret.Only(a.options.ResolveText, references...)
}

// Preflight says whether plans are checked against the vendor.
func (a *Accounts) Preflight() bool { return a.options.Preflight }

// Secrets answers the sealed file that secrets are put into; nil where none is configured.
func (a *Accounts) Secrets() *secret.SealedFile { return a.options.Secrets }

// Announce makes the newest config of an account known to everything in the command that holds an older copy.
func (a *Accounts) Announce(reference compute.Reference) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.newest[reference.ID] = reference
}

// Newest answers the announced reference of the same account and kind, else the given one.
func (a *Accounts) Newest(reference compute.Reference) compute.Reference {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if announced, there := a.newest[reference.ID]; there && announced.Kind == reference.Kind {
		return announced
	}
	return reference
}

// Note answers whether a thing is new to this command, and remembers it. Kind keeps different sorts of things apart.
func (a *Accounts) Note(kind, name string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	key := kind + "\x00" + name
	known := a.seen[key]
	a.seen[key] = true
	return !known
}

// Noted answers whether Note has seen the thing.
func (a *Accounts) Noted(kind, name string) bool {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.seen[kind+"\x00"+name]
}

// Keep remembers a text about a thing for the rest of the command; Kept answers it, empty where there is none.
func (a *Accounts) Keep(kind, name, text string) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.kept[kind+"\x00"+name] = text
}

// Kept answers what Keep has remembered.
func (a *Accounts) Kept(kind, name string) string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	return a.kept[kind+"\x00"+name]
}

// Open answers the account of a reference, with its newest config. There is one for each id and config; callers at the
// same time share one build, and a failed build is not kept. INVALID_INPUT for an unknown kind or a config with faults,
// INVALID_CONFIG for one that no client can be built from.
func (a *Accounts) Open(ctx context.Context, reference compute.Reference) (*compute.Account, error) {
	reference = a.Newest(reference)
	own, first := a.opening(reference)
	if first {
		own.account, own.err = a.build(reference)
		if own.err != nil {
			a.forget(reference)
		}
		close(own.ended)
	}
	select {
	case <-own.ended:
		return own.account, own.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (a *Accounts) opening(reference compute.Reference) (own *opening, first bool) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	if own, there := a.open[reference]; there {
		return own, false
	}
	own = &opening{ended: make(chan struct{})}
	a.open[reference] = own
	return own, true
}

func (a *Accounts) forget(reference compute.Reference) {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	delete(a.open, reference)
}

func (a *Accounts) build(reference compute.Reference) (*compute.Account, error) {
	kind, known := KindByName(reference.Kind)
	if !known {
		return nil, configError(reference, driver.InvalidInput, fmt.Sprintf("There is no kind of account %q.", reference.Kind),
			"Known kinds: "+strings.Join(KindNames(), ", ")+".")
	}
	values, err := parse(kind, reference)
	if err != nil {
		return nil, err
	}
	opened, err := kind.Open(values, a.environment(kind))
	if err != nil {
		return nil, configError(reference, driver.InvalidConfig, err.Error(), "Correct the account's config.")
	}
	return compute.NewAccount(compute.Settings{
		Kind: kind, Driver: opened, Reference: reference, Owner: a.options.Owner, Opened: a.opened,
		Region: kind.Region(values), Zones: values.StringMap("dns_zones"),
	}), nil
}

func parse(kind driver.Kind, reference compute.Reference) (manifest.Values, error) {
	values, err := kind.Manifest.Parse(reference.Config)
	if err != nil {
		return nil, configError(reference, driver.InvalidInput, "Its config cannot be read: "+err.Error(),
			"Pass the whole account object, as the resource or data source bettercompute_provider_account gives it.")
	}
	if faults := kind.Manifest.Validate(values, secret.Check); len(faults) > 0 {
		var texts []string
		for _, fault := range faults {
			texts = append(texts, strings.Join(fault.Path, ".")+": "+fault.Message)
		}
		return nil, configError(reference, driver.InvalidInput, strings.Join(texts, "\n"), "Correct the account's config.")
	}
	return kind.Manifest.WithDefaults(values), nil
}

func (a *Accounts) environment(kind driver.Kind) driver.Environment {
	return driver.Environment{
		Resolve: a.options.Resolve, ResolveText: a.options.ResolveText, Version: a.options.Version, MaxRetries: a.options.MaxRetries,
		RequestsPerSecond: a.options.RequestsPerSecond, Base: a.options.Transports[kind.Manifest.Kind],
	}
}

func configError(reference compute.Reference, code driver.Code, message, advice string) error {
	return &compute.Error{
		Failure: driver.Failure{Code: code, Field: "provider_account", Message: message},
		Vendor:  reference.Kind, Action: "use account " + reference.ID, Advice: advice,
	}
}
