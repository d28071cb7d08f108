// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"
)

// Settings are the knobs of the emulator. JSON names are the keys of control's /settings.
type Settings struct {
	Delay         Duration            `json:"delay"`
	ActionTime    Duration            `json:"action_time"`
	ActionTimes   map[string]Duration `json:"action_times"`
	ActionResults map[string]Result   `json:"action_results"`
	Limits        map[string]Limit    `json:"limits"`
	Quotas        map[string]int      `json:"quotas"`
	Capacity      []Capacity          `json:"capacity"`
	Lag           Lag                 `json:"lag"`
	PageMax       int                 `json:"page_max"`
	ClosedRegions []string            `json:"closed_regions"`
	Retired       []Retired           `json:"retired"`
	Clock         Duration            `json:"clock"`
	Agent         map[string]string   `json:"agent"`
	NodesDown     []string            `json:"nodes_down"`
	Denied        []string            `json:"denied"`
	Release       string              `json:"release"`
}

// Result is how an action ends.
type Result struct {
	Status  string `json:"status"`            // error, never, or any word that the vendor shall show; see Meanings
	Code    string `json:"code,omitempty"`    // of the error
	Message string `json:"message,omitempty"` // of the error
	Times   *int   `json:"times,omitempty"`   // how many actions: 1 when absent, 0 = for ever
}

// Limit is a vendor's request limit.
type Limit struct {
	PerHour int `json:"per_hour"`
	// PerMinute is the limit of a burst where the vendor has one, else 0.
	PerMinute int `json:"per_minute,omitempty"`
	// Remaining is what is left from the moment it is set; null leaves it alone.
	Remaining *int `json:"remaining,omitempty"`
	// ResetIn is when the limit is whole again, counted from the moment it is set; 0 keeps the vendor's own pace.
	ResetIn Duration `json:"reset_in,omitempty"`
}

// Capacity is the stock of an offer in a region. Empty Offer or Region mean all; null leaves the vendor's own word.
type Capacity struct {
	Offer     string `json:"offer"`
	Region    string `json:"region"`
	Catalogue *bool  `json:"catalogue,omitempty"` // what the catalogue says
	Create    *bool  `json:"create,omitempty"`    // whether a create finds room
}

// Lag is how long the vendor's answers stay behind the truth.
type Lag struct {
	Get     Duration `json:"get"`     // a new object, by its id
	List    Duration `json:"list"`    // a new object, in lists
	Tag     Duration `json:"tag"`     // a tag, on its object and in lists by tag
	Network Duration `json:"network"` // the addresses of a new machine, after its create has ended
	Status  Duration `json:"status"`  // a machine's status, after the action that changed it has ended
	// Statistics is the time between two updates of names, states and figures in Proxmox's cluster/resources.
	Statistics Duration `json:"statistics"`
}

// Retired marks a part of the catalogue as deprecated.
type Retired struct {
	Kind             string    `json:"kind"` // the vendor's plural: server_types, images
	ID               string    `json:"id"`   // name or id
	Announced        time.Time `json:"announced,omitzero"`
	UnavailableAfter time.Time `json:"unavailable_after,omitzero"`
	Gone             bool      `json:"gone"` // no longer listed at all
}

// Meanings says what each setting does, for GET /settings.
var Meanings = map[string]string{
	"delay":       "time before each vendor request is carried out; a client that leaves meanwhile takes its request along",
	"action_time": "how long an asynchronous action runs",
	"action_times": "the same for one operation (the vendor's word, such as create_server; guest_off is how long a guest " +
		"takes to obey a shutdown)",
	"action_results": "how actions of an operation end: {status: error | never | any word, code, message, times: 1 when " +
		"absent, 0 = for ever}; on Proxmox also \"warnings: 2\", a success, and killed: the worker dies and leaves what it did",
	"limits": "per vendor: {per_hour; per_minute where the vendor limits bursts; remaining: set now; reset_in: whole " +
		"again after this time}",
	"quotas": "how many objects of a kind one project may have",
	"capacity": "stock: [{offer, region, catalogue: what lists say, create: whether a create finds room}], empty offer " +
		"or region mean all; on Proxmox the region is a node and there are no offers",
	"lag": "how long answers stay behind the truth: {get: a new object by id, list: in lists, tag: a tag, network: the " +
		"addresses of a new machine, status: a machine's status after an action; statistics: time between two updates of Proxmox's " +
		"cluster/resources}",
	"page_max":       "largest page that lists give, 0 = the vendor's own",
	"closed_regions": "regions where nothing can be made",
	"retired":        "deprecations: [{kind, id: name or id, announced, unavailable_after, gone: no longer listed}]",
	"clock":          "added to the time that the vendors know",
	"agent": "Proxmox guest agents: {VMID or \"\" for all: on, off, or how long after the start it answers, such as " +
		"\"30s\"}",
	"nodes_down": "Proxmox nodes that cannot be reached",
	"denied":     "Proxmox privileges that no token has, not even main, such as SDN.Use",
	"release":    "Proxmox VE release, such as 9.1 or 8.3: names of privileges, and error texts in the body (8.4 on) or not",
}

