// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
)

// proxmoxMachine: a full clone does not say what it was cloned from, and where it runs is no wish of anybody's. Tags of others are
// never taken for our labels, and keys that PVE's own cloud-init put in are not told apart from those of a template.
var proxmoxMachine = machine{
	make: makeProxmox,
	unread: map[string]any{
		"labels.tier": "web", "ssh_authorized_keys": []any{publicKey}, "image": "debian-13", "proxmox.node": "pve1",
	},
	missing: map[string]string{"image": "debian-13"},
	marks:   []string{"PUT /api2/json/nodes/pve1/qemu/4321/config"},
}

// proxmoxRequest is a request that changes something.
type proxmoxRequest struct {
	method, path string
	form         url.Values
}

// proxmoxRequests are what bpg's terraform-provider-proxmox 0.111 sends for terraform-provider-proxmox.tf: a clone, its cloud-init
// drive taken off, everything else in one change, the disk, its size, and the start.
func proxmoxRequests() []proxmoxRequest {
	const config = "/nodes/pve1/qemu/4321/config"
	none := make([]string, 0, 30)
	for device := 2; device < 32; device++ {
		none = append(none, fmt.Sprintf("net%d", device))
	}
	return []proxmoxRequest{
		{http.MethodPost, "/nodes/pve1/qemu/9000/clone", url.Values{"description": {"of the shop"}, "full": {"1"}, "name": {"web"}, "newid": {"4321"}}},
		{http.MethodPut, config, url.Values{"delete": {"ide2"}}},
		{http.MethodPut, config, url.Values{
			"agent": {"enabled=1,fstrim_cloned_disks=0,type=virtio"}, "balloon": {"0"}, "ciuser": {"debian"}, "cores": {"2"}, "cpu": {"x86-64-v2-AES"},
			"delete": {strings.Join(none, ",")}, "ide2": {"file=local-lvm:cloudinit,"}, "ipconfig0": {"ip=dhcp"}, "memory": {"4096"},
			"net0": {"model=virtio,bridge=vmbr0,firewall=0,tag=100"}, "net1": {"model=virtio,bridge=vmbr0,firewall=0"}, "numa": {"0"},
			"onboot": {"1"}, "protection": {"1"}, "sockets": {"1"}, "sshkeys": {strings.ReplaceAll(url.QueryEscape(publicKey), "+", "%20")}, "tags": {"tier.web"},
		}},
		{http.MethodPut, config, url.Values{
			"scsi0": {"file=local-lvm:vm-4321-disk-0,size=3221225472,aio=io_uring,backup=1,iothread=0,ssd=0,discard=ignore,cache=none,replicate=1"},
		}},
		{http.MethodPut, "/nodes/pve1/qemu/4321/resize", url.Values{"disk": {"scsi0"}, "size": {"21474836480"}}},
		{http.MethodPost, "/nodes/pve1/qemu/4321/status/start", url.Values{"timeout": {"1800"}}},
	}
}

// makeProxmox sends them one by one; a task has ended before the next request.
func makeProxmox(t *testing.T, cloud *acceptance.Cloud) {
	t.Helper()
	for _, one := range proxmoxRequests() {
		var task string
		if answer := sendProxmox(t, cloud, one); string(answer) != "null" {
			noError(t, json.Unmarshal(answer, &task))
			var status struct{ Status, ExitStatus string }
			noError(t, json.Unmarshal(sendProxmox(t, cloud, proxmoxRequest{http.MethodGet, "/nodes/pve1/tasks/" + task + "/status", nil}), &status))
			if status.ExitStatus != "OK" {
				t.Fatalf("%s %s: %+v", one.method, one.path, status)
			}
		}
	}
}

// sendProxmox answers the data of the answer.
func sendProxmox(t *testing.T, cloud *acceptance.Cloud, one proxmoxRequest) json.RawMessage {
	t.Helper()
	var answer struct{ Data json.RawMessage }
	noError(t, json.Unmarshal([]byte(send(t, cloud, one.method, "/api2/json"+one.path, one.form)), &answer))
	return answer.Data
}
