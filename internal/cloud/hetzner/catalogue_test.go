// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func (p *project) offers(query driver.OfferQuery) []driver.Offer {
	p.Helper()
	offers, err := p.Offers(p.Context(), query)
	if err != nil {
		p.Fatal(err)
	}
	return offers
}

func offerIDs(offers []driver.Offer) []string {
	ids := make([]string, len(offers))
	for i, offer := range offers {
		ids[i] = offer.ID
	}
	return ids
}

func TestOffers(t *testing.T) {
	inBubble(t, func(p *project) {
		all := p.offers(driver.OfferQuery{})
		i := slices.IndexFunc(all, func(o driver.Offer) bool { return o.ID == offer })
		if i < 0 {
			p.Fatalf("%s is not among %v", offer, offerIDs(all))
		}
		got := all[i]
		if !regexp.MustCompile(`^0\.[0-9]*[1-9]$`).MatchString(got.PricePerHour) {
			p.Errorf("price per hour %q", got.PricePerHour)
		}
		want := driver.Offer{
			ID: offer, Kind: "vps", Region: "fsn1", VCPU: 2, MemoryGiB: 4, DiskGiB: new(40.0),
			PricePerHour: got.PricePerHour, Currency: "EUR", Available: true, Architecture: "x86",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			p.Error(diff)
		}
		if slices.Contains(offerIDs(all), "cx22") {
			p.Error("cx22 is deprecated in fsn1 and there")
		}
	})
}

func TestOfferQueries(t *testing.T) {
	inBubble(t, func(p *project) {
		overseas := offerIDs(p.offers(driver.OfferQuery{Region: "ash"}))
		if !slices.Contains(overseas, "cpx11") || slices.Contains(overseas, offer) {
			p.Errorf("in ash: %v", overseas)
		}
		for _, offer := range p.offers(driver.OfferQuery{Kind: "vps", MinVCPU: 16, MinMemoryGiB: 64}) {
			if offer.VCPU < 16 || offer.MemoryGiB < 64 {
				p.Errorf("%s is too small", offer.ID)
			}
		}
		if none := p.offers(driver.OfferQuery{MinVCPU: 1000000}); len(none) > 0 {
			p.Errorf("with a million vCPUs: %v", offerIDs(none))
		}
		if none := p.offers(driver.OfferQuery{Region: "atlantis"}); len(none) > 0 {
			p.Errorf("in a region that does not exist: %v", offerIDs(none))
		}
		since := p.seq()
		for _, query := range []driver.OfferQuery{{Kind: "metal"}, {GPUModel: "h100"}, {MinGPUs: 1}} {
			if none := p.offers(query); len(none) > 0 {
				p.Errorf("%+v: %v", query, offerIDs(none))
			}
		}
		if requests := p.requests(since); len(requests) > 0 {
			p.Errorf("impossible queries send %v", requests)
		}
	})
}

func TestOffersFollowTheVendorsCatalogue(t *testing.T) {
	inBubble(t, func(p *project) {
		before := offerIDs(p.offers(driver.OfferQuery{}))
		err := p.ChangeSettings(func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Offer: offer, Region: "fsn1", Catalogue: new(false)}}
			s.Retired = []emulator.Retired{{Kind: "server_types", ID: "cx33", Announced: time.Now().Add(-time.Hour), UnavailableAfter: time.Now().Add(time.Hour)}}
			s.PageMax = 3
		})
		if err != nil {
			p.Fatal(err)
		}
		p.cloud = p.open("env://HCLOUD_TOKEN")
		after := p.offers(driver.OfferQuery{})
		want := slices.DeleteFunc(before, func(id string) bool { return id == "cx33" })
		if diff := cmp.Diff(want, offerIDs(after)); diff != "" {
			p.Errorf("in small pages, with cx33 retired: %s", diff)
		}
		for _, one := range after {
			if one.Available == (one.ID == offer) {
				p.Errorf("%s available: %t", one.ID, one.Available)
			}
		}
	})
}

func TestDecimal(t *testing.T) {
	for amount, want := range map[string]string{
		"0.0071400000000000": "0.00714", "5.00": "5", "120": "120", "0.0000": "0", "10": "10", "": "", "-1": "", "1e-3": "", "1.": "", "n/a": "",
	} {
		if got := decimal(amount); got != want {
			t.Errorf("%q becomes %q, want %q", amount, got, want)
		}
	}
}

