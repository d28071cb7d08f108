// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"
	"github.com/hetznercloud/hcloud-go/v2/hcloud/schema"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// AddressRules: floating IPs go on servers of any location, and from server to server in one step (Hetzner API document,
// "Floating IPs").
func (c *cloud) AddressRules() driver.AddressRules {
	families := []string{"ipv4", "ipv6"}
	return driver.AddressRules{Families: families, Moves: families, Described: true}
}

// ListAddresses answers all floating IPs of the project.
func (c *cloud) ListAddresses(ctx context.Context) ([]driver.ReservedAddress, error) {
	found, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.FloatingIP, *hcloud.Response, error) {
		return c.client.FloatingIP.List(ctx, hcloud.FloatingIPListOpts{ListOpts: page})
	}, func(floating *hcloud.FloatingIP) int64 { return floating.ID })
	if err != nil {
		return nil, err
	}
	addresses := make([]driver.ReservedAddress, len(found))
	for i, floating := range found {
		addresses[i] = reservedOf(floating)
	}
	return addresses, nil
}

// GetAddress answers one floating IP.
func (c *cloud) GetAddress(ctx context.Context, id string) (driver.ReservedAddress, error) {
	number, err := parseID(id)
	if err != nil {
		return driver.ReservedAddress{}, err
	}
	found, response, err := c.client.FloatingIP.GetByID(ctx, number)
	if err != nil {
		return driver.ReservedAddress{}, c.failed(response, err)
	}
	if found == nil {
		return driver.ReservedAddress{}, c.failed(response, notFound(response))
	}
	return c.reserved(found, response)
}

func (c *cloud) reserved(floating *hcloud.FloatingIP, response *hcloud.Response) (driver.ReservedAddress, error) {
	if floating == nil || floating.ID == 0 {
		return driver.ReservedAddress{}, c.failed(response, errNoID)
	}
	return reservedOf(floating), nil
}

// reservedOf turns a floating IP into an address. Its id is the fingerprint: the same number reserved again has another.
func reservedOf(floating *hcloud.FloatingIP) driver.ReservedAddress {
	marks, labels := splitMarks(floating.Labels)
	id := strconv.FormatInt(floating.ID, 10)
	address := driver.ReservedAddress{
		ID: id, Fingerprint: id, Family: string(floating.Type), Name: floating.Name, Description: floating.Description,
		Blocked: floating.Blocked, Protected: floating.Protection.Delete, Marks: marks, Labels: labels, ReservedAt: floating.Created,
	}
	if ip, ok := addressOf(floating.IP); ok {
		address.Address = ip.String()
	}
	if floating.Network != nil {
		if base, ok := addressOf(floating.Network.IP); ok {
			address.Address = base.Next().String()
		}
	}
	if floating.HomeLocation != nil {
		address.Region = floating.HomeLocation.Name
	}
	if floating.Server != nil && floating.Server.ID != 0 {
		address.Holder = strconv.FormatInt(floating.Server.ID, 10)
	}
	return address
}

// Reserve sends one POST /floating_ips.
func (c *cloud) Reserve(ctx context.Context, spec driver.AddressSpec) (driver.Reservation, error) {
	result, response, err := c.client.FloatingIP.Create(ctx, hcloud.FloatingIPCreateOpts{
		Type: hcloud.FloatingIPType(spec.Family), HomeLocation: &hcloud.Location{Name: c.region(spec.Region)},
		Name: &spec.Name, Description: &spec.Description, Labels: withMarks(nil, spec.Marks),
	})
	if err != nil {
		return driver.Reservation{}, c.refused(response, withLimits(response, err))
	}
	address, err := c.reserved(result.FloatingIP, response)
	return driver.Reservation{Address: address, Operations: operationsOf("", result.Action), Proof: proofOf(result.Action)}, err
}

