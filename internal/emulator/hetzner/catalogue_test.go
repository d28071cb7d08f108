// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJcbCJ0UYEbdJQwJXwBdPVvj3oxCYkTmqnZhtVZlC9Rq shop"

// TestServerObject: every key that the vendor's document requires is there, and none that was removed.
func TestServerObject(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		server := c.ask("GET", c.make(), "").get("server").(map[string]any)
		for _, key := range strings.Fields("id name status created public_net private_net server_type location image iso " +
			"rescue_enabled locked backup_window outgoing_traffic ingoing_traffic included_traffic protection labels " +
			"volumes load_balancers primary_disk_size placement_group") {
			if _, found := server[key]; !found {
				t.Errorf("no %s", key)
			}
		}
		if _, found := server["datacenter"]; found {
			t.Error("datacenter was removed on 1 July 2026")
		}
		network := answer{body: server}.get("public_net", "ipv6", "ip").(string)
		if !strings.HasSuffix(network, "::/64") {
			t.Errorf("IPv6 is %s, want a /64 network", network)
		}
	})
}

// TestPrices: per location, net and gross, decimal text with many digits.
func TestPrices(t *testing.T) {
	digits := regexp.MustCompile(`^\d+\.\d{10,16}$`)
	inCloud(t, emulator.Options{}, func(c cloud) {
		types := c.ask("GET", "/server_types?name=ccx13", "")
		want(c.t, "locations with a price", len(types.get("server_types", 0, "prices").([]any)), 6)
		want(c.t, "net", types.get("server_types", 0, "prices", 0, "price_monthly", "net"), "42.9900000000")
		want(c.t, "gross", types.get("server_types", 0, "prices", 0, "price_monthly", "gross"), "51.1581000000000000")
		for _, kind := range []string{"price_hourly", "price_monthly", "price_per_tb_traffic"} {
			for _, tax := range []string{"net", "gross"} {
				if price := types.get("server_types", 0, "prices", 5, kind, tax).(string); !digits.MatchString(price) {
					t.Errorf("%s %s is %s", kind, tax, price)
				}
			}
		}
		pricing := c.ask("GET", "/pricing", "")
		want(c.t, "currency", pricing.get("pricing", "currency"), "EUR")
		want(c.t, "hourly price of cx23 as published", c.ask("GET", "/server_types/114", "").get("server_type", "prices", 0, "price_hourly", "net"), "0.0088000000")
	})
}

func TestTypesSayWhereTheyAreSold(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		find := func(name, where, key string) any {
			types := c.ask("GET", "/server_types?name="+name, "")
			for i := range 6 {
				if types.get("server_types", 0, "locations", i, "name") == where {
					return types.get("server_types", 0, "locations", i, key)
				}
			}
			return "not sold"
		}
		want(c.t, "cx23 in fsn1", find("cx23", "fsn1", "available"), true)
		want(c.t, "cx23 in ash", find("cx23", "ash", "available"), "not sold")
		want(c.t, "cpx11 in ash", find("cpx11", "ash", "available"), true)
		want(c.t, "cpx11 in fsn1", find("cpx11", "fsn1", "available"), false)
		if find("cpx11", "fsn1", "deprecation") == nil || find("cpx11", "ash", "deprecation") != nil {
			t.Error("cpx11 is deprecated in fsn1 and not in ash")
		}
		if err := c.ChangeSettings(func(s *emulator.Settings) {
			s.Capacity = []emulator.Capacity{{Offer: "cx23", Region: "fsn1", Catalogue: new(false)}}
			s.ClosedRegions = []string{"hel1"}
		}); err != nil {
			t.Fatal(err)
		}
		want(c.t, "out of stock", find("cx23", "fsn1", "available"), false)
		want(c.t, "closed region", find("cx23", "hel1", "available"), false)
		want(c.t, "elsewhere", find("cx23", "nbg1", "available"), true)
	})
}

