// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"crypto/sha1" //nolint:gosec // the vendor shows certificates by it
	"crypto/x509"
	"encoding/hex"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// The types of certificates.
const (
	typeCustom      = "custom"
	typeLetsEncrypt = "lets_encrypt"
)

// certificate is a TLS certificate of a team. The vendor never shows its text.
type certificate struct {
	id      string // another one after each renewal
	name    string
	kind    string
	domains []string
	leaf    *x509.Certificate // nil until it is issued
	state   string            // pending, verified or error
	created time.Time
	print   string // of a planted one whose leaf is not known, in the leaf's place
}

func (own *certificate) body() object {
	body := object{
		"id": own.id, "name": own.name, "type": own.kind, "state": own.state, "created_at": timestamp(own.created),
		"dns_names": own.domains, "not_after": "", "sha1_fingerprint": "",
	}
	if own.kind == typeCustom {
		body["dns_names"] = []string{""}
	}
	if own.leaf != nil {
		sum := sha1.Sum(own.leaf.Raw) //nolint:gosec // see the import
		body["not_after"], body["sha1_fingerprint"] = timestamp(own.leaf.NotAfter), cmp.Or(own.print, hex.EncodeToString(sum[:]))
	}
	return body
}

func (t *team) certificate(id string) *certificate {
	for _, own := range t.certificates {
		if own.id == id {
			return own
		}
	}
	return nil
}

func withCertificate(handle func(*call, *certificate) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		if found := c.team.certificate(c.Params["certificate"]); found != nil {
			return handle(c, found)
		}
		return notFound()
	}
}

func (a *API) addCertificates() {
	a.route("GET /v2/certificates", listCertificates)
	a.route("POST /v2/certificates", createCertificate)
	a.route("GET /v2/certificates/{certificate}", withCertificate(getCertificate))
	a.route("DELETE /v2/certificates/{certificate}", withCertificate(deleteCertificate))
	a.route("GET /v2/domains", listDomains)
	a.route("GET /v2/domains/{domain}", getDomain)
}

func getCertificate(_ *call, own *certificate) core.Answer {
	return reply(http.StatusOK, object{"certificate": own.body()}, own.id)
}

func listCertificates(c *call) core.Answer {
	found := slices.DeleteFunc(slices.Clone(c.team.certificates), func(own *certificate) bool {
		return c.Query.Get("name") != "" && c.Query.Get("name") != own.name
	})
	return c.replyList("certificates", len(found), func(i int) any { return found[i].body() })
}

// createCertificate: 201 in the vendor's document; names are unique in a team. A body with empty texts is answered with 503
// (terraform-provider-digitalocean, issue 729).
func createCertificate(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	for _, value := range in.values {
		if string(value) == `""` {
			return failure(http.StatusServiceUnavailable, messages[http.StatusServiceUnavailable])
		}
	}
	own := &certificate{name: in.text("name"), kind: in.text("type"), state: "verified", created: c.now}
	if own.name == "" {
		in.refuse(unprocessable("name can't be blank"))
	}
	if own.kind == typeLetsEncrypt {
		c.orderedDomains(in, own)
	} else {
		in.uploaded(own)
	}
	quota, set := c.settings.Quotas["certificates"]
	switch {
	case in.problem != nil:
		return *in.problem
	case slices.ContainsFunc(c.team.certificates, func(other *certificate) bool { return other.name == own.name }):
		return unprocessable("name is not unique")
	case set && len(c.team.certificates) >= quota:
		return unprocessable("you have reached the limit of certificates")
	}
	own.id = newUUID()
	c.team.certificates = append(c.team.certificates, own)
	if own.kind == typeLetsEncrypt {
		c.issue(own)
	}
	return reply(http.StatusCreated, object{"certificate": own.body()}, own.id)
}

func (f *fields) uploaded(own *certificate) {
	own.kind = typeCustom
	text := f.text("leaf_certificate")
	if chain := f.text("certificate_chain"); chain != "" {
		text += "\n" + chain
	}
	leaf, _, err := core.Uploaded(text, f.text("private_key"))
	switch {
	case err == nil:
		own.leaf, own.domains = leaf, leaf.DNSNames
	case strings.Contains(err.Error(), "private key"):
		f.refuse(unprocessable("private_key does not match the leaf_certificate"))
	default:
		f.refuse(unprocessable("leaf_certificate is not valid"))
	}
}

// orderedDomains: names must be in domains of the team (the wording is unverified).
func (c *call) orderedDomains(in *fields, own *certificate) {
	in.read("dns_names", &own.domains, "a list of strings")
	if len(own.domains) == 0 {
		in.refuse(unprocessable("dns_names can't be blank"))
	}
	for _, domain := range own.domains {
		if core.ZoneOf(domain, c.team.domains) == "" {
			in.refuse(unprocessable("domain %s is not managed by DigitalOcean DNS on this team", domain))
		}
	}
}

// issue lets a certificate be verified after a while, or end in the state error, as the setting "issuance" says of its
// domains. The vendor gives no reason.
func (c *call) issue(own *certificate) {
	own.state = "pending"
	outcome := ""
	for _, domain := range own.domains {
		if set := c.settings.Issuance[domain]; set != "" && set != "ok" {
			outcome = set
		}
	}
	if outcome == "never" {
		return
	}
	c.api.timeline.At(c.now.Add(c.settings.TimeOf("issue_certificate")), func(at time.Time) {
		if outcome != "" {
			own.state = "error"
			return
		}
		own.set(at.Add(core.Lifetime))
	})
}

func (own *certificate) set(until time.Time) {
	leaf, err := core.Issue(own.domains, until)
	if err != nil {
		panic("a certificate of valid domains can always be made: " + err.Error())
	}
	own.leaf, own.state = leaf, "verified"
}

// deleteCertificate: one that a load balancer uses is refused with 403 (terraform-provider-digitalocean,
// certificate/resource_certificate.go).
func deleteCertificate(c *call, own *certificate) core.Answer {
	for _, balancer := range c.team.balancers {
		if slices.Contains(balancer.certificates, own.id) {
			return about(failure(http.StatusForbidden, "Make sure the certificate is not in use before deleting it"), own.id)
		}
	}
	c.team.dropCertificate(own)
	return noContent(own.id)
}

func (t *team) dropCertificate(own *certificate) {
	t.certificates = slices.DeleteFunc(t.certificates, func(other *certificate) bool { return other == own })
}

func domainBody(name string) object {
	return object{"name": name, "ttl": 1800, "zone_file": "$ORIGIN " + name + ".\n"}
}

func listDomains(c *call) core.Answer {
	return c.replyList("domains", len(c.team.domains), func(i int) any { return domainBody(c.team.domains[i]) })
}

func getDomain(c *call) core.Answer {
	if !slices.Contains(c.team.domains, c.Params["domain"]) {
		return notFound()
	}
	return reply(http.StatusOK, object{"domain": domainBody(c.Params["domain"])}, c.Params["domain"])
}
