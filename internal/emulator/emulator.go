// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package emulator serves emulated vendors with one journal, one list of faults and one set of settings. Tests use
// Start (real loopback sockets) or InMemory (for testing/synctest); the emulator subcommand uses New and Listen.
package emulator

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/digitalocean"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/hetzner"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/proxmox"
)

// Types of control's JSON, for tests.
type (
	// Entry is one request in the journal.
	Entry = core.Entry
	// Fault is something that goes wrong with a request.
	Fault = core.Fault
	// FaultState is a fault with what it has met so far.
	FaultState = core.FaultState
	// Object is one object of the inventory.
	Object = core.Object
	// Settings are the knobs of the emulator.
	Settings = core.Settings
	// Result is how an action ends.
	Result = core.Result
	// Limit is a vendor's request limit.
	Limit = core.Limit
	// Capacity is the stock of an offer in a region.
	Capacity = core.Capacity
	// Retired marks a part of the catalogue as deprecated.
	Retired = core.Retired
	// Lag is how long the answers stay behind the truth.
	Lag = core.Lag
	// Duration is a time.Duration that JSON shows as text.
	Duration = core.Duration
)

// DefaultActionTime is how long an asynchronous action runs unless a setting says otherwise.
const DefaultActionTime = 200 * time.Millisecond

// Options are how an emulator begins.
type Options struct {
	// Delay comes before each vendor request.
	Delay time.Duration
	// ActionTime is how long an asynchronous action runs; 0 means DefaultActionTime, less than 0 no time at all.
	ActionTime time.Duration
	// AllowUnrouted lets a test ask for routes that the emulator does not know.
	AllowUnrouted bool
	// Log gets one line a request; nil logs nothing.
	Log hclog.Logger
}

// Emulator is all emulated vendors with what they share.
type Emulator struct {
	// Hetzner is the emulated Hetzner Cloud.
	Hetzner *Vendor
	// DigitalOcean is the emulated DigitalOcean.
	DigitalOcean *Vendor
	// Proxmox is the emulated Proxmox VE cluster. Over sockets it speaks HTTPS.
	Proxmox *Vendor
	// Control is the base URL of the control API, "" in memory.
	Control string

	vendors  []*Vendor
	journal  *core.Journal
	faults   *core.Faults
	settings *core.SettingsStore
	servers  []*http.Server
}

// Vendor is one emulated vendor.
type Vendor struct {
	// Endpoint is the base URL that the vendor's clients take, such as http://127.0.0.1:1234/v1.
	Endpoint string
	// Token is the main token, with every right.
	Token string
	// Tokens are the other tokens by name: foreign (of another project), read_only; on DigitalOcean
	// no_projects; on Proxmox separated, pool, no_audit.
	Tokens map[string]string
	// CACertificate is the PEM certificate by which clients know a vendor that speaks HTTPS; "" for the others.
	CACertificate string
	// TLSFingerprint is the SHA-256 of that certificate, such as AA:BB:...; "" for the others.
	TLSFingerprint string

	path        string           // of the endpoint
	certificate *tls.Certificate // nil for plain http
	api         core.Vendor
	front       *core.Front
}

// New makes an emulator that serves nothing yet.
func New(options Options) *Emulator {
	e := &Emulator{
		journal: &core.Journal{}, faults: core.NewFaults(), settings: core.NewSettings(startSettings(options)),
	}
	clock := core.NewClock(e.settings)
	cloud, ocean := hetzner.New(clock, e.settings), digitalocean.New(clock, e.settings)
	log := options.Log
	if log == nil {
		log = hclog.NewNullLogger()
	}
	e.Hetzner = e.add(cloud, cloud.Tokens(), "/v1", log)
	e.DigitalOcean = e.add(ocean, ocean.Tokens(), "/", log)
	cluster := proxmox.New(core.NewClock(e.settings), e.settings)
	e.Proxmox = e.add(cluster, cluster.Tokens(), "", log)
	e.Proxmox.secure()
	e.settings.Know(e.vocabulary())
	return e
}

