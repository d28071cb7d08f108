// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// certificateOrder is a wish with what the vendor is told.
type certificateOrder struct {
	wish     CertificateWish
	spec     driver.CertificateSpec
	material Material
	vendor   driver.Certificates
}

// CreateCertificate makes the certificate that bears the wish's key, or carries on, adopts or refuses what bears it
// already. It may be repeated after whatever happened to an earlier try. On an error, the answer says what is there;
// ErrInterrupted says that the command was cancelled.
func (a *Account) CreateCertificate(ctx context.Context, wish CertificateWish) (MadeCertificate, error) {
	action := "create " + wish.planned().String()
	vendor, err := a.vendorCertificates(action)
	if err != nil {
		return MadeCertificate{}, err
	}
	leave, err := a.queue.enter(ctx, wish.Key)
	if err != nil {
		return MadeCertificate{}, a.ended(ctx, action, "", nil)
	}
	defer leave()
	defer a.creating.add(wish.Key)()
	if err := a.CheckDomains(ctx, wish.Tenant, wish.Domains); err != nil {
		return MadeCertificate{}, err
	}
	found, err := a.certificates.lookUp(ctx, wish.planned())
	if err != nil {
		return MadeCertificate{}, err
	}
	order, err := a.prepareCertificate(ctx, vendor, wish)
	if err != nil {
		return MadeCertificate{}, err
	}
	if len(found) > 0 {
		return a.meetCertificate(ctx, order, found)
	}
	created, err := a.postCertificate(ctx, order)
	if err != nil {
		return a.afterCertificatePost(ctx, order, err)
	}
	made := MadeCertificate{Certificate: created.Certificate, Claim: order.spec.Marks.Claim, Proof: created.Proof, Unfinished: true}
	return a.settleCertificate(ctx, order.wish, made, created.Operations)
}

// prepareCertificate resolves what is uploaded. Nothing is made when it fails.
func (a *Account) prepareCertificate(ctx context.Context, vendor driver.Certificates, wish CertificateWish) (certificateOrder, error) {
	order := certificateOrder{wish: wish, vendor: vendor, spec: driver.CertificateSpec{
		Name: wish.Name, Kind: wish.Kind, Domains: wish.Domains, Marks: a.marks(wish.Key, NewClaim(a.settings.Owner), true),
	}}
	if wish.Kind != driver.CertificateCustom {
		return order, nil
	}
	material, err := wish.Material(ctx)
	if err != nil {
		return order, a.explain(ctx, err, "create "+wish.planned().String(), "")
	}
	order.material = material
	order.spec.Certificate, order.spec.Chain, order.spec.PrivateKey = material.Certificate, material.Chain, material.PrivateKey
	return order, nil
}

// postCertificate sends the request that makes a certificate. It is sent again only when the vendor said that it was too
// busy.
func (a *Account) postCertificate(ctx context.Context, order certificateOrder) (driver.CreatedCertificate, error) {
	var created driver.CreatedCertificate
	err := a.persist(ctx, "create "+order.wish.planned().String(), "", func(ctx context.Context) error {
		var err error
		created, err = order.vendor.CreateCertificate(ctx, order.spec)
		return err
	})
	if err == nil {
		a.certificates.objects.wrote(created.Certificate.ID)
	}
	return created, err
}

// afterCertificatePost finds out what became of a create whose request failed: a lost answer is looked for by its key, a
// taken name may be that of a create with the same key in another process.
func (a *Account) afterCertificatePost(ctx context.Context, order certificateOrder, failed error) (MadeCertificate, error) {
	failure := a.describe(failed)
	if failure.Outcome == driver.Unknown {
		return a.recoverCertificate(ctx, order, failed)
	}
	if failure.Reason != driver.ReasonNameTaken {
		return MadeCertificate{}, failed
	}
	reading, done := detached(ctx)
	defer done()
	found, err := order.vendor.FindCertificates(reading, order.wish.Key)
	if err == nil && len(found) > 0 {
		return a.meetCertificate(ctx, order, found)
	}
	return MadeCertificate{}, a.certificateNameTaken(reading, order, failed)
}

