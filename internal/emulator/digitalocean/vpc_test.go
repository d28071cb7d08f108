// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// vpcOf is the VPC of a region by its name.
func (c cloud) vpcOf(name string) answer {
	c.t.Helper()
	listed := c.ask("GET", "/v2/vpcs?per_page=200", "")
	for _, entry := range listed.list("vpcs") {
		if own := entry.(map[string]any); own["name"] == name {
			return answer{body: own}
		}
	}
	c.t.Fatalf("there is no VPC %s in %v", name, listed.body)
	return answer{}
}

// TestDropletsAreInTheirVPC: the region's default one or the one that was asked for, with an address of its range.
func TestDropletsAreInTheirVPC(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		own := c.ask("POST", "/v2/vpcs", `{"name":"backend","region":"nyc3","ip_range":"192.168.7.0/28","description":"ours"}`)
		want(c.t, "create", own.status, 201)
		want(c.t, "default", own.get("vpc", "default"), false)
		id := fmt.Sprint(own.get("vpc", "id"))
		created := c.ask("POST", "/v2/droplets", strings.Replace(webBody, "{", `{"vpc_uuid":"`+id+`",`, 1))
		want(c.t, "vpc_uuid in the create's answer", created.get("droplet", "vpc_uuid"), nil)
		pass(time.Second)
		got := c.ask("GET", "/v2/droplets/"+created.id("droplet"), "")
		want(c.t, "vpc_uuid", got.get("droplet", "vpc_uuid"), id)
		want(c.t, "private address", got.get("droplet", "networks", "v4", 0, "ip_address"), "192.168.7.2")
		want(c.t, "netmask", got.get("droplet", "networks", "v4", 0, "netmask"), "255.255.255.240")
		byDefault := c.ask("GET", c.make(), "")
		home := c.vpcOf("default-nyc3")
		want(c.t, "default VPC", byDefault.get("droplet", "vpc_uuid"), home.get("id"))
		address := netip.MustParseAddr(fmt.Sprint(byDefault.get("droplet", "networks", "v4", 0, "ip_address")))
		if block := netip.MustParsePrefix(fmt.Sprint(home.get("ip_range"))); !block.Contains(address) {
			c.t.Errorf("%s is not in %s", address, block)
		}
		members := c.ask("GET", "/v2/vpcs/"+id+"/members", "")
		want(c.t, "members", members.values("members", "urn"), "do:droplet:"+created.id("droplet"))
		want(c.t, "load balancers", c.ask("GET", "/v2/vpcs/"+id+"/members?resource_type=load_balancer", "").get("meta", "total"), 0.0)
		want(c.t, "in the inventory", fmt.Sprint(c.Objects("digitalocean", "vpcs")[0].ID), id)
	})
}

// TestOrdersThatAVPCRefuses: one of another region, one that is not there, and one without room.
func TestOrdersThatAVPCRefuses(t *testing.T) {
	const invalid = "You specified invalid VPC parameters for Droplet creation."
	inCloud(t, emulator.Options{}, func(c cloud) {
		tiny := fmt.Sprint(c.ask("POST", "/v2/vpcs", `{"name":"tiny","region":"nyc3","ip_range":"10.9.8.0/28"}`).get("vpc", "id"))
		order := func(id string, names int) answer {
			list := strings.TrimSuffix(strings.Repeat(`"a",`, names), ",")
			return c.ask("POST", "/v2/droplets", `{"names":[`+list+`],"size":"s-1vcpu-1gb","image":"debian-13-x64","region":"nyc3","vpc_uuid":"`+id+`"}`)
		}
		want(c.t, "another region's", order(fmt.Sprint(c.vpcOf("default-fra1").get("id")), 1).message(), invalid)
		want(c.t, "unknown", order("760e09ef-dc84-11e8-981e-3cfdfeaae000", 1).message(), invalid)
		want(c.t, "ten of thirteen", order(tiny, 10).status, 202)
		want(c.t, "four of three", order(tiny, 4).message(), "The VPC does not have enough available IP addresses.")
		want(c.t, "three of three", order(tiny, 3).status, 202)
		pass(time.Second)
		seen := map[any]bool{}
		for _, entry := range c.ask("GET", "/v2/droplets?per_page=200", "").list("droplets") {
			seen[answer{body: entry.(map[string]any)}.get("networks", "v4", 0, "ip_address")] = true
		}
		want(c.t, "addresses", len(seen), 13)
	})
}

// TestVPCsAreMadeChangedAndRemoved as the vendor's document has it.
func TestVPCsAreMadeChangedAndRemoved(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		made := c.ask("POST", "/v2/vpcs", `{"name":"backend","region":"nyc3"}`)
		path := "/v2/vpcs/" + fmt.Sprint(made.get("vpc", "id"))
		before := c.vpcOf("default-nyc3")
		want(c.t, "PUT without a name", c.ask("PUT", path, `{"description":"x"}`).status, 422)
		changed := c.ask("PATCH", path, `{"description":"x","default":true}`)
		want(c.t, "default", changed.get("vpc", "default"), true)
		want(c.t, "name", changed.get("vpc", "name"), "backend")
		want(c.t, "the old default", c.vpcOf("default-nyc3").get("default"), false)
		want(c.t, "unset", c.ask("PATCH", path, `{"default":false}`).message(), "default cannot be unset")
		want(c.t, "delete of a default", c.ask("DELETE", path, "").status, 403)
		c.ask("PATCH", "/v2/vpcs/"+fmt.Sprint(before.get("id")), `{"default":true}`)
		c.plant(emulator.Fields{"vpc_uuid": made.get("vpc", "id"), "name": "inside"})
		want(c.t, "delete with a member", c.ask("DELETE", path, "").message(), "Can not delete VPC with members")
		if err := c.Vanish("digitalocean", "droplets", c.Objects("digitalocean", "droplets")[0].ID); err != nil {
			c.t.Fatal(err)
		}
		want(c.t, "delete", c.ask("DELETE", path, "").status, 204)
		want(c.t, "afterwards", c.ask("GET", path, "").status, 404)
	})
}

