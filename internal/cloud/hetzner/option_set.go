// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strconv"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// SetOption looks at the server as it is now and sends the next action.
func (c *cloud) SetOption(ctx context.Context, machine driver.Machine, setting driver.Setting) ([]driver.Operation, error) {
	server, err := c.server(ctx, machine.ID)
	if err != nil {
		return nil, err
	}
	var actions []*hcloud.Action
	switch setting.Name {
	case driver.OptionNetwork, optionNetworkIP:
		actions, err = c.setNetwork(ctx, server, setting)
	case optionFirewalls:
		actions, err = c.setFirewalls(ctx, server, setting)
	case optionGroup:
		actions, err = c.setGroup(ctx, server, setting)
	case driver.OptionBackups:
		actions, err = c.setBackups(ctx, server, setting.Value == true)
	case driver.OptionReverseDNS:
		actions, err = c.setReverse(ctx, server, setting)
	case driver.OptionDeleteProtection:
		actions, err = c.setProtection(ctx, server, setting.Value == true)
	}
	return operationsOf(machine.ID, actions...), err
}

// one answers the action of a request that starts one.
func (c *cloud) one(action *hcloud.Action, response *hcloud.Response, err error) ([]*hcloud.Action, error) {
	if err != nil {
		return nil, c.failed(response, err)
	}
	return []*hcloud.Action{action}, nil
}

// setNetwork takes the server out of the network that it is to leave, or where it has another address than it is to have,
// and puts it in then.
func (c *cloud) setNetwork(ctx context.Context, server *hcloud.Server, setting driver.Setting) ([]*hcloud.Action, error) {
	wanted, ip := setting.All.String(driver.OptionNetwork), setting.All.String(optionNetworkIP)
	before, _ := setting.Before.(string)
	if setting.Name == optionNetworkIP {
		before = ""
	}
	for _, private := range server.PrivateNet {
		id := strconv.FormatInt(private.Network.ID, 10)
		own := id == wanted
		leaves := wanted == "" || id == before && !own || own && ip != "" && private.IP.String() != ip
		if leaves {
			return c.one(c.client.Server.DetachFromNetwork(ctx, server, hcloud.ServerDetachFromNetworkOpts{Network: private.Network}))
		}
		if own {
			return nil, nil
		}
	}
	if wanted == "" {
		return nil, nil
	}
	id, err := parseID(wanted)
	if err != nil {
		return nil, err
	}
	return c.one(c.client.Server.AttachToNetwork(ctx, server, hcloud.ServerAttachToNetworkOpts{Network: &hcloud.Network{ID: id}, IP: net.ParseIP(ip)}))
}

// setFirewalls puts the server behind what is missing, then takes it off what is too much, one firewall at a time.
func (c *cloud) setFirewalls(ctx context.Context, server *hcloud.Server, setting driver.Setting) ([]*hcloud.Action, error) {
	wanted, _ := setting.Value.([]string)
	resource := []hcloud.FirewallResource{{Type: hcloud.FirewallResourceTypeServer, Server: &hcloud.FirewallResourceServer{ID: server.ID}}}
	var shown []string
	for _, status := range server.PublicNet.Firewalls {
		shown = append(shown, strconv.FormatInt(status.Firewall.ID, 10))
	}
	for _, text := range wanted {
		if slices.Contains(shown, text) {
			continue
		}
		id, err := parseID(text)
		if err != nil {
			return nil, err
		}
		actions, response, err := c.client.Firewall.ApplyResources(ctx, &hcloud.Firewall{ID: id}, resource)
		return actions, c.failed(response, err)
	}
	for _, status := range server.PublicNet.Firewalls {
		if !slices.Contains(wanted, strconv.FormatInt(status.Firewall.ID, 10)) {
			actions, response, err := c.client.Firewall.RemoveResources(ctx, &status.Firewall, resource)
			return actions, c.failed(response, err)
		}
	}
	return nil, nil
}

func (c *cloud) setGroup(ctx context.Context, server *hcloud.Server, setting driver.Setting) ([]*hcloud.Action, error) {
	wanted, _ := setting.Value.(string)
	switch group := server.PlacementGroup; {
	case group != nil && strconv.FormatInt(group.ID, 10) == wanted, group == nil && wanted == "":
		return nil, nil
	case group != nil:
		return c.one(c.client.Server.RemoveFromPlacementGroup(ctx, server))
	}
	id, err := parseID(wanted)
	if err != nil {
		return nil, err
	}
	return c.one(c.client.Server.AddToPlacementGroup(ctx, server, &hcloud.PlacementGroup{ID: id}))
}

func (c *cloud) setBackups(ctx context.Context, server *hcloud.Server, wanted bool) ([]*hcloud.Action, error) {
	switch {
	case wanted == (server.BackupWindow != ""):
		return nil, nil
	case wanted:
		return c.one(c.client.Server.EnableBackup(ctx, server, ""))
	}
	return c.one(c.client.Server.DisableBackup(ctx, server))
}

// setReverse sets the name of one address at a time.
func (c *cloud) setReverse(ctx context.Context, server *hcloud.Server, setting driver.Setting) ([]*hcloud.Action, error) {
	wanted, _ := setting.Value.(string)
	for _, host := range reverseHosts(server) {
		if host.name == wanted || wanted == "" && isVendorsName(host.name) {
			continue
		}
		var name *string
		if wanted != "" {
			name = &wanted
		}
		return c.one(c.client.Server.ChangeDNSPtr(ctx, server, host.ip, name))
	}
	return nil, nil
}

func (c *cloud) setProtection(ctx context.Context, server *hcloud.Server, wanted bool) ([]*hcloud.Action, error) {
	if server.Protection.Delete == wanted && server.Protection.Rebuild == wanted {
		return nil, nil
	}
	return c.one(c.client.Server.ChangeProtection(ctx, server, hcloud.ServerChangeProtectionOpts{Delete: &wanted, Rebuild: &wanted}))
}

// Objects answers what an option may name.
func (c *cloud) Objects(ctx context.Context, option, region string) ([]driver.Object, error) {
	switch option {
	case driver.OptionNetwork:
		return c.networkObjects(ctx, region)
	case optionFirewalls:
		firewalls, err := c.firewalls(ctx)
		return objectsOf(firewalls, func(own *hcloud.Firewall) (int64, string) { return own.ID, own.Name }), err
	case optionGroup:
		groups, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.PlacementGroup, *hcloud.Response, error) {
			return c.client.PlacementGroup.List(ctx, hcloud.PlacementGroupListOpts{ListOpts: page})
		}, func(group *hcloud.PlacementGroup) int64 { return group.ID })
		return objectsOf(groups, func(own *hcloud.PlacementGroup) (int64, string) { return own.ID, own.Name }), err
	case optionKeys:
		keys, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.SSHKey, *hcloud.Response, error) {
			return c.client.SSHKey.List(ctx, hcloud.SSHKeyListOpts{ListOpts: page})
		}, func(key *hcloud.SSHKey) int64 { return key.ID })
		return objectsOf(keys, func(own *hcloud.SSHKey) (int64, string) { return own.ID, own.Name }), err
	}
	return nil, fmt.Errorf("option %s names no object of Hetzner Cloud", option)
}

func objectsOf[T any](all []*T, of func(*T) (int64, string)) []driver.Object {
	objects := make([]driver.Object, len(all))
	for i, one := range all {
		id, name := of(one)
		objects[i] = driver.Object{ID: strconv.FormatInt(id, 10), Name: name}
	}
	return objects
}
