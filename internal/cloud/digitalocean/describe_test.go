// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// answered answers a driver whose every request is answered so.
func (p *team) answered(status int, header http.Header, body string) *cloud {
	p.base = roundTripper(func(*http.Request) (*http.Response, error) {
		response := &http.Response{StatusCode: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body))}
		for name, values := range header {
			response.Header[name] = values
		}
		return response, nil
	})
	return p.open("env://" + tokenVariable)
}

func TestWhatTheVendorsErrorsMean(t *testing.T) {
	for name, test := range map[string]struct {
		status   int
		id, text string
		want     driver.Failure
	}{
		"no such droplet":    {404, "not_found", "The resource you requested could not be found.", driver.Failure{Code: driver.NotFound}},
		"a wrong token":      {401, "unauthorized", "Unable to authenticate you.", driver.Failure{Code: driver.AccessDenied, Field: "token"}},
		"a missing scope":    {403, "forbidden", "You are not authorized to perform this operation", driver.Failure{Code: driver.AccessDenied, Field: "token"}},
		"a pending event":    {422, "unprocessable_entity", "Droplet already has a pending event.", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonBusy}},
		"the droplet limit":  {422, "unprocessable_entity", "creating this/these droplet(s) will exceed your droplet limit", driver.Failure{Code: driver.QuotaExceeded}},
		"a closed region":    {422, "unprocessable_entity", "Region is not available", driver.Failure{Code: driver.CapacityUnavailable, Field: "region"}},
		"a size not sold":    {422, "unprocessable_entity", "Size is not available in this region.", driver.Failure{Code: driver.CapacityUnavailable, Field: "offer_id"}},
		"a size gone":        {422, "unprocessable_entity", "size is unavailable", driver.Failure{Code: driver.CapacityUnavailable, Field: "offer_id"}},
		"a name":             {422, "unprocessable_entity", "Name Only valid hostname characters are allowed. (a-z, A-Z, 0-9, . and -)", driver.Failure{Code: driver.InvalidInput, Field: "name"}},
		"an image":           {422, "unprocessable_entity", "You specified an invalid image for Droplet creation.", driver.Failure{Code: driver.InvalidInput, Field: "image"}},
		"a tag":              {400, "bad_request", "Error validating resource tag", driver.Failure{Code: driver.InvalidInput, Field: "labels"}},
		"a conflict":         {409, "conflict", "The request could not be completed", driver.Failure{Code: driver.Conflict}},
		"a fault of theirs":  {500, "server_error", "Unexpected server-side error", driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown}},
		"out of their reach": {503, "service_unavailable", "Failed to forward the request you made, please try again.", driver.Failure{Code: driver.ProviderError, Outcome: driver.Unknown}},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				c := p.answered(test.status, nil, `{"id":"`+test.id+`","message":"`+test.text+`","request_id":"req-1"}`)
				_, err := c.Create(p.Context(), driver.Spec{Name: "web", ImageID: "1"})
				want := test.want
				want.Status, want.VendorCode, want.RequestID, want.Message = test.status, test.id, "req-1", test.text
				if diff := cmp.Diff(want, p.failure(err)); diff != "" {
					p.Error(diff)
				}
			})
		})
	}
}

