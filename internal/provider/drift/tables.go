// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drift

var instances = Table{
	Resource: "bettercompute_instance",
	Rows: []Row{
		{"machine_id", "deleted", everywhere(Recreates)},
		{"id", "another id written over ours in the marks", everywhere(Releases)},
		{"managed", "the marks wiped", everywhere(Restores)},
		{"name", "renamed", everywhere(Restores)},
		{"labels", "one of `labels` changed", everywhere(Restores)},
		{"labels", "one of `labels` taken off", everywhere(Restores)},
		{"labels", "one that is not in `labels` put on", everywhere(Keeps)},
		{"offer_id", "resized, and `allow_stopping_for_update` is true", everywhere(Restores)},
		{"offer_id", "resized, and `allow_stopping_for_update` is not true", everywhere(Fails)},
		{"offer_id", "resized to another one of `offer_ids`", everywhere(Shows)},
		{"vcpu", "resized to what `offer_id` says since", everywhere(Shows)},
		{"memory_gib", "resized to what `offer_id` says since", everywhere(Shows)},
		{"disk_gib", "the disk grown", everywhere(Shows)},
		{"price_per_hour", "resized to what `offer_id` says since", both(Keeps)},
		{"currency", "resized to what `offer_id` says since", both(Keeps)},
		{"power", "switched off, and `power` is \"on\"", everywhere(Restores)},
		{"power", "switched on, and `power` is \"off\"", everywhere(Restores)},
		{"power", "switched off, and `power` is not set", everywhere(Keeps)},
		{"state", "switched off", everywhere(Shows)},
		{"image", "another image put on the disk", both(Keeps)},
		{"image_id", "another image put on the disk", both(Shows)},
		{"region", "moved to another node", map[string]Answer{proxmox: Keeps}},
		{"addresses", "the public IPv4 address taken off", map[string]Answer{hetzner: Shows}},
		{"ipv4_address", "the public IPv4 address taken off", map[string]Answer{hetzner: Shows}},
		{"ipv6_address", "the public IPv6 address taken off", map[string]Answer{hetzner: Shows}},
		{"user_data", "changed inside the machine", everywhere(Keeps)},
		{"user_data_wo", "changed inside the machine", everywhere(Keeps)},
		{"ssh_authorized_keys", "changed inside the machine", everywhere(Keeps)},
	},
	Own: []string{
		"allow_stopping_for_update", "created_at", "idempotency_key", "max_price_per_hour", "offer_ids", "on_change", "provider_account", "regions",
		"shutdown_before_destroy", "shutdown_timeout", "tenant_id", "timeouts", "user_data_wo_version", "wait_for_address",
	},
}

var addresses = Table{
	Resource: "bettercompute_provider_address",
	Rows: []Row{
		{"address", "released", both(Recreates)},
		{"state", "the marks wiped", both(Restores)},
		{"state", "blocked", map[string]Answer{hetzner: Shows}},
		{"name", "renamed", map[string]Answer{hetzner: Restores}},
		{"description", "changed", map[string]Answer{hetzner: Restores}},
		{"reverse_dns", "another host name", map[string]Answer{hetzner: Restores}},
		{"reverse_dns", "one, and `reverse_dns` is not set", map[string]Answer{hetzner: Shows}},
		{"region", "its home moved", map[string]Answer{hetzner: Keeps}},
		{"instance", "taken off its machine", both(Restores)},
		{"instance", "put on a machine of somebody else", both(Fails)},
		{"assignment_state", "taken off its machine", both(Restores)},
		{"reserved_at", "released, and reserved anew by somebody", map[string]Answer{hetzner: Releases}},
	},
	Own: []string{"assignment_message", "family", "id", "idempotency_key", "prefix", "provider_account", "tenant_id", "timeouts"},
}

var certificates = Table{
	Resource: "bettercompute_certificate",
	Rows: []Row{
		{"certificate_id", "deleted", both(Recreates)},
		{"certificate_id", "renewed by the vendor", map[string]Answer{hetzner: Keeps, digitalocean: Shows}},
		{"managed", "the marks wiped", both(Restores)},
		{"name", "renamed", map[string]Answer{hetzner: Keeps}},
		{"state", "its renewal or issuance has failed", both(Shows)},
		{"not_before", "renewed by the vendor", map[string]Answer{hetzner: Shows}},
		{"not_after", "renewed by the vendor", both(Shows)},
		{"fingerprint", "renewed by the vendor", map[string]Answer{hetzner: Shows}},
		{"certificate", "another certificate put behind the reference", both(Keeps)},
		{"private_key", "another key put behind the reference", both(Keeps)},
		{"chain", "another chain put behind the reference", both(Keeps)},
	},
	Own: []string{
		"certificate_pem", "chain_pem", "domains", "id", "idempotency_key", "kind", "private_key_pem_wo", "private_key_pem_wo_version",
		"provider_account", "references_version", "tenant_id", "timeouts",
	},
}

var accounts = Table{
	Resource: "bettercompute_provider_account",
	Rows:     []Row{{"verify", "the token revoked", everywhere(Fails)}},
	Own: []string{
		"config", "digitalocean", "hetzner_cloud", "id", "idempotency_key", "kind", "name", "proxmox", "tenant_id", "version",
	},
}

// secrets are in a file, which is the same whatever vendors there are.
var secrets = Table{
	Resource: "bettercompute_secret",
	Rows: []Row{
		{"ref", "the entry taken out of the file", everywhere(Recreates)},
		{"value_wo", "another value put into the file", everywhere(Keeps)},
	},
	Own: []string{"name", "tenant_id", "value_wo_version"},
}
