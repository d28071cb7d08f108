// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package compute is the client layer that is the same for all vendors: keys, marks and claims, the look-up before a
// create, the recovery of lost answers, reads served from one list, the shared poller, the queue for each machine, and
// the one place where an error gets its code. It knows no vendor and no Terraform; vendors are drivers.
package compute

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Settings are what an Account is made of.
type Settings struct {
	Kind      driver.Kind
	Driver    driver.Driver
	Reference Reference
	// Region is the account's default region.
	Region string
	// Owner names the state that the process works for; empty: not named.
	Owner string
	// Zones are the tenants that the account's DNS zones belong to, by zone; empty: all belong to the account's tenant.
	Zones map[string]string
	// Opened is when the command began; no list is older.
	Opened time.Time
}

// Account is a provider account in use: one for each id and config in a process, used by all resources and data sources
// at the same time.
type Account struct {
	settings  Settings
	driver    driver.Driver
	machines  *machines
	addresses *addresses
	// certificates and zones are nil where the vendor has no certificates.
	certificates *kept[driver.Certificate]
	zones        *lists[string]
	// projects is nil where the vendor has none.
	projects  *projects
	poller    *poller
	queue     *queue
	creating  *keySet
	catalogue *catalogue
	quotas    *quotas
	// told is what a plan has said of the account once.
	told sync.Map
	// proven is set once the account has shown a claim of the state that the process works for.
	proven atomic.Bool
}

// NewAccount makes an account over a driver. It makes no request.
func NewAccount(settings Settings) *Account {
	account := &Account{
		settings: settings, driver: settings.Driver,
		queue: newQueue(), creating: newKeySet(), catalogue: newCatalogue(), quotas: newQuotas(),
	}
	account.machines = newMachines(account)
	account.addresses = newAddresses(account)
	account.certificates, account.zones = newCertificates(account), newZones(account)
	account.projects = newProjects(account)
	account.poller = newPoller(account)
	return account
}

// Reference is the account object that it was opened with.
func (a *Account) Reference() Reference { return a.settings.Reference }

// Region is the account's default region.
func (a *Account) Region() string { return a.settings.Region }

// Owner names the state that the process works for; empty: not named.
func (a *Account) Owner() string { return a.settings.Owner }

// Limits are the vendor's fixed numbers.
func (a *Account) Limits() driver.Limits { return a.driver.Limits() }

// Title is the vendor's name for people.
func (a *Account) title() string { return a.settings.Kind.Manifest.Title }

// Verify tries the account's token with one authenticated read, and looks whether the project that the config names is there.
// UNSUPPORTED where the vendor offers none.
func (a *Account) Verify(ctx context.Context) error {
	verifier, err := capability[driver.Verify](a, CapabilityVerify, "verify the account")
	if err != nil {
		return err
	}
	if err := a.explain(ctx, verifier.Verify(ctx), "verify the account", ""); err != nil {
		if cannotAsk(err) {
			a.firstTold(outOfReach) // by whoever verifies
		}
		return err
	}
	return a.checkProject(ctx)
}

// Capability is something that a vendor may or may not have.
type Capability string

// The capabilities, each an interface of the driver package.
const (
	CapabilityPower     Capability = "power"
	CapabilityReinstall Capability = "reinstall"
	CapabilityResize    Capability = "resize"
	CapabilityList      Capability = "list"
	CapabilityRename    Capability = "rename"
	CapabilityMark      Capability = "labels"
	CapabilityRegions   Capability = "regions"
	CapabilityImages    Capability = "images"
	CapabilityVerify    Capability = "verify"
	CapabilityProve     Capability = "prove"
	CapabilityProof     Capability = "proof"
	CapabilityAddresses Capability = "addresses"
	CapabilityRows      Capability = "rows"
	CapabilityPrefixes  Capability = "prefixes"
	CapabilityIntent    Capability = "intent"
	CapabilityClaims    Capability = "claims"
	// CapabilityCertificates is to keep TLS certificates.
	CapabilityCertificates Capability = "certificates"
	// CapabilityOptions is to run machines with options.
	CapabilityOptions    Capability = "options"
	CapabilityNetworks   Capability = "networks"
	CapabilityFirewalls  Capability = "firewalls"
	CapabilityReverseDNS Capability = "reverse DNS"
	// CapabilityQuotas is to tell how much an account may have, CapabilityReady what else a create would be refused for.
	CapabilityQuotas Capability = "quotas"
	CapabilityReady  Capability = "ready"
	// CapabilityProjects is to keep what is made in a project of the vendor's.
	CapabilityProjects Capability = "projects"
)

// Capabilities answers what a driver can do beyond the methods that every driver has.
func Capabilities(d driver.Driver) map[Capability]bool {
	has := map[Capability]bool{}
	_, has[CapabilityPower] = d.(driver.Power)
	_, has[CapabilityReinstall] = d.(driver.Reinstall)
	_, has[CapabilityResize] = d.(driver.Resize)
	_, has[CapabilityList] = d.(driver.List)
	_, has[CapabilityRename] = d.(driver.Rename)
	_, has[CapabilityMark] = d.(driver.Mark)
	_, has[CapabilityRegions] = d.(driver.Regions)
	_, has[CapabilityImages] = d.(driver.Images)
	_, has[CapabilityVerify] = d.(driver.Verify)
	_, has[CapabilityProve] = d.(driver.Prove)
	_, has[CapabilityProof] = d.(driver.PlaceProof)
	_, has[CapabilityAddresses] = d.(driver.Addresses)
	_, has[CapabilityRows] = d.(driver.Rows)
	_, has[CapabilityPrefixes] = d.(driver.Prefixes)
	_, has[CapabilityIntent] = d.(driver.Intent)
	_, has[CapabilityClaims] = d.(driver.Claims)
	_, has[CapabilityCertificates] = d.(driver.Certificates)
	_, has[CapabilityOptions] = d.(driver.Options)
	_, has[CapabilityNetworks] = d.(driver.Networks)
	_, has[CapabilityFirewalls] = d.(driver.Firewalls)
	_, has[CapabilityReverseDNS] = d.(driver.ReverseDNS)
	_, has[CapabilityQuotas] = d.(driver.Quotas)
	_, has[CapabilityReady] = d.(driver.Ready)
	_, has[CapabilityProjects] = d.(driver.Projects)
	return has
}

// Has says whether the account's vendor has a capability. No request.
func (a *Account) Has(capability Capability) bool { return Capabilities(a.driver)[capability] }

// capability answers the driver as one of its optional interfaces, or UNSUPPORTED.
func capability[T any](a *Account, name Capability, action string) (T, error) {
	found, ok := a.driver.(T)
	if !ok {
		return found, a.fault(driver.Unsupported, "", action, a.title()+" has no "+string(name)+".",
			advice(driver.Failure{Code: driver.Unsupported}))
	}
	return found, nil
}
