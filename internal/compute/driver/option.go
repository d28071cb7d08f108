// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import (
	"context"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Effect is what a change of an option does to a machine that is there.
type Effect int

// The effects. A machine that Restarts is stopped for the change and started again, which a user has to allow.
const (
	InPlace Effect = iota + 1
	Restarts
	Replaces
)

// Option is one thing that a machine can be asked for beyond name, offer, image and region. An option that is not written
// is left as the vendor has it.
type Option struct {
	// Field has name, type, rules and documentation. The types are String, Integer, Boolean, StringList and StringSet; a
	// machine's option is never required, and an empty list or text that is written means "none".
	manifest.Field
	// Common says that the option means the same at every vendor and is an argument of the machine itself: see CommonOption.
	// Any other one stands in the nested argument that has the kind's name.
	Common bool
	// Effect is what a change does; Off, where it is not the same, what a change of a Boolean to false does.
	Effect, Off Effect
	// Refers says that the texts name objects of the vendor, by id or name, which Options.Objects lists.
	Refers bool
	// Part answers the part of a text that names the object, such as the bridge of "vmbr0.100". The text is then used as it
	// is written. Nil: all of it, and the object's id takes its place.
	Part func(text string) string
	// Hidden says that the vendor does not tell the option of a machine: its drift is not seen, and after an import what is
	// written is taken for what is there.
	Hidden bool
	// Project says that the option names the project that the machine is in, in the place of the account's. It is one text that
	// Refers, changes InPlace, and is known of a machine only where it is written: Projects assigns it, and tells by the list of
	// a project whether the machine is there.
	Project bool
	// Local says that the vendor has no such thing: the option is kept in the state and honoured by plans, with no request.
	Local bool
	// Addresses says that a change gives the machine other addresses.
	Addresses bool
	// Follows are options that decide this one where it is not written: network_ip comes with network.
	Follows []string
	// Note is what is special about the option at this vendor, a sentence or two of Markdown for the table in the
	// documentation; empty: nothing.
	Note string
}

// EffectOf is what a change to a value does.
func (o Option) EffectOf(value any) Effect {
	if value == false && o.Off != 0 {
		return o.Off
	}
	return o.Effect
}

// CanReplace says whether some change of the option replaces the machine. What is written for such an option is part of
// the machine's id.
func (o Option) CanReplace() bool { return o.Effect == Replaces || o.Off == Replaces }

// Silent says whether a machine by itself tells nothing of the option: where it is not written there is nothing to show.
func (o Option) Silent() bool { return o.Hidden || o.Local || o.Project }

// The options that mean the same at every vendor.
const (
	OptionPublicIPv4       = "public_ipv4"
	OptionPublicIPv6       = "public_ipv6"
	OptionBackups          = "backups"
	OptionDeleteProtection = "delete_protection"
	OptionNetwork          = "network"
	OptionReverseDNS       = "reverse_dns"
)

// CommonFields describes the options that mean the same at every vendor, in the order of the documentation.
func CommonFields() []manifest.Field {
	return []manifest.Field{
		{
			Name: OptionPublicIPv4, Type: manifest.Boolean,
			Doc: "Whether the machine has a public IPv4 address of its own.",
		},
		{
			Name: OptionPublicIPv6, Type: manifest.Boolean,
			Doc: "Whether the machine has a public IPv6 network or address of its own.",
		},
		{
			Name: OptionBackups, Type: manifest.Boolean,
			Doc: "Whether the vendor backs the machine up by itself, at the vendor's price.",
		},
		{
			Name: OptionDeleteProtection, Type: manifest.Boolean,
			Doc: "Whether the machine is protected: a plan that would destroy or replace it is an error before anything is touched, and the vendor's own " +
				"switch is set where there is one. Set it to `false` and apply before the machine is to go.",
		},
		{
			Name: OptionNetwork, Type: manifest.String,
			Doc: "Private network that the machine is in, by the vendor's id or name (`bettercompute_networks` lists them); on Proxmox VE the bridge of the " +
				"first network device, with a VLAN where there is one: `vmbr0` or `vmbr0.100`.",
		},
		{
			Name: OptionReverseDNS, Type: manifest.String,
			Doc: "Host name that the machine's public addresses resolve to.",
		},
	}
}

// CommonOption is an option that means the same at every vendor, as one of them has it.
func CommonOption(name string, as Option) Option {
	fields := CommonFields()
	as.Field, as.Common = fields[slices.IndexFunc(fields, func(field manifest.Field) bool { return field.Name == name })], true
	return as
}

// Option answers the option of a name.
func (k Kind) Option(name string) (Option, bool) {
	at := slices.IndexFunc(k.Options, func(option Option) bool { return option.Name == name })
	if at < 0 {
		return Option{}, false
	}
	return k.Options[at], true
}

