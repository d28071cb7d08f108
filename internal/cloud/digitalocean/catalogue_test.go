// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func (p *team) offersIn(query driver.OfferQuery) map[string]driver.Offer {
	p.Helper()
	offers, err := p.Offers(p.Context(), query)
	if err != nil {
		p.Fatal(err)
	}
	byID := map[string]driver.Offer{}
	for _, one := range offers {
		byID[one.ID] = one
	}
	return byID
}

func TestAnOfferSaysWhatTheSizeSays(t *testing.T) {
	inBubble(t, func(p *team) {
		disk := 80.0
		want := driver.Offer{
			ID: "s-2vcpu-4gb", Kind: "vps", Region: region, VCPU: 2, MemoryGiB: 4, DiskGiB: &disk, PricePerHour: "0.03571", Currency: "USD",
			Available: true, Architecture: "x86",
		}
		if diff := cmp.Diff(want, p.offersIn(driver.OfferQuery{})["s-2vcpu-4gb"]); diff != "" {
			p.Error(diff)
		}
		gpu := p.offersIn(driver.OfferQuery{Region: "tor1"})["gpu-mi325x1-256gb"]
		if gpu.GPUs != 1 || gpu.GPUModel == "" || gpu.VCPU != 20 || gpu.PricePerHour != "3.8" {
			p.Errorf("%+v", gpu)
		}
	})
}

func TestAnImpossibleQueryGivesNoOffers(t *testing.T) {
	inBubble(t, func(p *team) {
		for name, query := range map[string]driver.OfferQuery{
			"metal": {Kind: "metal"}, "a million vCPUs": {MinVCPU: 1_000_000}, "a region that is not there": {Region: "atlantis"},
			"GPUs where there are none": {MinGPUs: 1}, "too much memory": {MinMemoryGiB: 100_000},
		} {
			if found := p.offersIn(query); len(found) > 0 {
				p.Errorf("%s: %v", name, slices.Sorted(maps.Keys(found)))
			}
		}
		if some := p.offersIn(driver.OfferQuery{Region: "tor1", MinGPUs: 1}); len(some) == 0 {
			p.Error("there are no GPUs in tor1")
		}
	})
}

func jsonAnswer(body string) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}
}

// page answers a list as the vendor does.
func page(list, objects string) string {
	return `{"` + list + `":[` + objects + `],"links":{},"meta":{"total":1}}`
}

func TestASizeCanBeOrderedWhenSizeAndRegionSaySo(t *testing.T) {
	for name, test := range map[string]struct {
		size, region    string
		sold, available bool
	}{
		"both say so":                   {`"available":true,"regions":["fra1"]`, `"available":true,"sizes":["s"]`, true, true},
		"the size is not available":     {`"available":false,"regions":["fra1"]`, `"available":true,"sizes":["s"]`, false, false},
		"the region does not name it":   {`"available":true,"regions":["fra1"]`, `"available":true,"sizes":[]`, true, false},
		"the size is sold elsewhere":    {`"available":true,"regions":["ams3"]`, `"available":true,"sizes":["s"]`, false, false},
		"the region is closed":          {`"available":true,"regions":["fra1"]`, `"available":false,"sizes":[]`, false, false},
		"there is nothing in its place": {`"available":true`, `"available":true`, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
					if strings.HasSuffix(request.URL.Path, "/sizes") {
						return jsonAnswer(page("sizes", `{"slug":"s","vcpus":1,"memory":1024,"disk":25,"price_hourly":0.00744,`+test.size+`}`)), nil
					}
					return jsonAnswer(page("regions", `{"slug":"fra1",`+test.region+`}`)), nil
				})
				p.cloud = p.open("env://" + tokenVariable)
				offer, sold := p.offersIn(driver.OfferQuery{})["s"]
				if sold != test.sold || offer.Available != test.available {
					p.Errorf("sold %t, available %t", sold, offer.Available)
				}
			})
		})
	}
}

