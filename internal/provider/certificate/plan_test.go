// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

const (
	typeName      = "bettercompute_certificate"
	tokenVariable = "CERTIFICATE_TEST_TOKEN"
)

type attributes = providertest.Attributes

// texts are a certificate with all that belongs to it, and what does not.
type texts struct {
	authority                    certpemtest.Authority
	leaf, key, chain             string
	otherLeaf, otherKey, expired string
}

func newTexts(t *testing.T) texts {
	t.Helper()
	now := time.Now()
	authority := certpemtest.NewAuthority(t, now)
	leaf, other := authority.Leaf(t, now.Add(48*time.Hour), "www.example.com"), authority.Leaf(t, now.Add(48*time.Hour), "api.example.com")
	return texts{
		authority: authority, leaf: certpemtest.PEM(leaf), key: certpemtest.KeyPEM(t, leaf), chain: authority.Chain(),
		otherLeaf: certpemtest.PEM(other), otherKey: certpemtest.KeyPEM(t, other),
		expired: certpemtest.PEM(authority.Leaf(t, now.Add(-time.Hour), "www.example.com")),
	}
}

// ownTenant is the provider's.
const ownTenant = "root"

// account is the account object of a kind on the emulator, as the data source gives it.
func account(t *testing.T, kindName string, config manifest.Values) attributes {
	t.Helper()
	kind, _ := cloud.KindByName(kindName)
	text, err := kind.Manifest.Canonical(config)
	if err != nil {
		t.Fatal(err)
	}
	return attributes{"id": compute.AccountID(ownTenant, kindName, "main", ""), "tenant_id": ownTenant, "kind": kindName, "config": text}
}

func hetznerConfig(e *emulator.Emulator) manifest.Values {
	return manifest.Values{"token": "env://" + tokenVariable, "endpoint": e.Hetzner.Endpoint}
}

func start(t *testing.T) *emulator.Emulator {
	t.Helper()
	e := emulator.Start(t, emulator.Options{ActionTime: -1})
	t.Setenv(tokenVariable, e.Hetzner.Token)
	return e
}

// badInput is a configuration, the argument that is at fault, empty for none, and what is said of it.
type badInput struct {
	written attributes
	at      string
	says    []string
}

// badInputs are by what is wrong with them. The texts are in environment variables too.
func badInputs(t *testing.T, pem texts) map[string]badInput {
	t.Helper()
	for name, value := range map[string]string{
		"LEAF": pem.leaf, "KEY": pem.key, "CHAIN": pem.chain, "OTHER_KEY": pem.otherKey, "EXPIRED": pem.expired, "EMPTY": " ",
	} {
		t.Setenv("CERTIFICATE_TEST_"+name, value)
	}
	env := func(name string) string { return "env://CERTIFICATE_TEST_" + name }
	text := func(changes attributes) attributes {
		written := attributes{
			"kind": "custom", "certificate_pem": pem.leaf, "chain_pem": pem.chain, "private_key_pem_wo": pem.key, "private_key_pem_wo_version": "1",
		}
		maps.Copy(written, changes)
		return written
	}
	named := func(changes attributes) attributes {
		written := attributes{"kind": "custom", "certificate": env("LEAF"), "private_key": env("KEY"), "chain": env("CHAIN")}
		maps.Copy(written, changes)
		return written
	}
	domains := func(names ...any) attributes { return attributes{"kind": "managed", "domains": names} }
	upside := certpemtest.PEM(pem.authority.Upper) + certpemtest.PEM(pem.authority.Lower)
	return map[string]badInput{
		"sound texts":                    {written: text(nil)},
		"sound references":               {written: named(nil)},
		"sound domains":                  {written: domains("www.example.com", "*.example.com", "example.com")},
		"key of another leaf":            {text(attributes{"private_key_pem_wo": pem.otherKey}), "private_key_pem_wo", []string{"is not the key of the certificate"}},
		"key of another leaf, by name":   {named(attributes{"private_key": env("OTHER_KEY")}), "private_key", []string{"is not the key of the certificate"}},
		"expired leaf":                   {text(attributes{"certificate_pem": pem.expired}), "certificate_pem", []string{"has expired on"}},
		"expired leaf, by name":          {named(attributes{"certificate": env("EXPIRED")}), "certificate", []string{"has expired on"}},
		"chain out of order":             {text(attributes{"chain_pem": upside}), "chain_pem", []string{"out of order", "The right order is: CN=Test Lower, then CN=Test Upper"}},
		"chain with the leaf":            {text(attributes{"chain_pem": pem.leaf + pem.chain}), "chain_pem", []string{"holds the certificate itself"}},
		"no PEM":                         {text(attributes{"certificate_pem": "www.example.com"}), "certificate_pem", []string{"holds no PEM block"}},
		"truncated PEM":                  {text(attributes{"certificate_pem": pem.leaf[:len(pem.leaf)/2]}), "certificate_pem", []string{"is cut off"}},
		"truncated key":                  {text(attributes{"private_key_pem_wo": pem.key[:len(pem.key)-30]}), "private_key_pem_wo", []string{"is cut off"}},
		"empty behind a reference":       {named(attributes{"chain": env("EMPTY")}), "chain", []string{"is empty"}},
		"nothing behind a reference":     {named(attributes{"private_key": env("NOT_SET")}), "private_key", []string{"is not set"}},
		"a store that is not there":      {named(attributes{"private_key": "secret://" + ownTenant + "/key"}), "private_key", []string{"INVALID_CONFIG", "secret_store"}},
		"a secret of another tenant":     {named(attributes{"private_key": "secret://other/key"}), "private_key", []string{"secret of the tenant root"}},
		"a domain in nobody's zone":      {domains("www.example.com", "www.example.org"), "domains", []string{"www.example.org is in none"}},
		"a domain that only looks alike": {domains("www.notexample.com"), "domains", []string{"www.notexample.com is in none"}},
		"a wildcard in nobody's zone":    {domains("*.example.org"), "domains", []string{"*.example.org is in none"}},
	}
}

