// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

type values = providertest.Attributes

const (
	oneKey           = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHjVHYqYpmrHAyx4xJKUvuY5kPJ1IkVYEKRFMxJ5HbXC one"
	twoKey           = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHjVHYqYpmrHAyx4xJKUvuY5kPJ1IkVYEKRFMxJ5HbXC two"
	cloudConfig      = "#cloud-config\n{}\n"
	otherCloudConfig = "#cloud-config\nhostname: other\n"
)

var (
	smallOffer  = word(func(v providertest.Vendor) string { return v.Offer })
	largerOffer = word(func(v providertest.Vendor) string { return v.OtherOffer })
	otherImage  = word(func(v providertest.Vendor) string { return v.OtherImage })
	imageID     = word(func(v providertest.Vendor) string { return v.ImageID })
	region      = word(func(v providertest.Vendor) string { return v.Region })

	keepsUserData = map[string]outcome{"digitalocean": isRefused}
	sameName      = map[string]string{"hetzner": "CONFLICT"}
)

func otherRegion(s *stage) any {
	if s.Vendor.OtherRegion == "" {
		return "elsewhere"
	}
	return s.Vendor.OtherRegion
}

func listOf(some ...any) func(*stage) any {
	return func(s *stage) any {
		var all []any
		for _, one := range some {
			all = append(all, s.resolve(one))
		}
		return all
	}
}

// accountWith is the account with a part of its object changed.
func accountWith(part string, value any) func(*stage) any {
	return func(s *stage) any { return with(s.Account, values{part: s.resolve(value)}) }
}

// otherAccountID is that of another account with the same token.
func otherAccountID(s *stage) any { return compute.AccountID("root", s.Vendor.Kind, "other", "") }

// otherKind is an account of a kind that the vendor's is not, with the config of such a one.
func otherKind(s *stage) any {
	other := s.other()
	kind, _ := cloud.KindByName(other.Kind)
	config, err := kind.Manifest.Canonical(other.Values(s.Emulator, "env://"+tokenElsewhere))
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Setenv(tokenElsewhere, other.Of(s.Emulator).Token)
	return values{"id": compute.AccountID("root", other.Kind, "main", ""), "tenant_id": "root", "kind": other.Kind, "config": config}
}

// durations are the rows of timeouts.
func durations(operations ...string) []changed {
	var rows []changed
	for _, operation := range operations {
		rows = append(rows, changed{attribute: "timeouts." + operation, what: "set", after: values{"timeouts": values{operation: "9m"}}, is: stored})
	}
	return rows
}

// accountParts are the rows of provider_account, which are the same for all that is on one but for what another account
// of the same place comes to.
func accountParts(another outcome, elsewhere values, but map[string]outcome) []changed {
	return []changed{
		{attribute: "provider_account.kind", what: "another kind", after: with(values{"provider_account": otherKind}, elsewhere), is: replaces},
		{attribute: "provider_account.id", what: "another account of the same place", after: values{"provider_account": accountWith("id", otherAccountID)}, is: another, but: but},
		{attribute: "provider_account.tenant_id", what: "another owner of the account", after: values{"provider_account": accountWith("tenant_id", "other")}, is: stored},
		{attribute: "provider_account.config", what: "another config", after: values{"provider_account": func(s *stage) any {
			return s.AccountWith(map[string]any{"dns_zones": map[string]string{"example.com": "root"}})
		}}, on: "hetzner digitalocean", is: stored},
		{attribute: "provider_account.config", what: "another config", after: values{"provider_account": func(s *stage) any { return s.AccountWith(map[string]any{"clone_limit": int64(3)}) }}, on: "proxmox", is: stored},
	}
}

var instances = subject{
	resource: instanceType, on: "hetzner digitalocean proxmox",
	bases: map[string]func(*stage) values{
		"": func(s *stage) values { return s.Machine(nil) },
		// A list stands in the place of the one.
		"offers": func(s *stage) values { return s.Machine(values{"offer_id": nil, "offer_ids": []any{s.Vendor.Offer}}) },
	},
	rows: concat(
		accountParts(inPlace, values{"offer_id": func(s *stage) any { return s.other().Offer }, "image": func(s *stage) any { return s.other().Image }}, nil),
		choiceRows, contentRows, lifeRows, durations("create", "update", "delete", "read"),
	),
}

var choiceRows = []changed{
	{attribute: "name", what: "another one", after: values{"name": "api"}, is: inPlace},
	{attribute: "labels", what: "one more", after: values{"labels": values{"role": "web"}}, is: inPlace},
	{attribute: "labels", what: "another value", before: values{"labels": values{"role": "web"}}, after: values{"labels": values{"role": "api"}}, is: inPlace},
	{attribute: "labels", what: "taken off", before: values{"labels": values{"role": "web"}}, after: values{"labels": nil}, is: inPlace},
	{attribute: "idempotency_key", what: "set", after: values{"idempotency_key": "k"}, is: replaces, beside: sameName},
	{attribute: "idempotency_key", what: "set, with another name", after: values{"idempotency_key": "k", "name": "web-2"}, is: replaces},
	{attribute: "offer_id", what: "a larger one", after: values{"offer_id": largerOffer}, is: isRefused},
	{attribute: "offer_id", what: "a larger one, and it may be stopped", after: values{"offer_id": largerOffer, "allow_stopping_for_update": true}, is: restarts},
	{attribute: "offer_id", what: "a larger one of a machine that is off", before: values{"power": "off"}, after: values{"offer_id": largerOffer}, is: inPlace},
	{
		attribute: "offer_id", what: "one with a smaller disk", before: values{"offer_id": largerOffer}, after: values{"offer_id": smallOffer, "allow_stopping_for_update": true},
		is: isRefused, but: map[string]outcome{"proxmox": restarts},
	},
	{attribute: "offer_ids", what: "in the place of offer_id", after: values{"offer_id": nil, "offer_ids": listOf(largerOffer, smallOffer)}, is: stored},
	{attribute: "offer_ids", what: "without the one that was chosen", base: "offers", after: values{"offer_ids": listOf(largerOffer)}, is: isRefused},
	{
		attribute: "offer_ids", what: "without the one that was chosen, and it may be stopped", base: "offers",
		after: values{"offer_ids": listOf(largerOffer), "allow_stopping_for_update": true}, is: restarts,
	},
	{attribute: "region", what: "another one", after: values{"region": otherRegion, "name": "web-2"}, is: replaces, beside: map[string]string{"proxmox": "INVALID_INPUT"}},
	{attribute: "region", what: "the one that it has, written out", after: values{"region": region}, is: nothing},
	{attribute: "regions", what: "with the one that it has", after: values{"regions": listOf("elsewhere", region)}, is: stored},
	{attribute: "regions", what: "without the one that it has", after: values{"regions": listOf(otherRegion), "name": "web-2"}, is: replaces, beside: map[string]string{"proxmox": "INVALID_INPUT"}},
}

