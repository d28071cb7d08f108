// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// apply writes an update: at once on a stopped machine; on a running one what cannot be plugged waits for the next
// start (qs QemuServer.pm, vmconfig_hotplug_pending).
func (c *call) apply(m *machine, change update) string {
	if c.api.machine(m.id) != m {
		return noConfig(m.node, strconv.Itoa(m.id))
	}
	for _, key := range change.revert {
		delete(m.pending, key)
		delete(m.dropped, key)
	}
	guarded := m.config["protection"] == "1" // also where the same request takes the protection off
	for _, key := range change.remove {
		if problem := m.keeps(key); guarded && problem != "" {
			return problem
		}
		c.drop(m, key)
	}
	for _, key := range sortedKeys(change.set) {
		value, problem := c.stored(m, key, change.set[key])
		if problem != "" {
			return problem
		}
		c.put(m, key, value)
	}
	return ""
}

// keeps says why a protected machine keeps a drive, "" if it lets go of the key (qs API2/Qemu.pm, update_vm_api).
func (m *machine) keeps(key string) string {
	value, had := m.merged()[key]
	switch {
	case !isDrive(key) || !had:
		return ""
	case family(key) == "unused":
		return fmt.Sprintf("can't remove unused disk '%s' - protection mode enabled", value)
	}
	return fmt.Sprintf("can't remove drive '%s' - protection mode enabled", key)
}

// put stores one key.
func (c *call) put(m *machine, key, value string) {
	delete(m.dropped, key)
	if problem := c.api.plugProblem(m, key, value); m.running && c.plugs(m, key, value) && problem != "" {
		m.pending[key] = value
		c.unplugged = map[string]string{key: problem + "\n"}
		return
	}
	if m.running && !c.plugs(m, key, value) {
		if m.config[key] == value {
			delete(m.pending, key)
			return
		}
		m.pending[key] = value
		return
	}
	delete(m.pending, key)
	if old, had := m.config[key]; had && isDrive(key) {
		c.api.detach(m, key, old, value)
	}
	if value == "" {
		delete(m.config, key)
		return
	}
	m.config[key] = value
}

// plugs says whether a change holds at once on a running machine: what needs no new device, NICs where they are plugged,
// and another medium in a CD-ROM drive that is there.
func (c *call) plugs(m *machine, key, value string) bool {
	return isFast(key) || family(key) == "net" && m.hotplugs("network") ||
		isDrive(key) && isCDROM(value) && isCDROM(m.config[key])
}

func (c *call) drop(m *machine, key string) {
	delete(m.pending, key)
	old, had := m.config[key]
	if !had {
		return
	}
	if m.running && !c.plugs(m, key, "") {
		m.dropped[key] = ""
		return
	}
	delete(m.config, key)
	if isDrive(key) {
		c.api.detach(m, key, old, "")
	}
}

// applyPending is what a start does first.
func (a *API) applyPending(m *machine) {
	for key := range m.dropped {
		old := m.config[key]
		delete(m.config, key)
		if isDrive(key) {
			a.detach(m, key, old, "")
		}
	}
	for key, value := range m.pending {
		if old, had := m.config[key]; had && isDrive(key) {
			a.detach(m, key, old, value)
		}
		m.config[key] = value
	}
	m.pending, m.dropped = values{}, values{}
}

// detach lets go of a drive's volume: a cloud-init drive and an unused disk are freed, another disk becomes unused, a
// medium stays where it is (qs API2/Qemu.pm, vmconfig_delete_or_detach_drive).
func (a *API) detach(m *machine, key, old, next string) {
	volid, now := properties(old)[""]+properties(old)["file"], properties(next)[""]+properties(next)["file"]
	v := a.volume(m.node, volid)
	if v == nil || volid == now || v.owner != m.id {
		return
	}
	if strings.Contains(volid, "cloudinit") || family(key) == "unused" {
		a.removeVolume(v)
		return
	}
	for n := range 256 {
		unused := fmt.Sprintf("unused%d", n)
		if !m.config.has(unused) {
			m.config[unused] = volid
			return
		}
	}
}