func TestBadInputIsRefusedInThePlanAtItsArgument(t *testing.T) {
	e, pem := start(t), newTexts(t)
	for name, test := range badInputs(t, pem) {
		t.Run(name, func(t *testing.T) {
			server := providertest.Serve(t, nil)
			test.written["provider_account"], test.written["name"] = account(t, "hetzner-cloud", hetznerConfig(e)), "www"
			faults := append(server.Validate(typeName, test.written), server.Plan(typeName, tftypes.Value{}, test.written).Diagnostics...)
			if test.at == "" {
				if len(faults) > 0 {
					t.Errorf("a sound configuration: %s", faults)
				}
				return
			}
			if len(faults) != 1 || len(faults.At(test.at).Errors()) != 1 {
				t.Fatalf("want one error at %s:\n%s", test.at, faults)
			}
			for _, says := range append(test.says, "(INVALID_") {
				if !strings.Contains(faults.String(), says) {
					t.Errorf("the error does not say %q:\n%s", says, faults)
				}
			}
			if strings.Contains(faults.String(), pem.key[40:60]) {
				t.Error("the error holds a part of the key")
			}
		})
	}
	if made := e.Objects("hetzner", "certificates"); len(made) > 0 {
		t.Errorf("a plan has made %+v", made)
	}
}

func TestArgumentsThatDoNotGoTogether(t *testing.T) {
	tests := map[string]struct {
		written attributes
		at      []string
	}{
		"managed without domains":          {attributes{"kind": "managed"}, []string{"domains"}},
		"managed with a certificate":       {attributes{"kind": "managed", "domains": []any{"example.com"}, "certificate": "env://A"}, []string{"certificate"}},
		"custom with domains":              {attributes{"kind": "custom", "domains": []any{"example.com"}, "certificate": "env://A", "private_key": "env://B"}, []string{"domains"}},
		"custom with nothing":              {attributes{"kind": "custom"}, []string{"certificate", "private_key"}},
		"custom without a key":             {attributes{"kind": "custom", "certificate": "env://A"}, []string{"private_key"}},
		"custom by name and as text":       {attributes{"kind": "custom", "certificate": "env://A", "certificate_pem": "x", "private_key_pem_wo": "x", "private_key_pem_wo_version": "1"}, []string{"certificate"}},
		"custom as text without version":   {attributes{"kind": "custom", "certificate_pem": "x", "private_key_pem_wo": "x"}, []string{"private_key_pem_wo_version"}},
		"a secret in place of its name":    {attributes{"kind": "custom", "certificate": "env://A", "private_key": "planted-key"}, []string{"private_key"}},
		"another kind":                     {attributes{"kind": "uploaded"}, []string{"kind"}},
		"a domain that is none":            {attributes{"kind": "managed", "domains": []any{"https://example.com"}}, []string{"domains"}},
		"a name that no vendor would take": {attributes{"kind": "managed", "name": "Www_1", "domains": []any{"example.com"}}, []string{"name"}},
		"unknown values are not judged":    {attributes{"kind": "custom", "certificate": providertest.Unknown, "private_key": providertest.Unknown}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			written := attributes{"provider_account": providertest.Unknown, "name": "www"}
			maps.Copy(written, test.written)
			faults := providertest.Serve(t, nil).Validate(typeName, written)
			if len(faults) != len(test.at) {
				t.Errorf("want %d faults: %s", len(test.at), faults)
			}
			for _, at := range test.at {
				if len(faults.At(at).Errors()) == 0 {
					t.Errorf("nothing at %s: %s", at, faults)
				}
			}
			if strings.Contains(faults.String(), "planted") {
				t.Error("the fault shows what may be a secret")
			}
		})
	}
}

