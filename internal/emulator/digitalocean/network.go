// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"crypto/sha256"
	"fmt"
	"net/netip"
	"time"
)

// network is a droplet's addresses. They are chosen when it is made and appear later.
type network struct {
	vpc     *vpc
	private netip.Addr // of the VPC's range
	public  string
	v6      string // "" while IPv6 is off
	number  int64
	since   time.Time // when they appear; zero: not foreseen yet
	// privateOnly is asked for by public_networking false.
	privateOnly bool
}

// newNetwork takes from 198.18.0.0/15 and 2001:db8::/32, which no machine on the internet has, in the upper halves of
// what the other emulator takes, and the private address from the VPC. A droplet without public networking has that only.
func (t *team) newNetwork(n int64, in *vpc, public, ipv6 bool) network {
	made := network{number: n, vpc: in, private: t.freeAddress(in), privateOnly: !public}
	if public {
		made.enablePublic()
	}
	if public && ipv6 {
		made.enableV6()
	}
	return made
}

func (n *network) enablePublic() {
	n.public = fmt.Sprintf("198.19.%d.%d", n.number>>8&0xff, n.number&0xff)
}

// plantPublic gives a droplet that is there public networking, or takes all of it away, which the vendor has no action for.
func (n *network) plantPublic(public bool) {
	if n.privateOnly = !public; public {
		n.enablePublic()
		return
	}
	n.public, n.v6 = "", ""
}

func (n *network) enableV6() { n.v6 = fmt.Sprintf("2001:db8:d0:%x::1001", n.number&0xffff) }

// body is empty until the addresses appear. A private interface has no gateway, which the vendor's examples write "nil".
func (n network) body(now time.Time) object {
	v4, v6 := []object{}, []object{}
	if n.since.IsZero() || now.Before(n.since) {
		return object{"v4": v4, "v6": v6}
	}
	v4 = append(v4, object{"ip_address": n.private.String(), "netmask": n.vpc.netmask(), "gateway": "nil", "type": "private"})
	if n.public != "" {
		v4 = append(v4, object{"ip_address": n.public, "netmask": "255.255.240.0", "gateway": "198.19.0.1", "type": "public"})
	}
	if n.v6 != "" {
		gateway := fmt.Sprintf("2001:db8:d0:%x::1", n.number&0xffff)
		v6 = append(v6, object{"ip_address": n.v6, "netmask": 64, "gateway": gateway, "type": "public"})
	}
	return object{"v4": v4, "v6": v6}
}

// vpc is the id of the VPC that the vendor makes for a region.
func (t *team) vpc(region string) string {
	sum := sha256.Sum256([]byte(t.identity.team + region))
	return fmt.Sprintf("%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