// onChange is a policy for one of its arguments.
func onChange(argument, policy string) values {
	return values{"on_change": values{argument: policy}}
}

var contentRows = []changed{
	{attribute: "image", what: "another one", after: values{"image": otherImage}, is: replaces, beside: sameName},
	{attribute: "image", what: "the id of the one that it has", after: values{"image": imageID, "name": "web-2"}, is: replaces},
	{attribute: "image", what: "another one, with reinstall", after: with(values{"image": otherImage}, onChange("image", "reinstall")), is: erases},
	{attribute: "image", what: "another one, with ignore", after: with(values{"image": otherImage}, onChange("image", "ignore")), is: stored},
	{attribute: "ssh_authorized_keys", what: "one more", before: values{"ssh_authorized_keys": []any{oneKey}}, after: values{"ssh_authorized_keys": []any{oneKey, twoKey}}, is: stored},
	{
		attribute: "ssh_authorized_keys", what: "one, with replace", before: values{"ssh_authorized_keys": []any{oneKey}, "on_change": values{"ssh_authorized_keys": "replace"}},
		after: values{"ssh_authorized_keys": []any{twoKey}, "name": "web-2"}, is: replaces,
	},
	{
		attribute: "ssh_authorized_keys", what: "one, with reinstall", before: values{"ssh_authorized_keys": []any{oneKey}},
		after: with(values{"ssh_authorized_keys": []any{twoKey}}, onChange("ssh_authorized_keys", "reinstall")), is: erases, but: keepsUserData,
	},
	{attribute: "user_data", what: "another text", before: values{"user_data": cloudConfig}, after: values{"user_data": otherCloudConfig}, is: replaces, beside: sameName},
	{attribute: "user_data", what: "empty in the place of none", after: values{"user_data": ""}, is: stored},
	{attribute: "user_data", what: "another text, with reinstall", before: values{"user_data": cloudConfig}, after: with(values{"user_data": otherCloudConfig}, onChange("user_data", "reinstall")), is: erases, but: keepsUserData},
	{attribute: "user_data", what: "another text, with ignore", before: values{"user_data": cloudConfig}, after: with(values{"user_data": otherCloudConfig}, onChange("user_data", "ignore")), is: stored},
	{attribute: "user_data_wo", what: "another text under the same version", before: values{"user_data_wo": cloudConfig, "user_data_wo_version": "1"}, after: values{"user_data_wo": otherCloudConfig}, is: nothing},
	{attribute: "user_data_wo_version", what: "another one", before: values{"user_data_wo": cloudConfig, "user_data_wo_version": "1"}, after: values{"user_data_wo_version": "2", "name": "web-2"}, is: replaces},
	{
		attribute: "user_data_wo_version", what: "another one, with reinstall", before: values{"user_data_wo": cloudConfig, "user_data_wo_version": "1"},
		after: with(values{"user_data_wo": otherCloudConfig, "user_data_wo_version": "2"}, onChange("user_data", "reinstall")), is: erases, but: keepsUserData,
	},
	{attribute: "on_change.image", what: "alone", after: onChange("image", "reinstall"), is: stored},
	{attribute: "on_change.user_data", what: "alone", after: onChange("user_data", "ignore"), is: stored},
	{attribute: "on_change.ssh_authorized_keys", what: "alone", after: onChange("ssh_authorized_keys", "replace"), is: stored},
}

var lifeRows = []changed{
	{attribute: "power", what: "off", after: values{"power": "off"}, is: inPlace},
	{attribute: "power", what: "on again", before: values{"power": "off"}, after: values{"power": "on"}, is: inPlace},
	{attribute: "power", what: "what it is", after: values{"power": "on"}, is: stored},
	{attribute: "power", what: "let go of", before: values{"power": "off"}, after: values{"power": nil}, is: stored},
	{attribute: "shutdown_timeout", what: "set", after: values{"shutdown_timeout": "90s"}, is: stored},
	{attribute: "shutdown_before_destroy", what: "set", after: values{"shutdown_before_destroy": true}, is: stored},
	{attribute: "allow_stopping_for_update", what: "set", after: values{"allow_stopping_for_update": true}, is: stored},
	{attribute: "wait_for_address", what: "set", after: values{"wait_for_address": false}, is: stored},
	{attribute: "max_price_per_hour", what: "set below what the machine costs", after: values{"max_price_per_hour": 0.0001}, is: stored},
}