// TestRetiredType: announced, then no longer orderable, then gone.
func TestRetiredType(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		retired := emulator.Retired{Kind: "server_types", ID: "cx23", Announced: time.Now()}
		set := func(r emulator.Retired) {
			if err := c.ChangeSettings(func(s *emulator.Settings) { s.Retired = []emulator.Retired{r} }); err != nil {
				t.Fatal(err)
			}
		}
		set(retired)
		announced := c.ask("GET", "/server_types?name=cx23", "")
		want(c.t, "deprecated", announced.get("server_types", 0, "deprecated"), true)
		want(c.t, "still available", announced.get("server_types", 0, "locations", 0, "available"), true)
		want(c.t, "still made", c.ask("POST", "/servers", webBody).status, 201)
		retired.UnavailableAfter = time.Now().Add(-time.Second)
		set(retired)
		want(c.t, "no longer available", c.ask("GET", "/server_types?name=cx23", "").get("server_types", 0, "locations", 0, "available"), false)
		refused := c.ask("POST", "/servers", strings.Replace(webBody, "web", "b", 1))
		want(c.t, "no longer made", refused.get("error", "message"), "server type 114 is deprecated")
		retired.Gone = true
		set(retired)
		want(c.t, "no longer listed", len(c.ask("GET", "/server_types?name=cx23", "").list("server_types")), 0)
		want(c.t, "the old server keeps it", c.ask("GET", "/servers", "").get("servers", 0, "server_type", "name"), "cx23")
	})
}

// TestImages: deprecated ones are hidden unless asked for; one name per architecture.
func TestImages(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		want(c.t, "both architectures", len(c.ask("GET", "/images?name=ubuntu-24.04", "").list("images")), 2)
		arm := c.ask("GET", "/images?name=ubuntu-24.04&architecture=arm", "")
		want(c.t, "arm", arm.get("images", 0, "id"), 161547270.0)
		want(c.t, "deprecated", len(c.ask("GET", "/images?name=ubuntu-20.04", "").list("images")), 0)
		shown := c.ask("GET", "/images?name=ubuntu-20.04&include_deprecated=true&architecture=x86", "")
		want(c.t, "deprecated when asked for", shown.get("images", 0, "id"), 15512617.0)
		if shown.get("images", 0, "deprecated") == nil || shown.get("images", 0, "deprecation", "unavailable_after") == nil {
			t.Error("a deprecated image does not say so")
		}
		want(c.t, "apps", c.ask("GET", "/images?type=app&architecture=x86", "").names("images"), "docker-ce")
		want(c.t, "snapshots", len(c.ask("GET", "/images?type=snapshot", "").list("images")), 0)
		want(c.t, "by id", c.ask("GET", "/images/67794396", "").get("image", "name"), "ubuntu-22.04")
		want(c.t, "unknown", c.ask("GET", "/images/1", "").code(), "not_found")
		if err := c.ChangeSettings(func(s *emulator.Settings) {
			s.Retired = []emulator.Retired{{Kind: "images", ID: "ubuntu-24.04", Gone: true}}
		}); err != nil {
			t.Fatal(err)
		}
		want(c.t, "gone", len(c.ask("GET", "/images?name=ubuntu-24.04", "").list("images")), 0)
	})
}

func TestLocations(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		want(c.t, "all", c.ask("GET", "/locations", "").names("locations"), "fsn1 nbg1 hel1 ash hil sin")
		want(c.t, "one", c.ask("GET", "/locations?name=sin", "").get("locations", 0, "network_zone"), "ap-southeast")
		want(c.t, "by id", c.ask("GET", "/locations/3", "").get("location", "name"), "hel1")
		want(c.t, "unknown", c.ask("GET", "/locations/9", "").code(), "not_found")
	})
}

