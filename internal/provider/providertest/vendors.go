// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package providertest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// Vendor is what a scenario needs to know of an emulated vendor: one scenario is the same on all of them.
type Vendor struct {
	// Name is the emulator's and Collection its word for machines; Kind is the account's, Attribute its argument.
	Name, Collection, Kind, Attribute string
	// Place is the account's argument for its region, and Region what it says here; OtherRegion is another one.
	Place, Region, OtherRegion string
	// Offer has 2 vCPUs, 4 GiB of memory and DiskGiB of disk; OtherOffer is larger. Both are sold in both regions.
	Offer, OtherOffer string
	DiskGiB           int64
	// Image and OtherImage are names; ImageID is the first one's id.
	Image, OtherImage, ImageID string
	// Currency is that of the prices, empty where there are none. OtherRegion is empty where there is one region only. Addresses is how many addresses a machine has.
	Currency  string
	Addresses int
	// Running is the vendor's word for a machine that runs.
	Running string
	// TokenVariable is where the vendor's own tools look for the token.
	TokenVariable string
	// WrongToken is what the vendor says to a token that is none of its own.
	WrongToken string
	// CreatePath takes the order of a machine by POST, ActionsPath says how far actions are.
	CreatePath, ActionsPath string
	// CreateOperation, RebuildOperation and DeleteOperation are the vendor's words for what takes its time.
	CreateOperation, RebuildOperation, DeleteOperation string
	// UserDataBytes is the most user data; BadLabel is a label's key that the vendor has not.
	UserDataBytes int
	BadLabel      string
	// OwnLabel is a label's key that is ours. Scarce is an offer that is sold elsewhere, in Elsewhere among others.
	OwnLabel, Scarce, Elsewhere string
	// OutOfStock and Closed are the refusals of an offer without stock and of a region that is closed.
	OutOfStock, Closed Refusal
	// UniqueNames says that a second machine of one name is refused.
	UniqueNames bool
	// ReinstallsUserData says that a reinstall takes new user data.
	ReinstallsUserData bool

	// Off is the vendor's word for a machine that does not run, "off" where empty. WritePath begins the path of every change
	// of a machine, CreatePath where empty.
	Off, WritePath string
	// ListPath is what a refresh asks for, CreatePath where empty. Blind is the name of a token that does not see our machines,
	// "foreign" where empty, and BlindSays what is said of it.
	ListPath  string
	Blind     string
	BlindSays []string
	// ReusesIDs says that a machine that is made again gets the id that it had.
	ReusesIDs bool
	// Address is the account's argument for its URL, "endpoint" where empty; Arguments are further ones.
	Address   string
	Arguments map[string]any

	// planted is what a planted machine needs to have the offer.
	planted emulator.Fields

	of     func(*emulator.Emulator) *emulator.Vendor
	fields func(labels map[string]string, marks map[string]string) emulator.Fields
	labels func(emulator.Object) (labels map[string]string, marks map[string]string)
}

// Refusal is an error in a plan: the argument that it is at, and its code as the summary ends.
type Refusal struct{ At, Code string }

