// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// agentPatience is how long one question to a guest agent may take. A guest without a running agent takes the vendor as
// long (qemu-server, Agent.pm).
const agentPatience = 3 * time.Second

// agentNIC is a network card as the guest shows it (guest-network-get-interfaces).
type agentNIC struct {
	MAC       string `json:"hardware-address"`
	Addresses []struct {
		Address string `json:"ip-address"`
	} `json:"ip-addresses"`
}

// ask asks the guest agent for addresses. Running is what its answer says of the machine: it is live, where lists are not.
// Whatever keeps the agent from answering leaves the addresses unknown.
func (c *cloud) ask(ctx context.Context, found vm) (addresses []driver.Address, running, answered bool) {
	if !found.config.agent() || c.memory.refusesAgent() {
		return nil, false, false
	}
	ctx, done := context.WithTimeout(ctx, agentPatience)
	defer done()
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	err := c.client.get(ctx, vmPath(found.node, found.vmid, "/agent/network-get-interfaces"), nil, &answer)
	if refused, ok := errors.AsType[*answerError](err); ok {
		return nil, c.running(refused, found), refused.status != http.StatusForbidden && !unreachable(refused.status)
	}
	if err != nil {
		return nil, false, false
	}
	var nics []agentNIC
	if err := json.Unmarshal(answer.Result, &nics); err != nil {
		// An agent that refuses the command answers an object.
		return nil, true, true
	}
	return addressesOf(nics, found.config.nics()), true, true
}

// running says what a refusal of the agent tells of the machine.
func (c *cloud) running(refused *answerError, found vm) bool {
	if refused.status == http.StatusForbidden {
		c.memory.setRefusesAgent()
		c.memory.warn("", "The token may not ask guest agents, so the addresses of machines are not known: give it VM.GuestAgent.Audit (Proxmox VE 9) or VM.Monitor (Proxmox VE 8) on /vms. "+
			"The vendor says: "+refused.Error())
		return false
	}
	return !refused.says("VM "+found.id()+" is not running") && refused.missing() == 0
}

// addressesOf answers the addresses of the machine's own cards, by card, IPv4 first, then by number; nil without any. What
// the guest has made for itself (bridges, containers) is left out.
func addressesOf(reported []agentNIC, own []nic) []driver.Address {
	var addresses []driver.Address
	for _, card := range own {
		var ips []netip.Addr
		for _, shown := range reported {
			if !strings.EqualFold(shown.MAC, card.mac) {
				continue
			}
			for _, one := range shown.Addresses {
				if ip, usable := usableAddress(one.Address); usable {
					ips = append(ips, ip)
				}
			}
		}
		slices.SortFunc(ips, func(a, b netip.Addr) int { return cmp.Or(cmp.Compare(a.BitLen(), b.BitLen()), a.Compare(b)) })
		for _, ip := range slices.Compact(ips) {
			addresses = append(addresses, driver.Address{Address: ip.String(), Family: familyOf(ip), Scope: scopeOf(ip)})
		}
	}
	return addresses
}

// usableAddress leaves out what cannot be reached from elsewhere.
func usableAddress(text string) (netip.Addr, bool) {
	ip, err := netip.ParseAddr(text)
	ip = ip.Unmap().WithZone("")
	return ip, err == nil && !ip.IsLoopback() && !ip.IsLinkLocalUnicast() && !ip.IsMulticast() && !ip.IsUnspecified()
}

func familyOf(ip netip.Addr) string {
	if ip.Is4() {
		return "ipv4"
	}
	return "ipv6"
}

// carrierGrade is shared between a provider and its customers (RFC 6598): not to be reached from the Internet.
var carrierGrade = netip.MustParsePrefix("100.64.0.0/10")

func scopeOf(ip netip.Addr) string {
	if ip.IsPrivate() || carrierGrade.Contains(ip) {
		return "private"
	}
	return "public"
}
