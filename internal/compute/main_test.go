// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bubble runs a test on a vendor in memory, where waits take no time.
func bubble(t *testing.T, run func(t *testing.T, memory *drivertest.Memory)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { run(t, drivertest.NewMemory()) })
}

func accountOn(memory *drivertest.Memory) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: driver.Kind{Manifest: drivertest.MemoryManifest}, Driver: memory, Region: "here", Opened: time.Now(),
		Reference: compute.Reference{ID: compute.AccountID("root", "memory", "main", ""), TenantID: "root", Kind: "memory"},
	})
}

func wishFor(name string) compute.Wish {
	return compute.Wish{
		Key: compute.InstanceIdentity{Tenant: "root", Name: name, Image: "debian"}.ID(), Name: name,
		OfferID: "small", Image: "debian", KeyCoversContent: true,
	}
}

func heldOf(made compute.Made, wish compute.Wish) compute.Held {
	return compute.Held{MachineID: made.Machine.ID, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof}
}

func mustCreate(t *testing.T, account *compute.Account, wish compute.Wish) compute.Made {
	t.Helper()
	made, err := account.Create(t.Context(), wish)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func wantCode(t *testing.T, err error, code driver.Code) {
	t.Helper()
	if compute.CodeOf(err) != code {
		t.Fatalf("the error is %v, want %s", err, code)
	}
}

// on answers a hook that fails the first call of a method, before or after its effect.
func on(method string, after bool, fail func() error) func(drivertest.Call) error {
	failed := false
	return func(call drivertest.Call) error {
		if call.Method != method || call.After != after || failed {
			return nil
		}
		failed = true
		return fail()
	}
}

func refused(failure driver.Failure) func() error {
	return func() error { return &drivertest.MemoryError{Failure: failure} }
}

func cancelled(after time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(after, cancel)
	return ctx, cancel
}
