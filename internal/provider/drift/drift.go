// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package drift says what becomes of each attribute of each resource when somebody else changes at the vendor what it shows.
// It is data: the documentation is written from it, and the tests of package provider carry out every row of it.
package drift

// Answer is what the plan that follows a change from outside does about it.
type Answer string

const (
	// Restores means: the plan shows the difference, and its apply puts back what was there.
	Restores Answer = "puts it back"
	// Recreates means: what is gone is dropped from the state, and the plan makes it anew.
	Recreates Answer = "makes it anew"
	// Releases means: what is not this resource's any more is dropped from the state with a warning, and not touched.
	Releases Answer = "lets go of it with a warning, and makes another one"
	// Shows means: the state takes what is there, and nothing is changed at the vendor.
	Shows Answer = "shows what is there"
	// Keeps means: the change is not seen, or is nobody's business but that of whoever made it.
	Keeps Answer = "nothing"
	// Fails means: plan or apply end in an error that says what to do.
	Fails Answer = "fails, and says what to do"
)

// Row is a change that others make of what an attribute shows.
type Row struct {
	// Attribute is the name in the schema, Change what others do, in words.
	Attribute, Change string
	// Answers are by kind of account; a kind that is missing has no such thing.
	Answers map[string]Answer
}

// Table holds the rows of one resource.
type Table struct {
	// Resource is the name of its type.
	Resource string
	// Rows are in the order of the documentation.
	Rows []Row
	// Own are the attributes that exist in configuration and state only, or that no vendor lets anybody change.
	Own []string
}

// Tables are those of all resources.
var Tables = []Table{instances, addresses, certificates, accounts, secrets}

// The kinds of accounts.
const (
	hetzner      = "hetzner-cloud"
	digitalocean = "digitalocean"
	proxmox      = "proxmox"
)

// everywhere is one answer for all vendors.
func everywhere(answer Answer) map[string]Answer {
	return map[string]Answer{hetzner: answer, digitalocean: answer, proxmox: answer}
}

// both is one answer for Hetzner Cloud and DigitalOcean.
func both(answer Answer) map[string]Answer {
	return map[string]Answer{hetzner: answer, digitalocean: answer}
}