func TestSSHKeys(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		body := `{"name":"k","public_key":"` + publicKey + `","labels":{"a":"b"}}`
		created := c.ask("POST", "/ssh_keys", body)
		want(c.t, "created", created.status, 201)
		fingerprint := created.get("ssh_key", "fingerprint").(string)
		if !regexp.MustCompile(`^([0-9a-f]{2}:){15}[0-9a-f]{2}$`).MatchString(fingerprint) {
			t.Errorf("fingerprint %s is no MD5 in colon form", fingerprint)
		}
		same := c.ask("POST", "/ssh_keys", strings.Replace(body, `"k"`, `"l"`, 1))
		want(c.t, "same key", same.code(), "uniqueness_error")
		want(c.t, "field", same.get("error", "details", "fields", 0, "name"), "public_key")
		want(c.t, "no key", c.ask("POST", "/ssh_keys", `{"name":"m","public_key":"ssh-rsa x"}`).code(), "invalid_input")
		want(c.t, "by fingerprint", c.ask("GET", "/ssh_keys?fingerprint="+fingerprint, "").names("ssh_keys"), "k")
		want(c.t, "by label", c.ask("GET", "/ssh_keys?label_selector=a", "").names("ssh_keys"), "k")
		path := created.path("ssh_key")
		want(c.t, "renamed", c.ask("PUT", path, `{"name":"n"}`).get("ssh_key", "name"), "n")
		deleted := c.ask("DELETE", path, "")
		want(c.t, "deleted", deleted.status, 204)
		want(c.t, "gone", c.ask("GET", path, "").code(), "not_found")
	})
}

// TestPrimaryIPs: one per family, found by id and name; disabled families have none.
func TestPrimaryIPs(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		server := c.ask("GET", c.make(), "")
		ips := c.ask("GET", "/primary_ips", "")
		want(c.t, "addresses", len(ips.list("primary_ips")), 2)
		want(c.t, "holder", ips.get("primary_ips", 0, "assignee_id"), server.get("server", "id"))
		want(c.t, "holder's kind", ips.get("primary_ips", 0, "assignee_type"), "server")
		want(c.t, "dies with it", ips.get("primary_ips", 0, "auto_delete"), true)
		want(c.t, "address", ips.get("primary_ips", 0, "ip"), server.get("server", "public_net", "ipv4", "ip"))
		free, err := c.Plant("hetzner", "primary_ips", emulator.Fields{"name": "free"})
		if err != nil {
			t.Fatal(err)
		}
		got := c.ask("GET", "/primary_ips/"+free.ID, "")
		want(c.t, "free one's holder", got.get("primary_ip", "assignee_id"), nil)
		want(c.t, "free one's kind", got.get("primary_ip", "assignee_type"), "unassigned")
		body := strings.Replace(webBody, `{"name":"web"`, `{"public_net":{"enable_ipv6":false,"ipv4":`+free.ID+`},"name":"b"`, 1)
		second := c.ask("POST", "/servers", body)
		want(c.t, "given address", second.get("server", "public_net", "ipv4", "ip"), got.get("primary_ip", "ip"))
		want(c.t, "disabled family", second.get("server", "public_net", "ipv6"), nil)
		third := c.ask("POST", "/servers", strings.Replace(body, `"b"`, `"d"`, 1))
		want(c.t, "assigned address", third.code(), "primary_ip_assigned")
		away := strings.Replace(strings.Replace(body, `"b"`, `"d"`, 1), "fsn1", "nbg1", 1)
		if _, err := c.Patch("hetzner", "primary_ips", free.ID, emulator.Fields{"assignee_id": nil}); err != nil {
			t.Fatal(err)
		}
		want(c.t, "address of another location", c.ask("POST", "/servers", away).code(), "primary_ip_datacenter_mismatch")
		wrong := strings.Replace(strings.Replace(body, `"b"`, `"d"`, 1), `"enable_ipv6":false,"ipv4"`, `"ipv6"`, 1)
		want(c.t, "address of the other family", c.ask("POST", "/servers", wrong).code(), "primary_ip_version_mismatch")
	})
}