// stored is how a value is kept: tags sorted and lower-cased, descriptions without trailing blanks, NICs with an address,
// new volumes made.
func (c *call) stored(m *machine, key, value string) (kept, problem string) {
	switch {
	case key == "tags":
		return uniqueTags(value), ""
	case key == "description":
		return strings.TrimRight(value, " \t\r\n"), ""
	case family(key) == "net":
		return withAddress(value), ""
	case isDrive(key):
		return c.storedDrive(m, value)
	}
	return value, ""
}

// uniqueTags: gc GuestHelpers.pm, get_unique_tags, with the datacenter's defaults.
func uniqueTags(value string) string {
	tags := (values{"": strings.ToLower(value)}).list("")
	slices.Sort(tags)
	return strings.Join(slices.Compact(tags), ";")
}

// withAddress gives a NIC that has none a MAC address: "virtio,bridge=vmbr0" becomes "virtio=BC:24:11:..,bridge=vmbr0".
func withAddress(value string) string {
	model, rest, _ := strings.Cut(value, ",")
	if model != "" && !strings.Contains(model, "=") {
		model += "=" + newMAC()
	}
	if strings.HasPrefix(model, "model=") {
		model = strings.TrimPrefix(model, "model=") + "=" + newMAC()
	}
	if address, given := properties(rest)["macaddr"]; given {
		name, _, _ := strings.Cut(model, "=")
		model, rest = name+"="+strings.ToUpper(address), withoutProperty(rest, "macaddr")
	}
	if rest == "" {
		return model
	}
	return model + "," + rest
}

func withoutProperty(value, name string) string {
	parts := strings.Split(value, ",")
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return strings.HasPrefix(p, name+"=") }), ",")
}

// newMAC is an address with Proxmox's own prefix.
func newMAC() string {
	digits := core.RandomText("0123456789ABCDEF", 6)
	return "BC:24:11:" + digits[:2] + ":" + digits[2:4] + ":" + digits[4:]
}

// storedDrive makes the volume that a drive asks for, and notes its size.
func (c *call) storedDrive(m *machine, value string) (kept, problem string) {
	first, rest, _ := strings.Cut(value, ",")
	first = strings.TrimPrefix(first, "file=")
	name, wanted, _ := strings.Cut(first, ":")
	s := c.api.storage(name)
	if s == nil || !isNewVolume(wanted) {
		return c.sized(m, first, rest), ""
	}
	if wanted == "cloudinit" {
		v := c.api.newVolume(s, m, "cloudinit", 4*mib)
		return v.id() + ",media=cdrom", ""
	}
	size, _ := strconv.ParseFloat(wanted, 64) // isNewVolume has seen a number
	v := c.api.newVolume(s, m, "disk", int64(size*gib))
	return c.sized(m, v.id(), rest), ""
}

// sized adds the size of a volume to its drive.
func (c *call) sized(m *machine, volid, rest string) string {
	rest = withoutProperty(rest, "size")
	drive := strings.TrimSuffix(volid+","+rest, ",")
	if v := c.api.volume(m.node, volid); v != nil {
		drive += ",size=" + sizeText(v.size)
	}
	return drive
}

func isCDROM(drive string) bool { return strings.Contains(drive, "media=cdrom") }

// volumeOf is the volume of a drive, nil without one.
func (a *API) volumeOf(n *node, drive string) *volume {
	parts := properties(drive)
	return a.volume(n, parts[""]+parts["file"])
}

// disks are the keys of the drives that hold volumes of the machine's own, in the vendor's order.
func (a *API) disks(m *machine) []string {
	var keys []string
	for _, bus := range []string{"ide", "sata", "scsi", "virtio", "efidisk", "tpmstate", "unused"} {
		for _, key := range sortedKeys(m.config) {
			if v := a.volumeOf(m.node, m.config[key]); family(key) == bus && isDrive(key) && v != nil && v.content == "images" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// bootSize is the size of the disk that the machine boots from, in bytes.
func (a *API) bootSize(m *machine) int64 {
	boot := strings.TrimPrefix(properties(m.config["boot"])["order"], "order=")
	first, _, _ := strings.Cut(boot, ";")
	for _, key := range append([]string{first}, a.disks(m)...) {
		if v := a.volumeOf(m.node, m.config[key]); v != nil && !isCDROM(m.config[key]) {
			return v.size
		}
	}
	return 0
}

func cloneValues(v values) values {
	if v == nil {
		return values{}
	}
	return maps.Clone(v)
}
