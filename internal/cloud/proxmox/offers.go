// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// size is an offer: CPUs, memory and, where it fixes one, the boot disk.
type size struct {
	vcpu      int
	memoryMiB int
	// diskGiB is 0 where the template's disk stays as it is.
	diskGiB int
}

var offerPattern = regexp.MustCompile(`^([1-9]\d{0,2})c-([1-9]\d{0,4})g(?:-([1-9]\d{0,5})d)?$`)

// parseOffer reads an offer's id, such as 4c-8g or 4c-8g-100d.
func parseOffer(id string) (size, error) {
	found := offerPattern.FindStringSubmatch(id)
	if found == nil {
		return size{}, errors.New("must be CPUs, GiB of memory and optionally GiB of disk, such as 4c-8g or 4c-8g-100d")
	}
	var numbers [3]int
	for i, text := range found[1:] {
		if text == "" {
			continue
		}
		number, err := strconv.Atoi(text)
		if err != nil {
			return size{}, err
		}
		numbers[i] = number
	}
	return size{vcpu: numbers[0], memoryMiB: numbers[1] * 1024, diskGiB: numbers[2]}, nil
}

// String is the id of an offer of this size; memory may be a fraction of a GiB where a person has set it.
func (s size) String() string {
	id := fmt.Sprintf("%dc-%sg", s.vcpu, strconv.FormatFloat(float64(s.memoryMiB)/1024, 'f', -1, 64))
	if s.diskGiB > 0 {
		id += fmt.Sprintf("-%dd", s.diskGiB)
	}
	return id
}

const kindVPS = "vps"

// Offers answers the account's sizes. One is available when an online node, or the account's own, has the CPUs in all and
// the memory free now; where the token may not see that, all are, with a warning.
func (c *cloud) Offers(ctx context.Context, query driver.OfferQuery) ([]driver.Offer, error) {
	if query.Kind != "" && query.Kind != kindVPS || query.GPUModel != "" || query.MinGPUs > 0 || query.Region != "" && query.Region != c.region {
		return nil, nil
	}
	nodes, err := c.nodes(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.checkNode(nodes); err != nil {
		return nil, err
	}
	offers := []driver.Offer{}
	for _, own := range c.offers {
		memory := float64(own.memoryMiB) / 1024
		if own.vcpu < query.MinVCPU || memory < query.MinMemoryGiB {
			continue
		}
		shortage := c.shortage(nodes, own)
		offer := driver.Offer{
			ID: own.String(), Kind: kindVPS, Region: c.region, VCPU: own.vcpu, MemoryGiB: memory, Available: shortage == "", Shortage: shortage,
		}
		if own.diskGiB > 0 {
			offer.DiskGiB = new(float64(own.diskGiB))
		}
		offers = append(offers, offer)
	}
	return offers, nil
}

// node is a node of the cluster (GET /nodes). Its numbers are there only with Sys.Audit.
type node struct {
	Name   string  `json:"node"`
	Status string  `json:"status"`
	MaxCPU *number `json:"maxcpu"`
	Memory *number `json:"mem"`
	MaxMem *number `json:"maxmem"`
}

func (c *cloud) nodes(ctx context.Context) ([]node, error) {
	var nodes []node
	err := c.client.get(ctx, "/nodes", nil, &nodes)
	return nodes, err
}

// shortage says why none of the nodes that machines may go to has room for an offer; empty: one has.
func (c *cloud) shortage(nodes []node, offer size) string {
	online := slices.DeleteFunc(slices.Clone(nodes), func(one node) bool {
		return one.Status != nodeOnline || c.node != "" && one.Name != c.node
	})
	for _, node := range online {
		if node.MaxCPU == nil || node.Memory == nil || node.MaxMem == nil {
			c.memory.warn("", "The token may not see how much room the nodes have (Sys.Audit on /nodes): all offers count as available.")
			return ""
		}
		if node.MaxCPU.int() >= offer.vcpu && node.MaxMem.int()-node.Memory.int() >= offer.memoryMiB<<20 {
			return ""
		}
	}
	switch {
	case len(online) == 0 && c.node != "":
		return "the account's node " + c.node + " is not online"
	case len(online) == 0:
		return "no node is online"
	}
	return fmt.Sprintf("no node that machines may go to has %d CPUs and %g GiB of memory free", offer.vcpu, float64(offer.memoryMiB)/1024)
}

// Regions answers the account's one region.
func (c *cloud) Regions(context.Context) ([]string, error) { return []string{c.region}, nil }
