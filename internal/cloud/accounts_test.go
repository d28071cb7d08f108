// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package cloud_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEveryKindIsSound(t *testing.T) {
	for _, kind := range cloud.Kinds() {
		if faults := kind.Manifest.Faults(); len(faults) > 0 {
			t.Errorf("%s: %v", kind.Manifest.Kind, faults)
		}
		field := kind.Manifest.Attribute + "'s region"
		for _, name := range []string{"location", "region"} {
			if kind.Region(manifest.Values{name: field}) == field {
				field = ""
				break
			}
		}
		if field != "" {
			t.Errorf("%s takes its region from no field of its config", kind.Manifest.Kind)
		}
		if found, known := cloud.KindByName(kind.Manifest.Kind); !known || found.Manifest.Attribute != kind.Manifest.Attribute {
			t.Errorf("%s is not found by its name", kind.Manifest.Kind)
		}
	}
}

func reference(t *testing.T, values manifest.Values) compute.Reference {
	t.Helper()
	kind, _ := cloud.KindByName("hetzner-cloud")
	config, err := kind.Manifest.Canonical(values)
	if err != nil {
		t.Fatal(err)
	}
	return compute.Reference{ID: compute.AccountID("root", "hetzner-cloud", "main", ""), TenantID: "root", Kind: "hetzner-cloud", Config: config}
}

func accountsOn(emulated *emulator.Emulator) *cloud.Accounts {
	return cloud.NewAccounts(cloud.Options{
		TenantID: "root", MaxRetries: 5,
		Resolve:    func(context.Context, string) (string, error) { return emulated.Hetzner.Token, nil },
		Transports: map[string]http.RoundTripper{"hetzner-cloud": emulated.Hetzner.Transport()},
	})
}

func TestCallersShareOneAccountForEachConfig(t *testing.T) {
	accounts := accountsOn(emulator.InMemory(t, emulator.Options{}))
	first := reference(t, manifest.Values{"token": "env://A"})
	opened := make(chan *compute.Account, 10)
	for range 10 {
		go func() {
			account, err := accounts.Open(t.Context(), first)
			if err != nil {
				t.Error(err)
			}
			opened <- account
		}()
	}
	one := <-opened
	for range 9 {
		if other := <-opened; other != one {
			t.Error("two callers have two accounts")
		}
	}
	other, err := accounts.Open(t.Context(), reference(t, manifest.Values{"token": "env://B"}))
	if err != nil || other == one {
		t.Errorf("another config: %v, the same account: %t", err, other == one)
	}
}

func TestTheAnnouncedConfigWins(t *testing.T) {
	accounts := accountsOn(emulator.InMemory(t, emulator.Options{}))
	old, newest := reference(t, manifest.Values{"token": "env://OLD"}), reference(t, manifest.Values{"token": "env://NEW"})
	accounts.Announce(newest)
	account, err := accounts.Open(t.Context(), old)
	if err != nil || account.Reference() != newest {
		t.Errorf("%+v, %v", account.Reference(), err)
	}
	otherKind := old
	otherKind.Kind = "another"
	if accounts.Newest(otherKind) != otherKind {
		t.Error("an account of another kind takes the announced config")
	}
}

func TestAConfigThatCannotBeUsedIsRefusedAndNotKept(t *testing.T) {
	accounts := accountsOn(emulator.InMemory(t, emulator.Options{}))
	unknown, broken := reference(t, nil), reference(t, nil)
	unknown.Kind, broken.Config = "nowhere-cloud", "{"
	for name, one := range map[string]struct {
		reference compute.Reference
		says      string
	}{
		"unknown kind":   {unknown, "hetzner-cloud"},
		"no JSON":        {broken, "cannot be read"},
		"no token":       {reference(t, nil), "token"},
		"a plain token":  {reference(t, manifest.Values{"token": "planted"}), "token"},
		"plain http":     {reference(t, manifest.Values{"token": "env://T", "endpoint": "http://example.com"}), "https"},
		"no such region": {reference(t, manifest.Values{"token": "env://T", "location": ""}), ""},
	} {
		_, err := accounts.Open(t.Context(), one.reference)
		if one.says == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if compute.CodeOf(err) != driver.InvalidInput || !strings.Contains(err.Error(), one.says) || strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: %v", name, err)
		}
	}
	accounts.Announce(reference(t, manifest.Values{"token": "env://T"}))
	if _, err := accounts.Open(t.Context(), reference(t, nil)); err != nil {
		t.Errorf("the failed build is kept: %v", err)
	}
}

// The vendor's limit is used up for most of an hour: Ctrl-C ends the wait, although a write would not be cut.
func TestAnInterruptEndsTheWaitForTheRateLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		emulated := emulator.InMemory(t, emulator.Options{})
		account, err := accountsOn(emulated).Open(t.Context(), reference(t, manifest.Values{"token": "env://T"}))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := emulated.AddFault(emulator.Fault{Method: "POST", Path: "^/v1/servers$", Action: "status", Status: 429, Times: new(0), Headers: map[string]string{"Retry-After": "40"}}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		time.AfterFunc(20*time.Second, cancel)
		began := time.Now()
		made, err := account.Create(ctx, compute.Wish{Key: "inst_x", Name: "web", OfferID: "cx23", Image: "debian-13", KeyCoversContent: true})
		if took := time.Since(began); !errors.Is(err, compute.ErrInterrupted) || took > 21*time.Second || made.Machine.ID != "" {
			t.Errorf("after %s: %+v, %v", took, made, err)
		}
	})
}
