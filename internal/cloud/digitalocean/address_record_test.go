// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// stormAfterReserve uses the limit up, for fifty minutes, as soon as an address is reserved.
func (p *team) stormAfterReserve() {
	calm := p.base
	p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
		answer, err := calm.RoundTrip(request)
		if request.Method == http.MethodPost && strings.HasPrefix(request.URL.Path, "/v2/reserved_ip") {
			p.base = calm
			if failed := p.ChangeSettings(func(settings *emulator.Settings) {
				limit := settings.Limits[kindName]
				limit.Remaining, limit.ResetIn = new(0), emulator.Duration(50*time.Minute)
				settings.Limits[kindName] = limit
			}); failed != nil {
				return nil, failed
			}
		}
		return answer, err
	})
}

// unrecorded reserves an address whose record waits in the rate limit until the create's time is over.
func (p *team) unrecorded(wish compute.AddressWish) compute.AddressMade {
	p.Helper()
	p.stormAfterReserve()
	limited, done := context.WithTimeout(p.Context(), 10*time.Minute)
	defer done()
	began := time.Now()
	made, err := p.account().CreateAddress(limited, wish)
	if compute.CodeOf(err) != driver.RateLimited || made.Address.ID == "" || !made.Unfinished {
		p.Fatalf("%+v, %v", made, err)
	}
	if took := time.Since(began); took > 10*time.Minute+time.Second {
		p.Errorf("it went on for %s", took)
	}
	for _, told := range []string{made.Address.ID, began.Add(50 * time.Minute).UTC().Format("2006-01-02T15:04")} {
		if !strings.Contains(err.Error(), told) {
			p.Errorf("it does not say %s: %v", told, err)
		}
	}
	if row := p.rowTags(); len(row) != 1 || row[0] != tagRow+wish.Key {
		p.Errorf("besides the intent there is %v", row)
	}
	<-time.After(time.Hour)
	return made
}

// wantOne compares what is there with one address whose row is complete, after so many reserves.
func (p *team) wantOne(made compute.AddressMade, reserves int) {
	p.Helper()
	there := p.Emulator.Objects(kindName, "reserved_ips")
	if len(there) != 1 || there[0].ID != made.Address.ID || len(p.rowTags()) != 3 || made.Unfinished {
		p.Errorf("%+v; there is %+v with the row %v", made, there, p.rowTags())
	}
	if sent := p.count(http.MethodPost, "/v2/reserved_ips"); sent != reserves {
		p.Errorf("%d reserves were sent, want %d", sent, reserves)
	}
}

// A record that the rate limit holds back ends with its create, which tells of the address. The next apply begins with it.
func TestARecordThatIsHeldBackIsMadeByTheNextApply(t *testing.T) {
	wish := addressWish("web", "")
	for name, next := range map[string]func(p *team, made compute.AddressMade){
		"kept and untainted": func(p *team, made compute.AddressMade) {
			finished, err := p.account().FinishAddress(p.Context(), heldAddress(made, wish), wish)
			if err != nil {
				p.Fatal(err)
			}
			p.wantOne(finished, 1)
		},
		"kept and tainted": func(p *team, made compute.AddressMade) {
			if _, err := p.account().DeleteAddress(p.Context(), heldAddress(made, wish)); err != nil {
				p.Fatal(err)
			}
			second, err := p.account().CreateAddress(p.Context(), wish)
			if err != nil {
				p.Fatal(err)
			}
			p.wantOne(second, 2)
		},
		"state lost": func(p *team, made compute.AddressMade) {
			_, err := p.account().CreateAddress(p.Context(), wish)
			if compute.CodeOf(err) != driver.Conflict || !strings.Contains(err.Error(), made.Address.ID) {
				p.Errorf("the candidate is not named: %v", err)
			}
			if sent := p.count(http.MethodPost, "/v2/reserved_ips"); sent != 1 {
				p.Errorf("%d reserves were sent", sent)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) { next(p, p.unrecorded(wish)) })
		})
	}
}

// Ctrl-C ends the wait of a record within a minute. What is known is the create's result, and the next apply carries it on.
func TestARecordThatIsHeldBackIsInterrupted(t *testing.T) {
	inBubble(t, func(p *team) {
		wish := addressWish("web", "")
		p.stormAfterReserve()
		ctx, cancel := context.WithCancel(p.Context())
		time.AfterFunc(2*time.Minute, cancel)
		began := time.Now()
		made, err := p.account().CreateAddress(ctx, wish)
		if took := time.Since(began); took > 3*time.Minute+15*time.Second {
			p.Errorf("it went on for %s", took)
		}
		if !errors.Is(err, compute.ErrInterrupted) || made.Address.ID == "" || !made.Unfinished {
			p.Fatalf("%+v, %v", made, err)
		}
		<-time.After(time.Hour)
		finished, err := p.account().FinishAddress(p.Context(), heldAddress(made, wish), wish)
		if err != nil {
			p.Fatal(err)
		}
		p.wantOne(finished, 1)
	})
}

// An action may end with a word that no client knows: the reserved IP itself tells where it is.
func TestAnUnknownWordOfAnActionIsNoEnd(t *testing.T) {
	inBubble(t, func(p *team) {
		machine := p.make("web")
		if err := p.ChangeSettings(func(s *emulator.Settings) { s.ActionResults["assign_ip"] = emulator.Result{Status: "postponed"} }); err != nil {
			p.Fatal(err)
		}
		made, err := p.account().CreateAddress(p.Context(), addressWish("web", machine.ID))
		if err != nil || made.Address.Holder != machine.ID || made.Unfinished {
			p.Errorf("%+v, %v", made, err)
		}
	})
}
