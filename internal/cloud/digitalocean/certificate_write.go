// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"slices"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// CreateCertificate makes the row, then the certificate, then the record. A lost answer does no harm: names are unique, and
// this one ends in the key of the row.
func (c *cloud) CreateCertificate(ctx context.Context, spec driver.CertificateSpec) (driver.CreatedCertificate, error) {
	key := spec.Marks.Key
	existed, err := c.clearDeadRow(ctx, key)
	if err != nil {
		return driver.CreatedCertificate{}, err
	}
	if err := c.OpenRow(ctx, key); err != nil {
		return driver.CreatedCertificate{}, err
	}
	proof := c.proof(ctx)
	made, _, err := c.client.Certificates.Create(ctx, certificateRequest(spec))
	if err != nil {
		return driver.CreatedCertificate{}, c.takeBack(ctx, key, existed, c.failed(err))
	}
	if made == nil || made.ID == "" {
		return driver.CreatedCertificate{}, errNoID
	}
	// A record that cannot be made now is made with the claim; until then the name shows whose the certificate is.
	_ = c.RecordRow(ctx, key, driver.Record{Object: made.ID})
	return driver.CreatedCertificate{Certificate: certificateOf(made, []driver.Row{{Key: key}}), Proof: proof}, nil
}

// certificateRequest leaves out what is empty: a body with empty texts is answered with 503 (terraform-provider-digitalocean,
// issue 729).
func certificateRequest(spec driver.CertificateSpec) *godo.CertificateRequest {
	request := &godo.CertificateRequest{Name: driver.UniqueName(spec.Name, spec.Marks.Key), Type: typeCustom}
	if spec.Kind == driver.CertificateManaged {
		request.Type, request.DNSNames = typeLetsEncrypt, spec.Domains
		return request
	}
	request.LeafCertificate, request.CertificateChain, request.PrivateKey = spec.Certificate, spec.Chain, spec.PrivateKey
	return request
}

// clearDeadRow removes what an earlier certificate with the key has left: a row whose certificate is gone. It answers whether
// a row is there.
func (c *cloud) clearDeadRow(ctx context.Context, key string) (existed bool, err error) {
	row, existed, err := c.row(ctx, key)
	if err != nil || !existed || len(row.Records) == 0 {
		return existed, err
	}
	for _, record := range row.Records {
		if _, _, err := c.client.Certificates.Get(ctx, record.Object); !missing(c.failed(err)) {
			return true, c.failed(err)
		}
	}
	return false, c.EraseRow(ctx, row)
}

func (c *cloud) row(ctx context.Context, key string) (driver.Row, bool, error) {
	rows, err := c.ListRows(ctx)
	at := slices.IndexFunc(rows, func(row driver.Row) bool { return row.Key == key })
	if err != nil || at < 0 {
		return driver.Row{Key: key}, false, err
	}
	return rows[at], true, nil
}

// takeBack removes the row that this create has made, where nothing can have come of it.
func (c *cloud) takeBack(ctx context.Context, key string, existed bool, failed error) error {
	refused := c.Describe(failed)
	if existed || refused.Outcome != driver.NotDone || refused.Reason == driver.ReasonNameTaken {
		return failed
	}
	// A row that stays is met by the next create, which goes on with it.
	_ = c.EraseRow(ctx, driver.Row{Key: key})
	return failed
}

// RetryCertificate: the vendor has no such call.
func (c *cloud) RetryCertificate(context.Context, driver.Certificate) ([]driver.Operation, error) {
	return nil, &failure.Unsupported{Message: "DigitalOcean cannot repeat an issuance: the certificate has to be replaced"}
}

// MarkCertificate brings the row to the marks. As long as a create is under way a row bears no claim.
func (c *cloud) MarkCertificate(ctx context.Context, certificate driver.Certificate, marks driver.Marks) (driver.Certificate, error) {
	shown := certificate.Marks
	if shown.Managed && shown.Key != marks.Key {
		row, _, err := c.row(ctx, shown.Key)
		if err != nil {
			return certificate, err
		}
		if err := c.EraseRow(ctx, row); err != nil {
			return certificate, err
		}
	}
	if marks.Key != "" {
		if err := c.writeRow(ctx, certificate, marks); err != nil {
			return certificate, err
		}
	}
	rows, err := c.ListRows(ctx)
	if err != nil {
		return certificate, err
	}
	return marked(certificate, rows), nil
}

func (c *cloud) writeRow(ctx context.Context, certificate driver.Certificate, marks driver.Marks) error {
	if err := c.OpenRow(ctx, marks.Key); err != nil {
		return err
	}
	if err := c.RecordRow(ctx, marks.Key, driver.Record{Object: certificate.ID}); err != nil {
		return err
	}
	if marks.Creating || marks.Claim == "" {
		return nil
	}
	others := append([]string{certificate.Marks.Claim}, certificate.OtherClaims...)
	return c.ClaimRow(ctx, marks.Key, marks.Claim, slices.DeleteFunc(others, func(claim string) bool {
		return claim == "" || claim == marks.Claim || certificate.Marks.Key != marks.Key
	}))
}

// WithdrawCertificate takes one claim off the row.
func (c *cloud) WithdrawCertificate(ctx context.Context, certificate driver.Certificate, claim string) error {
	return c.WithdrawRow(ctx, certificate.Marks.Key, claim)
}

// DeleteCertificate removes the certificate, and its row after it.
func (c *cloud) DeleteCertificate(ctx context.Context, certificate driver.Certificate) error {
	_, err := c.client.Certificates.Delete(ctx, certificate.ID)
	gone := c.failed(err)
	if err != nil && !missing(gone) || certificate.Marks.Key == "" {
		return gone
	}
	row, existed, err := c.row(ctx, certificate.Marks.Key)
	if err == nil && existed {
		err = c.EraseRow(ctx, row)
	}
	if err != nil {
		return err
	}
	return gone
}
