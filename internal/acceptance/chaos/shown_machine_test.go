// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// shownByMachine is what a vendor tells of a machine. None tells which keys it was ordered with, and DigitalOcean knows
// nothing of a protection.
func shownByMachine(s *scene, machine emulator.Object) map[string]string {
	return map[string]func(*scene, emulator.Object) map[string]string{
		"hetzner": shownByServer, "digitalocean": shownByDroplet, "proxmox": shownByVM,
	}[s.on.Name](s, machine)
}

// reverse is a host name as Hetzner Cloud tells it.
type reverse struct {
	Name string `json:"dns_ptr"`
}

// shownByServer: Hetzner API document, GET /servers/{id}.
func shownByServer(s *scene, machine emulator.Object) map[string]string {
	var answer struct {
		Server struct {
			BackupWindow *string `json:"backup_window"`
			Protection   struct{ Delete, Rebuild bool }
			PrivateNet   []struct {
				Network int64
				IP      string
			} `json:"private_net"`
			PlacementGroup *struct{ ID int64 } `json:"placement_group"`
			PublicNet      struct {
				IPv4 *reverse
				IPv6 *struct {
					Names []reverse `json:"dns_ptr"`
				}
				Firewalls []struct{ ID int64 }
			} `json:"public_net"`
		}
	}
	s.ask("/servers/"+machine.ID, &answer)
	server := answer.Server
	var networks, ips, firewalls []string
	for _, own := range server.PrivateNet {
		networks, ips = append(networks, s.nameOf(own.Network)), append(ips, own.IP)
	}
	for _, own := range server.PublicNet.Firewalls {
		firewalls = append(firewalls, s.nameOf(own.ID))
	}
	slices.Sort(firewalls)
	group := ""
	if server.PlacementGroup != nil {
		group = s.nameOf(server.PlacementGroup.ID)
	}
	var reversed []string
	if v4 := server.PublicNet.IPv4; v4 != nil {
		reversed = append(reversed, hostName([]reverse{*v4}))
	}
	if v6 := server.PublicNet.IPv6; v6 != nil {
		reversed = append(reversed, hostName(v6.Names))
	}
	return map[string]string{
		"public_ipv4": fmt.Sprint(server.PublicNet.IPv4 != nil), "public_ipv6": fmt.Sprint(server.PublicNet.IPv6 != nil),
		"backups": fmt.Sprint(server.BackupWindow != nil), "reverse_dns": strings.Join(slices.Compact(reversed), " "),
		"delete_protection": strings.Join(slices.Compact([]string{fmt.Sprint(server.Protection.Delete), fmt.Sprint(server.Protection.Rebuild)}), " "),
		"network":           strings.Join(networks, " "), "hetzner_cloud.network_ip": strings.Join(ips, " "),
		"hetzner_cloud.firewall_ids": strings.Join(firewalls, " "), "hetzner_cloud.placement_group_id": group,
	}
}

// hostName is the name of an address; the one that the vendor gives every IPv4 address counts as none.
func hostName(names []reverse) string {
	if len(names) == 0 || strings.HasSuffix(names[0].Name, ".your-server.de") {
		return ""
	}
	return names[0].Name
}

// nameOf is the name of what options can name, by its id.
func (s *scene) nameOf(id int64) string { return s.names[strconv.FormatInt(id, 10)] }

// shownByDroplet: DigitalOcean API document, GET /v2/droplets/{droplet_id}.
func shownByDroplet(s *scene, machine emulator.Object) map[string]string {
	var answer struct {
		Droplet struct {
			Features []string
			VPC      string `json:"vpc_uuid"`
			Networks struct{ V4 []struct{ Type string } }
		}
	}
	s.ask("v2/droplets/"+machine.ID, &answer)
	droplet := answer.Droplet
	has := func(feature string) string { return fmt.Sprint(slices.Contains(droplet.Features, feature)) }
	return map[string]string{
		"public_ipv4": fmt.Sprint(slices.ContainsFunc(droplet.Networks.V4, func(own struct{ Type string }) bool { return own.Type == "public" })),
		"public_ipv6": has("ipv6"), "backups": has("backups"), "network": s.names[droplet.VPC],
		"digitalocean.monitoring": has("monitoring"), "digitalocean.project_id": projectOf(s, machine),
	}
}

// projectOf is the name of the project that has a droplet: a droplet does not tell (DigitalOcean API document, Project
// Resources).
func projectOf(s *scene, machine emulator.Object) string {
	var all struct{ Projects []struct{ ID, Name string } }
	s.ask("v2/projects", &all)
	for _, project := range all.Projects {
		var members struct{ Resources []struct{ URN string } }
		s.ask("v2/projects/"+project.ID+"/resources", &members)
		if slices.Contains(members.Resources, struct{ URN string }{"do:droplet:" + machine.ID}) {
			return project.Name
		}
	}
	return ""
}

// shownByVM: Proxmox VE API, GET /nodes/{node}/qemu/{vmid}/config: with current, what waits for a restart is not in it.
func shownByVM(s *scene, machine emulator.Object) map[string]string {
	const node = "pve1"
	var answer struct{ Data map[string]any }
	s.ask("/api2/json/nodes/"+node+"/qemu/"+machine.ID+"/config?current=1", &answer)
	text := func(name string) string {
		if answer.Data[name] == nil {
			return ""
		}
		return fmt.Sprint(answer.Data[name])
	}
	var further []string
	for index := 1; index <= 9; index++ {
		if device := text("net" + strconv.Itoa(index)); device != "" {
			further = append(further, bridgeOf(device))
		}
	}
	kind, _, _ := strings.Cut(text("cpu"), ",")
	return map[string]string{
		"proxmox.node": node, "network": bridgeOf(text("net0")), "proxmox.network_devices": strings.Join(further, " "),
		"proxmox.cpu_type": strings.TrimPrefix(kind, "cputype="), "proxmox.on_boot": fmt.Sprint(text("onboot") == "1"),
		"delete_protection": fmt.Sprint(text("protection") == "1"),
	}
}

// bridgeOf is the bridge of a network device, with its VLAN behind a dot.
func bridgeOf(device string) string {
	bridge, tag := "", ""
	for property := range strings.SplitSeq(device, ",") {
		if value, found := strings.CutPrefix(property, "bridge="); found {
			bridge = value
		}
		if value, found := strings.CutPrefix(property, "tag="); found {
			tag = "." + value
		}
	}
	return bridge + tag
}

// shownByAddress is what a vendor tells of an address (Hetzner API document, GET /floating_ips); DigitalOcean has no host
// names of reserved addresses.
func shownByAddress(s *scene, address emulator.Object) map[string]string {
	if !slices.Contains(namers, s.on.Name) {
		return nil
	}
	var answer struct {
		FloatingIPs []struct {
			IP    string
			Names []reverse `json:"dns_ptr"`
		} `json:"floating_ips"`
	}
	s.ask("/floating_ips", &answer)
	for _, own := range answer.FloatingIPs {
		if own.IP == address.ID {
			return map[string]string{"reverse_dns": hostName(own.Names)}
		}
	}
	return map[string]string{"reverse_dns": "no such address"}
}
