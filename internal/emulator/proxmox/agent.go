// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// pingTime is how long the vendor waits for a guest agent that does not answer (qs QemuServer/Agent.pm).
const pingTime = 3 * time.Second

// mayAskAgent: PVE 9 has privileges for it, PVE 8 asks for VM.Monitor (qs API2/Qemu/Agent.pm).
func mayAskAgent(c *call) *core.Answer {
	if !c.api.since(9, 0) {
		return every("/vms/{vmid}", "VM.Monitor")(c)
	}
	return oneOf("/vms/{vmid}", "VM.GuestAgent.Audit", "VM.GuestAgent.Unrestricted")(c)
}

// hasAgent says whether the configuration has the agent enabled.
func (m *machine) hasAgent() bool {
	parts := properties(m.config["agent"])
	return parts[""] == "1" || parts["enabled"] == "1"
}

// agentProblem says why the agent does not answer, and how long it took to find out. Only the presence of the key
// counts as configured.
func (c *call) agentProblem(m *machine) (problem string, wait time.Duration) {
	if !m.config.has("agent") {
		return "No QEMU guest agent configured", 0
	}
	if !m.running || m.paused {
		return fmt.Sprintf("VM %d is not running", m.id), 0
	}
	after, off := c.api.settings.Get().AgentAfter(strconv.Itoa(m.id))
	if off || !m.hasAgent() || c.now.Before(m.started.Add(after)) {
		return "QEMU guest agent is not running", pingTime
	}
	return "", 0
}

// askAgent answers what the guest agent says.
func askAgent(say func(*call, *machine) any) func(*call, *machine) core.Answer {
	return func(c *call, m *machine) core.Answer {
		problem, wait := c.agentProblem(m)
		if problem != "" {
			answer := c.died(problem)
			answer.Wait = wait
			return answer
		}
		return c.reply(object{"result": say(c, m)})
	}
}

func agentInterfaces(_ *call, m *machine) any {
	interfaces := []object{{
		"name": "lo", "hardware-address": "00:00:00:00:00:00",
		"ip-addresses": []object{agentAddress("127.0.0.1", 8), agentAddress("::1", 128)}, "statistics": noTraffic(),
	}}
	for i, key := range m.nics() {
		mac := macOf(m.config[key])
		interfaces = append(interfaces, object{
			"name": "eth" + strconv.Itoa(i), "hardware-address": strings.ToLower(mac), "ip-addresses": m.guestAddresses(key, mac),
			"statistics": noTraffic(),
		})
	}
	return interfaces
}

func noTraffic() object {
	return object{"rx-bytes": 0, "rx-packets": 0, "rx-errs": 0, "rx-dropped": 0, "tx-bytes": 0, "tx-packets": 0, "tx-errs": 0, "tx-dropped": 0}
}

func agentAddress(address string, bits int) object {
	family := "ipv4"
	if strings.Contains(address, ":") {
		family = "ipv6"
	}
	return object{"ip-address": address, "ip-address-type": family, "prefix": bits}
}

// nics are the keys of the machine's NICs by their number.
func (m *machine) nics() []string {
	var keys []string
	for key := range m.config {
		if family(key) == "net" {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return numberOf(a) - numberOf(b) })
	return keys
}

func numberOf(key string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(key, family(key))) // family leaves digits
	return n
}

func macOf(nic string) string {
	model, _, _ := strings.Cut(nic, ",")
	_, mac, _ := strings.Cut(model, "=")
	return mac
}

// guestAddresses are the static ones of ipconfigN, else what DHCP gave, and the link-local one.
func (m *machine) guestAddresses(nic, mac string) []object {
	wanted := properties(m.config["ipconfig"+strconv.Itoa(numberOf(nic))])
	var addresses []object
	for _, name := range []string{"ip", "ip6"} {
		if prefix, err := netip.ParsePrefix(wanted[name]); err == nil {
			addresses = append(addresses, agentAddress(prefix.Addr().String(), prefix.Bits()))
		}
	}
	if static, err := netip.ParsePrefix(wanted["ip"]); err != nil && !static.IsValid() && m.addresses[nic] != "" {
		addresses = append(addresses, agentAddress(m.addresses[nic], 16))
	}
	return append(addresses, agentAddress(linkLocal(mac), 64))
}

// linkLocal is the IPv6 address that a NIC makes of its MAC address (RFC 4291, appendix A).
func linkLocal(mac string) string {
	var b [6]byte
	for i, part := range strings.Split(mac, ":") {
		n, _ := strconv.ParseUint(part, 16, 8) // newMAC made it, or a user who gets zeros
		if i < len(b) {
			b[i] = byte(n)
		}
	}
	address := [16]byte{0: 0xfe, 1: 0x80, 8: b[0] ^ 2, 9: b[1], 10: b[2], 11: 0xff, 12: 0xfe, 13: b[3], 14: b[4], 15: b[5]}
	return netip.AddrFrom16(address).String()
}

func agentHostName(_ *call, m *machine) any { return object{"host-name": m.displayName()} }

func agentSystem(_ *call, _ *machine) any {
	return object{"id": "debian", "name": "Debian GNU/Linux", "kernel-release": "6.12.48", "machine": "x86_64", "version-id": "13"}
}

func agentInfo(_ *call, _ *machine) any {
	return object{"version": "10.0.2", "supported_commands": []object{{"name": "guest-network-get-interfaces", "enabled": true}}}
}

func agentPing(_ *call, _ *machine) any { return object{} }
