// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package proxmox emulates the API of a Proxmox VE cluster of three nodes, as qemu-server 9.2, pve-manager 9.2 and
// pve-http-server 6.0 answer: tasks with UPIDs, locks, clones with their temporary configuration, pending changes, the
// guest agent, storages, pools and privilege-separated tokens. Rules name the vendor's source file.
package proxmox