// clone copies the settings, so that what readers hold never changes.
func (s Settings) clone() Settings {
	s.ActionTimes = maps.Clone(s.ActionTimes)
	s.ActionResults = maps.Clone(s.ActionResults)
	s.Limits = maps.Clone(s.Limits)
	s.Quotas = maps.Clone(s.Quotas)
	s.Capacity = slices.Clone(s.Capacity)
	s.ClosedRegions = slices.Clone(s.ClosedRegions)
	s.Retired = slices.Clone(s.Retired)
	s.Agent = maps.Clone(s.Agent)
	s.NodesDown = slices.Clone(s.NodesDown)
	s.Denied = slices.Clone(s.Denied)
	return s
}

// TimeOf is how long an operation's action runs.
func (s Settings) TimeOf(operation string) time.Duration {
	if own, found := s.ActionTimes[operation]; found {
		return time.Duration(own)
	}
	return time.Duration(s.ActionTime)
}

// InCatalogue is what the catalogue says about an offer in a region, given the vendor's own word.
func (s Settings) InCatalogue(offer, region string, own bool) bool {
	for _, c := range s.Capacity {
		if c.matches(offer, region) && c.Catalogue != nil {
			own = *c.Catalogue
		}
	}
	return own && !slices.Contains(s.ClosedRegions, region)
}

// HasRoom says whether a create of an offer in a region finds room, given the vendor's own word.
func (s Settings) HasRoom(offer, region string, own bool) bool {
	for _, c := range s.Capacity {
		if c.matches(offer, region) && c.Create != nil {
			own = *c.Create
		}
	}
	return own
}

func (c Capacity) matches(offer, region string) bool {
	return (c.Offer == "" || c.Offer == offer) && (c.Region == "" || c.Region == region)
}

// check finds values that no vendor could obey.
func (s Settings) check() error {
	if s.Delay < 0 || s.ActionTime < 0 || min(s.Lag.Get, s.Lag.List, s.Lag.Tag, s.Lag.Network, s.Lag.Status, s.Lag.Statistics) < 0 {
		return fmt.Errorf("delay, action_time and lag cannot be negative")
	}
	if s.PageMax < 0 {
		return fmt.Errorf("page_max cannot be negative")
	}
	for operation, during := range s.ActionTimes {
		if during < 0 {
			return fmt.Errorf("action_times: %s cannot be negative", operation)
		}
	}
	for operation, result := range s.ActionResults {
		if result.Status == "" || (result.Times != nil && *result.Times < 0) {
			return fmt.Errorf("action_results: %s needs a status, and times of at least 0", operation)
		}
	}
	for vendor, limit := range s.Limits {
		if limit.PerHour < 1 || limit.PerMinute < 0 || limit.ResetIn < 0 || (limit.Remaining != nil && *limit.Remaining < 0) {
			return fmt.Errorf("limits: %s needs per_hour of at least 1, and nothing negative", vendor)
		}
	}
	for kind, count := range s.Quotas {
		if count < 0 {
			return fmt.Errorf("quotas: %s cannot be negative", kind)
		}
	}
	if s.Release != "" && !releaseForm.MatchString(s.Release) {
		return fmt.Errorf("release: %q is no release such as 9.1", s.Release)
	}
	for machine, answers := range s.Agent {
		if after, err := time.ParseDuration(answers); answers != "on" && answers != "off" && (err != nil || after < 0) {
			return fmt.Errorf("agent: %q of %q is neither on, off nor a time", answers, machine)
		}
	}
	return nil
}

// releaseForm is a release of Proxmox VE, such as 9.1 or 8.4.14.
var releaseForm = regexp.MustCompile(`^\d+\.\d+(\.\d+)?$`)

// AgentAfter is how long after its start a machine's guest agent answers; off says that it never does.
func (s Settings) AgentAfter(machine string) (after time.Duration, off bool) {
	answers, own := s.Agent[machine]
	if !own {
		answers = s.Agent[""]
	}
	after, _ = time.ParseDuration(answers) // "on" and "off" are no times; check lets nothing else pass
	return after, answers == "off"
}
