// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// options puts what is written into a change of a config, as far as it is not there.
func (c *change) options(config vmConfig, wanted manifest.Values) {
	for _, option := range options() {
		if value, written := wanted[option.Name]; written {
			c.option(config, option.Name, value)
		}
	}
}

// option puts one option into a change, after those that are in it already.
func (c *change) option(config vmConfig, name string, value any) {
	text, _ := value.(string)
	tag, _ := value.(int64)
	first := config["net0"]
	if set := c.set.Get("net0"); set != "" {
		first = set
	}
	switch name {
	case driver.OptionNetwork:
		bridge, vlan := splitNetwork(text)
		c.device(config, "net0", first, bridge, vlan)
	case optionBridge:
		vlan, err := strconv.ParseInt(property(first, "tag", ""), 10, 64)
		if err != nil {
			vlan = 0
		}
		c.device(config, "net0", first, text, vlan)
	case optionVLAN:
		c.device(config, "net0", first, property(first, "bridge", ""), tag)
	case optionDevices:
		devices, _ := value.([]string)
		c.devices(config, devices)
	case optionCPUType:
		c.cpuType(config, text)
	case optionOnBoot:
		c.flag(config, "onboot", value == true)
	case optionProtection, driver.OptionDeleteProtection:
		c.flag(config, "protection", value == true)
	}
}

// device moves a network device, current, to a bridge and a VLAN. One that is new gets its addresses by DHCP.
func (c *change) device(config vmConfig, name, current, bridge string, vlan int64) {
	wanted := withNetwork(current, bridge, vlan)
	if networkOf(wanted) == networkOf(current) {
		return
	}
	c.set.Set(name, wanted)
	if ip := "ipconfig" + strings.TrimPrefix(name, "net"); current == "" && config[ip] == "" {
		c.set.Set(ip, dhcp)
	}
}

// dhcp is the IP configuration of every network device.
const dhcp = "ip=dhcp,ip6=auto"

// devices moves the further network devices, adds those that are missing and removes the rest.
func (c *change) devices(config vmConfig, wanted []string) {
	own := config.furtherDevices()
	for i, text := range wanted {
		name := "net" + strconv.Itoa(i+1)
		if i < len(own) {
			name = own[i]
		}
		bridge, vlan := splitNetwork(text)
		c.device(config, name, config[name], bridge, vlan)
	}
	for _, name := range own[min(len(wanted), len(own)):] {
		c.remove(name)
	}
}

func (c *change) cpuType(config vmConfig, kind string) {
	if cpuTypeOf(config) == kind {
		return
	}
	parts := []string{kind}
	for part := range strings.SplitSeq(config["cpu"], ",") {
		if name, _, named := strings.Cut(part, "="); named && name != "cputype" {
			parts = append(parts, part)
		}
	}
	c.set.Set("cpu", strings.Join(parts, ","))
}

// flag sets a switch that is off where the config does not have it.
func (c *change) flag(config vmConfig, name string, on bool) {
	switch {
	case config[name] == "1" && !on:
		c.remove(name)
	case config[name] != "1" && on:
		c.set.Set(name, "1")
		c.removed = slices.DeleteFunc(c.removed, func(other string) bool { return other == name })
	}
}

func (c *change) none() bool { return len(c.set) == 0 && len(c.removed) == 0 }

// SetOption changes the config at once: no task is left to wait for. A device that could not be plugged into a running
// machine is taken back, which the vendor would keep for the next start.
func (c *cloud) SetOption(ctx context.Context, machine driver.Machine, setting driver.Setting) ([]driver.Operation, error) {
	found, err := c.changeable(ctx, machine.ID)
	if err != nil {
		return nil, err
	}
	if err := checkOwner(found, machine.Marks); err != nil {
		return nil, err
	}
	if setting.Name == optionNode {
		return nil, &failure.Input{Field: optionNode, Message: "Proxmox VE is not asked to migrate a machine that is there"}
	}
	change := change{set: url.Values{}}
	change.option(found.config, setting.Name, setting.Value)
	if change.none() {
		return nil, nil
	}
	path := vmPath(found.node, found.vmid, "/config")
	err = c.client.put(ctx, path, change.form(found), nil)
	if answer, ok := errors.AsType[*answerError](err); ok && answer.unplugged() {
		revert := url.Values{"revert": {strings.Join(slices.Collect(keysOf(change.set)), ",")}}
		return nil, errors.Join(err, c.client.put(ctx, path, revert, nil))
	}
	return nil, err
}

// unplugged says whether a device could not be plugged into a running machine.
func (e *answerError) unplugged() bool {
	for _, text := range e.errors {
		if strings.Contains(text, hotplugProblem) {
			return true
		}
	}
	return e.says(hotplugProblem)
}

// hotplugProblem begins what the vendor says of a device that cannot be plugged (qemu-server, QemuServer.pm,
// vmconfig_hotplug_pending).
const hotplugProblem = "hotplug problem"

// Objects answers what an option may name: nodes, CPU types, or bridges and VNets.
func (c *cloud) Objects(ctx context.Context, option, _ string) ([]driver.Object, error) {
	switch option {
	case optionNode:
		return c.nodeObjects(ctx)
	case optionCPUType:
		return c.cpuTypes(ctx)
	}
	return c.bridgeObjects(ctx)
}

func (c *cloud) nodeObjects(ctx context.Context) ([]driver.Object, error) {
	nodes, err := c.nodes(ctx)
	objects := make([]driver.Object, len(nodes))
	for i, node := range nodes {
		objects[i] = driver.Object{ID: node.Name, Name: node.Name}
		if node.Status != nodeOnline {
			objects[i].Unfit = "is " + node.Status + " now"
		}
	}
	return objects, err
}

// cpuTypes answers the types that the nodes know (qemu-server, API2/Qemu/CPU.pm).
func (c *cloud) cpuTypes(ctx context.Context) ([]driver.Object, error) {
	names, err := c.nodesToAsk(ctx)
	if err != nil {
		return nil, err
	}
	var types []struct {
		Name string `json:"name"`
	}
	for _, node := range names {
		err = c.client.get(ctx, "/nodes/"+url.PathEscape(node)+"/capabilities/qemu/cpu", nil, &types)
		if answer, ok := errors.AsType[*answerError](err); !ok || !unreachable(answer.status) {
			break
		}
	}
	objects := make([]driver.Object, len(types))
	for i, own := range types {
		objects[i] = driver.Object{ID: own.Name, Name: own.Name}
	}
	return objects, err
}

// nodesToAsk are the nodes that machines may be on: the account's, else all that are online.
func (c *cloud) nodesToAsk(ctx context.Context) ([]string, error) {
	if c.node != "" {
		return []string{c.node}, nil
	}
	nodes, err := c.nodes(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, node := range nodes {
		if node.Status == nodeOnline {
			names = append(names, node.Name)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no node of %s is online", c.host)
	}
	return names, nil
}
