// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// entry finds what has a slug in a list of an answer.
func (a answer) entry(list, slug string) answer {
	for _, found := range a.list(list) {
		if members := found.(map[string]any); members["slug"] == slug {
			return answer{status: a.status, body: members}
		}
	}
	return answer{}
}

// words are a list of words in an answer.
func (a answer) words(path ...any) []string {
	var words []string
	list, _ := a.get(path...).([]any)
	for _, word := range list {
		words = append(words, word.(string))
	}
	return words
}

func (c cloud) sizes() answer { return c.ask("GET", "/v2/sizes?per_page=200", "") }

func (c cloud) regions() answer { return c.ask("GET", "/v2/regions?per_page=200", "") }

// TestCatalogueAgreesWithItself: every size has its prices, and sizes and regions name each other.
func TestCatalogueAgreesWithItself(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		sizes, regions := c.sizes(), c.regions()
		if total := sizes.get("meta", "total").(float64); total < 150 || int(total) != len(sizes.list("sizes")) {
			c.t.Errorf("%v sizes on a page of %d", total, len(sizes.list("sizes")))
		}
		sold := map[string]bool{}
		for _, found := range sizes.list("sizes") {
			size := answer{body: found.(map[string]any)}
			slug := size.body["slug"].(string)
			hourly, monthly := size.body["price_hourly"].(float64), size.body["price_monthly"].(float64)
			if months := monthly / hourly; months < 660 || months > 750 || size.body["transfer"].(float64) <= 0 {
				c.t.Errorf("%s: %v a month, %v an hour", slug, monthly, hourly)
			}
			want(c.t, slug+": disk", size.get("disk_info", 0, "size", "amount"), size.body["disk"])
			want(c.t, slug+": GPU", size.body["gpu_info"] != nil, strings.HasPrefix(slug, "gpu-"))
			for _, where := range size.words("regions") {
				sold[slug+" "+where] = size.body["available"].(bool)
			}
		}
		for _, found := range regions.list("regions") {
			region := answer{body: found.(map[string]any)}
			if region.body["available"] == false && len(region.words("sizes")) > 0 {
				c.t.Errorf("%s is closed and sells %v", region.body["slug"], region.words("sizes"))
			}
			for _, slug := range region.words("sizes") {
				pair := slug + " " + region.body["slug"].(string)
				if !sold[pair] {
					c.t.Errorf("%s: the size does not name the region", pair)
				}
				delete(sold, pair)
			}
		}
		for pair, available := range sold {
			if available {
				c.t.Errorf("%s: the region does not name the size", pair)
			}
		}
	})
}

// TestWhatIsNotSoldStaysListed: sizes of old, closed regions, and GPUs that this account may not have.
func TestWhatIsNotSoldStaysListed(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		sizes, regions := c.sizes(), c.regions()
		old := sizes.entry("sizes", "s-1vcpu-3gb")
		want(c.t, "old size", old.get("available"), false)
		want(c.t, "its regions", slices.Contains(old.words("regions"), "nyc3"), true)
		want(c.t, "in nyc3", slices.Contains(regions.entry("regions", "nyc3").words("sizes"), "s-1vcpu-3gb"), false)
		closed := regions.entry("regions", "sfo1")
		want(c.t, "closed region", closed.get("available"), false)
		want(c.t, "its sizes", len(closed.words("sizes")), 0)
		gpu := sizes.entry("sizes", "gpu-h100x1-80gb")
		want(c.t, "GPU", gpu.get("available"), true)
		want(c.t, "its regions", len(gpu.words("regions")), 0)
		want(c.t, "its memory", gpu.get("gpu_info", "vram", "amount"), 80.0)
		want(c.t, "its scratch disk", gpu.get("disk_info", 1, "type"), "scratch")
	})
}

// TestSettingsChangeTheCatalogue: stock, closed regions and retired sizes show in lists and in droplets.
func TestSettingsChangeTheCatalogue(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		c.plant(emulator.Fields{"region": "nyc3"})
		c.set(func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Offer: "c-2", Region: "fra1", Catalogue: new(false)}}
			s.ClosedRegions = []string{"nyc3"}
			s.Retired = []emulator.Retired{
				{Kind: "sizes", ID: "s-1vcpu-1gb"}, {Kind: "sizes", ID: "c-4", Gone: true},
				{Kind: "images", ID: "debian-13-x64"}, {Kind: "images", ID: "debian-12-x64", Gone: true},
			}
		})
		sizes, regions := c.sizes(), c.regions()
		want(c.t, "sold out in fra1", slices.Contains(sizes.entry("sizes", "c-2").words("regions"), "fra1"), false)
		want(c.t, "still in lon1", slices.Contains(sizes.entry("sizes", "c-2").words("regions"), "lon1"), true)
		want(c.t, "closed region", regions.entry("regions", "nyc3").get("available"), false)
		want(c.t, "sizes of the closed region", len(regions.entry("regions", "nyc3").words("sizes")), 0)
		want(c.t, "retired size", sizes.entry("sizes", "s-1vcpu-1gb").get("available"), false)
		want(c.t, "size that is gone", sizes.entry("sizes", "c-4").status, 0)
		want(c.t, "retired image", c.ask("GET", "/v2/images/debian-13-x64", "").get("image", "status"), "retired")
		want(c.t, "image that is gone", c.ask("GET", "/v2/images/debian-12-x64", "").status, 404)
		droplet := c.ask("GET", "/v2/droplets", "")
		want(c.t, "region of a droplet", droplet.get("droplets", 0, "region", "available"), false)
		want(c.t, "size of a droplet", droplet.get("droplets", 0, "size", "available"), false)
	})
}

// TestImages: they are found by slug and by id; the query's type is not the image's type.
func TestImages(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		bySlug := c.ask("GET", "/v2/images/ubuntu-24-04-x64", "")
		want(c.t, "by id", c.ask("GET", "/v2/images/"+bySlug.id("image"), "").get("image", "slug"), "ubuntu-24-04-x64")
		want(c.t, "type", bySlug.get("image", "type"), "base")
		want(c.t, "public", bySlug.get("image", "public"), true)
		want(c.t, "unknown", c.ask("GET", "/v2/images/beos-5", "").status, 404)
		distributions := c.ask("GET", "/v2/images?type=distribution&per_page=200", "")
		applications := c.ask("GET", "/v2/images?type=application&per_page=200", "")
		all := c.ask("GET", "/v2/images?per_page=200", "")
		want(c.t, "application", applications.entry("images", "docker-20-04").get("type"), "snapshot")
		want(c.t, "no distribution", distributions.entry("images", "docker-20-04").status, 0)
		want(c.t, "together", len(distributions.list("images"))+len(applications.list("images")), len(all.list("images")))
		want(c.t, "own", c.ask("GET", "/v2/images?private=true", "").get("meta", "total"), 0.0)
		for _, slug := range []string{"debian-12-x64", "debian-13-x64", "ubuntu-22-04-x64", "rockylinux-9-x64", "fedora-42-x64"} {
			want(c.t, slug, distributions.entry("images", slug).status, 200)
		}
	})
}
