// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// configure gives a fresh clone its size, its cloud-init options and our tag, in one change with everything that marks it
// as finished: a clone that was cut off before shows that it was.
func (c *cloud) configure(
	ctx context.Context, spec driver.Spec, found vm, offer size, seed userData, again *reinstall,
) ([]driver.Operation, error) {
	if first := guarded(found.config); first.removed != nil && len(found.config.drives(isCloudInit)) > 1 {
		return c.apply(ctx, found, first)
	}
	change := guarded(found.config)
	change.size(found.config, offer)
	if err := c.cloudInit(&change, spec, found, seed); err != nil {
		return nil, err
	}
	own := found.record()
	own.unfinished = false
	labels := maps.Clone(spec.Labels)
	if again != nil {
		own.other, labels = again.record.other, again.labels
		for name, value := range again.kept {
			change.set.Set(name, value)
		}
	}
	change.options(again.over(found).config, spec.Options)
	change.set.Set("description", own.String())
	change.set.Set("tags", joinTags(labels, true))
	operations, err := c.apply(ctx, found, change)
	if err == nil {
		c.memory.setReinstall(found.vmid, nil)
	}
	return operations, err
}

// guarded begins the change of a fresh clone. It inherits its template's protection, which would keep it from ever being
// removed, and keeps its drives from being taken off in the same request.
func guarded(config vmConfig) change {
	begun := change{set: url.Values{}}
	if config["protection"] == "1" {
		begun.remove("protection")
	}
	return begun
}

// change is what is to be set in a machine's config and what is to be removed from it.
type change struct {
	set     url.Values
	removed []string
}

func (c *change) remove(name string) {
	if !slices.Contains(c.removed, name) {
		c.removed = append(c.removed, name)
	}
}

// form is the change as a request takes it; it is refused when somebody has changed the config since it was read.
func (c *change) form(found vm) url.Values {
	form := maps.Clone(c.set)
	if len(c.removed) > 0 {
		form.Set("delete", strings.Join(c.removed, ","))
	}
	form.Set("digest", found.config["digest"])
	return form
}

// size sets CPUs and memory. A template's balloon must not be larger than the memory.
func (c *change) size(config vmConfig, offer size) {
	c.set.Set("cores", strconv.Itoa(offer.vcpu))
	c.set.Set("sockets", "1")
	c.set.Set("memory", strconv.Itoa(offer.memoryMiB))
	if config.number("balloon", 0) > offer.memoryMiB {
		c.set.Set("balloon", strconv.Itoa(offer.memoryMiB))
	}
	if config["vcpus"] != "" {
		c.remove("vcpus")
	}
}

// cloudInit sets name, keys and DHCP by the vendor's own options. User data comes as a volume that takes the place of the
// vendor's: of two volumes with one label a guest would read either.
func (c *cloud) cloudInit(change *change, spec driver.Spec, found vm, seed userData) error {
	drives := found.config.drives(isCloudInit)
	change.set.Set("name", spec.Name)
	if len(found.config.nics()) > 0 {
		change.set.Set("ipconfig0", dhcp)
	}
	if len(spec.SSHAuthorizedKeys) > 0 {
		change.set.Set("sshkeys", encodeKeys(spec.SSHAuthorizedKeys))
	}
	if seed.volume != "" {
		return change.attachSeed(found.config, drives, seed.volume)
	}
	if seed.custom != "" {
		change.set.Set("cicustom", seed.custom)
	}
	if len(drives) > 0 || seed.custom == "" && len(spec.SSHAuthorizedKeys) == 0 {
		return nil
	}
	drive, err := found.config.freeIDE()
	storage, _, _ := strings.Cut(found.config[c.disk], ":")
	change.set.Set(drive, storage+":cloudinit")
	return err
}

// attachSeed puts the volume in the place of the vendor's cloud-init drive.
func (c *change) attachSeed(config vmConfig, drives []string, volume string) error {
	if config["cicustom"] != "" {
		c.remove("cicustom")
	}
	if len(drives) == 0 {
		drive, err := config.freeIDE()
		if err != nil {
			return err
		}
		drives = []string{drive}
	}
	c.set.Set(drives[0], volume+",media=cdrom")
	for _, other := range drives[1:] {
		c.remove(other)
	}
	return nil
}

// encodeKeys is the form that the option takes: percent-encoded once, besides the encoding of the request (pve-common,
// JSONSchema.pm, format urlencoded; a + for a blank is refused).
func encodeKeys(keys []string) string {
	return strings.ReplaceAll(url.QueryEscape(strings.Join(keys, "\n")+"\n"), "+", "%20")
}

// apply sends a change as a task, since a drive may take its time.
func (c *cloud) apply(ctx context.Context, found vm, change change) ([]driver.Operation, error) {
	var upid string
	err := c.client.post(ctx, vmPath(found.node, found.vmid, "/config"), change.form(found), &upid)
	return operationsOf(upid, found.vmid), err
}
