// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

const (
	ipv4 = "ipv4"
	ipv6 = "ipv6"
)

// AddressRules: reserved IPs stay in their region. An IPv4 one goes from droplet to droplet in one step; an IPv6 one has to
// be taken off first (terraform-provider-digitalocean, pull request 1277). The vendor keeps neither names nor marks.
func (c *cloud) AddressRules() driver.AddressRules {
	return driver.AddressRules{Families: []string{ipv4, ipv6}, Moves: []string{ipv4}, SameRegion: true}
}

// ListAddresses answers all reserved addresses of the team, of both families.
func (c *cloud) ListAddresses(ctx context.Context) ([]driver.ReservedAddress, error) {
	four, err := pages(c, func(page *godo.ListOptions) ([]godo.ReservedIP, *godo.Response, error) {
		return c.client.ReservedIPs.List(ctx, page)
	}, func(address godo.ReservedIP) string { return address.IP })
	if err != nil {
		return nil, err
	}
	six, err := pages(c, func(page *godo.ListOptions) ([]godo.ReservedIPV6, *godo.Response, error) {
		return c.client.ReservedIPV6s.List(ctx, page)
	}, func(address godo.ReservedIPV6) string { return address.IP })
	if err != nil {
		return nil, err
	}
	var all []driver.ReservedAddress
	for i := range four {
		all = append(all, reservedIPv4(&four[i]))
	}
	for i := range six {
		all = append(all, reservedIPv6(&six[i]))
	}
	return all, nil
}

// reservedIPv4 answers nothing for an answer without an address in it: see checked.
func reservedIPv4(address *godo.ReservedIP) driver.ReservedAddress {
	if address == nil {
		return driver.ReservedAddress{}
	}
	reserved := driver.ReservedAddress{
		ID: address.IP, Address: address.IP, Family: ipv4, Holder: holderOf(address.Droplet), Busy: address.Locked,
	}
	if address.Region != nil {
		reserved.Region = address.Region.Slug
	}
	return reserved
}

// reservedIPv6: the time of the reservation tells it from a later one of the same address. An IPv4 one has none.
func reservedIPv6(address *godo.ReservedIPV6) driver.ReservedAddress {
	if address == nil {
		return driver.ReservedAddress{}
	}
	reserved := driver.ReservedAddress{
		ID: address.IP, Address: address.IP, Family: ipv6, Holder: holderOf(address.Droplet), Region: address.RegionSlug,
		ReservedAt: address.ReservedAt,
	}
	if !address.ReservedAt.IsZero() {
		reserved.Fingerprint = strconv.FormatInt(address.ReservedAt.Unix(), 10)
	}
	return reserved
}

func holderOf(droplet *godo.Droplet) string {
	if droplet == nil || droplet.ID == 0 {
		return ""
	}
	return strconv.Itoa(droplet.ID)
}

// GetAddress answers one address. One out of an active prefix of the team's is there without being reserved.
func (c *cloud) GetAddress(ctx context.Context, id string) (driver.ReservedAddress, error) {
	family, err := familyOf(id)
	if err != nil {
		return driver.ReservedAddress{}, err
	}
	if family == ipv6 {
		found, _, err := c.client.ReservedIPV6s.Get(ctx, id)
		if err != nil {
			return driver.ReservedAddress{}, c.failed(err)
		}
		return checked(reservedIPv6(found))
	}
	found, _, err := c.client.ReservedIPs.Get(ctx, id)
	if err != nil {
		return driver.ReservedAddress{}, c.failed(err)
	}
	return checked(reservedIPv4(found))
}

func checked(address driver.ReservedAddress) (driver.ReservedAddress, error) {
	if address.ID == "" {
		return address, errNoID
	}
	return address, nil
}

// familyOf reads an id of an address, which is the address.
func familyOf(id string) (string, error) {
	address, err := netip.ParseAddr(id)
	switch {
	case err != nil:
		return "", &failure.Input{Message: fmt.Sprintf("%q is not an address", id)}
	case address.Is4():
		return ipv4, nil
	}
	return ipv6, nil
}

// Reserve sends one POST.
func (c *cloud) Reserve(ctx context.Context, spec driver.AddressSpec) (driver.Reservation, error) {
	proof := c.proof(ctx)
	address, err := c.order(ctx, spec)
	if err != nil {
		return driver.Reservation{}, c.withLimit(ctx, c.failed(err), reservedLimit(spec.Family), "reserved IPs")
	}
	address, err = checked(address)
	return driver.Reservation{Address: address, Proof: proof}, err
}

