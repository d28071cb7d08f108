// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
)

// row is a machine or container in the cluster's list (GET /cluster/resources). Node, tags and lock are live; name, status
// and template come from a broadcast and are up to 10 seconds old, and missing at first (pve-manager, API2Tools.pm).
type row struct {
	VMID     number `json:"vmid"`
	Type     string `json:"type"`
	Node     string `json:"node"`
	Status   string `json:"status"`
	Name     string `json:"name"`
	Tags     string `json:"tags"`
	Template number `json:"template"`
	// Storage, Content and Shared are those of a storage on a node.
	Storage string `json:"storage"`
	Content string `json:"content"`
	Shared  number `json:"shared"`
}

const (
	typeVM        = "qemu"
	typeContainer = "lxc"
	typeStorage   = "storage"
)

// rows answers all machines and containers that the token may see.
func (c *cloud) rows(ctx context.Context) ([]row, error) {
	var rows []row
	if err := c.client.get(ctx, "/cluster/resources", url.Values{"type": {"vm"}}, &rows); err != nil {
		return nil, err
	}
	for _, row := range rows {
		if row.VMID == 0 || row.Node == "" {
			return nil, &answerError{status: http.StatusOK, foreign: true, path: "/cluster/resources", text: "its list has a machine without a VMID or a node"}
		}
		c.memory.setNode(row.VMID.int(), row.Node)
	}
	return rows, nil
}

// vm is a machine with its config.
type vm struct {
	vmid   int
	node   string
	config vmConfig
	// container says that the VMID is a container's: no machine of ours.
	container bool
}

func (v vm) id() string { return strconv.Itoa(v.vmid) }

func (v vm) record() record { return readRecord(v.config["description"]) }

func (v vm) locked() bool { return v.config["lock"] != "" }

// unreadable says whether the machine is being cloned and does not show its description yet: whose it is is not known.
func (v vm) unreadable() bool { return v.locked() && v.record().key == "" }

// parseVMID reads an id of this vendor.
func parseVMID(id string) (int, error) {
	vmid, err := strconv.Atoi(id)
	if err != nil || vmid < lowestVMID || vmid > highestVMID {
		return 0, &failure.Input{Message: fmt.Sprintf("%q is not an id of Proxmox VE, which are whole numbers from %d to %d", id, lowestVMID, highestVMID)}
	}
	return vmid, nil
}

// look reads a machine's config where the machine was last seen, else where the cluster says that it is. A missingError is
// the cluster's word that nothing has the VMID.
func (c *cloud) look(ctx context.Context, vmid int) (vm, error) {
	if node, known := c.memory.node(vmid); known {
		found, err := c.readConfig(ctx, node, vmid)
		if !elsewhere(err, vmid) {
			return found, err
		}
		c.memory.forget(vmid)
		if err := c.exists(ctx, vmid); err != nil {
			return vm{}, err
		}
	}
	rows, err := c.rows(ctx)
	if err != nil {
		return vm{}, err
	}
	for _, row := range rows {
		switch {
		case row.VMID.int() != vmid:
		case row.Type == typeContainer:
			return vm{vmid: vmid, node: row.Node, container: true}, nil
		default:
			return c.lookAt(ctx, row.Node, vmid)
		}
	}
	if err := c.exists(ctx, vmid); err != nil {
		return vm{}, err
	}
	return vm{}, &hiddenError{vmid: vmid}
}

func (c *cloud) lookAt(ctx context.Context, node string, vmid int) (vm, error) {
	found, err := c.readConfig(ctx, node, vmid)
	if !elsewhere(err, vmid) {
		return found, err
	}
	c.memory.forget(vmid)
	if gone := c.exists(ctx, vmid); gone != nil {
		return vm{}, gone
	}
	return vm{}, err
}

func (c *cloud) readConfig(ctx context.Context, node string, vmid int) (vm, error) {
	found := vm{vmid: vmid, node: node}
	err := c.client.get(ctx, vmPath(node, vmid, "/config"), nil, &found.config)
	return found, err
}

// elsewhere says whether an error may mean that the machine is on another node, or gone: a token whose rights came with
// the machine is refused after its end (pve-access-control, remove_vm_access).
func elsewhere(err error, vmid int) bool {
	answer, ok := errors.AsType[*answerError](err)
	return ok && (answer.missing() == vmid || answer.status == http.StatusForbidden)
}

// exists answers a missingError when the cluster says that nothing has the VMID. It needs no rights on the machine.
func (c *cloud) exists(ctx context.Context, vmid int) error {
	free, err := c.isFree(ctx, vmid)
	if err != nil {
		return err
	}
	if free {
		return &missingError{vmid: vmid}
	}
	return nil
}

// isFree asks whether a VMID is free in the whole cluster (GET /cluster/nextid?vmid=).
func (c *cloud) isFree(ctx context.Context, vmid int) (bool, error) {
	var echoed number
	err := c.client.get(ctx, "/cluster/nextid", url.Values{"vmid": {strconv.Itoa(vmid)}}, &echoed)
	if answer, ok := errors.AsType[*answerError](err); ok && answer.status == http.StatusBadRequest && answer.errors["vmid"] != "" {
		return false, nil
	}
	if err == nil && echoed.int() != vmid {
		return false, &answerError{status: http.StatusOK, foreign: true, text: "its answer to /cluster/nextid is about another VMID"}
	}
	return err == nil, err
}

// missingError says that nothing in the cluster has the VMID.
type missingError struct{ vmid int }

func (e *missingError) Error() string {
	return fmt.Sprintf("nothing in the cluster has VMID %d", e.vmid)
}

// hiddenError says that something has the VMID that the token may not see.
type hiddenError struct{ vmid int }

func (e *hiddenError) Error() string {
	return fmt.Sprintf("something in the cluster has VMID %d, and the token may not see it: it lacks VM.Audit on /vms/%d, on all of /vms, or on the machine's pool",
		e.vmid, e.vmid)
}

// busyError says that a machine cannot be changed or judged now.
type busyError struct{ message string }

func (e *busyError) Error() string { return e.message }

// lockedBy is the busyError of a machine under a lock.
func lockedBy(found vm) error {
	message := fmt.Sprintf("VM %d on node %s is locked (%s)", found.vmid, found.node, found.config["lock"])
	if found.config["lock"] == "clone" {
		message += fmt.Sprintf("; if its clone was cut off because the node stopped, root frees it there with: qm unlock %d", found.vmid)
	}
	return &busyError{message: message}
}