func TestRegions(t *testing.T) {
	inBubble(t, func(p *project) {
		regions, err := p.Regions(p.Context())
		if err != nil || !slices.Equal(regions, []string{"ash", "fsn1", "hel1", "hil", "nbg1", "sin"}) {
			p.Errorf("%v, %v", regions, err)
		}
	})
}

func TestImages(t *testing.T) {
	inBubble(t, func(p *project) {
		queries := map[string]struct {
			query driver.ImageQuery
			want  []string
		}{
			"by name":                      {driver.ImageQuery{Name: "ubuntu-24.04"}, []string{image, "161547270"}},
			"by name and architecture":     {driver.ImageQuery{Name: "ubuntu-24.04", Architecture: "arm"}, []string{"161547270"}},
			"by id":                        {driver.ImageQuery{Name: image}, []string{image}},
			"by id, wrong architecture":    {driver.ImageQuery{Name: image, Architecture: "arm"}, nil},
			"by an id that does not exist": {driver.ImageQuery{Name: "42"}, nil},
			"by an unknown name":           {driver.ImageQuery{Name: "windows-95"}, nil},
		}
		for name, one := range queries {
			images, err := p.Images(p.Context(), one.query)
			if err != nil {
				p.Errorf("%s: %v", name, err)
			}
			var got []string
			for _, image := range images {
				got = append(got, image.ID)
			}
			if !slices.Equal(got, one.want) {
				p.Errorf("%s: %v, want %v", name, got, one.want)
			}
		}
	})
}

func TestImagesShowDeprecation(t *testing.T) {
	inBubble(t, func(p *project) {
		announced := time.Now().Add(-time.Hour).UTC().Truncate(time.Second)
		err := p.ChangeSettings(func(s *emulator.Settings) {
			s.Retired = []emulator.Retired{{Kind: "images", ID: image, Announced: announced, UnavailableAfter: announced.Add(24 * time.Hour)}}
		})
		if err != nil {
			p.Fatal(err)
		}
		images, err := p.Images(p.Context(), driver.ImageQuery{Name: "ubuntu-24.04", Architecture: "x86"})
		want := []driver.Image{{ID: image, Name: "ubuntu-24.04", Architecture: "x86", MinDiskGiB: 5, Deprecated: announced}}
		if diff := cmp.Diff(want, images); diff != "" || err != nil {
			p.Errorf("%v, %s", err, diff)
		}
		all, err := p.Images(p.Context(), driver.ImageQuery{})
		if err != nil || len(all) < 15 || !slices.ContainsFunc(all, func(i driver.Image) bool { return i.ID == image }) {
			p.Errorf("%d images, %v", len(all), err)
		}
	})
}

func TestCheckLabels(t *testing.T) {
	tests := map[string]struct{ key, value, want string }{
		"plain":               {"team", "shop", ""},
		"empty value":         {"team", "", ""},
		"prefixed":            {"example.com/team", "a.b_c-d", ""},
		"longest name":        {strings.Repeat("a", 63), strings.Repeat("b", 63), ""},
		"name too long":       {strings.Repeat("a", 64), "x", "1 to 63 letters"},
		"value too long":      {"team", strings.Repeat("b", 64), "must be empty or have 1 to 63"},
		"value with a space":  {"team", "a b", "must be empty or have 1 to 63"},
		"value ends in a dot": {"team", "a.", "must be empty or have 1 to 63"},
		"empty key":           {"", "x", "1 to 63 letters"},
		"no name":             {"example.com/", "x", "1 to 63 letters"},
		"two slashes":         {"example.com/a/b", "x", "1 to 63 letters"},
		"prefix is no name":   {"-x/a", "x", "not a DNS name"},
		"prefix too long":     {strings.Repeat("a.", 127) + "a/b", "x", "not a DNS name"},
		"empty prefix":        {"/a", "x", "not a DNS name"},
		"vendor's prefix":     {"hetzner.cloud/a", "x", "reserved by Hetzner"},
		"our prefix":          {"better-compute.io/managed", "false", "reserved: this provider"},
	}
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		for name, test := range tests {
			err := p.CheckLabels(map[string]string{test.key: test.value, "fine": "fine"})[test.key]
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				p.Errorf("%s: %v, want %q", name, err, test.want)
			}
			_, refused := p.Mark(p.Context(), machine, machine.Marks, map[string]string{test.key: test.value})
			if (refused == nil) != (err == nil) && !strings.HasPrefix(test.key, ourPrefix) {
				p.Errorf("%s: we say %v, the vendor %v", name, err, refused)
			}
		}
	})
}