// reservedLimit reads the limit of a family: the account names that of IPv4 addresses alone.
func reservedLimit(family string) func(*godo.Account) int {
	return func(account *godo.Account) int {
		if family == ipv6 {
			return 0
		}
		return cmp.Or(account.ReservedIPLimit, account.FloatingIPLimit)
	}
}

func (c *cloud) order(ctx context.Context, spec driver.AddressSpec) (driver.ReservedAddress, error) {
	if spec.Family == ipv6 {
		reserved, _, err := c.client.ReservedIPV6s.Create(ctx, &godo.ReservedIPV6CreateRequest{Region: c.regionOf(spec.Region)})
		if err != nil {
			return driver.ReservedAddress{}, err
		}
		return reservedIPv6(reserved), nil
	}
	reserved, _, err := c.client.ReservedIPs.Create(ctx, &godo.ReservedIPCreateRequest{Region: c.regionOf(spec.Region), ProjectID: c.project})
	if err != nil {
		return driver.ReservedAddress{}, err
	}
	return reservedIPv4(reserved), nil
}

// Assign starts the action that puts an address on a droplet.
func (c *cloud) Assign(ctx context.Context, address driver.ReservedAddress, machineID string) ([]driver.Operation, error) {
	droplet, err := parseID(machineID)
	if err != nil {
		return nil, err
	}
	assign := c.client.ReservedIPActions.Assign
	if address.Family == ipv6 {
		assign = c.client.ReservedIPV6Actions.Assign
	}
	action, _, err := assign(ctx, address.ID, droplet)
	return operationsOf(machineID, action), c.failed(err)
}

// Unassign starts the action that takes an address off its droplet.
func (c *cloud) Unassign(ctx context.Context, address driver.ReservedAddress) ([]driver.Operation, error) {
	unassign := c.client.ReservedIPActions.Unassign
	if address.Family == ipv6 {
		unassign = c.client.ReservedIPV6Actions.Unassign
	}
	action, _, err := unassign(ctx, address.ID)
	return operationsOf(address.Holder, action), c.failed(err)
}

// Release gives an address back.
func (c *cloud) Release(ctx context.Context, address driver.ReservedAddress) error {
	release := c.client.ReservedIPs.Delete
	if address.Family == ipv6 {
		release = c.client.ReservedIPV6s.Delete
	}
	_, err := release(ctx, address.ID)
	return c.failed(err)
}

// PrefixesOff: prefixes of one's own are a preview of the vendor's.
func (c *cloud) PrefixesOff() string {
	if c.previews {
		return ""
	}
	return "Addresses out of a prefix of your own are a preview of DigitalOcean, and the account does not set previews = true."
}

// ListPrefixes answers the team's prefixes.
func (c *cloud) ListPrefixes(ctx context.Context) ([]driver.Prefix, error) {
	found, err := pages(c, func(page *godo.ListOptions) ([]*godo.BYOIPPrefix, *godo.Response, error) {
		return c.client.BYOIPPrefixes.List(ctx, page)
	}, func(prefix *godo.BYOIPPrefix) string { return prefix.UUID })
	if err != nil {
		return nil, err
	}
	prefixes := make([]driver.Prefix, len(found))
	for i, prefix := range found {
		prefixes[i] = driver.Prefix{
			ID: prefix.UUID, CIDR: prefix.Prefix, Region: prefix.Region, Status: prefix.Status, Active: prefix.Status == "active",
		}
	}
	return prefixes, nil
}

// PrefixInUse pages by hand: the library's call leaves the page out of its request.
func (c *cloud) PrefixInUse(ctx context.Context, id string) ([]string, error) {
	type answer struct {
		IPs   []godo.BYOIPPrefixResource `json:"ips"`
		Links *godo.Links                `json:"links"`
	}
	found, err := pages(c, func(page *godo.ListOptions) ([]godo.BYOIPPrefixResource, *godo.Response, error) {
		path := fmt.Sprintf("/v2/byoip_prefixes/%s/ips?page=%d&per_page=%d", id, page.Page, page.PerPage)
		request, err := c.client.NewRequest(ctx, http.MethodGet, path, nil)
		if err != nil {
			return nil, nil, err
		}
		var told answer
		response, err := c.client.Do(ctx, request, &told)
		if err != nil {
			return nil, nil, err
		}
		response.Links = told.Links
		return told.IPs, response, nil
	}, func(used godo.BYOIPPrefixResource) string { return used.BYOIP })
	addresses := make([]string, len(found))
	for i, used := range found {
		addresses[i] = used.BYOIP
	}
	return addresses, err
}
