// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

var _ driver.Ready = (*cloud)(nil)

// CheckReady answers what a clone of the template would be refused for: a storage that is not there or not where it is
// needed, and rights that the token lacks.
func (c *cloud) CheckReady(ctx context.Context, spec driver.Spec) []error {
	template, err := c.template(ctx, spec.ImageID)
	if err != nil {
		return []error{err}
	}
	var faults []error
	if c.storage != "" {
		faults = appendFault(faults, c.checkStorage(ctx, template))
	} else if c.node != "" && c.node != template.Node {
		faults = appendFault(faults, c.checkShared(ctx, template))
	}
	return appendFault(faults, c.checkRights(ctx, spec, template))
}

func appendFault(faults []error, err error) []error {
	if err == nil {
		return faults
	}
	return append(faults, err)
}

// checkNode refuses a node that is not in the cluster; one that is down has no room.
func (c *cloud) checkNode(nodes []node) error {
	var names []string
	for _, node := range nodes {
		names = append(names, node.Name)
	}
	if c.node == "" || slices.Contains(names, c.node) {
		return nil
	}
	slices.Sort(names)
	return &failure.Input{Field: "provider_account", Message: fmt.Sprintf("the account's node %q is not in the cluster", c.node),
		Next: "Name one of its nodes as the account's node: " + strings.Join(names, ", ") + ". Or leave node out: machines are made where their template is then."}
}

// stock answers everything in the cluster that the token may see, read once: templates and storages do not come and go
// within a command.
func (c *cloud) stock(ctx context.Context) ([]row, error) {
	return c.kept.stock.Get(ctx, func(ctx context.Context) ([]row, error) {
		var found []row
		err := c.client.get(ctx, "/cluster/resources", nil, &found)
		return found, err
	})
}

// places answers the storages on each node.
func (c *cloud) places(ctx context.Context) ([]row, error) {
	all, err := c.stock(ctx)
	return slices.DeleteFunc(slices.Clone(all), func(one row) bool { return one.Type != typeStorage }), err
}

func (r row) takesDisks() bool { return slices.Contains(strings.Split(r.Content, ","), "images") }

// checkStorage refuses a storage for disks that the machine's node has not, that takes none, or that a clone to another
// node cannot reach (qemu-server, API2/Qemu.pm, clone_vm).
func (c *cloud) checkStorage(ctx context.Context, template row) error {
	all, err := c.places(ctx)
	if err != nil {
		return err
	}
	node := c.nodeFor(template)
	own := slices.DeleteFunc(slices.Clone(all), func(p row) bool { return p.Node != node || !p.takesDisks() })
	at := slices.IndexFunc(own, func(p row) bool { return p.Storage == c.storage })
	switch {
	case at < 0:
		return c.noStorage(fmt.Sprintf("node %s has no storage %q that takes disks (content images) and that the token may see", node, c.storage), own)
	case node != template.Node && own[at].Shared == 0:
		shared := slices.DeleteFunc(own, func(p row) bool { return p.Shared == 0 })
		return c.noStorage(fmt.Sprintf("the template %s is on node %s: a clone to node %s needs a shared storage, and %s is not", template.Name, template.Node, node, c.storage), shared)
	}
	return nil
}

func (c *cloud) noStorage(message string, choices []row) error {
	names := []string{}
	for _, choice := range choices {
		names = append(names, choice.Storage)
	}
	slices.Sort(names)
	if len(names) == 0 {
		names = []string{"none"}
	}
	return &failure.Input{
		Field: "provider_account", Message: message,
		Next: "Change the account's storage. It could be: " + strings.Join(slices.Compact(names), ", ") + ".",
	}
}

// checkShared refuses a clone to another node of a template whose disks only its own node has.
func (c *cloud) checkShared(ctx context.Context, template row) error {
	all, err := c.places(ctx)
	if err != nil {
		return err
	}
	found, err := c.readConfig(ctx, template.Node, template.VMID.int())
	if err != nil {
		return err
	}
	for _, drive := range found.config.drives(func(value string) bool { return strings.Contains(value, ":") }) {
		storage, _, _ := strings.Cut(found.config[drive], ":")
		if slices.ContainsFunc(all, func(p row) bool { return p.Storage == storage && p.Shared == 0 }) {
			return &failure.Input{Field: "provider_account", Message: fmt.Sprintf(
				"the template %s is on node %s with its %s on the storage %s, which is not shared: it cannot be cloned to the account's node %s",
				template.Name, template.Node, drive, storage, c.node),
				Next: "Leave the account's node out, choose a template on it, or set a shared storage."}
		}
	}
	return nil
}