// Zones of the account are given to tenants: a domain is the tenant's whose zone is the longest that it is in.
func TestDomainsOfAnotherTenantAreRefused(t *testing.T) {
	e := start(t)
	const other = "CERTIFICATE_TEST_OTHER_TOKEN"
	t.Setenv(other, e.DigitalOcean.Token)
	for _, zone := range []string{"sub.example.com", "other.test"} {
		for vendor, kind := range map[string]string{"hetzner": "zones", "digitalocean": "domains"} {
			if _, err := e.Plant(vendor, kind, emulator.Fields{"name": zone}); err != nil {
				t.Fatal(err)
			}
		}
	}
	configs := map[string]manifest.Values{
		"hetzner-cloud": hetznerConfig(e), "digitalocean": {"token": "env://" + other, "region": "fra1", "endpoint": e.DigitalOcean.Endpoint},
	}
	zones := map[string]string{"example.com": "root", "sub.example.com": "shop", "gone.example.com": "root"}
	tests := map[string]string{
		"www.example.com": "", "example.com": "", "*.example.com": "", "a.b.example.com": "", "WWW.example.com": "", "sub2.example.com": "",
		"www.sub.example.com": "another tenant", "sub.example.com": "another tenant", "*.sub.example.com": "another tenant",
		"www.other.test": "to no tenant", "www.gone.example.com": "does not host", "com.example": "none of the DNS zones",
	}
	for kind, config := range configs {
		config["dns_zones"] = zones
		for domain, says := range tests {
			t.Run(kind+"/"+domain, func(t *testing.T) {
				faults := providertest.Serve(t, nil).Plan(typeName, tftypes.Value{}, attributes{
					"provider_account": account(t, kind, config), "name": "www", "kind": "managed", "domains": []any{domain},
				}).Diagnostics
				refused := len(faults.At("domains").Errors()) == 1 && strings.Contains(faults.String(), says) &&
					strings.Contains(faults.String(), "(domainNotOwned)")
				if says == "" && len(faults) > 0 || says != "" && !refused {
					t.Errorf("want %q: %s", says, faults)
				}
			})
		}
	}
}

// The apply asks for the zones again, also where the plan did not.
func TestTheCreateChecksDomainsWithoutPreflight(t *testing.T) {
	e := start(t)
	server := providertest.Serve(t, attributes{"preflight": false})
	planned := server.Plan(typeName, tftypes.Value{}, attributes{
		"provider_account": account(t, "hetzner-cloud", hetznerConfig(e)), "name": "www", "kind": "managed", "domains": []any{"www.example.org"},
	})
	if len(planned.Diagnostics) > 0 || len(e.Journal()) > 0 {
		t.Fatalf("the plan asked: %s", planned.Diagnostics)
	}
	_, faults := server.Apply(typeName, tftypes.Value{}, planned)
	if len(faults.At("domains").Errors()) != 1 || !strings.Contains(faults.String(), "INVALID_INPUT") {
		t.Errorf("the apply: %s", faults)
	}
	if made := e.Objects("hetzner", "certificates"); len(made) > 0 {
		t.Errorf("it has made %+v", made)
	}
}

func TestWhatAPEMSaysIsKnownInThePlan(t *testing.T) {
	e, pem := start(t), newTexts(t)
	planned := providertest.Serve(t, nil).Plan(typeName, tftypes.Value{}, attributes{
		"provider_account": account(t, "hetzner-cloud", hetznerConfig(e)), "name": "www", "kind": "custom",
		"certificate_pem": pem.leaf + pem.chain, "private_key_pem_wo": pem.key, "private_key_pem_wo_version": "1",
	})
	for name, want := range map[string]string{"id": "pcert_", "fingerprint": "", "not_after": "20", "not_before": "20", "tenant_id": "root"} {
		if value := providertest.Fields(t, planned.State)[name]; !value.IsKnown() {
			t.Errorf("%s is not known", name)
		} else if text := providertest.Text(t, planned.State, name); !strings.HasPrefix(text, want) {
			t.Errorf("%s is %s", name, text)
		}
	}
	if domains := fmt.Sprint(providertest.Fields(t, planned.State)["domains"]); !strings.Contains(domains, "www.example.com") {
		t.Errorf("the domains are %s", domains)
	}
}

// What a vendor has not is refused in the plan, with no call made.
func TestAVendorWithoutCertificates(t *testing.T) {
	config := manifest.Values{"url": "https://127.0.0.1:1", "token": "env://" + tokenVariable}
	planned := providertest.Serve(t, nil).Plan(typeName, tftypes.Value{}, attributes{
		"provider_account": account(t, "proxmox", config), "name": "www", "kind": "managed", "domains": []any{"www.example.com"},
	})
	if faults := planned.Diagnostics; len(faults) != 1 || !strings.Contains(faults.At("provider_account").String(), "(UNSUPPORTED)") {
		t.Errorf("%s", faults)
	}
}
