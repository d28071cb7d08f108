// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// certificate is a TLS certificate of a project: uploaded, or managed, which is issued a while after it was ordered.
type certificate struct {
	id       int64
	name     string
	managed  bool
	domains  []string
	leaf     *x509.Certificate // nil until it is issued
	pem      string
	labels   map[string]string
	created  time.Time
	issuance string // of a managed one: pending, completed or failed
	renewal  string // scheduled, pending, failed or unavailable
	problem  object // code and message of the last failure, nil without
}

func (c *call) certificateBody(own *certificate) object {
	body := object{
		"id": own.id, "name": own.name, "type": "uploaded", "labels": labelsBody(own.labels), "created": timestamp(own.created),
		"certificate": nil, "not_valid_before": nil, "not_valid_after": nil, "fingerprint": nil, "status": nil,
		"domain_names": slices.Concat([]string{}, own.domains), "used_by": c.project.usersOf(own),
	}
	if own.leaf != nil {
		body["certificate"], body["fingerprint"] = own.pem, fingerprint(own.leaf)
		body["not_valid_before"], body["not_valid_after"] = timestamp(own.leaf.NotBefore), timestamp(own.leaf.NotAfter)
	}
	if own.managed {
		var problem any
		if own.problem != nil {
			problem = own.problem
		}
		body["type"] = "managed"
		body["status"] = object{"issuance": own.issuance, "renewal": own.renewal, "error": problem}
	}
	return body
}

// fingerprint is the SHA-256 with colons.
func fingerprint(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.Raw)
	parts := make([]string, len(sum))
	for i, octet := range sum {
		parts[i] = fmt.Sprintf("%02X", octet)
	}
	return strings.Join(parts, ":")
}

func (c *call) replyCertificate(status int, own *certificate) core.Answer {
	return reply(status, object{"certificate": c.certificateBody(own)}, own.id)
}

func (p *project) certificate(id int64) *certificate {
	for _, own := range p.certificates {
		if own.id == id {
			return own
		}
	}
	return nil
}

// withCertificate finds the certificate of the path.
func withCertificate(handle func(*call, *certificate) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.project.certificate(c.id("id"))
		if found == nil || (c.IsRead() && c.hidden(found.created, c.api.settings.Get().Lag.Get)) {
			return notFound("certificate")
		}
		return handle(c, found)
	}
}

func getCertificate(c *call, own *certificate) core.Answer {
	return c.replyCertificate(http.StatusOK, own)
}

func listCertificates(c *call) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	lag := c.api.settings.Get().Lag.List
	var rows []row
	for _, own := range c.project.certificates {
		body := c.certificateBody(own)
		kind, _ := body["type"].(string)
		if c.wanted("name", own.name) && c.wanted("type", kind) && selects(requirements, own.labels) && !c.hidden(own.created, lag) {
			rows = append(rows, row{body: body, keys: map[string]sortKey{
				"id": number(own.id), "name": word(own.name), "created": number(own.created.UnixNano()),
			}})
		}
	}
	return c.replyList("certificates", rows, "id", "name", "created")
}

// updateCertificate changes name and labels, the only things that change (Hetzner API document, PUT /certificates/{id}).
func updateCertificate(c *call, own *certificate) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name, hasName := in.text("name")
	labels, hasLabels := in.labels()
	if hasName && strings.TrimSpace(name) == "" {
		in.fail("name", "must not be empty")
	}
	if answer := in.answer(); answer != nil {
		return about(*answer, own.id)
	}
	if hasName && name != own.name && c.project.certificateNameTaken(name) {
		return about(taken("name", "certificate name is already used"), own.id)
	}
	if hasName {
		own.name = name
	}
	if hasLabels {
		own.labels = labels
	}
	return getCertificate(c, own)
}

// deleteCertificate: one that a load balancer uses stays (seen live: service_error, "certificate still in use").
func deleteCertificate(c *call, own *certificate) core.Answer {
	if len(c.project.usersOf(own)) > 0 {
		return about(failure(http.StatusUnprocessableEntity, "service_error", "certificate still in use", nil), own.id)
	}
	c.project.dropCertificate(own)
	return noContent(own.id)
}

func (p *project) dropCertificate(own *certificate) {
	p.certificates = slices.DeleteFunc(p.certificates, func(other *certificate) bool { return other == own })
}

func (p *project) certificateNameTaken(name string) bool {
	return slices.ContainsFunc(p.certificates, func(own *certificate) bool { return own.name == name })
}
