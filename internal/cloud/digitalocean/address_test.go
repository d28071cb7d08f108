// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func addressWish(name, machineID string) compute.AddressWish {
	key := compute.AddressIdentity{Tenant: "root", AccountID: "pacct_a", Name: name}.ID()
	return compute.AddressWish{Key: key, Name: name, Tenant: "root", Family: ipv4, MachineID: machineID}
}

func heldAddress(made compute.AddressMade, wish compute.AddressWish) compute.AddressHeld {
	return compute.AddressHeld{
		AddressID: made.Address.ID, Address: made.Address.Address, Key: wish.Key, Name: wish.Name, Claim: made.Claim, Proof: made.Proof, Placed: made.Placed,
	}
}

// rowTags are the tags of rows.
func (p *team) rowTags() []string {
	var names []string
	for _, tag := range p.Objects("digitalocean", "tags") {
		if strings.HasPrefix(tag.ID, tagRow) {
			names = append(names, tag.ID)
		}
	}
	return names
}

// What a row says of an address that was released by hand goes with the next create, and not with the read.
func TestTheDeadRowOfAnAddressGoesWithTheNextCreate(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := addressWish("web", "")
		first, err := p.account().CreateAddress(p.Context(), wish)
		if err != nil {
			p.Fatal(err)
		}
		if err := p.Vanish("digitalocean", "reserved_ips", first.Address.ID); err != nil {
			p.Fatal(err)
		}
		before := p.rowTags()
		seen, err := p.account().ReadAddress(p.Context(), heldAddress(first, wish))
		if err != nil || !seen.Gone || fmt.Sprint(p.rowTags()) != fmt.Sprint(before) {
			p.Errorf("%+v, %v; the row was %v and is %v", seen, err, before, p.rowTags())
		}
		second, err := p.account().CreateAddress(p.Context(), wish)
		if err != nil || second.Address.ID == first.Address.ID {
			p.Fatalf("%+v, %v", second, err)
		}
		dead := hex.EncodeToString(netip.MustParseAddr(first.Address.ID).AsSlice())
		if row := strings.Join(p.rowTags(), " "); strings.Contains(row, dead) || strings.Contains(row, first.Claim) || len(p.rowTags()) != 3 {
			p.Errorf("the row is %s", row)
		}
	})
}

// Twenty addresses and the machines that they are on are destroyed at the same time, whichever goes first, while the vendor
// has events of its own under way.
func TestAddressesAndTheirMachinesAreDestroyedInAnyOrder(t *testing.T) {
	inBubble(t, func(p *team) {
		account := p.account()
		var machines [4]compute.Held
		for i := range machines {
			wish := wishFor(fmt.Sprintf("web-%d", i))
			machines[i] = heldOf(p.create(wish), wish)
		}
		addresses := make([]compute.AddressHeld, 20)
		if errs := each(len(addresses), func(i int) error {
			wish := addressWish(fmt.Sprintf("front-%d", i), machines[i%len(machines)].MachineID)
			made, err := account.CreateAddress(p.Context(), wish)
			addresses[i] = heldAddress(made, wish)
			return err
		}); len(errs) > 0 {
			p.Fatal(errs)
		}
		for _, path := range []string{"^/v2/reserved_ips/.*/actions$", "^/v2/reserved_ips/[0-9.]+$", "^/v2/droplets/[0-9]+$"} {
			p.fault(emulator.Fault{
				Path: path, Times: new(5), Action: "status", Status: http.StatusUnprocessableEntity, Method: methodOf(path),
				Body: `{"id":"unprocessable_entity","message":"The resource already has a pending event."}`,
			})
		}
		began := time.Now()
		errs := each(len(machines)+len(addresses), func(i int) error {
			if i < len(machines) {
				_, err := account.Delete(p.Context(), machines[i], 0)
				return err
			}
			_, err := account.DeleteAddress(p.Context(), addresses[i-len(machines)])
			return err
		})
		left := append(p.Objects("digitalocean", "reserved_ips"), p.truth()...)
		if len(errs) > 0 || len(left) > 0 || len(p.rowTags()) > 0 {
			p.Errorf("after %s: %v; left are %+v and the rows %v", time.Since(began), errs, left, p.rowTags())
		}
	})
}

func methodOf(path string) string {
	if strings.Contains(path, "actions") {
		return http.MethodPost
	}
	return http.MethodDelete
}
