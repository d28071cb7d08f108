// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import "strings"

// Right is a privilege that a token needs, on a path, for something.
type Right struct {
	Privilege string
	// Path is where the vendor looks for it, as the documentation writes it.
	Path string
	// For is what needs it, as the end of a sentence that begins with "is needed to".
	For string
}

// Rights are all that the driver needs (pve-access-control, and the checks of each call). A refusal that names one of them
// says what it is for, and the guide lists them.
var Rights = []Right{
	{"VM.Clone", "/vms/<template>", "clone a template"},
	{"VM.Audit", "/vms, or the pool and the templates", "see templates and machines"},
	{"VM.Allocate", "/vms, or the pool", "make and remove machines"},
	{"VM.Config.CPU", "/vms, or the pool", "set the number and the type of CPUs"},
	{"VM.Config.Memory", "/vms, or the pool", "set the memory"},
	{"VM.Config.Disk", "/vms, or the pool", "grow the boot disk"},
	{"VM.Config.Network", "/vms, or the pool", "have addresses by DHCP, set network devices, and keep them in a reinstall"},
	{"VM.Config.Cloudinit", "/vms, or the pool", "hand SSH keys, host name and network to cloud-init"},
	{"VM.Config.CDROM", "/vms, or the pool", "attach user data"},
	{"VM.Config.Options", "/vms, or the pool", "set name, description and tags, which say whose a machine is, its protection and its start with the node"},
	{"VM.PowerMgmt", "/vms, or the pool", "start and stop machines"},
	{"VM.GuestAgent.Audit", "/vms, or the pool (Proxmox VE 9)", "learn addresses from the guest agent"},
	{"VM.Monitor", "/vms, or the pool (Proxmox VE 8)", "learn addresses from the guest agent"},
	{"Datastore.AllocateSpace", "/storage/<disks>", "make disks on a storage"},
	{"Datastore.Audit", "/storage/<disks>, /storage/<ISO images>", "see storages"},
	{"Datastore.AllocateTemplate", "/storage/<ISO images>", "upload user data"},
	{"Datastore.Allocate", "/storage/<ISO images>", "remove user data with its machine"},
	{"SDN.Use", "/sdn/zones/localnetwork, or the bridge", "put network cards on a bridge"},
	{"Sys.Audit", "/nodes", "see how much room the nodes have"},
	{"Pool.Audit", "/pool/<pool>", "see the members of a pool"},
}

// purpose says what the privilege is for that a refusal names; empty where it names none that is known. A clone without
// the right to make machines is refused without a name.
func purpose(refused *answerError) string {
	for _, right := range Rights {
		named := strings.Contains(refused.text, ", "+right.Privilege+")") || strings.Contains(refused.text, ", "+right.Privilege+"|")
		if named || right.Privilege == "VM.Allocate" && strings.HasSuffix(refused.path, "/clone") && !strings.Contains(refused.text, "(") {
			return right.Privilege + " on " + right.Path + " is needed to " + right.For
		}
	}
	return ""
}
