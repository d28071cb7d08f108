// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"regexp"
	"slices"
	"strings"
)

// configParams are the keys of a machine's configuration (qs QemuServer.pm, confdesc).
var configParams = slices.Concat(integerKeys(), booleanKeys(), textKeys(), checkedKeys(), familyKeys())

func integerKeys() []param {
	const most = 1 << 40
	return []param{
		number("cores", 1, most), number("sockets", 1, most), number("vcpus", 1, most), number("balloon", 0, most),
		number("cpuunits", 1, 262144), number("shares", 0, 50000),
	}
}

func booleanKeys() []param {
	var keys []param
	for _, name := range []string{
		"onboot", "template", "protection", "numa", "acpi", "kvm", "tablet", "localtime", "freeze", "reboot", "autostart",
		"ciupgrade", "tdf", "keephugepages", "allow-ksm",
	} {
		keys = append(keys, flag(name))
	}
	return keys
}

func textKeys() []param {
	var keys []param
	for _, name := range []string{
		"args", "memory", "boot", "bootdisk", "machine", "vga", "agent", "affinity", "startup", "startdate", "hotplug",
		"keyboard", "hookscript", "smbios1", "vmgenid", "meta", "watchdog", "rng0", "audio0", "spice_enhancements", "arch",
		"hugepages", "ivshmem", "amd-sev", "intel-tdx", "vmstatestorage", "ciuser", "cipassword", "cicustom", "nameserver",
		"searchdomain", "runningmachine", "efidisk0", "tpmstate0", "cdrom", "cpulimit", "migrate_speed", "migrate_downtime",
	} {
		keys = append(keys, text(name))
	}
	return keys
}

func checkedKeys() []param {
	description := text("description")
	description.long = 8192
	return []param{
		description, formatted("name", dnsName), formatted("cpu", cpuConfig), formatted("tags", tagList), formatted("sshkeys", urlEncoded),
		choice("bios", "seabios", "ovmf"), choice("citype", "configdrive2", "nocloud", "opennebula"),
		choice("scsihw", "lsi", "lsi53c810", "virtio-scsi-pci", "virtio-scsi-single", "megasas", "pvscsi"),
		choice("ostype", "other", "wxp", "w2k", "w2k3", "w2k8", "wvista", "win7", "win8", "win10", "win11", "l24", "l26", "solaris"),
		choice("lock", "backup", "clone", "create", "migrate", "rollback", "snapshot", "snapshot-delete", "suspended", "suspending"),
	}
}

func familyKeys() []param {
	var keys []param
	for _, form := range []string{
		`^ide[0-3]$`, `^sata[0-5]$`, `^scsi([0-9]|[12][0-9]|30)$`, `^virtio([0-9]|1[0-5])$`,
		`^serial[0-3]$`, `^usb([0-9]|1[0-4])$`, `^hostpci([0-9]|1[0-5])$`, `^parallel[0-2]$`, `^numa[0-7]$`, `^unused\d{1,3}$`,
		`^virtiofs[0-9]$`,
	} {
		keys = append(keys, param{names: regexp.MustCompile(form), kind: "string"})
	}
	keys = append(keys, param{names: regexp.MustCompile(`^net([0-9]|[12][0-9]|3[01])$`), kind: "string", format: nic})
	return append(keys, param{names: regexp.MustCompile(`^ipconfig([0-9]|[12][0-9]|3[01])$`), kind: "string", format: ipConfig})
}

// configParam is the parameter of a key, the zero param for an unknown one.
func configParam(key string) param {
	for _, p := range configParams {
		if p.means(key) {
			return p
		}
	}
	return param{}
}

// family is a key's name without its number: scsi for scsi0.
func family(key string) string { return strings.TrimRight(key, "0123456789") }

func isDrive(key string) bool {
	return slices.Contains([]string{"ide", "sata", "scsi", "virtio", "efidisk", "tpmstate", "unused"}, family(key)) && key != family(key)
}

// isCloudInit says whether a key is one that the cloud-init drive is made from (qs QemuServer.pm, confdesc_cloudinit).
func isCloudInit(key string) bool {
	return slices.Contains([]string{
		"ciuser", "cipassword", "citype", "cicustom", "ciupgrade", "sshkeys", "nameserver", "searchdomain",
	}, key) || family(key) == "ipconfig"
}

// isFast says whether a change of a key holds at once on a running machine: the keys that need no device (qs
// QemuServer.pm, fast_plug_option), the cloud-init keys, and disks, which default to hot-plugging.
func isFast(key string) bool {
	return slices.Contains([]string{
		"name", "description", "tags", "onboot", "protection", "startup", "hookscript", "shares", "lock", "vmstatestorage",
		"boot", "agent", "template",
	}, key) || isCloudInit(key) || slices.Contains([]string{"scsi", "virtio", "unused"}, family(key))
}

// keyRights are the privileges of which one is needed to change a key; none: only root, not even a token of root's, may
// (qs API2/Qemu.pm, check_vm_modify_config_perm).
func keyRights(key, value string) []string {
	switch {
	case slices.Contains([]string{"cores", "sockets", "cpu", "vcpus", "cpulimit", "cpuunits", "numa", "affinity"}, key) || family(key) == "numa":
		return []string{"VM.Config.CPU"}
	case slices.Contains([]string{"memory", "balloon", "shares", "hugepages", "keephugepages", "allow-ksm"}, key):
		return []string{"VM.Config.Memory"}
	case isCloudInit(key):
		return []string{"VM.Config.Network", "VM.Config.Cloudinit"}
	case family(key) == "net":
		return []string{"VM.Config.Network"}
	case isDrive(key) && (strings.Contains(value, "media=cdrom") || strings.HasSuffix(value, ":cloudinit")):
		return []string{"VM.Config.CDROM"}
	case isDrive(key) || key == "boot" || key == "bootdisk" || key == "vmstatestorage":
		return []string{"VM.Config.Disk"}
	case key == "args" || key == "lock" || key == "hookscript" && value != "":
		return nil
	case slices.Contains([]string{"bios", "machine", "scsihw", "vga", "tablet", "watchdog", "rng0", "audio0", "keyboard", "smbios1"}, key),
		slices.Contains([]string{"serial", "usb", "hostpci", "parallel", "virtiofs"}, family(key)):
		return []string{"VM.Config.HWType"}
	}
	return []string{"VM.Config.Options"}
}
