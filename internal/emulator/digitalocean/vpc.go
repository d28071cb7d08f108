// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// vpc is a private network of a team in one region. A droplet is in one for life.
type vpc struct {
	id, name, description, region string
	block                         netip.Prefix
	isDefault                     bool
	created                       time.Time
	last                          netip.Addr // given to a droplet
}

// Ranges of default VPCs are cut out of 10.100.0.0/14, as large as the vendor's own are.
const vpcBits = 20

// layVPCs gives a team the default VPC of each open region. The vendor makes one with the first resource of a region;
// this is a team that has used them all.
func (t *team) layVPCs(now time.Time) {
	for _, r := range regions {
		if r.closed {
			continue
		}
		t.vpcs = append(t.vpcs, &vpc{
			id: t.vpc(r.slug), name: "default-" + r.slug, region: r.slug, block: t.freeBlock(), isDefault: true, created: now,
		})
	}
}

// freeBlock is a /20 that overlaps no VPC of the team.
func (t *team) freeBlock() netip.Prefix {
	for n := range 1 << (vpcBits - 8) {
		block := netip.PrefixFrom(netip.AddrFrom4([4]byte{10, byte(100 + n>>4), byte(n & 0xf << 4), 0}), vpcBits)
		if t.overlapping(block) == nil {
			return block
		}
	}
	panic("a team has more VPCs than there are ranges")
}

func (t *team) overlapping(block netip.Prefix) *vpc {
	return t.firstVPC(func(v *vpc) bool { return v.block.Overlaps(block) })
}

func (t *team) firstVPC(wanted func(*vpc) bool) *vpc {
	i := slices.IndexFunc(t.vpcs, wanted)
	if i < 0 {
		return nil
	}
	return t.vpcs[i]
}

func (t *team) vpcWithID(id string) *vpc { return t.firstVPC(func(v *vpc) bool { return v.id == id }) }

// defaultVPC is where droplets of a region go that name no VPC; nil in a closed region.
func (t *team) defaultVPC(region string) *vpc {
	return t.firstVPC(func(v *vpc) bool { return v.region == region && v.isDefault })
}

func (t *team) members(v *vpc) []*droplet {
	return slices.DeleteFunc(slices.Clone(t.droplets), func(d *droplet) bool { return d.network.vpc != v })
}

// size is the number of addresses for droplets: the network's own address, the gateway after it and the broadcast address
// are the vendor's.
func (v *vpc) size() int { return 1<<(v.block.Addr().BitLen()-v.block.Bits()) - 3 }

// freeAddress is the next address of a VPC that no droplet has. In a full one, where no order comes this far, droplets of
// control's share the last.
func (t *team) freeAddress(v *vpc) netip.Addr {
	used := map[netip.Addr]bool{}
	for _, d := range t.members(v) {
		used[d.network.private] = true
	}
	first := v.block.Addr().Next().Next()
	if !v.last.IsValid() {
		v.last = first.Prev()
	}
	for range v.size() {
		v.last = v.last.Next()
		if !v.block.Contains(v.last.Next()) {
			v.last = first
		}
		if !used[v.last] {
			break
		}
	}
	return v.last
}

func (v *vpc) netmask() string {
	mask := ^uint32(0) << (32 - v.block.Bits())
	return fmt.Sprintf("%d.%d.%d.%d", mask>>24, mask>>16&0xff, mask>>8&0xff, mask&0xff)
}

func (v *vpc) body() object {
	return object{
		"id": v.id, "urn": "do:vpc:" + v.id, "name": v.name, "description": v.description, "region": v.region,
		"ip_range": v.block.String(), "created_at": timestamp(v.created), "default": v.isDefault,
	}
}

func (a *API) addVPCs() {
	a.route("GET /v2/vpcs", listVPCs)
	a.route("POST /v2/vpcs", createVPC)
	a.route("GET /v2/vpcs/{vpc}", withVPC(getVPC))
	a.route("PUT /v2/vpcs/{vpc}", withVPC(updateVPC))
	a.route("PATCH /v2/vpcs/{vpc}", withVPC(updateVPC))
	a.route("DELETE /v2/vpcs/{vpc}", withVPC(deleteVPC))
	a.route("GET /v2/vpcs/{vpc}/members", withVPC(listMembers))
}

func withVPC(handle func(*call, *vpc) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		if found := c.team.vpcWithID(c.Params["vpc"]); found != nil {
			return handle(c, found)
		}
		return notFound()
	}
}

func listVPCs(c *call) core.Answer {
	return c.replyList("vpcs", len(c.team.vpcs), func(i int) any { return c.team.vpcs[i].body() })
}

func getVPC(_ *call, v *vpc) core.Answer { return reply(http.StatusOK, object{"vpc": v.body()}, v.id) }

// listMembers: of what can be in a VPC the emulator has droplets.
func listMembers(c *call, v *vpc) core.Answer {
	members := c.team.members(v)
	if kind := c.Query.Get("resource_type"); kind != "" && kind != "droplet" {
		members = nil
	}
	return c.replyList("members", len(members), func(i int) any {
		d := members[i]
		return object{"urn": "do:droplet:" + text(d.id), "name": d.name, "created_at": timestamp(d.created)}
	})
}

// deleteVPC: the default VPC of a region and one with members are refused with 403 (DigitalOcean API document, DELETE
// /v2/vpcs/{vpc_id}; the wordings are unverified).
func deleteVPC(c *call, v *vpc) core.Answer {
	if v.isDefault {
		return about(failure(http.StatusForbidden, "Can not delete default VPCs"), v.id)
	}
	if len(c.team.members(v)) > 0 {
		return about(failure(http.StatusForbidden, "Can not delete VPC with members"), v.id)
	}
	c.team.vpcs = slices.DeleteFunc(c.team.vpcs, func(other *vpc) bool { return other == v })
	return noContent(v.id)
}

// joins finds the VPC of an order: the one that it names, which must be in the region and have room, or the
// region's default. The refusal's words are the vendor's (droplet_kit, issue 182).
func (c *call) joins(in *fields, o order) *vpc {
	id := in.text("vpc_uuid")
	found := c.team.vpcWithID(id)
	if id == "" {
		found = c.team.defaultVPC(o.region)
	}
	if found == nil || found.region != o.region {
		in.refuse(unprocessable("You specified invalid VPC parameters for Droplet creation."))
		return nil
	}
	if found.size()-len(c.team.members(found)) < len(o.names) {
		in.refuse(unprocessable("The VPC does not have enough available IP addresses.")) // wording unverified
	}
	return found
}

// blockProblem says why a VPC cannot have a range, "" if it can (DigitalOcean API document, model vpc; the wordings are
// unverified).
func (t *team) blockProblem(block netip.Prefix) string {
	const largest, smallest = 16, 28
	private := slices.ContainsFunc([]string{"10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"}, func(within string) bool {
		return netip.MustParsePrefix(within).Contains(block.Addr())
	})
	switch {
	case !private || block.Masked() != block:
		return "ip_range must be a network in the private ranges of RFC 1918"
	case block.Bits() < largest || block.Bits() > smallest:
		return "ip_range may not be smaller than /28 nor larger than /16"
	}
	if other := t.overlapping(block); other != nil {
		return fmt.Sprintf("This range/size overlaps with another VPC network in your account: %s", other.block)
	}
	return ""
}

// nameTaken: names of VPCs are unique in a team, whatever their case.
func (t *team) nameTaken(name string, by *vpc) bool {
	return t.firstVPC(func(v *vpc) bool { return v != by && strings.EqualFold(v.name, name) }) != nil
}