func TestAnswersThatAreNotTheVendors(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		header http.Header
		body   string
		code   driver.Code
		says   string
	}{
		"a page instead of a 404":    {404, http.Header{"Content-Type": {"text/html"}}, "<html>gone</html>", driver.ProviderError, "not the JSON of DigitalOcean"},
		"a 404 of something else":    {404, nil, `{"error":{"code":404}}`, driver.ProviderError, "not the JSON of DigitalOcean"},
		"a page with success":        {200, http.Header{"Content-Type": {"text/html"}}, "<html>", driver.ProviderError, ""},
		"nothing with success":       {200, nil, "{}", driver.ProviderError, "no object with an id"},
		"a proxy that wants a login": {403, http.Header{"Content-Type": {"text/html"}}, "<html>", driver.AccessDenied, "not the JSON"},
		"a bad tag's own shape":      {400, nil, `{"error":"Error validating resource tag: bad","messages":null,"root_causes":[]}`, driver.InvalidInput, "resource tag: bad"},
		"a limit with a header":      {429, http.Header{"Retry-After": {"7"}}, `{"id":"too_many_requests","message":"API rate limit exceeded."}`, driver.RateLimited, "rate limit exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(p *team) {
				c := p.answered(test.status, test.header, test.body)
				ctx, done := contextFor(p, 3*time.Second)
				defer done()
				_, err := c.Get(ctx, "42")
				failure := p.failure(err)
				if failure.Code != test.code || !strings.Contains(failure.Message, test.says) {
					p.Errorf("%+v", failure)
				}
				if test.status == http.StatusTooManyRequests && failure.RetryAfter != 7*time.Second {
					p.Errorf("retry after %s", failure.RetryAfter)
				}
			})
		})
	}
}

func TestWhatWasNeverSentHasNotHappened(t *testing.T) {
	inBubble(t, func(p *team) {
		for name, test := range map[string]struct {
			call func(*cloud) error
			code driver.Code
		}{
			"an id that is none": {func(c *cloud) error { _, err := c.Get(p.Context(), "web"); return err }, driver.InvalidInput},
			"nmi":                {func(c *cloud) error { _, err := c.Power(p.Context(), "42", driver.Nmi); return err }, driver.Unsupported},
			"user data that is no text": {func(c *cloud) error {
				_, err := c.Create(p.Context(), driver.Spec{Name: "web", UserData: []byte{0xff}})
				return err
			}, driver.InvalidInput},
		} {
			failure := p.failure(test.call(p.cloud))
			if failure.Code != test.code || failure.Outcome != driver.NotDone {
				p.Errorf("%s: %+v", name, failure)
			}
		}
		if failure := p.failure(p.open("env://NOT_SET").Verify(p.Context())); failure.Outcome != driver.NotDone || failure.Field != "token" {
			p.Errorf("%+v", failure)
		}
		p.base = roundTripper(func(*http.Request) (*http.Response, error) { return nil, errors.New("connection reset by peer") })
		_, err := p.open("env://"+tokenVariable).Create(p.Context(), p.spec("web"))
		if failure := p.failure(err); failure.Outcome != driver.Unknown || !strings.Contains(failure.Message, "out of reach") {
			p.Errorf("%+v", failure)
		}
	})
}

// The vendor's refusal is told in its own words, with the limit that the account has.
func TestTheQuotaIsNamed(t *testing.T) {
	reserve := func(family string) func(*team) error {
		return func(p *team) error {
			_, err := p.Reserve(p.Context(), driver.AddressSpec{Family: family, Region: region})
			return err
		}
	}
	for collection, test := range map[string]struct {
		order func(*team) error
		says  string
	}{
		"droplets": {func(p *team) error {
			_, err := p.Create(p.Context(), p.spec("web"))
			return err
		}, "creating this/these droplet(s) will exceed your droplet limit (the account's limit is 1 droplets)"},
		"reserved_ips":  {reserve(ipv4), "creating this reserved IP will exceed your reserved IP limit of 1 (the account's limit is 1 reserved IPs)"},
		"reserved_ipv6": {reserve(ipv6), "creating this reserved IP will exceed your reserved IP limit of 1"},
	} {
		t.Run(collection, func(t *testing.T) {
			inBubble(t, func(p *team) {
				if err := p.ChangeSettings(func(s *emulator.Settings) { s.Quotas = map[string]int{collection: 1} }); err != nil {
					p.Fatal(err)
				}
				if err := test.order(p); err != nil {
					p.Fatal(err)
				}
				failure := p.failure(test.order(p))
				if failure.Code != driver.QuotaExceeded || failure.Outcome != driver.NotDone || failure.Message != test.says ||
					failure.Status != http.StatusUnprocessableEntity || failure.VendorCode != "unprocessable_entity" || failure.RequestID == "" {
					p.Errorf("%+v", failure)
				}
			})
		})
	}
}
