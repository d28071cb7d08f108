// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// certificateKey begins the keys of certificates.
const certificateKey = "pcert_"

// The vendor's types of certificates.
const (
	typeCustom      = "custom"
	typeLetsEncrypt = "lets_encrypt"
)

// allCertificates reads the team's certificates with their marks, which are in rows.
func (c *cloud) allCertificates(ctx context.Context) ([]driver.Certificate, error) {
	return c.withRows(ctx, func(page *godo.ListOptions) ([]godo.Certificate, *godo.Response, error) {
		return c.client.Certificates.List(ctx, page)
	})
}

func (c *cloud) withRows(ctx context.Context, read func(*godo.ListOptions) ([]godo.Certificate, *godo.Response, error)) ([]driver.Certificate, error) {
	found, err := pages(c, read, func(certificate godo.Certificate) string { return certificate.ID })
	if err != nil || len(found) == 0 {
		return nil, err
	}
	rows, err := c.ListRows(ctx)
	if err != nil {
		return nil, err
	}
	certificates := make([]driver.Certificate, len(found))
	for i := range found {
		certificates[i] = certificateOf(&found[i], rows)
	}
	return certificates, nil
}

// Certificates answers the certificates that have a row.
func (c *cloud) Certificates(ctx context.Context) ([]driver.Certificate, error) {
	all, err := c.allCertificates(ctx)
	return slices.DeleteFunc(all, func(certificate driver.Certificate) bool { return !certificate.Marks.Managed }), err
}

// FindCertificates answers the certificates with the key.
func (c *cloud) FindCertificates(ctx context.Context, key string) ([]driver.Certificate, error) {
	all, err := c.allCertificates(ctx)
	return slices.DeleteFunc(all, func(certificate driver.Certificate) bool { return certificate.Marks.Key != key }), err
}

// FindCertificateName answers the certificate with the name; names are unique in a team.
func (c *cloud) FindCertificateName(ctx context.Context, name string) ([]driver.Certificate, error) {
	return c.withRows(ctx, func(page *godo.ListOptions) ([]godo.Certificate, *godo.Response, error) {
		return c.client.Certificates.ListByName(ctx, name, page)
	})
}

// Certificate answers one certificate.
func (c *cloud) Certificate(ctx context.Context, id string) (driver.Certificate, error) {
	if err := checkUUID(id); err != nil {
		return driver.Certificate{}, &failure.Input{Message: "the id of a certificate " + err.Error()}
	}
	found, _, err := c.client.Certificates.Get(ctx, id)
	if err != nil {
		return driver.Certificate{}, c.failed(err)
	}
	if found == nil || found.ID == "" {
		return driver.Certificate{}, errNoID
	}
	rows, err := c.ListRows(ctx)
	return certificateOf(found, rows), err
}

// certificateOf turns the vendor's certificate into ours. A custom one names no domains, and no answer has a text.
func certificateOf(found *godo.Certificate, rows []driver.Row) driver.Certificate {
	certificate := driver.Certificate{
		ID: found.ID, Name: found.Name, Kind: driver.CertificateCustom, State: certificateState(found.State),
		FingerprintSHA1: strings.ToLower(found.SHA1Fingerprint), NotAfter: momentOf(found.NotAfter), CreatedAt: momentOf(found.Created),
	}
	for _, name := range found.DNSNames {
		if name != "" {
			certificate.Domains = append(certificate.Domains, name)
		}
	}
	if found.Type == typeLetsEncrypt {
		certificate.Kind = driver.CertificateManaged
	}
	return marked(certificate, rows)
}

// marked gives a certificate the marks of its row. One without a claim is that of a create under way.
func marked(certificate driver.Certificate, rows []driver.Row) driver.Certificate {
	certificate.Marks, certificate.OtherClaims = driver.Marks{}, nil
	row, ok := rowOf(certificate, rows)
	if !ok {
		return certificate
	}
	certificate.Marks = driver.Marks{Managed: true, Key: row.Key, Creating: len(row.Claims) == 0}
	if len(row.Claims) > 0 {
		certificate.Marks.Claim, certificate.OtherClaims = row.Claims[0], row.Claims[1:]
	}
	return certificate
}

// certificateState maps the vendor's words (DigitalOcean API document, certificates, state).
func certificateState(state string) driver.CertificateState {
	switch state {
	case "verified":
		return driver.CertificateReady
	case "error", "errored":
		return driver.CertificateError
	default:
		return driver.CertificatePending
	}
}

// momentOf reads a time; zero where there is none yet.
func momentOf(text string) time.Time {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}
	}
	return at
}

// rowOf answers the row of a certificate: the one that records it, else, since a renewal changes the id and a create may have
// ended before its record, the one whose key the name ends in. A recorded custom certificate never changes its id: another one
// under its name is somebody else's.
func rowOf(certificate driver.Certificate, rows []driver.Row) (driver.Row, bool) {
	var named *driver.Row
	for i, row := range rows {
		if !strings.HasPrefix(row.Key, certificateKey) {
			continue
		}
		if slices.ContainsFunc(row.Records, func(record driver.Record) bool { return record.Object == certificate.ID }) {
			return row, true
		}
		ours := driver.PlainName(certificate.Name, row.Key) != certificate.Name
		if ours && (len(row.Records) == 0 || certificate.Kind == driver.CertificateManaged) {
			named = &rows[i]
		}
	}
	if named == nil {
		return driver.Row{}, false
	}
	return *named, true
}

// Zones answers the domains of the team.
func (c *cloud) Zones(ctx context.Context) ([]string, error) {
	domains, err := pages(c, func(page *godo.ListOptions) ([]godo.Domain, *godo.Response, error) {
		return c.client.Domains.List(ctx, page)
	}, func(domain godo.Domain) string { return domain.Name })
	var names []string
	for _, domain := range domains {
		names = append(names, strings.ToLower(domain.Name))
	}
	return names, err
}
