// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ4kP8gqHj0kQ1nZ0m0P0v6kq6nE0kH2t1uRy6mE0q2q alice@example.com"

// hetznerMachine: Hetzner Cloud tells neither the user data nor the keys that a server was made with. Labels of others are
// never taken for ours, so they are written too.
var hetznerMachine = machine{
	make: makeHetzner,
	unread: map[string]any{
		"labels.tier": "web", "user_data": "#cloud-config\n{}\n", "hetzner_cloud.ssh_key_ids": []any{"laptop"},
	},
	named: map[string]any{
		"network": "backend", "hetzner_cloud.firewall_ids": []any{"edge"}, "hetzner_cloud.placement_group_id": "apart",
	},
	follows: []string{"addresses"},
	marks:   []string{"PUT /v1/servers/152016692"},
}

// hetznerProject is a client of the vendor's own library.
type hetznerProject struct {
	*testing.T
	*hcloud.Client
}

// makeHetzner sends what terraform-provider-hcloud 1.68 sends for terraform-provider-hcloud.tf: the server joins the network,
// gets its backups and its protection one after the other once it is there, and the host names at last.
func makeHetzner(t *testing.T, cloud *acceptance.Cloud) {
	t.Helper()
	p := hetznerProject{t, hcloud.NewClient(hcloud.WithToken(cloud.Hetzner.Token), hcloud.WithEndpoint(cloud.Hetzner.Endpoint),
		hcloud.WithHTTPClient(&http.Client{Transport: cloud.Hetzner.Transport()}),
		hcloud.WithPollOpts(hcloud.PollOpts{BackoffFunc: hcloud.ConstantBackoff(time.Millisecond)}))}
	order, network := p.furnish()
	made, _, err := p.Server.Create(t.Context(), order)
	p.await(err, append(made.NextActions, made.Action)...)
	server := made.Server
	joining, _, err := p.Server.AttachToNetwork(t.Context(), server, hcloud.ServerAttachToNetworkOpts{Network: network, IP: net.ParseIP("10.7.1.5")})
	p.await(err, joining)
	backing, _, err := p.Server.EnableBackup(t.Context(), server, "")
	p.await(err, backing)
	protecting, _, err := p.Server.ChangeProtection(t.Context(), server, hcloud.ServerChangeProtectionOpts{Rebuild: new(true), Delete: new(true)})
	p.await(err, protecting)
	for _, ip := range []string{server.PublicNet.IPv4.IP.String(), server.PublicNet.IPv6.Network.IP.String() + "1"} {
		naming, _, err := p.Server.ChangeDNSPtr(t.Context(), server, ip, new("web.example.com"))
		p.await(err, naming)
	}
}

// furnish makes what the server is ordered with.
func (p hetznerProject) furnish() (order hcloud.ServerCreateOpts, network *hcloud.Network) {
	p.Helper()
	_, private, _ := net.ParseCIDR("10.7.0.0/16")
	_, part, _ := net.ParseCIDR("10.7.1.0/24")
	_, anywhere, _ := net.ParseCIDR("0.0.0.0/0")
	key, _, err := p.SSHKey.Create(p.Context(), hcloud.SSHKeyCreateOpts{Name: "laptop", PublicKey: publicKey, Labels: map[string]string{}})
	p.await(err)
	network, _, err = p.Network.Create(p.Context(), hcloud.NetworkCreateOpts{Name: "backend", IPRange: private})
	p.await(err)
	firewall, _, err := p.Firewall.Create(p.Context(), hcloud.FirewallCreateOpts{Name: "edge", Rules: []hcloud.FirewallRule{{
		Direction: hcloud.FirewallRuleDirectionIn, SourceIPs: []net.IPNet{*anywhere}, Protocol: hcloud.FirewallRuleProtocolTCP, Port: new("443"),
	}}})
	p.await(err, firewall.Actions...)
	group, _, err := p.PlacementGroup.Create(p.Context(), hcloud.PlacementGroupCreateOpts{Name: "apart", Type: hcloud.PlacementGroupTypeSpread})
	p.await(err)
	dividing, _, err := p.Network.AddSubnet(p.Context(), network, hcloud.NetworkAddSubnetOpts{Subnet: hcloud.NetworkSubnet{
		Type: hcloud.NetworkSubnetTypeCloud, IPRange: part, NetworkZone: hcloud.NetworkZoneEUCentral,
	}})
	p.await(err, dividing)
	image, _, err := p.Image.GetByNameAndArchitecture(p.Context(), "ubuntu-24.04", hcloud.ArchitectureX86)
	p.await(err)
	return hcloud.ServerCreateOpts{
		Name: "web", ServerType: &hcloud.ServerType{Name: "cx23"}, Image: &hcloud.Image{ID: image.ID}, Location: &hcloud.Location{Name: "fsn1"},
		SSHKeys: []*hcloud.SSHKey{key}, UserData: "#cloud-config\n{}\n", Labels: map[string]string{"tier": "web"},
		Firewalls: []*hcloud.ServerCreateFirewall{{Firewall: *firewall.Firewall}}, PlacementGroup: group.PlacementGroup,
		PublicNet: &hcloud.ServerCreatePublicNet{EnableIPv4: true, EnableIPv6: true},
	}, network
}

// await ends the test on an error, and waits until the vendor has carried out what was asked for.
func (p hetznerProject) await(err error, actions ...*hcloud.Action) {
	p.Helper()
	if err == nil {
		err = p.Action.WaitFor(p.Context(), actions...)
	}
	if err != nil {
		p.Fatal(err)
	}
}