// Vendors are all vendors that scenarios run on.
var Vendors = []Vendor{
	{
		Name: "hetzner", Collection: "servers", Kind: "hetzner-cloud", Attribute: "hetzner_cloud",
		Place: "location", Region: "fsn1", OtherRegion: "nbg1", Offer: "cx23", OtherOffer: "cx33", DiskGiB: 40,
		Image: "ubuntu-24.04", OtherImage: "debian-13", ImageID: "161547269", Currency: "EUR", Addresses: 2, Running: "running",
		TokenVariable: "HCLOUD_TOKEN", WrongToken: "the token you have provided is invalid", CreatePath: "/v1/servers", ActionsPath: "/v1/actions",
		CreateOperation: "create_server", RebuildOperation: "rebuild_server", DeleteOperation: "delete_server",
		UserDataBytes: 32 << 10, BadLabel: "a b", OwnLabel: "better-compute.io/claim", Scarce: "cpx11", Elsewhere: "ash",
		OutOfStock: Refusal{"offer_id", "(CAPACITY_UNAVAILABLE)"}, Closed: Refusal{"offer_id", "(CAPACITY_UNAVAILABLE)"}, UniqueNames: true, ReinstallsUserData: true,
		of: func(e *emulator.Emulator) *emulator.Vendor { return e.Hetzner }, fields: hetznerFields, labels: hetznerLabels,
	},
	{
		Name: "digitalocean", Collection: "droplets", Kind: "digitalocean", Attribute: "digitalocean",
		Place: "region", Region: "fra1", OtherRegion: "ams3", Offer: "s-2vcpu-4gb", OtherOffer: "s-4vcpu-8gb", DiskGiB: 80,
		Image: "ubuntu-24-04-x64", OtherImage: "debian-13-x64", ImageID: "195932981", Currency: "USD", Addresses: 3, Running: "active",
		TokenVariable: "DIGITALOCEAN_TOKEN", WrongToken: "Unable to authenticate you", CreatePath: "/v2/droplets", ActionsPath: "/v2/actions",
		CreateOperation: "create", RebuildOperation: "rebuild", DeleteOperation: "destroy",
		UserDataBytes: 64 << 10, BadLabel: "a.b", OwnLabel: "better-compute", Scarce: "gpu-mi325x1-256gb", Elsewhere: "tor1",
		OutOfStock: Refusal{"offer_id", "(INVALID_INPUT)"}, Closed: Refusal{"region", "(INVALID_INPUT)"}, planted: emulator.Fields{"size_slug": "s-2vcpu-4gb"},
		of: func(e *emulator.Emulator) *emulator.Vendor { return e.DigitalOcean }, fields: digitaloceanFields, labels: digitaloceanLabels,
	},
	proxmox,
}

// OnEachVendor runs a scenario on every vendor.
func OnEachVendor(t *testing.T, run func(t *testing.T, vendor Vendor)) {
	t.Helper()
	for _, vendor := range Vendors {
		t.Run(vendor.Name, func(t *testing.T) { run(t, vendor) })
	}
}

// Of answers the vendor's part of an emulator.
func (v Vendor) Of(e *emulator.Emulator) *emulator.Vendor { return v.of(e) }

// CurrencyText is the currency as a state shows it.
func (v Vendor) CurrencyText() string { return cmp.Or(v.Currency, "null") }

// OffWord is the vendor's word for a machine that does not run.
func (v Vendor) OffWord() string { return cmp.Or(v.Off, "off") }

// Machines answers the machines that there are.
func (v Vendor) Machines(e *emulator.Emulator) []emulator.Object {
	return slices.DeleteFunc(e.Objects(v.Name, v.Collection), func(object emulator.Object) bool { return object.Template })
}

// Plant makes a machine as others do.
func (v Vendor) Plant(e *emulator.Emulator, name string, labels, marks map[string]string) (emulator.Object, error) {
	fields := v.fields(labels, marks)
	maps.Copy(fields, v.planted)
	fields["name"] = name
	if v.OtherRegion != "" {
		fields[v.Place] = v.Region
	}
	return e.Plant(v.Name, v.Collection, fields)
}

// Relabel replaces all labels and marks of a machine, as others do.
func (v Vendor) Relabel(e *emulator.Emulator, id string, labels, marks map[string]string) error {
	_, err := e.Patch(v.Name, v.Collection, id, v.fields(labels, marks))
	return err
}

// Labels answers the labels that a machine bears, and the marks: managed, key, account, claim and creating.
func (v Vendor) Labels(machine emulator.Object) (labels, marks map[string]string) {
	return v.labels(machine)
}

// Values is the config of an account.
func (v Vendor) Values(e *emulator.Emulator, reference string) manifest.Values {
	values := manifest.Values{"token": reference, cmp.Or(v.Address, "endpoint"): v.Of(e).Endpoint, v.Place: v.Region}
	if fingerprint := v.Of(e).TLSFingerprint; fingerprint != "" {
		values["tls_fingerprint"] = fingerprint
	}
	maps.Copy(values, v.Arguments)
	return values
}

