// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"encoding/json"
	"net/http"
	"net/url"
	"time"
)

// Request is one vendor request, read whole.
type Request struct {
	Method  string
	Path    string // as sent, with its prefix, without the query
	Query   url.Values
	Header  http.Header
	Host    string
	Body    []byte
	Chunked bool // the body came without a Content-Length
	// Waited is how long the vendor has kept this request waiting, for an answer with Again.
	Waited    time.Duration
	Token     string // the token's name, "" for an unknown or missing one
	Operation string // the vendor's own word where the path does not say it, else ""
	Params    map[string]string
}

// IsRead says whether the request changes nothing by its method.
func (r *Request) IsRead() bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// Answer is what a vendor answers.
type Answer struct {
	Status int
	// Reason is the reason phrase of the status line; empty means the one that HTTP gives the status.
	Reason string
	// Wait is how long the vendor takes to answer once it has done what was asked.
	Wait time.Duration
	// Again, when not 0, is no answer yet: the vendor is asked once more after this time.
	Again    time.Duration
	Header   http.Header
	Body     []byte
	Object   string // vendor id touched or made, as text
	Unrouted bool   // the emulator does not know the route
	// RequestID is the vendor's id of the request, for the log.
	RequestID string
}

// OK says whether the vendor accepted the request.
func (a Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// Vendor is one emulated API. Its methods hold its own lock for as long as they compute, and never while anything is
// waited for.
type Vendor interface {
	// Name is the vendor in control's JSON: hetzner, digitalocean or proxmox.
	Name() string
	// TokenName names the token that the headers bear.
	TokenName(header http.Header) string
	// Operation is the vendor's own word for what is asked where the path does not say it, else "".
	Operation(request *Request) string
	// Serve carries the request out and answers it.
	Serve(request *Request) Answer
	// Failure is the vendor's error envelope for a status, for faults without a body.
	Failure(status int) Answer
	// Operations are the words that action_times and action_results know.
	Operations() []string
	// Reset forgets every object. Tokens and the count of ids stay.
	Reset()
	Inventory
}

// Inventory is the truth about a vendor's objects, without lag, and the hands of others that change them.
type Inventory interface {
	// Kinds are the kinds of objects, each of which Objects always names.
	Kinds() []string
	// Objects gives the objects of a kind in order of creation.
	Objects(kind string) []Object
	// Plant makes an object with fields as in the vendor's own answer. No rule is checked, no action started.
	Plant(kind string, fields map[string]json.RawMessage) (Object, error)
	// Patch changes an object's fields likewise.
	Patch(kind, id string, fields map[string]json.RawMessage) (Object, error)
	// Vanish removes an object likewise.
	Vanish(kind, id string) error
}

// Bytes is implemented by a vendor that keeps what clients upload.
type Bytes interface {
	// Bytes gives the content of an object, as it was uploaded.
	Bytes(kind, id string) ([]byte, error)
}

// Object is one object of the inventory.
type Object struct {
	ID     string            `json:"id"` // an address for addresses, a name for tags
	Name   string            `json:"name"`
	State  string            `json:"state"`           // the vendor's word
	Labels map[string]string `json:"labels,omitzero"` // as stored
	Tags   []string          `json:"tags,omitzero"`   // as stored
	Holder *string           `json:"holder"`          // of an address: the machine's id
	Busy   *string           `json:"busy"`            // the running action, or "locked"
	// Project says whose it is where tokens of several projects are served: the name of the token that owns it.
	Project string `json:"project,omitempty"`
	// Description, Node and Template are a Proxmox VM's, as stored; Node is a volume's too.
	Description string `json:"description,omitempty"`
	Node        string `json:"node,omitempty"`
	Template    bool   `json:"template,omitempty"`
}
