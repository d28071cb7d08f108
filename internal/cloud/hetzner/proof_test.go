// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// An uploaded certificate leaves no action behind: the token that has shown it shows that it is gone, and no other one does.
func TestALoneCertificateThatIsDeletedByHandIsDropped(t *testing.T) {
	inBubble(t, func(p *project) {
		wish := certificateWish(t, driver.CertificateCustom)
		made, err := p.account("").CreateCertificate(p.Context(), wish)
		if err != nil {
			p.Fatal(err)
		}
		held := compute.HeldCertificate{
			CertificateID: made.Certificate.ID, Key: wish.Key, Name: wish.Name, Kind: wish.Kind, Claim: made.Claim, Proof: made.Proof,
		}
		if !strings.HasPrefix(held.Proof, driver.TokenProof) || strings.Contains(p.Hetzner.Token, held.Proof[len(driver.TokenProof):]) {
			p.Fatalf("the proof is %q", held.Proof)
		}
		foreign, rotated := p.Hetzner.Tokens["foreign"], p.Hetzner.Tokens["read_only"]
		seen, err := p.visitor(rotated).ReadCertificate(p.Context(), held)
		if err != nil || !strings.HasPrefix(seen.Proof, driver.TokenProof) || seen.Proof == held.Proof {
			p.Errorf("with another token of the project: %+v, %v", seen, err)
		}
		deny := func(token, when string) {
			if denied, err := p.visitor(token).ReadCertificate(p.Context(), held); compute.CodeOf(err) != driver.AccessDenied || denied.Gone {
				p.Errorf("%s: %+v, %v", when, denied, err)
			}
		}
		deny(foreign, "a token of another project")
		if err := p.Vanish("hetzner", "certificates", held.CertificateID); err != nil {
			p.Fatal(err)
		}
		deny(foreign, "a token of another project, when it is gone")
		deny(rotated, "a token that has never shown it, when it is gone")
		for token, proof := range map[string]string{p.Hetzner.Token: held.Proof, rotated: seen.Proof} {
			held.Proof = proof
			gone, err := p.visitor(token).ReadCertificate(p.Context(), held)
			if err != nil || !gone.Gone || len(gone.Notices) != 1 {
				p.Errorf("the token that has shown it: %+v, %v", gone, err)
			}
			if _, err := p.visitor(token).DeleteCertificate(p.Context(), held); err != nil {
				p.Errorf("its destroy: %v", err)
			}
		}
	})
}

// What was imported has no proof of its create. The first read that shows it takes the token's.
func TestWhatWasImportedIsDroppedToo(t *testing.T) {
	inBubble(t, func(p *project) {
		held := p.reserve()
		held.Proof = ""
		if seen, err := p.visitor(p.Hetzner.Tokens["foreign"]).ReadAddress(p.Context(), held); err == nil || seen.Proof != "" {
			p.Errorf("a token of another project: %+v, %v", seen, err)
		}
		seen, err := p.account("").ReadAddress(p.Context(), held)
		if err != nil || seen.Proof == "" {
			p.Fatalf("%+v, %v", seen, err)
		}
		held.Proof = seen.Proof
		made, err := p.account("").UpdateAddress(p.Context(), held, compute.AddressChange{Describe: true, Name: "web", Description: "front"})
		if err != nil || strings.HasPrefix(made.Proof, driver.TokenProof) {
			p.Errorf("an update leaves the better proof: %+v, %v", made, err)
		}
		if err := p.Vanish("hetzner", "floating_ips", held.AddressID); err != nil {
			p.Fatal(err)
		}
		for _, proof := range []string{seen.Proof, made.Proof} {
			held.Proof = proof
			if gone, err := p.account("").ReadAddress(p.Context(), held); err != nil || !gone.Gone {
				p.Errorf("with proof %q: %+v, %v", proof, gone, err)
			}
		}
	})
}

// A proof that is none proves nothing, and costs nothing.
func TestProofsThatAreNone(t *testing.T) {
	inBubble(t, func(p *project) {
		if _, err := p.AddFault(emulator.Fault{Vendor: "hetzner", Action: "status", Status: http.StatusInternalServerError, Times: new(0)}); err != nil {
			p.Fatal(err)
		}
		for _, proof := range []string{"", "no number", driver.TokenProof, driver.TokenProof + strings.Repeat("0", tokenDigits)} {
			if proven, err := p.open("env://HCLOUD_TOKEN").Prove(p.Context(), proof); proven || err != nil {
				p.Errorf("%q: %t, %v", proof, proven, err)
			}
		}
	})
}