// ProjectOption answers the option that names a machine's project; false: there is none.
func (k Kind) ProjectOption() (Option, bool) {
	at := slices.IndexFunc(k.Options, func(option Option) bool { return option.Project })
	if at < 0 {
		return Option{}, false
	}
	return k.Options[at], true
}

// OptionManifest describes the nested argument with the options that only this kind has.
func (k Kind) OptionManifest() manifest.Manifest {
	described := manifest.Manifest{
		Kind: k.Manifest.Kind, Attribute: k.Manifest.Attribute, Title: k.Manifest.Title,
		Doc: "What only a machine at " + k.Manifest.Title + " can be asked for. An argument that is not written is left as the vendor has it.",
	}
	for _, option := range k.Options {
		if !option.Common {
			described.Fields = append(described.Fields, option.Field)
		}
	}
	return described
}

// Options is the capability of a vendor whose kind has Options that are not Local. Spec.Options and Machine.Options hold
// them by name, in their canonical form: ids of the vendor in place of names, sets in ascending order, []string{} and ""
// for "none".
//
// Create and Resume give the machine what the vendor takes with the order. What it does not take, the machine then shows
// otherwise than Spec.Options has it, and SetOption brings it, option after option, in the order of Kind.Options. So an
// interrupted create is carried on by what is still different.
type Options interface {
	// Objects answers the vendor's objects that an option which Refers may name, usable in the region or not.
	Objects(ctx context.Context, option, region string) ([]Object, error)
	// SetOption takes the next step from what the machine shows to the setting and answers the operations to wait for; none:
	// there is no step left. It is called again, with the machine as it is then, until it answers none. An option that is
	// Hidden takes one step. Where the effect is Restarts the machine is off. Codes: INVALID_INPUT, QUOTA_EXCEEDED,
	// CAPACITY_UNAVAILABLE or INVALID_STATE with the option as Field. Doing a step twice does no harm. What names a Project
	// is for Projects.AssignProject instead.
	SetOption(ctx context.Context, machine Machine, setting Setting) ([]Operation, error)
}

// Setting is what one option of a machine is to be. All values are canonical.
type Setting struct {
	Name  string
	Value any
	// Before is what the state had: of several networks that a machine is in, the one that goes. Nil: nothing is known.
	Before any
	// All are all options that are written for the machine, this one included.
	All manifest.Values
}

// Object is something of the vendor's that an option can name: a network, a firewall, a placement group, a key.
type Object struct {
	ID, Name string
	// Unfit says why it cannot be used in the region that was asked for, in words that follow its name, such as "is in zone
	// us-east"; empty: it can.
	Unfit string
	// Default says that it is the one of a machine which names none.
	Default bool
}

// Networks is the capability to list private networks.
type Networks interface {
	// Networks answers every private network that the account shows, in full pages.
	Networks(ctx context.Context) ([]Network, error)
}

// Network is a private network at the vendor.
type Network struct {
	ID, Name string
	// Regions are those whose machines can be in it, in ascending order; Everywhere says that all are.
	Regions    []string
	Everywhere bool
	// Nodes are those that have it, in ascending order, at a vendor where not every node of a region does; none: all.
	Nodes []string
	// Ranges are its address ranges in CIDR form, where the vendor knows them.
	Ranges []string
	// Labels are those that a person gave it; nil: the vendor keeps none with networks.
	Labels map[string]string
	// Default says that a machine which names no network of its own is in it.
	Default bool
}

// Firewalls is the capability to list firewalls.
type Firewalls interface {
	// Firewalls answers every firewall that the account shows, in full pages.
	Firewalls(ctx context.Context) ([]Firewall, error)
}

// Firewall is a set of packet filter rules that machines can be put behind.
type Firewall struct {
	ID, Name string
	// Labels are those that a person gave it; nil: the vendor keeps none with firewalls.
	Labels map[string]string
	// Selectors are what machines have to bear for the vendor to put them behind it by itself, in the vendor's words: label
	// selectors, or tags.
	Selectors []string
	Rules     []FirewallRule
}

// FirewallRule lets packets through, or stops them.
type FirewallRule struct {
	// Direction is "in" or "out", Action "accept", "drop" or "reject".
	Direction, Action string
	// Protocol is the vendor's word in lower case, such as "tcp"; Ports a port or a range such as "80-85". Empty: all.
	Protocol, Ports string
	// Peers are the other side in the vendor's words: addresses in CIDR form, tags and the like. Empty: everybody.
	Peers       []string
	Description string
}

// ReverseDNS is the capability to say which host name a reserved address resolves to: see ReservedAddress.ReverseDNS.
type ReverseDNS interface {
	// SetReverseDNS changes the name; empty puts the vendor's own back. Doing it twice does no harm.
	SetReverseDNS(ctx context.Context, address ReservedAddress, name string) ([]Operation, error)
}
