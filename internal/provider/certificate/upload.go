// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package certificate

import (
	"context"
	"errors"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

// upload is how the texts of a custom certificate are found: as they are written, or behind references, which are resolved
// when they are asked for and never kept.
type upload struct {
	config model
	// resolve knows the references that the certificate names, and no other.
	resolve func(context.Context, string) (string, error)
	// content is that of the last certificate that was read.
	content content
}

// content is what a certificate's text tells, nothing of it secret.
type content struct {
	Domains                          types.Set
	NotBefore, NotAfter, Fingerprint types.String
}

func noContent() content {
	return content{
		Domains: nameSet(nil), NotBefore: types.StringNull(), NotAfter: types.StringNull(), Fingerprint: types.StringNull(),
	}
}

func contentOf(bundle certpem.Bundle) content {
	return content{
		Domains: nameSet(bundle.Domains()), NotBefore: attributes.Moment(bundle.Leaf.NotBefore),
		NotAfter: attributes.Moment(bundle.Leaf.NotAfter), Fingerprint: types.StringValue(bundle.Fingerprint()),
	}
}

func (r *Resource) upload(config model) *upload {
	own := &upload{config: config, content: noContent()}
	if r.Accounts != nil {
		own.resolve = r.ResolveOnly(config.Certificate.ValueString(), config.PrivateKey.ValueString(), config.Chain.ValueString())
	}
	return own
}

// bundle reads and checks certificate and chain. The error is of type *compute.Error, at the argument.
func (u *upload) bundle(ctx context.Context) (certpem.Bundle, error) {
	certificate, err := u.text(ctx, "certificate", u.config.CertificatePEM, u.config.Certificate)
	if err != nil {
		return certpem.Bundle{}, err
	}
	chain, err := u.text(ctx, "chain", u.config.ChainPEM, u.config.Chain)
	if err != nil {
		return certpem.Bundle{}, err
	}
	bundle, err := certpem.Read(certificate, chain)
	if err != nil {
		return certpem.Bundle{}, u.fault(err)
	}
	u.content = contentOf(bundle)
	return bundle, u.fault(bundle.Check(time.Now()))
}

// material answers everything that is uploaded, the key checked to be the certificate's.
func (u *upload) material(ctx context.Context) (compute.Material, error) {
	bundle, err := u.bundle(ctx)
	if err != nil {
		return compute.Material{}, err
	}
	text, err := u.text(ctx, "private_key", u.config.PrivateKeyPEMWO, u.config.PrivateKey)
	if err != nil {
		return compute.Material{}, err
	}
	key, err := bundle.KeyPEM(text)
	return compute.Material{
		Certificate: bundle.CertificatePEM(), Chain: bundle.ChainPEM(), PrivateKey: key,
		Fingerprint: bundle.Fingerprint(), FingerprintSHA1: bundle.FingerprintSHA1(),
	}, u.fault(err)
}

// text answers one part: as it is written, or what is behind its reference; empty where neither is given.
func (u *upload) text(ctx context.Context, field string, written, named types.String) (string, error) {
	if !written.IsNull() || named.IsNull() || u.resolve == nil {
		return written.ValueString(), nil
	}
	value, err := u.resolve(ctx, named.ValueString())
	unresolved, ok := errors.AsType[*secret.Error](err)
	if !ok {
		return value, err
	}
	code, advice := driver.InvalidInput, "Correct the reference, or what is behind it."
	switch {
	case unresolved.Denied:
		code, advice = driver.AccessDenied, "Let the store's own credential read what the reference names."
	case unresolved.NotConfigured:
		code, advice = driver.InvalidConfig, "Configure the store in the provider block, or use a reference to another one."
	}
	return "", u.error(code, field, unresolved.Message+".", advice)
}

// fault is a fault of a PEM text as an error at its argument; nil stays nil.
func (u *upload) fault(err error) error {
	fault, ok := errors.AsType[*certpem.Fault](err)
	if !ok {
		return err
	}
	subject := u.config.paths()[string(fault.Part)].String()
	return u.error(driver.InvalidInput, string(fault.Part), subject+" "+fault.Message+".", "Give the right text, as PEM. Nothing was uploaded.")
}

func (u *upload) error(code driver.Code, field, message, advice string) error {
	return &compute.Error{
		Failure: driver.Failure{Code: code, Field: field, Message: message},
		Action:  "use the certificate " + u.config.Name.ValueString(), Advice: advice,
	}
}

// describe takes what a state tells of the certificate: a create that is carried on uploads nothing again.
func (u *upload) describe(prior model) {
	u.content = content{Domains: prior.Domains, NotBefore: prior.NotBefore, NotAfter: prior.NotAfter, Fingerprint: prior.Fingerprint}
}
