// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"strconv"
	"strings"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// certificates reads all certificates that a filter lets through.
func (c *cloud) certificates(ctx context.Context, filter hcloud.CertificateListOpts) ([]driver.Certificate, error) {
	found, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.Certificate, *hcloud.Response, error) {
		page.LabelSelector = filter.LabelSelector
		return c.client.Certificate.List(ctx, hcloud.CertificateListOpts{ListOpts: page, Name: filter.Name})
	}, func(certificate *hcloud.Certificate) int64 { return certificate.ID })
	if err != nil {
		return nil, err
	}
	certificates := make([]driver.Certificate, len(found))
	for i, certificate := range found {
		certificates[i] = certificateOf(certificate)
	}
	return certificates, nil
}

// Certificates answers the certificates with the managed mark.
func (c *cloud) Certificates(ctx context.Context) ([]driver.Certificate, error) {
	return c.certificates(ctx, hcloud.CertificateListOpts{ListOpts: hcloud.ListOpts{LabelSelector: labelManaged + "=true"}})
}

// FindCertificates answers the certificates with the key. The vendor's labels are searched without a lag.
func (c *cloud) FindCertificates(ctx context.Context, key string) ([]driver.Certificate, error) {
	return c.certificates(ctx, hcloud.CertificateListOpts{ListOpts: hcloud.ListOpts{LabelSelector: labelKey + "==" + key}})
}

// FindCertificateName answers the certificate with the name; names are unique in a project.
func (c *cloud) FindCertificateName(ctx context.Context, name string) ([]driver.Certificate, error) {
	return c.certificates(ctx, hcloud.CertificateListOpts{Name: name})
}

// Certificate answers one certificate.
func (c *cloud) Certificate(ctx context.Context, id string) (driver.Certificate, error) {
	number, err := parseID(id)
	if err != nil {
		return driver.Certificate{}, err
	}
	found, response, err := c.client.Certificate.GetByID(ctx, number)
	if err != nil {
		return driver.Certificate{}, c.failed(response, err)
	}
	if found == nil {
		return driver.Certificate{}, c.failed(response, notFound(response))
	}
	return c.certificate(found, response)
}

func (c *cloud) certificate(found *hcloud.Certificate, response *hcloud.Response) (driver.Certificate, error) {
	if found == nil || found.ID == 0 {
		return driver.Certificate{}, c.failed(response, errNoID)
	}
	return certificateOf(found), nil
}

// certificateOf turns the vendor's certificate into ours.
func certificateOf(found *hcloud.Certificate) driver.Certificate {
	marks, labels := splitMarks(found.Labels)
	certificate := driver.Certificate{
		ID: strconv.FormatInt(found.ID, 10), Name: found.Name, Kind: driver.CertificateCustom, State: driver.CertificateReady,
		Domains: found.DomainNames, Fingerprint: strings.ToLower(strings.ReplaceAll(found.Fingerprint, ":", "")),
		NotBefore: found.NotValidBefore, NotAfter: found.NotValidAfter, CreatedAt: found.Created, Marks: marks, Labels: labels,
	}
	for _, user := range found.UsedBy {
		certificate.UsedBy = append(certificate.UsedBy, string(user.Type)+" "+strconv.FormatInt(user.ID, 10))
	}
	if found.Type == hcloud.CertificateTypeManaged {
		certificate.Kind = driver.CertificateManaged
		certificate.State, certificate.Err = issuanceOf(found)
	}
	return certificate
}

// issuanceOf maps the vendor's words (Hetzner API document, GET /certificates/{id}, status). A renewal that fails leaves the
// certificate as it is.
func issuanceOf(found *hcloud.Certificate) (driver.CertificateState, error) {
	if found.Status == nil {
		return driver.CertificatePending, nil
	}
	switch found.Status.Issuance {
	case hcloud.CertificateStatusTypeCompleted:
		return driver.CertificateReady, nil
	case hcloud.CertificateStatusTypeFailed:
		if found.Status.Error == nil {
			return driver.CertificateError, nil
		}
		return driver.CertificateError, *found.Status.Error
	default:
		return driver.CertificatePending, nil
	}
}

