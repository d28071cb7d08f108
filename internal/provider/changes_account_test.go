// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

const secretType = "bettercompute_secret"

var providerAccounts = subject{
	resource: accountType, on: "hetzner digitalocean proxmox",
	bases: map[string]func(*stage) values{
		"": func(s *stage) values { return values{"name": "main", "verify": false, s.Vendor.Attribute: s.Config()} },
	},
	rows: concat(
		[]changed{
			{attribute: "name", what: "another one", after: values{"name": "other"}, is: stored},
			{attribute: "tenant_id", what: "another one", after: values{"tenant_id": "other"}, is: replaces},
			{attribute: "tenant_id", what: "the one that it has, written out", after: values{"tenant_id": "root"}, is: nothing},
			{attribute: "idempotency_key", what: "set", after: values{"idempotency_key": "k"}, is: replaces},
			{attribute: "verify", what: "the default again", after: values{"verify": nil}, is: stored},
		},
		otherKinds(), fieldRows(),
	),
}

// otherKinds are the rows of an account that becomes one of another kind.
func otherKinds() []changed {
	var rows []changed
	for _, own := range providertest.Vendors {
		for _, other := range providertest.Vendors {
			if own.Name == other.Name {
				continue
			}
			config := func(s *stage) any { return s.ConfigOf(other) }
			rows = append(rows, changed{
				attribute: other.Attribute, what: "in the place of its own kind", on: own.Name, is: replaces,
				after: values{own.Attribute: nil, other.Attribute: config},
			})
		}
	}
	return rows
}

// fieldRows are the rows of the fields of each kind's config: a change of any keeps the account and what is on it.
func fieldRows() []changed {
	fields := map[string]map[string]any{
		"hetzner_cloud": {
			"token": "env://OTHER", "location": "nbg1", "endpoint": "https://api.example.com/v1", "dns_zones": values{"example.com": "team"},
		},
		"digitalocean": {
			"token": "env://OTHER", "region": "ams3", "endpoint": "https://api.example.com/", "previews": true, "dns_zones": values{"example.com": "team"},
			"vpc_uuid": "760e09ef-dc84-11e8-981e-3cfdfeaae000", "project_id": "760e09ef-dc84-11e8-981e-3cfdfeaae001",
		},
		"proxmox": {
			"url": "https://pve.example.com:8006", "token": "env://OTHER", "region": "home", "node": "pve2", "pool": "team", "offers": []any{"1c-2g"},
			"full_clone": true, "storage": "shared", "disk": "virtio0", "vmid_min": 200, "vmid_max": 999999998, "iso_storage": "shared",
			"task_timeout": "20m", "clone_limit": 3, "tls_fingerprint": strings.TrimSuffix(strings.Repeat("AB:", 32), ":"),
			"snippets.storage":   values{"storage": "local", "directory": "/snippets"},
			"snippets.directory": values{"storage": "shared", "directory": "/snippets"},
			"ca_certificate":     func(s *stage) any { return certpemtest.PEM(certpemtest.NewAuthority(s.T, time.Now()).Root) },
		},
	}
	for _, part := range []string{"host", "port", "user", "private_key", "known_host", "directory"} {
		fields["proxmox"]["snippets.sftp."+part] = values{"storage": "local", "sftp": values{
			"host": "pve1", "port": 22, "user": "root", "private_key": "env://KEY", "directory": "/snippets", "known_host": hostKey,
		}}
	}
	var rows []changed
	for kind, some := range fields {
		for field, value := range some {
			rows = append(rows, changed{
				attribute: kind + "." + field, what: "another one", on: strings.TrimSuffix(kind, "_cloud"), is: stored,
				after: values{kind: configWith(strings.Split(field, ".")[0], value)},
			})
		}
	}
	return rows
}

const hostKey = "pve1 ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHjVHYqYpmrHAyx4xJKUvuY5kPJ1IkVYEKRFMxJ5HbXC"

// configWith is the account's config with one field changed. A certificate authority takes the place of a fingerprint.
func configWith(field string, value any) func(*stage) any {
	return func(s *stage) any {
		config := with(s.Config(), values{field: s.resolve(value)})
		if field == "ca_certificate" {
			delete(config, "tls_fingerprint")
		}
		return config
	}
}

var secrets = subject{
	resource: secretType, on: "hetzner", prepare: prepareFile,
	bases: map[string]func(*stage) values{"": func(*stage) values { return values{"name": "token", "value_wo": "one"} }},
	rows: []changed{
		{attribute: "name", what: "another one", after: values{"name": "other"}, is: replaces},
		{attribute: "tenant_id", what: "another one", after: values{"tenant_id": "other"}, is: replaces},
		{attribute: "tenant_id", what: "the one that it has, written out", after: values{"tenant_id": "root"}, is: nothing},
		{attribute: "value_wo", what: "another one under the same version", after: values{"value_wo": "two"}, is: nothing},
		{attribute: "value_wo_version", what: "another one", after: values{"value_wo": "two", "value_wo_version": "2"}, is: inPlace},
	},
}

const identityVariable = "BETTERCOMPUTE_CHANGES_IDENTITY"

// prepareFile makes the identity of a sealed file, which the provider's block names.
func prepareFile(s *stage) {
	identity, _, err := secret.NewIdentity()
	if err != nil {
		s.T.Fatal(err)
	}
	s.T.Setenv(identityVariable, identity)
	path := filepath.Join(s.T.TempDir(), "secrets.sealed")
	s.Block = values{"secret_store": values{"path": path, "identity": "env://" + identityVariable}}
	s.values["file"] = &secret.SealedFile{Path: path, Identity: func(context.Context) (string, error) { return identity, nil }}
	s.written = func() string {
		content, err := os.ReadFile(path)
		if err != nil {
			s.T.Fatal(err)
		}
		return string(content)
	}
}
