// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
)

func TestPreflightNamesTheArgumentAndTheNearestChoices(t *testing.T) {
	good := compute.Preflight{OfferID: "small", Image: "debian", CheckOffer: true, CheckImage: true}
	for name, one := range map[string]struct {
		change      func(*compute.Preflight)
		field, says string
	}{
		"an offer that is not sold":  {func(p *compute.Preflight) { p.OfferID = "smal" }, "offer_id", "small (1 vCPU, 2 GiB, 0.01 EUR an hour)"},
		"a region that is not there": {func(p *compute.Preflight) { p.Region = "nowhere" }, "region", "here, there"},
		"an image that is not there": {func(p *compute.Preflight) { p.Image = "debiam" }, "image", "debian"},
		"an offer that is too dear":  {func(p *compute.Preflight) { p.OfferID, p.MaxPricePerHour = "large", "0.02" }, "offer_id", "max_price_per_hour"},
		"too much user data":         {func(p *compute.Preflight) { p.UserDataBytes = 1025 }, "user_data", "1024"},
		"a label that is refused":    {func(p *compute.Preflight) { p.Labels = map[string]string{"": "x"} }, "labels", "needs a key"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, memory *drivertest.Memory) {
				asked := good
				one.change(&asked)
				findings := accountOn(memory).Preflight(t.Context(), asked)
				if len(findings) != 1 || findings[0].Field != one.field || findings[0].Warning || !strings.Contains(findings[0].Err.Error(), one.says) {
					t.Errorf("findings %+v", findings)
				}
			})
		})
	}
}

func TestPreflightPassesWhatIsFineAndUnknown(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		account := accountOn(memory)
		for _, fine := range []compute.Preflight{
			{OfferID: "small", Image: "debian", CheckOffer: true, CheckImage: true, MaxPricePerHour: "0.01", UserDataBytes: 1024},
			{CheckOffer: true, CheckImage: true},
			{OfferID: "no longer sold", Image: "debian", CheckImage: true},
		} {
			if findings := account.Preflight(t.Context(), fine); len(findings) != 0 {
				t.Errorf("%+v: %+v", fine, findings)
			}
		}
	})
}

func TestAVendorOutOfReachIsAskedAndToldOfOnceForManyMachines(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.Hook = on("Offers", false, func() error { return errors.New("no route to host") })
		account := accountOn(memory)
		asked := compute.Preflight{OfferID: "small", CheckOffer: true}
		for machine := range 10 {
			findings := account.Preflight(t.Context(), asked)
			if machine == 0 && (len(findings) != 1 || !findings[0].Warning) {
				t.Errorf("the first machine: %+v", findings)
			}
			if machine > 0 && len(findings) > 0 {
				t.Errorf("machine %d says it once more: %+v", machine, findings)
			}
		}
		if memory.Count("Offers") != 1 {
			t.Errorf("the offers were asked for %d times", memory.Count("Offers"))
		}
		<-time.After(time.Minute)
		if findings := account.Preflight(t.Context(), asked); len(findings) != 0 {
			t.Errorf("the failure outlives its cause: %+v", findings)
		}
	})
}

func TestPreflightOfAVendorOutOfReachIsAWarning(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.Hook = on("Offers", false, func() error { return errors.New("no route to host") })
		asked := compute.Preflight{OfferID: "small", CheckOffer: true}
		findings := accountOn(memory).Preflight(t.Context(), asked)
		if len(findings) != 1 || !findings[0].Warning || findings[0].Err.Code != driver.ProviderError {
			t.Errorf("findings %+v", findings)
		}
	})
}
