// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

func (a *API) addCertificates() {
	a.route("GET /certificates", listCertificates)
	a.route("POST /certificates", createCertificate)
	a.route("GET /certificates/{id}", withCertificate(getCertificate))
	a.route("PUT /certificates/{id}", withCertificate(updateCertificate))
	a.route("DELETE /certificates/{id}", withCertificate(deleteCertificate))

	a.routeActions("certificates", "certificate")
	a.route("GET /certificates/{id}/actions", withCertificate(listActionsOfCertificate))
	a.route("GET /certificates/{id}/actions/{action}", withCertificate(getActionOfCertificate))
	a.route("POST /certificates/{id}/actions/retry", withCertificate(retryCertificate))

	a.route("GET /zones", listZones)
	a.route("GET /zones/{id}", getZone)
}

func listActionsOfCertificate(c *call, own *certificate) core.Answer {
	rows := c.actionRows(c.project.actions, func(a *action) bool { return a.certificate == own })
	return c.replyList("actions", rows, actionSorts...)
}

func getActionOfCertificate(c *call, own *certificate) core.Answer {
	return c.replyAction(func(a *action) bool { return a.certificate == own })
}

// createCertificate answers an action for a managed certificate alone (Hetzner API document, POST /certificates).
func createCertificate(c *call) core.Answer {
	own, wrong := c.orderedCertificate()
	if wrong != nil {
		return *wrong
	}
	quota, set := c.api.settings.Get().Quotas["certificates"]
	switch {
	case c.project.certificateNameTaken(own.name):
		return taken("name", "certificate name is already used")
	case set && len(c.project.certificates) >= quota:
		return overLimit("certificate_limit", "certificate limit exceeded")
	}
	own.id, own.created = take(&c.api.ids.certificate), c.now
	c.project.certificates = append(c.project.certificates, own)
	body := object{"action": nil}
	if own.managed {
		body["action"] = c.issue("create_certificate", own).body()
	}
	body["certificate"] = c.certificateBody(own)
	return reply(http.StatusCreated, body, own.id)
}

func (c *call) orderedCertificate() (*certificate, *core.Answer) {
	in, wrong := c.fields()
	if wrong != nil {
		return nil, wrong
	}
	own := &certificate{issuance: "pending", renewal: "unavailable"}
	own.name, _ = in.text("name")
	if strings.TrimSpace(own.name) == "" {
		in.fail("name", "must not be empty")
	}
	own.labels, _ = in.labels()
	switch kind, _ := in.text("type"); kind {
	case "managed":
		own.managed = true
		in.domains(own)
	case "", "uploaded":
		in.uploaded(own)
	default:
		in.fail("type", "must be one of uploaded, managed")
	}
	return own, in.answer()
}

func (f *fields) domains(own *certificate) {
	f.read("domain_names", &own.domains, "a list of strings")
	if len(own.domains) == 0 {
		f.fail("domain_names", "must not be empty")
	}
	for _, domain := range own.domains {
		for label := range strings.SplitSeq(strings.TrimPrefix(domain, "*."), ".") {
			if !hostLabel.MatchString(label) {
				f.fail("domain_names", "'"+domain+"' is not a valid domain name")
				return
			}
		}
	}
}

// uploaded reads certificate and key, which must fit.
func (f *fields) uploaded(own *certificate) {
	text, _ := f.text("certificate")
	key, _ := f.text("private_key")
	leaf, stored, err := core.Uploaded(text, key)
	switch {
	case err == nil:
		own.leaf, own.pem, own.domains = leaf, stored, leaf.DNSNames
	case strings.Contains(err.Error(), "private key"):
		f.fail("private_key", "does not belong to the certificate or cannot be read")
	default:
		f.fail("certificate", "is not a valid PEM certificate chain")
	}
}

// issue starts the issuance of a managed certificate, or its repetition.
func (c *call) issue(command string, own *certificate) *action {
	made := &action{id: take(&c.api.ids.action), command: command, status: "running", started: c.now, certificate: own}
	c.project.actions = append(c.project.actions, made)
	own.issuance, own.problem = "pending", nil
	code := c.issuanceProblem(own)
	if code == "never" {
		return made
	}
	during := c.api.settings.Get().TimeOf(command)
	if code == "" {
		c.run(made, during, outcome{success: own.issued, failure: func(time.Time) { own.fail(made) }})
		return made
	}
	c.api.timeline.At(c.now.Add(during), func(at time.Time) {
		made.end(at, core.Result{Status: "error", Code: code, Message: issuanceMessages[code]})
		own.fail(made)
	})
	return made
}

// issuanceProblem answers why a certificate will not be issued: what the setting "issuance" says of one of its domains, else
// that the project has no zone for it. "never" leaves it pending.
func (c *call) issuanceProblem(own *certificate) string {
	issuance := c.api.settings.Get().Issuance
	for _, domain := range own.domains {
		if set := issuance[domain]; set != "" && set != "ok" {
			return set
		}
		if issuance[domain] == "" && core.ZoneOf(domain, c.project.zoneNames()) == "" {
			return "dns_zone_not_found"
		}
	}
	return ""
}

// issuanceMessages: codes of the Hetzner API document, POST /certificates/{id}/actions/retry; the wording is ours.
var issuanceMessages = map[string]string{
	"caa_record_does_not_allow_ca":                          "CAA record does not allow certificate authority",
	"ca_dns_validation_failed":                              "Certificate Authority: DNS validation failed",
	"ca_too_many_authorizations_failed_recently":            "Certificate Authority: Too many authorizations failed recently",
	"ca_too_many_certificates_issued_for_registered_domain": "Certificate Authority: Too many certificates issued for registered domain",
	"ca_too_many_duplicate_certificates":                    "Certificate Authority: Too many duplicate certificates",
	"could_not_verify_domain_delegated_to_zone":             "Could not verify domain delegated to zone",
	"dns_zone_not_found":                                    "DNS zone not found",
	"dns_zone_is_secondary_zone":                            "DNS zone is a secondary zone",
}

// issued makes a certificate that has come from the authority.
func (own *certificate) issued(at time.Time) {
	own.set(at.Add(core.Lifetime))
	own.issuance, own.renewal, own.problem = "completed", "scheduled", nil
}

// set gives the certificate a new leaf that is valid until a time.
func (own *certificate) set(until time.Time) {
	leaf, err := core.Issue(own.domains, until)
	if err != nil {
		panic("a certificate of valid domains can always be made: " + err.Error())
	}
	own.leaf, own.pem = leaf, core.CertificatePEM(leaf)
}

func (own *certificate) fail(because *action) {
	own.issuance, own.problem = "failed", because.failure
}

// retryCertificate is for managed ones alone whose issuance or renewal has failed.
func retryCertificate(c *call, own *certificate) core.Answer {
	if !own.managed || own.issuance != "failed" && own.renewal != "failed" {
		return about(failure(http.StatusUnprocessableEntity, "unsupported_error", "certificate issuance cannot be retried", nil), own.id)
	}
	return reply(http.StatusCreated, object{"action": c.issue("issue_certificate", own).body()}, own.id)
}

// loadBalancer is as much of a load balancer as certificates know of it. It is planted; the API has none.
type loadBalancer struct {
	id           int64
	name         string
	certificates []int64
}

// usersOf answers the load balancers that use a certificate.
func (p *project) usersOf(own *certificate) []object {
	users := []object{}
	for _, balancer := range p.balancers {
		if slices.Contains(balancer.certificates, own.id) {
			users = append(users, object{"id": balancer.id, "type": "load_balancer"})
		}
	}
	return users
}