// recoverCertificate looks for the certificate that a lost answer may have made. It never sends the create again.
func (a *Account) recoverCertificate(ctx context.Context, order certificateOrder, failed error) (MadeCertificate, error) {
	looking, done := context.WithTimeout(context.WithoutCancel(ctx), writeDeadline)
	defer done()
	for _, after := range []time.Duration{time.Second, 3 * time.Second, 8 * time.Second} {
		if pause(looking, after) != nil {
			break
		}
		found, err := order.vendor.FindCertificates(looking, order.wish.Key)
		if err != nil || len(found) == 0 {
			continue
		}
		if len(found) > 1 || !holds(found[0].Marks, order.spec.Marks.Claim) {
			return a.meetCertificate(ctx, order, found)
		}
		a.certificates.objects.wrote(found[0].ID)
		made := MadeCertificate{Certificate: found[0], Claim: order.spec.Marks.Claim, Unfinished: true}
		return a.settleCertificate(ctx, order.wish, made, nil)
	}
	return MadeCertificate{}, a.mayHaveBeenMade(order.wish.planned().String(), order.wish.Key, failed)
}

// certificateNameTaken says who has the name, as far as one look tells.
func (a *Account) certificateNameTaken(ctx context.Context, order certificateOrder, failed error) error {
	refused := &Error{
		Failure: a.describe(failed), Vendor: a.title(), Action: "create " + order.wish.planned().String(), cause: failed,
		Advice: "Choose another name. If the certificate is to be managed here, import it.",
	}
	refused.Field = "name"
	holders, err := order.vendor.FindCertificateName(ctx, driver.UniqueName(order.wish.Name, order.wish.Key))
	if err == nil && len(holders) > 0 {
		refused.Object = claimedCertificate(holders[0]).object + " has the name already"
		refused.Import, refused.Account = holders[0].ID, a.settings.Reference
	}
	return refused
}

// meetCertificate deals with what bears the wish's key already.
func (a *Account) meetCertificate(ctx context.Context, order certificateOrder, found []driver.Certificate) (MadeCertificate, error) {
	wanted := order.wish.planned()
	if err := a.certificates.mayTakeOver(wanted, found, order.differs); err != nil {
		return MadeCertificate{}, err
	}
	claim := order.spec.Marks.Claim
	taken, known, err := a.certificates.takeOver(ctx, wanted, found[0], claim)
	if !known {
		return MadeCertificate{}, err
	}
	made := MadeCertificate{
		Certificate: taken, Claim: claim, Unfinished: true, Adopted: true,
		Notices: []Notice{takenOver(nounCertificate, claimedCertificate(found[0]))},
	}
	if err != nil {
		return a.failCertificate(ctx, order.wish, made, err)
	}
	return a.resumeCertificate(ctx, order.vendor, order.wish, made)
}

// differs says in words what a certificate with our key has other than what is planned; it cannot be changed. What the
// vendor does not tell is not compared.
func (o certificateOrder) differs(found driver.Certificate) string {
	var differs []string
	if found.Kind != o.spec.Kind {
		differs = append(differs, fmt.Sprintf("its kind is %s, planned is %s", found.Kind, o.spec.Kind))
	}
	has, wants := domainSet(found.Domains), domainSet(o.spec.Domains)
	if found.Kind == driver.CertificateManaged && len(has) > 0 && !slices.Equal(has, wants) {
		differs = append(differs, fmt.Sprintf("its domains are %s, planned are %s", strings.Join(has, ", "), strings.Join(wants, ", ")))
	}
	for _, prints := range [][2]string{
		{found.Fingerprint, o.material.Fingerprint}, {found.FingerprintSHA1, o.material.FingerprintSHA1},
	} {
		if prints[0] != "" && prints[1] != "" && prints[0] != prints[1] {
			differs = append(differs, fmt.Sprintf("its fingerprint is %s, that of the certificate to be uploaded is %s (change references_version or "+
				"private_key_pem_wo_version when what is behind them changes)", prints[0], prints[1]))
			break
		}
	}
	return strings.Join(differs, "; ")
}

func domainSet(domains []string) []string {
	var lower []string
	for _, domain := range domains {
		lower = append(lower, strings.ToLower(strings.TrimSuffix(domain, ".")))
	}
	slices.Sort(lower)
	return slices.Compact(lower)
}
