// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package driver

import (
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Marks are the vendor's own record of whose a machine is: labels, tags or description lines.
type Marks struct {
	// Managed is there on everything that we made or took over.
	Managed bool
	// Key is our id of the object, which is also the idempotency key: inst_ and 52 characters.
	Key string
	// Account is the id of the account it was made through: pacct_ and 52 characters.
	Account string
	// Claim names the state that owns the object: <10 characters of the owner's hash, or 0>-<16 random characters>. What
	// a vendor shows is handed on as it is, well-formed or not.
	Claim string
	// Creating is there for as long as no state owns the object.
	Creating bool
	// Stopped is there for as long as an update keeps a machine off that is to run again when it is done.
	Stopped bool
}

// State is a machine's state in words common to all vendors.
type State string

// The states. Unknown is also what a vendor's new word becomes.
const (
	StatePending  State = "pending"
	StateRunning  State = "running"
	StateStopped  State = "stopped"
	StateRescue   State = "rescue"
	StateDeleting State = "deleting"
	StateDeleted  State = "deleted"
	StateError    State = "error"
	StateUnknown  State = "unknown"
)

// Machine is a server, droplet or virtual machine.
type Machine struct {
	// ID is the vendor's.
	ID      string
	Name    string
	State   State
	OfferID string
	// Image is the vendor's name of the image, ImageID its id; both empty when the vendor no longer has it.
	Image   string
	ImageID string
	Region  string
	// Addresses are nil where the vendor cannot tell them now: what was known before still stands. Empty: there are none.
	Addresses []Address
	Marks     Marks
	// Labels are all that the vendor shows besides our marks, other people's included.
	Labels    map[string]string
	VCPU      int
	MemoryGiB float64
	DiskGiB   float64
	// Architecture is "x86" or "arm"; empty: the vendor does not say.
	Architecture string
	CreatedAt    time.Time
	// UUID tells a machine from a later one with the same ID, where the vendor uses ids again; empty: it does not, or the
	// machine does not show it yet.
	UUID string
	// OtherClaims are further claims than Marks.Claim, in byte order, where a vendor can show several at a time. Marks.Claim
	// is the smallest of all.
	OtherClaims []string
	// Busy says that the vendor would refuse a change now because another one is under way.
	Busy bool
	// Options are the kind's options as the machine has them, in their canonical form: see Options. One that is missing
	// cannot be told now. A String option of which a machine can have several at a time, such as networks, may be given as
	// []string, in ascending order.
	Options manifest.Values
}

// Address is one address of a machine. An IPv6 network is given as its first host address.
type Address struct {
	Address string
	// Family is "ipv4" or "ipv6".
	Family string
	// Scope is "public" or "private".
	Scope string
}

// Spec is what Create, Resume and Reinstall need to know.
type Spec struct {
	Name    string
	OfferID string
	// ImageID is the vendor's id of the image, resolved before.
	ImageID string
	Region  string
	// UserData is what cloud-init gets, SSH keys merged in. Empty: none.
	UserData []byte
	// SSHAuthorizedKeys are those that UserData has merged in; KeysOnly says that it holds nothing else, so that a vendor
	// with a way of its own for keys may use that.
	SSHAuthorizedKeys []string
	KeysOnly          bool
	Labels            map[string]string
	Marks             Marks
	// Off leaves the machine off after its creation.
	Off bool
	// Options are those that are written for the machine, in their canonical form: see Options.
	Options manifest.Values
}

// Created is the answer to Create and Resume.
type Created struct {
	Machine    Machine
	Operations []Operation
	// Proof is what Prove takes later; empty where the driver has no Prove.
	Proof string
}

// Operation is something that the vendor carries out after it has answered: an action, an event or a task.
type Operation struct {
	// ID is the vendor's.
	ID string
	// Name is the vendor's word, such as "create_server".
	Name string
	// MachineID is the machine that it works on, or another object of the vendor's.
	MachineID string
	// Proof is what Prove takes later, where the operation leaves one.
	Proof string
}

// Progress is where an operation stands.
type Progress struct {
	Operation Operation
	// Done is set when it has ended, one way or the other.
	Done bool
	// Percent is 0 to 100.
	Percent int
	// Err is why it failed, for Describe; nil while it runs and when it succeeded.
	Err error
}

// PowerAction is a way to switch a machine.
type PowerAction string

// The power actions. GracefulOff and GracefulRestart ask the guest, the others do not.
const (
	PowerOn         PowerAction = "on"
	PowerOff        PowerAction = "off"
	GracefulOff     PowerAction = "graceful-off"
	Reset           PowerAction = "reset"
	GracefulRestart PowerAction = "graceful-restart"
	Cycle           PowerAction = "cycle"
	Nmi             PowerAction = "nmi"
)

// OfferQuery narrows offers. Zero values do not.
type OfferQuery struct {
	// Kind is "metal" or "vps".
	Kind         string
	Region       string
	GPUModel     string
	MinGPUs      int
	MinVCPU      int
	MinMemoryGiB float64
}

// Offer is a size in a region that can be ordered.
type Offer struct {
	ID     string
	Kind   string
	Region string
	VCPU   int
	// MemoryGiB and DiskGiB are in GiB; DiskGiB is nil where the vendor fixes no disk.
	MemoryGiB float64
	DiskGiB   *float64
	GPUs      int
	// GPUModel is empty without GPUs.
	GPUModel string
	// PricePerHour is a decimal text without trailing zeros, gross, in Currency (ISO 4217); both empty when unpriced.
	PricePerHour string
	Currency     string
	// Available says that it is in stock now; Shortage is why it is not, as part of a sentence, where the vendor tells.
	Available bool
	Shortage  string
	// Architecture is "x86" or "arm"; an image must be of the same.
	Architecture string
}

// ImageQuery narrows images.
type ImageQuery struct {
	Region string
	// Name is the vendor's exact name or id; empty: all.
	Name string
	// Architecture is "x86" or "arm"; empty: both.
	Architecture string
}

// Image is something that a machine can be made from.
type Image struct {
	ID           string
	Name         string
	Architecture string
	MinDiskGiB   float64
	// Deprecated is when the vendor began to retire it; zero: not.
	Deprecated time.Time
}

// Limits are a vendor's fixed numbers.
type Limits struct {
	// IndexLag is how long a fresh machine may be missing from Find; zero where the index is immediate.
	IndexLag time.Duration
	// AppearLag is how long Get may answer NOT_FOUND for a machine that Create has just answered; zero where it shows at
	// once.
	AppearLag time.Duration
	// UserDataBytes is the most that Create takes.
	UserDataBytes int
	// PollBatch is how many operations one Poll takes.
	PollBatch int
	// UniqueNames says that the vendor refuses a second machine of one name.
	UniqueNames bool
	// Stepwise says that a create and a reinstall take several requests, each after the operations of the one before: Resume
	// is called until it answers no operations. Delete likewise, until it answers NOT_FOUND. The managed mark comes with a
	// later step, so List may miss a machine that Find shows, and machines may be busy before they show their marks.
	Stepwise bool
	// ListPage is how many machines one request of List answers; zero: all that there are.
	ListPage int
	// ReadsEach says that List asks for each machine by itself, so that one machine is better asked for alone.
	ReadsEach bool
	// AddressWait is how long a create waits for the addresses of a machine that runs; zero: they are known at once.
	AddressWait time.Duration
	// FixedUserData says that a machine keeps the user data of its create: Reinstall cannot change it.
	FixedUserData bool
	// ResizeKeepsPlace says that a machine stays where it is when its offer changes: whether a new machine of that offer
	// would find room says nothing.
	ResizeKeepsPlace bool
	// RenewalChangesID says that a managed certificate gets another id when it is renewed; its name stays.
	RenewalChangesID bool
	// CreateTimeout is the default for the whole creation.
	CreateTimeout time.Duration
}