// withLimits names the limits that a resource_limit_exceeded is about, which the library leaves out.
func withLimits(response *hcloud.Response, err error) error {
	answer, ok := errors.AsType[hcloud.Error](err)
	if !ok || answer.Code != hcloud.ErrorCodeResourceLimitExceeded || response == nil || response.Response == nil {
		return err
	}
	body, readErr := io.ReadAll(response.Body)
	var told struct {
		Error struct {
			Details struct {
				Limits []struct{ Name string } `json:"limits"`
			} `json:"details"`
		} `json:"error"`
	}
	if readErr != nil || json.Unmarshal(body, &told) != nil {
		return err
	}
	var names []string
	for _, limit := range told.Error.Details.Limits {
		names = append(names, limit.Name)
	}
	if len(names) > 0 {
		answer.Message += " (" + strings.Join(names, ", ") + ")"
	}
	return answer
}

// Assign starts the action that puts a floating IP on a server.
func (c *cloud) Assign(ctx context.Context, address driver.ReservedAddress, machineID string) ([]driver.Operation, error) {
	floating, err := floatingOf(address)
	if err != nil {
		return nil, err
	}
	server, err := serverOf(machineID)
	if err != nil {
		return nil, err
	}
	action, response, err := c.client.FloatingIP.Assign(ctx, floating, server)
	return proving(operationsOf(machineID, action)), c.failed(response, err)
}

// Unassign starts the action that takes a floating IP off its server.
func (c *cloud) Unassign(ctx context.Context, address driver.ReservedAddress) ([]driver.Operation, error) {
	floating, err := floatingOf(address)
	if err != nil {
		return nil, err
	}
	action, response, err := c.client.FloatingIP.Unassign(ctx, floating)
	return proving(operationsOf(address.Holder, action)), c.failed(response, err)
}

// proving makes actions what Prove asks for later: they stay readable, and only with a token of the same project.
func proving(operations []driver.Operation) []driver.Operation {
	for i := range operations {
		operations[i].Proof = operations[i].ID
	}
	return operations
}

// LeaveProof sets the protection to what it is. A create without a server answers with no action (Hetzner API document, POST
// /floating_ips), and the id of an action is all that stays readable with a token of the same project once the floating IP is
// gone; of the actions of a floating IP that is on no server this one alone leaves everything as it was (the same, POST
// /floating_ips/{id}/actions/change_protection).
func (c *cloud) LeaveProof(ctx context.Context, address driver.ReservedAddress) ([]driver.Operation, error) {
	floating, err := floatingOf(address)
	if err != nil {
		return nil, err
	}
	action, response, err := c.client.FloatingIP.ChangeProtection(ctx, floating, hcloud.FloatingIPChangeProtectionOpts{Delete: &address.Protected})
	return proving(operationsOf("", action)), c.failed(response, err)
}

// Release gives a floating IP back. The vendor's protection against it is not lifted.
func (c *cloud) Release(ctx context.Context, address driver.ReservedAddress) error {
	floating, err := floatingOf(address)
	if err != nil {
		return err
	}
	response, err := c.client.FloatingIP.Delete(ctx, floating)
	return c.failed(response, err)
}

// MarkAddress writes name, description and all labels in one PUT, by hand: the library cannot send an empty description.
func (c *cloud) MarkAddress(
	ctx context.Context, address driver.ReservedAddress, name, description string, marks driver.Marks,
) (driver.ReservedAddress, error) {
	body, err := json.Marshal(map[string]any{"name": name, "description": description, "labels": withMarks(address.Labels, marks)})
	if err != nil {
		return address, fmt.Errorf("write a body: %w", err)
	}
	request, err := c.client.NewRequest(ctx, http.MethodPut, "/floating_ips/"+address.ID, strings.NewReader(string(body)))
	if err != nil {
		return address, err
	}
	var answer schema.FloatingIPUpdateResponse
	response, err := c.client.Do(request, &answer)
	if err != nil {
		return address, c.failed(response, err)
	}
	return c.reserved(hcloud.FloatingIPFromSchema(answer.FloatingIP), response)
}

func floatingOf(address driver.ReservedAddress) (*hcloud.FloatingIP, error) {
	number, err := parseID(address.ID)
	return &hcloud.FloatingIP{ID: number}, err
}
