// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func customWish() compute.CertificateWish {
	return compute.CertificateWish{
		Key: compute.CertificateIdentity{Tenant: "root", Name: "www"}.ID(), Name: "www", Kind: driver.CertificateCustom, Tenant: "root",
		Material: func(context.Context) (compute.Material, error) { return compute.Material{Certificate: "x"}, nil },
	}
}

func heldCertificate(made compute.MadeCertificate, wish compute.CertificateWish) compute.HeldCertificate {
	return compute.HeldCertificate{CertificateID: made.Certificate.ID, Key: wish.Key, Name: wish.Name, Kind: wish.Kind, Claim: made.Claim}
}

func mustCertify(t *testing.T, account *compute.Account, wish compute.CertificateWish) compute.MadeCertificate {
	t.Helper()
	made, err := account.CreateCertificate(t.Context(), wish)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A delete waits until nothing uses the certificate any more; when its time runs out it says what still does.
func TestACertificateInUseIsWaitedFor(t *testing.T) {
	for name, freed := range map[string]bool{"it is let go of": true, "it is used for ever": false} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				account, wish := accountOn(memory), customWish()
				held := heldCertificate(mustCertify(t, account, wish), wish)
				if err := memory.Use(held.CertificateID, "balancer 7"); err != nil {
					t.Fatal(err)
				}
				if freed {
					time.AfterFunc(20*time.Second, func() { _ = memory.Use(held.CertificateID) })
				}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := account.DeleteCertificate(ctx, held)
				if freed {
					if err != nil || len(memory.Kept()) != 0 {
						t.Errorf("%v, there is %+v", err, memory.Kept())
					}
					return
				}
				wantCode(t, err, driver.InvalidState)
				known, _ := errors.AsType[*compute.Error](err)
				if known.Reason != driver.ReasonInUse || !strings.Contains(err.Error(), "balancer 7") || len(memory.Kept()) != 1 {
					t.Errorf("%v, there is %+v", err, memory.Kept())
				}
			})
		})
	}
}

// An answer that is lost is looked for or asked for again: there is one certificate, or none.
func TestLostAnswersOfACertificate(t *testing.T) {
	for _, method := range []string{"CreateCertificate", "MarkCertificate", "DeleteCertificate"} {
		t.Run(method, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				memory.Hook = on(method, true, drivertest.Lost)
				account, wish := accountOn(memory), customWish()
				made := mustCertify(t, account, wish)
				if kept := memory.Kept(); len(kept) != 1 || kept[0].Marks.Creating || kept[0].Marks.Claim != made.Claim {
					t.Errorf("there is %+v", kept)
				}
				if _, err := account.DeleteCertificate(t.Context(), heldCertificate(made, wish)); err != nil || len(memory.Kept()) != 0 {
					t.Errorf("%v, there is %+v", err, memory.Kept())
				}
			})
		})
	}
}

// An issuance that does not come to its end in time is kept, owned by the state that is saved.
func TestAnIssuanceThatTakesTooLong(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.OperationTime = time.Hour
		wish := customWish()
		wish.Kind, wish.Domains = driver.CertificateManaged, []string{"www." + drivertest.MemoryZone}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		made, err := accountOn(memory).CreateCertificate(ctx, wish)
		wantCode(t, err, driver.Timeout)
		if !made.Unfinished || len(memory.Kept()) != 1 || memory.Kept()[0].Marks.Creating {
			t.Errorf("%+v; there is %+v", made, memory.Kept())
		}
	})
}