func TestVPCRefusals(t *testing.T) {
	cases := map[string]struct{ body, message string }{
		"underscore":    {`{"name":"a_b","region":"nyc3"}`, "name is invalid: only alphanumeric characters, dashes, and periods are allowed"},
		"taken name":    {`{"name":"default-nyc3","region":"nyc3"}`, "name is already in use"},
		"no region":     {`{"name":"a"}`, "region is not valid"},
		"no CIDR":       {`{"name":"a","region":"nyc3","ip_range":"ten"}`, "ip_range is not a valid CIDR"},
		"public":        {`{"name":"a","region":"nyc3","ip_range":"8.8.8.0/24"}`, "ip_range must be a network in the private ranges of RFC 1918"},
		"host bits":     {`{"name":"a","region":"nyc3","ip_range":"10.1.1.1/24"}`, "ip_range must be a network in the private ranges of RFC 1918"},
		"too small":     {`{"name":"a","region":"nyc3","ip_range":"10.1.1.0/29"}`, "ip_range may not be smaller than /28 nor larger than /16"},
		"too large":     {`{"name":"a","region":"nyc3","ip_range":"10.0.0.0/15"}`, "ip_range may not be smaller than /28 nor larger than /16"},
		"overlap":       {`{"name":"a","region":"nyc3","ip_range":"10.100.0.0/24"}`, "This range/size overlaps with another VPC network in your account: 10.100.0.0/20"},
		"long comments": {`{"name":"a","region":"nyc3","description":"` + strings.Repeat("x", 256) + `"}`, "description is too long (maximum is 255 characters)"},
	}
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			inCloud(t, emulator.Options{}, func(c cloud) {
				got := c.ask("POST", "/v2/vpcs", test.body)
				want(c.t, "status", got.status, 422)
				want(c.t, "message", got.message(), test.message)
				want(c.t, "VPCs", len(c.Objects("digitalocean", "vpcs")), 0)
			})
		})
	}
}

// TestControlChangesNetworking: VPCs and firewalls are planted, changed and removed.
func TestControlChangesNetworking(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		for kind, list := range map[string]string{"vpcs": "vpcs", "firewalls": "firewalls"} {
			made, err := c.Plant("digitalocean", kind, emulator.Fields{"name": "theirs"})
			if err != nil {
				c.t.Fatal(err)
			}
			if _, err := c.Patch("digitalocean", kind, made.ID, emulator.Fields{"name": "renamed"}); err != nil {
				c.t.Fatal(err)
			}
			if got := c.ask("GET", "/v2/"+list+"?per_page=200", "").values(list, "name"); !strings.Contains(got, "renamed") {
				c.t.Errorf("%s: %s", kind, got)
			}
			for what, fields := range map[string]emulator.Fields{
				"unknown": {"colour": "red"}, "droplet": {"droplet_ids": []int{7}}, "range": {"ip_range": "x"}, "region": {"region": "xyz1"},
			} {
				if _, err := c.Patch("digitalocean", kind, made.ID, fields); err == nil {
					c.t.Errorf("%s was changed by %s", kind, what)
				}
			}
			if err := c.Vanish("digitalocean", kind, made.ID); err != nil {
				c.t.Fatal(err)
			}
			want(c.t, kind, len(c.Objects("digitalocean", kind)), 0)
		}
		if _, err := c.Plant("digitalocean", "droplets", emulator.Fields{"vpc_uuid": "x"}); err == nil {
			c.t.Error("a droplet was planted in a VPC that is not there")
		}
		inner := c.plant(emulator.Fields{"public_networking": false})
		got := c.ask("GET", "/v2/droplets/"+inner.ID, "")
		want(c.t, "addresses without public networking", len(got.get("droplet", "networks", "v4").([]any)), 1)
	})
}

func TestVendorsClientUsesVPCs(t *testing.T) {
	inClient(t, func(t *testing.T, _ *emulator.Emulator, client *godo.Client) {
		made, _, err := client.VPCs.Create(t.Context(), &godo.VPCCreateRequest{Name: "backend", RegionSlug: "fra1"})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := client.VPCs.Set(t.Context(), made.ID, godo.VPCSetDescription("ours"), godo.VPCSetDefault()); err != nil {
			t.Fatal(err)
		}
		request := createRequest("web-1")
		request.Region, request.VPCUUID = "fra1", made.ID
		droplet, _, err := client.Droplets.Create(t.Context(), request)
		if err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		members, _, err := client.VPCs.ListMembers(t.Context(), made.ID, nil, nil)
		if err != nil || len(members) != 1 || members[0].URN != droplet.URN() {
			t.Errorf("members: %v, %v", members, err)
		}
		got, _, err := client.VPCs.Get(t.Context(), made.ID)
		if err != nil || !got.Default || got.Description != "ours" || got.RegionSlug != "fra1" || got.URN != "do:vpc:"+made.ID {
			t.Errorf("VPC: %+v, %v", got, err)
		}
	})
}