// Block is the same in HCL; endpoint and, unless it is empty, fingerprint are expressions.
func (v Vendor) Block(reference, endpoint, fingerprint string) string {
	more := ""
	if fingerprint != "" {
		more = ", tls_fingerprint = " + fingerprint
	}
	for _, name := range slices.Sorted(maps.Keys(v.Arguments)) {
		text, err := json.Marshal(v.Arguments[name]) // a list of texts is the same in HCL
		if err != nil {
			panic(err)
		}
		more += fmt.Sprintf(", %s = %s", name, text)
	}
	return fmt.Sprintf("%s = { token = %q, %s = %s, %s = %q%s }", v.Attribute, reference, cmp.Or(v.Address, "endpoint"), endpoint, v.Place, v.Region, more)
}

// BlockOn is Block with what an emulator listens on written out.
func (v Vendor) BlockOn(e *emulator.Emulator, reference string) string {
	fingerprint := ""
	if v.Of(e).TLSFingerprint != "" {
		fingerprint = strconv.Quote(v.Of(e).TLSFingerprint)
	}
	return v.Block(reference, strconv.Quote(v.Of(e).Endpoint), fingerprint)
}

// Fill puts the vendor's words into a configuration that says OFFER, OTHER_OFFER, IMAGE, OTHER_IMAGE, REGION or
// OTHER_REGION.
func (v Vendor) Fill(configuration string) string {
	return strings.NewReplacer(
		`"OTHER_OFFER"`, `"`+v.OtherOffer+`"`, `"OFFER"`, `"`+v.Offer+`"`, `"OTHER_IMAGE"`, `"`+v.OtherImage+`"`, `"IMAGE"`, `"`+v.Image+`"`,
		`"OTHER_REGION"`, `"`+v.OtherRegion+`"`, `"REGION"`, `"`+v.Region+`"`,
	).Replace(configuration)
}

// hetznerMarks are the labels that are marks.
var hetznerMarks = map[string]string{
	"managed": "better-compute.io/managed", "key": "better-compute.io/idempotency-key", "account": "better-compute.io/account",
	"claim": "better-compute.io/claim", "creating": "better-compute.io/creating",
	"stopped": "better-compute.io/stopped",
}

func hetznerFields(labels, marks map[string]string) emulator.Fields {
	all := map[string]string{}
	maps.Copy(all, labels)
	for mark, value := range marks {
		all[hetznerMarks[mark]] = value
	}
	return emulator.Fields{"labels": all}
}

func hetznerLabels(machine emulator.Object) (labels, marks map[string]string) {
	labels, marks = maps.Clone(machine.Labels), map[string]string{}
	for mark, name := range hetznerMarks {
		if value, there := labels[name]; there {
			marks[mark] = value
			delete(labels, name)
		}
	}
	return labels, marks
}

func digitaloceanFields(labels, marks map[string]string) emulator.Fields {
	tags := []string{}
	for key, value := range labels {
		tags = append(tags, key+":"+value)
	}
	for mark, value := range marks {
		tags = append(tags, strings.TrimSuffix("better-compute:"+mark+":"+value, ":true"))
	}
	for i, tag := range tags {
		tags[i] = strings.Replace(tag, "better-compute:managed", "better-compute", 1)
	}
	slices.Sort(tags)
	return emulator.Fields{"tags": tags}
}

func digitaloceanLabels(machine emulator.Object) (labels, marks map[string]string) {
	labels, marks = map[string]string{}, map[string]string{}
	for _, tag := range machine.Tags {
		rest, ours := strings.CutPrefix(tag, "better-compute:")
		key, value, _ := strings.Cut(rest, ":")
		switch {
		case tag == "better-compute":
			marks["managed"] = "true"
		case tag == "better-compute:creating", tag == "better-compute:stopped":
			marks[strings.TrimPrefix(tag, "better-compute:")] = "true"
		case ours:
			marks[key] = value
		default:
			labels[key] = value
		}
	}
	return labels, marks
}
