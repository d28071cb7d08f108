// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
)

// prepareTexts makes two certificates for one domain with their keys, and puts the first one behind references.
func prepareTexts(s *stage) {
	until := time.Now().Add(48 * time.Hour)
	authority := certpemtest.NewAuthority(s.T, time.Now())
	for _, name := range []string{"one", "two"} {
		leaf := authority.Leaf(s.T, until, "www.example.com")
		s.values[name], s.values[name+" key"] = certpemtest.PEM(leaf), certpemtest.KeyPEM(s.T, leaf)
	}
	s.values["chain"] = authority.Chain()
	for variable, value := range map[string]string{
		"ONE": "one", "ONE_KEY": "one key", "TWO": "two", "TWO_KEY": "two key", "CHAIN": "chain", "OTHER_CHAIN": "chain",
	} {
		s.T.Setenv("BETTERCOMPUTE_CHANGES_"+variable, s.values[value].(string))
	}
}

func behind(variable string) string { return "env://BETTERCOMPUTE_CHANGES_" + variable }

func pem(name string) func(*stage) any {
	return func(s *stage) any { return s.values[name] }
}

// indented is another spelling of a text.
func indented(name string) func(*stage) any {
	return func(s *stage) any { return certpemtest.Spellings(s.values[name].(string))[4] }
}

func certificateNamedWWW(s *stage, kind string, more values) values {
	return with(values{"provider_account": s.Account, "name": "www", "kind": kind}, more)
}

func issued(s *stage) values {
	return certificateNamedWWW(s, "managed", values{"domains": []any{"www.example.com"}})
}

func byReference(s *stage) values {
	return certificateNamedWWW(s, "custom", values{"certificate": behind("ONE"), "private_key": behind("ONE_KEY"), "chain": behind("CHAIN")})
}

func byText(s *stage) values {
	return certificateNamedWWW(s, "custom", values{
		"certificate_pem": s.values["one"], "chain_pem": s.values["chain"],
		"private_key_pem_wo": s.values["one key"], "private_key_pem_wo_version": "1",
	})
}

var certificates = subject{
	resource: certificateType, on: "hetzner digitalocean", prepare: prepareTexts,
	bases: map[string]func(*stage) values{"": issued, "references": byReference, "texts": byText},
	rows:  concat(accountParts(inPlace, nil, nil), certificateRows, materialRows, durations("create", "update", "delete", "read")),
}

var certificateRows = []changed{
	{attribute: "name", what: "another one", after: values{"name": "web"}, is: replaces},
	{
		attribute: "kind", what: "uploaded in the place of issued", is: replaces,
		after: values{"kind": "custom", "domains": nil, "certificate": behind("ONE"), "private_key": behind("ONE_KEY"), "chain": behind("CHAIN")},
	},
	{attribute: "domains", what: "one more", after: values{"domains": []any{"www.example.com", "api.example.com"}}, is: replaces},
	{attribute: "domains", what: "in capitals", after: values{"domains": []any{strings.ToUpper("www.example.com")}}, is: nothing},
	{attribute: "idempotency_key", what: "set", after: values{"idempotency_key": "k"}, is: replaces},
}

var materialRows = []changed{
	{attribute: "certificate", what: "another reference", base: "references", after: values{"certificate": behind("TWO"), "private_key": behind("TWO_KEY")}, is: replaces},
	{attribute: "private_key", what: "another reference", base: "references", after: values{"certificate": behind("TWO"), "private_key": behind("TWO_KEY")}, is: replaces},
	{attribute: "chain", what: "another reference", base: "references", after: values{"chain": behind("OTHER_CHAIN")}, is: replaces},
	{attribute: "references_version", what: "set", base: "references", after: values{"references_version": "2"}, is: replaces},
	{attribute: "certificate_pem", what: "another certificate", base: "texts", after: values{"certificate_pem": pem("two"), "private_key_pem_wo": pem("two key"), "private_key_pem_wo_version": "2"}, is: replaces},
	{attribute: "certificate_pem", what: "another spelling", base: "texts", after: values{"certificate_pem": indented("one")}, is: nothing},
	{attribute: "chain_pem", what: "another spelling", base: "texts", after: values{"chain_pem": indented("chain")}, is: nothing},
	{attribute: "chain_pem", what: "taken out", base: "texts", after: values{"chain_pem": nil}, is: replaces},
	{attribute: "private_key_pem_wo", what: "another key under the same version", base: "texts", after: values{"private_key_pem_wo": pem("two key")}, is: nothing},
	{attribute: "private_key_pem_wo_version", what: "another one", base: "texts", after: values{"private_key_pem_wo_version": "2"}, is: replaces},
}