// startSettings: room for 1000 of each object; a server takes two primary IPs. The limits are the vendors' own, and so is
// the age of what Proxmox nodes say about their machines.
func startSettings(options Options) core.Settings {
	actionTime := options.ActionTime
	if actionTime == 0 {
		actionTime = DefaultActionTime
	}
	return core.Settings{
		Delay: core.Duration(options.Delay), ActionTime: core.Duration(max(actionTime, 0)),
		ActionTimes: map[string]core.Duration{}, ActionResults: map[string]core.Result{},
		Quotas:   map[string]int{"servers": 1000, "primary_ips": 2000, "droplets": 1000, "reserved_ips": 1000},
		Limits:   map[string]core.Limit{"hetzner": {PerHour: 3600}, "digitalocean": {PerHour: 5000, PerMinute: 250}},
		Capacity: []core.Capacity{}, ClosedRegions: []string{}, Retired: []core.Retired{},
		Issuance: map[string]string{},
		Lag:      core.Lag{Statistics: core.Duration(10 * time.Second)},
		Agent:    map[string]string{"": "on"}, NodesDown: []string{}, Denied: []string{}, Release: "9.1",
	}
}

// add puts a vendor behind a front. In memory its endpoint is a loopback name that no socket answers.
func (e *Emulator) add(api core.Vendor, tokens core.Tokens, path string, log hclog.Logger) *Vendor {
	v := &Vendor{
		Endpoint: "http://127.0.0.1" + path, Token: tokens["main"], Tokens: tokens.Others(), path: path, api: api,
		front: &core.Front{Vendor: api, Journal: e.journal, Faults: e.faults, Settings: e.settings, Log: log},
	}
	e.vendors = append(e.vendors, v)
	return v
}

func (e *Emulator) vocabulary() core.Vocabulary {
	var known core.Vocabulary
	for _, v := range e.vendors {
		known.Operations = append(known.Operations, v.api.Operations()...)
		known.Kinds = append(known.Kinds, v.api.Kinds()...)
		known.Vendors = append(known.Vendors, v.api.Name())
	}
	return known
}

// Handler answers the vendor's requests.
func (v *Vendor) Handler() http.Handler { return v.front }

// Transport answers the vendor's requests in memory, without sockets or goroutines.
func (v *Vendor) Transport() http.RoundTripper { return core.Transport{Handler: v.front} }

// Journal gives all requests in order of arrival.
func (e *Emulator) Journal() []Entry { return e.journal.Entries("", 0) }

// JournalSince gives the requests after a seq.
func (e *Emulator) JournalSince(seq int64) []Entry { return e.journal.Entries("", seq) }

// ClearJournal empties the journal; seq goes on.
func (e *Emulator) ClearJournal() { e.journal.Clear() }

// AddFault adds a fault and returns its id.
func (e *Emulator) AddFault(fault Fault) (string, error) {
	if served := e.vocabulary().Vendors; fault.Vendor != "" && !slices.Contains(served, fault.Vendor) {
		return "", fmt.Errorf("the vendor %q is not served, only %q", fault.Vendor, served)
	}
	return e.faults.Add(fault)
}

// Faults gives all faults in order.
func (e *Emulator) Faults() []FaultState { return e.faults.List() }

// RemoveFault removes a fault, or all with id "", and drops the requests that it holds. It says whether there was one.
func (e *Emulator) RemoveFault(id string) bool { return e.faults.Remove(id) }

// AwaitHolding returns as soon as a fault holds a request.
func (e *Emulator) AwaitHolding(ctx context.Context, fault string) error {
	return e.faults.AwaitHolding(ctx, fault)
}

// Settings gives the settings. The caller must not change its maps and lists.
func (e *Emulator) Settings() Settings { return e.settings.Get() }

// ChangeSettings changes a copy of the settings and keeps it if it is valid.
func (e *Emulator) ChangeSettings(change func(*Settings)) error { return e.settings.Change(change) }

// Reset puts everything back to the start: objects, faults, settings, journal. Tokens stay, and seq and ids go on.
func (e *Emulator) Reset() {
	e.faults.Remove("")
	e.settings.Reset()
	for _, v := range e.vendors {
		v.api.Reset()
	}
	e.journal.Clear()
}