// CreateCertificate sends one POST /certificates. The library's own Create refuses managed ones.
func (c *cloud) CreateCertificate(ctx context.Context, spec driver.CertificateSpec) (driver.CreatedCertificate, error) {
	order := hcloud.CertificateCreateOpts{
		Name: driver.UniqueName(spec.Name, spec.Marks.Key), Type: hcloud.CertificateTypeUploaded,
		Certificate: spec.Certificate + spec.Chain, PrivateKey: spec.PrivateKey, Labels: withMarks(nil, spec.Marks),
	}
	if spec.Kind == driver.CertificateManaged {
		order.Type, order.DomainNames = hcloud.CertificateTypeManaged, spec.Domains
	}
	result, response, err := c.client.Certificate.CreateCertificate(ctx, order)
	if err != nil {
		return driver.CreatedCertificate{}, c.failed(response, withLimits(response, err))
	}
	made, err := c.certificate(result.Certificate, response)
	return driver.CreatedCertificate{Certificate: made, Operations: operationsOf(made.ID, result.Action), Proof: proofOf(result.Action)}, err
}

// RetryCertificate starts the issuance once more (Hetzner API document, POST /certificates/{id}/actions/retry).
func (c *cloud) RetryCertificate(ctx context.Context, certificate driver.Certificate) ([]driver.Operation, error) {
	if certificate.Kind != driver.CertificateManaged {
		return nil, &failure.Unsupported{Message: "Hetzner Cloud issues managed certificates only"}
	}
	number, err := parseID(certificate.ID)
	if err != nil {
		return nil, err
	}
	action, response, err := c.client.Certificate.RetryIssuance(ctx, &hcloud.Certificate{ID: number})
	return operationsOf(certificate.ID, action), c.failed(response, err)
}

// MarkCertificate writes all labels: the vendor replaces the whole map.
func (c *cloud) MarkCertificate(ctx context.Context, certificate driver.Certificate, marks driver.Marks) (driver.Certificate, error) {
	number, err := parseID(certificate.ID)
	if err != nil {
		return driver.Certificate{}, err
	}
	updated, response, err := c.client.Certificate.Update(ctx, &hcloud.Certificate{ID: number},
		hcloud.CertificateUpdateOpts{Labels: withMarks(certificate.Labels, marks)})
	if err != nil {
		return driver.Certificate{}, c.failed(response, err)
	}
	return c.certificate(updated, response)
}

// DeleteCertificate removes a certificate at once.
func (c *cloud) DeleteCertificate(ctx context.Context, certificate driver.Certificate) error {
	number, err := parseID(certificate.ID)
	if err != nil {
		return err
	}
	response, err := c.client.Certificate.Delete(ctx, &hcloud.Certificate{ID: number})
	return c.failed(response, err)
}

// Zones answers the DNS zones of the project (Hetzner API document, GET /zones).
func (c *cloud) Zones(ctx context.Context) ([]string, error) {
	zones, err := pages(c, func(page hcloud.ListOpts) ([]*hcloud.Zone, *hcloud.Response, error) {
		return c.client.Zone.List(ctx, hcloud.ZoneListOpts{ListOpts: page})
	}, func(zone *hcloud.Zone) int64 { return zone.ID })
	if err != nil {
		return nil, err
	}
	var names []string
	for _, zone := range zones {
		names = append(names, strings.ToLower(strings.TrimSuffix(zone.Name, ".")))
	}
	return names, nil
}

// issuanceAdvice says what the codes of an issuance mean for the one who owns the domain (Hetzner API document, POST
// /certificates/{id}/actions/retry).
var issuanceAdvice = map[hcloud.ErrorCode]string{
	"caa_record_does_not_allow_ca":                          "a CAA record of the domain does not let this authority issue: allow it, or remove the record",
	"ca_dns_validation_failed":                              "the authority could not verify the domain by its DNS: check that the zone is the one that the world sees",
	"ca_too_many_authorizations_failed_recently":            "the authority refuses the domain for a while after too many failures: correct the cause and wait",
	"ca_too_many_certificates_issued_for_registered_domain": "the authority's weekly limit for the registered domain is used up: wait, or use fewer certificates with more names",
	"ca_too_many_duplicate_certificates":                    "the authority's weekly limit for the same set of names is used up: wait",
	"could_not_verify_domain_delegated_to_zone":             "the domain is not delegated to the zone of this project: point its NS records at Hetzner's name servers",
	"dns_zone_not_found":                                    "the project has no DNS zone for the domain: make it, or use the project that has it",
	"dns_zone_is_secondary_zone":                            "the zone is a secondary one, in which Hetzner cannot write: make it primary",
}
