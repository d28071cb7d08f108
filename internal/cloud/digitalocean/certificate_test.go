// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport/transporttest"
)

func (p *team) keeper(owner string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: Kind(), Driver: p.open("env://" + tokenVariable), Owner: owner, Opened: time.Now(), Region: region,
		Reference: compute.Reference{ID: "pacct_" + exampleKey[5:], TenantID: "root", Kind: kindName},
	})
}

func certificateWish(t *testing.T, kind driver.CertificateKind) compute.CertificateWish {
	t.Helper()
	wish := compute.CertificateWish{Key: "pcert_" + exampleKey[5:], Name: "www", Kind: kind, Tenant: "root"}
	if kind == driver.CertificateManaged {
		wish.Domains = []string{"www.example.com"}
		return wish
	}
	material := certpemtest.Material(t)
	wish.Material = func(context.Context) (compute.Material, error) { return material, nil }
	return wish
}

// A process that is killed at any request of a create, before or after it is carried out, leaves one certificate at most,
// and the next apply has exactly one, in one row.
func TestAKillAtAnyRequestOfACreateEndsInOneCertificate(t *testing.T) {
	for _, kind := range []driver.CertificateKind{driver.CertificateManaged, driver.CertificateCustom} {
		deaths := 0
		for request, whole := 1, false; !whole; request++ {
			for _, carried := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/request %d/carried out %t", kind, request, carried), func(t *testing.T) {
					inBubble(t, func(p *team) {
						whole = !p.dieAndGoOn(certificateWish(p.T, kind), request, carried)
					})
				})
			}
			deaths++
		}
		if deaths < 10 {
			t.Errorf("only %d deaths of a %s certificate's create: too little was tested", deaths, kind)
		}
	}
}

// dieAndGoOn answers whether the first create has died.
func (p *team) dieAndGoOn(wish compute.CertificateWish, request int, carried bool) bool {
	alive := p.base
	p.base = &transporttest.Mortal{Base: alive, Last: request, Carried: carried}
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	_, err := p.keeper("shop/prod").CreateCertificate(ctx, wish)
	p.base = alive
	if err == nil {
		return false
	}
	made, err := p.keeper("shop/prod").CreateCertificate(p.Context(), wish)
	found := p.Emulator.Objects("digitalocean", "certificates")
	if err != nil || len(found) != 1 || found[0].ID != made.Certificate.ID || made.Unfinished {
		p.Errorf("%+v, %v; there is %+v", made, err, found)
	}
	claims := 0
	for _, tag := range p.Emulator.Objects("digitalocean", "tags") {
		if strings.Contains(tag.ID, partClaim) {
			claims++
		}
	}
	if claims != 1 {
		p.Errorf("%d claims are left: %+v", claims, p.Emulator.Objects("digitalocean", "tags"))
	}
	return true
}

// A row outlives its certificate only until the next create, which removes what it says of the old one.
func TestADeadRowIsRemovedByTheNextCreate(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := certificateWish(p.T, driver.CertificateCustom)
		first, err := p.keeper("").CreateCertificate(p.Context(), wish)
		if err != nil {
			p.Fatal(err)
		}
		if err := p.Vanish("digitalocean", "certificates", first.Certificate.ID); err != nil {
			p.Fatal(err)
		}
		second, err := p.keeper("").CreateCertificate(p.Context(), wish)
		if err != nil || second.Certificate.ID == first.Certificate.ID || second.Certificate.Marks.Claim != second.Claim {
			p.Errorf("%+v, %v", second, err)
		}
		for _, tag := range p.Emulator.Objects("digitalocean", "tags") {
			if strings.Contains(tag.ID, first.Certificate.ID) || strings.Contains(tag.ID, first.Claim) {
				p.Errorf("the dead row's %s is left", tag.ID)
			}
		}
	})
}

// A custom certificate that somebody has made anew under our name is another one.
func TestACustomCertificateOfOurNameIsNotOurs(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := certificateWish(p.T, driver.CertificateCustom)
		made, err := p.keeper("").CreateCertificate(p.Context(), wish)
		if err != nil {
			p.Fatal(err)
		}
		if err := p.Vanish("digitalocean", "certificates", made.Certificate.ID); err != nil {
			p.Fatal(err)
		}
		theirs, err := p.Plant("digitalocean", "certificates", emulator.Fields{"name": made.Certificate.Name, "type": "custom"})
		if err != nil {
			p.Fatal(err)
		}
		held := compute.HeldCertificate{CertificateID: made.Certificate.ID, Key: wish.Key, Name: wish.Name, Kind: wish.Kind, Claim: made.Claim, Proof: made.Proof}
		seen, err := p.keeper("").ReadCertificate(p.Context(), held)
		if err != nil || !seen.Gone {
			p.Errorf("%+v, %v", seen, err)
		}
		_, err = p.keeper("").CreateCertificate(p.Context(), wish)
		if compute.CodeOf(err) != driver.Conflict {
			p.Errorf("%v", err)
		}
		if found := p.Emulator.Objects("digitalocean", "certificates"); len(found) != 1 || found[0].ID != theirs.ID {
			p.Errorf("there is %+v", found)
		}
	})
}