func TestImagesAreFoundBySlugIDAndName(t *testing.T) {
	inBubble(t, func(p *team) {
		own := `{"id":7,"name":"golden image","type":"snapshot","status":"available","regions":["fra1"],"min_disk_size":80,"created_at":"2026-01-01T00:00:00Z"}`
		older := `{"id":6,"name":"golden image","type":"snapshot","status":"available","regions":["fra1"],"min_disk_size":25,"created_at":"2025-01-01T00:00:00Z"}`
		p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
			if request.URL.Query().Get("private") == "true" {
				return jsonAnswer(page("images", older+","+own)), nil
			}
			return p.DigitalOcean.Transport().RoundTrip(request)
		})
		p.cloud = p.open("env://" + tokenVariable)
		ubuntu := p.imageID("ubuntu-24-04-x64")
		for name, test := range map[string]struct {
			query driver.ImageQuery
			want  []string
		}{
			"a slug":                         {driver.ImageQuery{Name: "ubuntu-24-04-x64", Region: region}, []string{ubuntu}},
			"an id":                          {driver.ImageQuery{Name: ubuntu}, []string{ubuntu}},
			"a name, the newest first":       {driver.ImageQuery{Name: "golden image", Region: region}, []string{"7", "6"}},
			"an image of another region":     {driver.ImageQuery{Name: "golden image", Region: "ams3"}, nil},
			"a slug that there is none of":   {driver.ImageQuery{Name: "ubuntu-99-04-x64"}, nil},
			"what would be a path of theirs": {driver.ImageQuery{Name: "../account"}, nil},
		} {
			found, err := p.Images(p.Context(), test.query)
			var ids []string
			for _, image := range found {
				ids = append(ids, image.ID)
			}
			if err != nil || !slices.Equal(ids, test.want) {
				p.Errorf("%s: %v, %v", name, ids, err)
			}
		}
		all, err := p.Images(p.Context(), driver.ImageQuery{Region: region})
		if err != nil || !slices.ContainsFunc(all, func(image driver.Image) bool { return image.ID == "7" && image.MinDiskGiB == 80 }) || len(all) < 10 {
			p.Errorf("%d images, %v", len(all), err)
		}
	})
}

func TestLabelsAndTags(t *testing.T) {
	marks := driver.Marks{Managed: true, Key: exampleKey, Account: "pacct_" + exampleKey[5:], Claim: exampleClaim, Creating: true}
	for name, labels := range map[string]map[string]string{
		"none":                            {},
		"with and without a value":        {"team": "shop", "spot": ""},
		"colons in a value":               {"url": "a:b:c"},
		"other people's, one key twice":   {"env": "a", "env:b": ""},
		"other people's, nothing after :": {"env:": ""},
	} {
		tags := tagsOf(marks, labels)
		gotMarks, claims, gotLabels := splitTags(tags)
		if gotMarks != marks || len(claims) != 0 || !maps.Equal(gotLabels, labels) {
			t.Errorf("%s: %v became %+v, %v", name, tags, gotMarks, gotLabels)
		}
	}
	got, claims, _ := splitTags([]string{tagClaim + "b", tagClaim + "a", tagClaim + "c"})
	if got.Claim != "a" || !slices.Equal(claims, []string{"b", "c"}) {
		t.Errorf("claim %s, others %v", got.Claim, claims)
	}
}

func TestLabelsThatAreRefused(t *testing.T) {
	for name, label := range map[string][2]string{
		"our own": {"better-compute", "x"}, "a dot in the key": {"a.b", "c"}, "a colon in the key": {"a:b", "c"}, "no key": {"", "c"},
		"a space": {"a", "b c"}, "too long": {"a", strings.Repeat("b", 254)}, "an umlaut": {"ä", ""},
	} {
		if faults := (&cloud{}).CheckLabels(map[string]string{label[0]: label[1]}); len(faults) != 1 {
			t.Errorf("%s is not refused", name)
		}
	}
	if faults := (&cloud{}).CheckLabels(map[string]string{"Team_1-a": "b:c_d-E", "empty": "", "long": strings.Repeat("b", 250)}); len(faults) > 0 {
		t.Errorf("sound labels are refused: %v", faults)
	}
}

func TestOneChangeAtATimeForADroplet(t *testing.T) {
	inBubble(t, func(p *team) {
		machine := p.make("web-1")
		operations, err := p.Power(p.Context(), machine.ID, driver.GracefulRestart)
		if err != nil {
			p.Fatal(err)
		}
		_, err = p.Power(p.Context(), machine.ID, driver.Cycle)
		if failure := p.failure(err); failure.Reason != driver.ReasonBusy || failure.Code != driver.Conflict || failure.Outcome != driver.NotDone {
			p.Errorf("%+v", failure)
		}
		p.await(operations)
		if operations, err = p.Power(p.Context(), machine.ID, driver.PowerOff); err != nil {
			p.Fatal(err)
		}
		p.await(operations)
		if operations, err := p.Power(p.Context(), machine.ID, driver.PowerOff); err != nil || len(operations) != 0 {
			p.Errorf("off once more: %v, %v", operations, err)
		}
	})
}

func TestADropletWithGPUsIsFoundByItsKey(t *testing.T) {
	inBubble(t, func(p *team) {
		planted, err := p.Plant("digitalocean", "droplets", emulator.Fields{"name": "gpu", "size_slug": "gpu-mi325x1-256gb", "region": "tor1", "tags": []string{tagManaged, tagKey + exampleKey}})
		if err != nil {
			p.Fatal(err)
		}
		found, err := p.Find(p.Context(), exampleKey)
		if err != nil || len(found) != 1 || found[0].ID != planted.ID {
			p.Errorf("%+v, %v", found, err)
		}
		if none, err := p.Find(p.Context(), "inst_x"); err != nil || len(none) != 0 {
			p.Errorf("%+v, %v", none, err)
		}
	})
}
