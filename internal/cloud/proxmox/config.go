// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// vmConfig is a machine's config (GET /nodes/{node}/qemu/{vmid}/config): every value as text.
type vmConfig map[string]string

// UnmarshalJSON keeps what it does not know, and never fails on a value's form.
func (c *vmConfig) UnmarshalJSON(data []byte) error {
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*c = make(vmConfig, len(raw))
	for name, value := range raw {
		(*c)[name] = scalar(value)
	}
	return nil
}

// property answers one key of a property string such as "current=2048" or "local:vm-1-disk-0,size=8G". What stands there
// without a key is the value of the default key.
func property(text, key, defaultKey string) string {
	for part := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(part, "=")
		if !found {
			name, value = defaultKey, part
		}
		if name == key {
			return value
		}
	}
	return ""
}

func (c vmConfig) number(name string, standard int) int {
	value, err := strconv.Atoi(c[name])
	if err != nil {
		return standard
	}
	return value
}

// vcpu is what the guest sees: cores of each socket. What is no number of either is one.
func (c vmConfig) vcpu() int { return c.count("cores") * c.count("sockets") }

// count is a number of things of which a machine has at least one.
func (c vmConfig) count(name string) int {
	if value := c.number(name, 1); value >= 1 && value <= math.MaxInt16 {
		return value
	}
	return 1
}

// memoryMiB is 512 where the config has none (qemu-server, Memory.pm).
func (c vmConfig) memoryMiB() int {
	value, err := strconv.Atoi(property(c["memory"], "current", "current"))
	if err != nil || value < 0 {
		return 512
	}
	return value
}

// uuid tells one machine from another that has had the same VMID.
func (c vmConfig) uuid() string { return strings.ToLower(property(c["smbios1"], "uuid", "")) }

// agent says whether the guest agent is switched on. The vendor judges by the key's presence only.
func (c vmConfig) agent() bool { return c["agent"] != "" }

// template says whether it is one.
func (c vmConfig) template() bool { return c["template"] == "1" }

var (
	drivePattern = regexp.MustCompile(`^(ide|sata|scsi|virtio)\d+$`)
	nicPattern   = regexp.MustCompile(`^net(\d+)$`)
	macPattern   = regexp.MustCompile(`(?i)=((?:[0-9a-f]{2}:){5}[0-9a-f]{2})(?:,|$)`)
)

// drives answers the names of all drives that hold an image of the kind that the function takes, in order.
func (c vmConfig) drives(wanted func(value string) bool) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(c)) {
		if drivePattern.MatchString(name) && wanted(c[name]) {
			names = append(names, name)
		}
	}
	return names
}

// isCloudInit says whether a drive is the one that the vendor writes cloud-init's data on.
func isCloudInit(value string) bool {
	volume, _, _ := strings.Cut(value, ",")
	return strings.HasSuffix(volume, "-cloudinit") || strings.HasSuffix(volume, ":cloudinit") ||
		strings.Contains(volume, "-cloudinit.")
}

// sizeGiB answers the size of a drive; 0 where the config has none.
func (c vmConfig) sizeGiB(drive string) float64 { return gibibytes(property(c[drive], "size", "")) }

// gibibytes reads a size such as 32G, 512M or a number of bytes. What is no size is 0.
func gibibytes(text string) float64 {
	units := map[byte]float64{'K': 1.0 / (1 << 20), 'M': 1.0 / (1 << 10), 'G': 1, 'T': 1 << 10}
	unit := 1.0 / (1 << 30)
	if text != "" {
		if factor, known := units[text[len(text)-1]]; known {
			text, unit = text[:len(text)-1], factor
		}
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(value) || value < 0 || value*unit*1024 > math.MaxInt64 {
		return 0
	}
	return value * unit
}

// nic is a network card of the config.
type nic struct {
	index int
	mac   string
}

// nics answers the network cards, in order, with their hardware addresses in lower case.
func (c vmConfig) nics() []nic {
	var cards []nic
	for name, value := range c {
		found := nicPattern.FindStringSubmatch(name)
		mac := macPattern.FindStringSubmatch(value)
		if found == nil || mac == nil {
			continue
		}
		index, err := strconv.Atoi(found[1])
		if err == nil {
			cards = append(cards, nic{index: index, mac: strings.ToLower(mac[1])})
		}
	}
	slices.SortFunc(cards, func(a, b nic) int { return a.index - b.index })
	return cards
}

// freeIDE answers a drive name that nothing is attached to, for a CD-ROM.
func (c vmConfig) freeIDE() (string, error) {
	for _, name := range []string{"ide2", "ide0", "ide1", "ide3", "sata0", "sata1", "sata2", "sata3", "sata4", "sata5"} {
		if c[name] == "" {
			return name, nil
		}
	}
	return "", fmt.Errorf("there is no free drive for cloud-init's data: ide0 to ide3 and sata0 to sata5 are all in use")
}
