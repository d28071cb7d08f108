// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// lab is an emulated cluster.
type lab struct {
	*testing.T
	*emulator.Emulator
	token string
	// carrier, where set, takes the place of the way to the cluster.
	carrier http.RoundTripper
}

func newLab(t *testing.T, options emulator.Options) *lab {
	t.Helper()
	made := emulator.InMemory(t, options)
	return &lab{T: t, Emulator: made, token: made.Proxmox.Token}
}

// inLab runs a test in a bubble, where waits take no time, on a cluster whose tasks take two seconds.
func inLab(t *testing.T, run func(*lab)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { run(newLab(t, emulator.Options{ActionTime: 2 * time.Second})) })
}

// open opens a driver to the cluster, as another process would.
func (l *lab) open(more manifest.Values) *cloud {
	l.Helper()
	values := sound(more)
	values["url"] = "https://127.0.0.1:8006"
	carrier := l.carrier
	if carrier == nil {
		carrier = l.Proxmox.Transport()
	}
	opened, err := open(config().WithDefaults(values), driver.Environment{
		Resolve: func(context.Context, string) (string, error) { return l.token, nil }, MaxRetries: 3, Base: carrier,
	})
	if err != nil {
		l.Fatal(err)
	}
	return opened.(*cloud)
}

var labAccount = compute.Reference{ID: compute.AccountID("root", kindName, "lab", ""), TenantID: "root", Kind: kindName}

// account opens an account of the config.
func (l *lab) account(owner string, more manifest.Values) *compute.Account {
	l.Helper()
	return accountOf(l.open(more), owner)
}

func accountOf(opened *cloud, owner string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: Kind(), Driver: opened, Reference: labAccount, Region: "pve", Owner: owner, Opened: time.Now(),
	})
}

func wishFor(name string) compute.Wish {
	return compute.Wish{
		Key: compute.InstanceIdentity{Tenant: "root", AccountID: labAccount.ID, Name: name}.ID(), Name: name,
		OfferID: "1c-2g", Image: "debian-13", KeyCoversContent: true, WaitForAddress: true,
	}
}

func heldOf(made compute.Made, wish compute.Wish) compute.Held {
	return compute.Held{
		MachineID: made.Machine.ID, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof, UUID: made.Machine.UUID,
	}
}

func (l *lab) create(account *compute.Account, wish compute.Wish) compute.Made {
	l.Helper()
	made, err := account.Create(l.Context(), wish)
	if err != nil {
		l.Fatalf("create %s: %v", wish.Name, err)
	}
	return made
}

// vm answers a machine of the truth; the test fails without it.
func (l *lab) vm(id string) emulator.Object {
	l.Helper()
	for _, object := range l.Objects("proxmox", "vms") {
		if object.ID == id {
			return object
		}
	}
	l.Fatalf("there is no VM %s", id)
	return emulator.Object{}
}

// machines answers all that are no templates.
func (l *lab) machines() []emulator.Object {
	return slices.DeleteFunc(l.Objects("proxmox", "vms"), func(object emulator.Object) bool { return object.Template })
}

// config answers the config of a machine as it is.
func (l *lab) config(id string) vmConfig {
	l.Helper()
	vmid, err := parseVMID(id)
	if err != nil {
		l.Fatal(err)
	}
	found, err := l.open(nil).look(l.Context(), vmid)
	if err != nil {
		l.Fatal(err)
	}
	return found.config
}

// set changes the settings of the emulator.
func (l *lab) set(change func(*emulator.Settings)) {
	l.Helper()
	if err := l.ChangeSettings(change); err != nil {
		l.Fatal(err)
	}
}

func (l *lab) fault(fault emulator.Fault) {
	l.Helper()
	fault.Vendor = "proxmox"
	if _, err := l.AddFault(fault); err != nil {
		l.Fatal(err)
	}
}

// count answers how many requests there were with a method and a path that holds the text.
func (l *lab) count(method, path string) int {
	count := 0
	for _, entry := range l.Journal() {
		if entry.Method == method && strings.Contains(entry.Path, path) {
			count++
		}
	}
	return count
}

// writes answers the requests that are no reads.
func (l *lab) writes() []emulator.Entry {
	return slices.DeleteFunc(l.Journal(), func(entry emulator.Entry) bool { return entry.Method == http.MethodGet })
}

func (l *lab) wantCode(err error, code driver.Code, texts ...string) {
	l.Helper()
	if compute.CodeOf(err) != code {
		l.Fatalf("the error is %v, want %s", err, code)
	}
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			l.Errorf("the error is %v, want %q in it", err, text)
		}
	}
}

func filesIn(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}
