// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"fmt"
	"strconv"
	"time"
)

// newCluster is the cluster as it is from the start.
func newCluster(now time.Time) cluster {
	made := cluster{locks: map[int]*lock{}, grants: firstGrants(), pools: []*pool{{id: "team"}}}
	for i := range 3 {
		made.nodes = append(made.nodes, &node{name: "pve" + strconv.Itoa(i+1), booted: now.Add(-time.Duration(41+i) * 24 * time.Hour)})
	}
	made.bridges = firstBridges(made.nodes)
	made.storages = []*storage{
		{id: "local", kind: "dir", content: []string{"iso", "vztmpl", "snippets", "import"}, total: nodeDisk},
		{id: "local-lvm", kind: "lvmthin", content: []string{"images", "rootdir"}, total: 4 << 40},
		{id: "shared", kind: "nfs", shared: true, content: []string{"images", "iso"}, total: 16 << 40},
	}
	made.addTemplate(9000, "debian-13", 3*gib, now)
	made.addTemplate(9001, "ubuntu-24.04", 3584*mib, now)
	return made
}

// addTemplate makes a template as cloud images are commonly turned into one: a disk, a cloud-init drive, one NIC, a
// serial console and the guest agent.
func (k *cluster) addTemplate(id int, name string, size int64, now time.Time) {
	n, on := k.nodes[0], k.storages[1]
	k.volumes = append(k.volumes,
		&volume{storage: on, node: n, name: fmt.Sprintf("vm-%d-cloudinit", id), content: "images", size: 4 * mib, owner: id, made: now},
		&volume{storage: on, node: n, name: fmt.Sprintf("base-%d-disk-0", id), content: "images", size: size, owner: id, made: now},
	)
	k.machines = append(k.machines, newMachine(id, n, values{
		"name": name, "template": "1", "agent": "enabled=1", "boot": "order=scsi0", "cores": "2", "sockets": "1",
		"cpu": "x86-64-v2-AES", "memory": "2048", "ostype": "l26", "scsihw": "virtio-scsi-single", "serial0": "socket",
		"vga": "serial0", "net0": "virtio=" + newMAC() + ",bridge=" + bridge, "ipconfig0": "ip=dhcp",
		"ide2":    fmt.Sprintf("local-lvm:vm-%d-cloudinit,media=cdrom", id),
		"scsi0":   fmt.Sprintf("local-lvm:base-%d-disk-0,discard=on,iothread=1,size=%s", id, sizeText(size)),
		"smbios1": "uuid=" + newUUID(), "vmgenid": newUUID(), "meta": fmt.Sprintf("creation-qemu=10.0.2,ctime=%d", now.Unix()),
	}))
}
