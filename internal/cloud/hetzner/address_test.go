// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// visitor opens the account of these tests with another token.
func (p *project) visitor(token string) *compute.Account {
	p.variables["OTHER"] = token
	return compute.NewAccount(compute.Settings{
		Kind: Kind(), Driver: p.open("env://OTHER"), Opened: time.Now(), Region: "fsn1", Reference: p.account("").Reference(),
	})
}

func (p *project) reserve() compute.AddressHeld {
	p.Helper()
	wish := compute.AddressWish{
		Key: compute.AddressIdentity{Tenant: "root", AccountID: "pacct_a", Name: "web"}.ID(), Name: "web", Tenant: "root", Family: "ipv4",
	}
	made, err := p.account("").CreateAddress(p.Context(), wish)
	if err != nil {
		p.Fatal(err)
	}
	return compute.AddressHeld{
		AddressID: made.Address.ID, Address: made.Address.Address, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof,
		Fingerprint: made.Address.Fingerprint,
	}
}

// protections are how many requests have set a protection.
func (p *project) protections() int {
	count := 0
	for _, entry := range p.Journal() {
		if entry.Method == http.MethodPost && strings.HasSuffix(entry.Path, "/change_protection") {
			count++
		}
	}
	return count
}

// A floating IP that is alone in its project and has never been on a server can be told from one of another project.
func TestALoneAddressThatIsReleasedByHandIsDropped(t *testing.T) {
	inBubble(t, func(p *project) {
		held := p.reserve()
		if count := p.protections(); held.Proof == "" || count != 1 {
			p.Fatalf("%+v after %d requests that leave a proof", held, count)
		}
		foreign := p.visitor(p.Hetzner.Tokens["foreign"])
		if seen, err := foreign.ReadAddress(p.Context(), held); compute.CodeOf(err) != driver.AccessDenied || seen.Gone {
			p.Errorf("with a token of another project: %+v, %v", seen, err)
		}
		if err := p.Vanish("hetzner", "floating_ips", p.Emulator.Objects("hetzner", "floating_ips")[0].ID); err != nil {
			p.Fatal(err)
		}
		if _, err := foreign.ReadAddress(p.Context(), held); compute.CodeOf(err) != driver.AccessDenied {
			p.Errorf("with a token of another project, when it is gone: %v", err)
		}
		seen, err := p.account("").ReadAddress(p.Context(), held)
		if err != nil || !seen.Gone || len(seen.Notices) != 1 || !strings.Contains(seen.Notices[0].Detail, "released outside") {
			p.Errorf("%+v, %v", seen, err)
		}
		if notices, err := p.account("").DeleteAddress(p.Context(), held); err != nil || len(notices) != 1 {
			p.Errorf("its destroy: %+v, %v", notices, err)
		}
	})
}

// What leaves the proof never fails a create and never lifts what a person has set.
func TestALostAnswerOfTheProofFailsNothing(t *testing.T) {
	inBubble(t, func(p *project) {
		if _, err := p.AddFault(emulator.Fault{Vendor: "hetzner", Method: http.MethodPost, Path: "/change_protection$", Point: "after", Action: "drop"}); err != nil {
			p.Fatal(err)
		}
		held := p.reserve()
		id := p.Emulator.Objects("hetzner", "floating_ips")[0].ID
		if _, err := p.Patch("hetzner", "floating_ips", id, emulator.Fields{"protection": map[string]bool{"delete": true}}); err != nil {
			p.Fatal(err)
		}
		made, err := p.account("").UpdateAddress(p.Context(), held, compute.AddressChange{Describe: true, Name: "web", Description: "front"})
		if err != nil || made.Proof == "" || p.protections() != 2 {
			p.Fatalf("%+v, %v after %d requests that leave a proof", made, err, p.protections())
		}
		held.Proof = made.Proof
		if _, err := p.account("").DeleteAddress(p.Context(), held); compute.CodeOf(err) != driver.Conflict {
			p.Errorf("the destroy of a protected address: %v", err)
		}
		if _, err := p.account("").UpdateAddress(p.Context(), held, compute.AddressChange{Describe: true, Name: "web"}); err != nil || p.protections() != 2 {
			p.Errorf("a second update: %v, %d requests that leave a proof", err, p.protections())
		}
	})
}

// An address that is put on a server as it is made needs nothing more: its assignment is the proof.
func TestAnAddressOnAServerLeavesItsProofByItself(t *testing.T) {
	inBubble(t, func(p *project) {
		planted, err := p.Plant("hetzner", "servers", emulator.Fields{"name": "web"})
		if err != nil {
			p.Fatal(err)
		}
		made, err := p.account("").CreateAddress(p.Context(), compute.AddressWish{
			Key: "paddr_" + exampleKey[5:], Name: "web", Tenant: "root", Family: "ipv4", MachineID: planted.ID,
		})
		if err != nil || made.Proof == "" || p.protections() != 0 {
			p.Errorf("%+v, %v after %d requests that leave a proof", made, err, p.protections())
		}
	})
}

// An action may end with a word that no client knows: the floating IP itself tells where it is.
func TestAnUnknownWordOfAnActionIsNoEnd(t *testing.T) {
	inBubble(t, func(p *project) {
		planted, err := p.Plant("hetzner", "servers", emulator.Fields{"name": "web"})
		if err != nil {
			p.Fatal(err)
		}
		if err := p.ChangeSettings(func(s *emulator.Settings) {
			s.ActionResults["assign_floating_ip"] = emulator.Result{Status: "postponed"}
		}); err != nil {
			p.Fatal(err)
		}
		held := p.reserve()
		made, err := p.account("").UpdateAddress(p.Context(), held, compute.AddressChange{Move: true, MachineID: planted.ID})
		if err != nil || made.Address.Holder != planted.ID {
			p.Errorf("%+v, %v", made, err)
		}
	})
}
