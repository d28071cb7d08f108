// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// vendorsCodes are the codes of the Hetzner API document with what they mean to us.
var vendorsCodes = []struct {
	status        int
	code, message string
	want          driver.Code
	reason        driver.Reason
	field         string
}{
	{400, "json_error", "", driver.InvalidInput, "", ""},
	{401, "unauthorized", "", driver.AccessDenied, "", "token"},
	{401, "token_readonly", "", driver.AccessDenied, "", "token"},
	{403, "forbidden", "", driver.AccessDenied, "", "token"},
	{403, "maintenance", "", driver.ProviderError, "", ""},
	{403, "resource_limit_exceeded", "", driver.QuotaExceeded, "", ""},
	{404, "not_found", "server not found", driver.NotFound, "", ""},
	{405, "method_not_allowed", "", driver.ProviderError, "", ""},
	{409, "uniqueness_error", "", driver.Conflict, driver.ReasonNameTaken, "name"},
	{409, "conflict", "", driver.Conflict, driver.ReasonBusy, ""},
	{410, "deprecated_api_endpoint", "", driver.Unsupported, "", ""},
	{412, "resource_unavailable", "", driver.CapacityUnavailable, "", ""},
	{412, "primary_ip_version_mismatch", "", driver.InvalidInput, "", ""},
	{422, "invalid_input", "", driver.InvalidInput, "", ""},
	{422, "service_error", "certificate still in use", driver.InvalidState, driver.ReasonInUse, ""},
	{422, "service_error", "something else", driver.ProviderError, "", ""},
	{422, "unsupported_error", "", driver.Unsupported, "", ""},
	{422, "placement_error", "", driver.CapacityUnavailable, "", ""},
	{422, "primary_ip_assigned", "", driver.InvalidState, "", ""},
	{422, "primary_ip_already_assigned", "", driver.InvalidState, "", ""},
	{422, "floating_ip_assigned", "", driver.InvalidState, "", ""},
	{422, "primary_ip_datacenter_mismatch", "", driver.InvalidInput, "", ""},
	{422, "invalid_server_type", "", driver.InvalidInput, "", "offer_id"},
	{422, "server_not_stopped", "", driver.InvalidState, "", ""},
	{422, "must_be_unassigned", "", driver.InvalidState, "", ""},
	{423, "locked", "", driver.Conflict, driver.ReasonBusy, ""},
	{423, "protected", "", driver.Conflict, driver.ReasonProtected, ""},
	{500, "server_error", "", driver.ProviderError, "", ""},
	{500, "unknown_error", "", driver.ProviderError, "", ""},
	{502, "bad_gateway", "", driver.ProviderError, "", ""},
	{503, "unavailable", "", driver.ProviderError, "", ""},
	{504, "timeout", "", driver.ProviderError, "", ""},
	{422, "a_code_of_tomorrow", "", driver.ProviderError, "", ""},
}

func TestTheVendorsCodes(t *testing.T) {
	inBubble(t, func(p *project) {
		for _, test := range vendorsCodes {
			message := test.message
			if message == "" {
				message = "words of the vendor"
			}
			p.fault(emulator.Fault{
				Method: "POST", Action: "status", Status: test.status, Times: new(0), Headers: map[string]string{"Content-Type": "application/json", "Retry-After": "7200", "X-Correlation-Id": "0123456789abcdef"},
				Body: fmt.Sprintf(`{"error":{"code":%q,"message":%q,"details":null}}`, test.code, message),
			})
			_, err := p.Create(p.Context(), p.spec("web-1"))
			got := p.failure(err)
			want := driver.Failure{
				Code: test.want, Reason: test.reason, Field: test.field, Outcome: driver.NotDone, Status: test.status, VendorCode: test.code,
				RequestID: "0123456789abcdef", RetryAfter: 2 * time.Hour, Message: message,
			}
			if test.status >= 500 {
				want.Outcome = driver.Unknown
			}
			if got != want {
				p.Errorf("%d %s:\n%+v, want\n%+v", test.status, test.code, got, want)
			}
			p.RemoveFault("")
		}
		if servers := p.Emulator.Objects("hetzner", "servers"); len(servers) > 0 {
			p.Errorf("refused creates left %v", servers)
		}
	})
}

func TestFieldsOfInvalidInput(t *testing.T) {
	tests := map[string]struct {
		change func(*driver.Spec)
		field  string
	}{
		"name":      {func(s *driver.Spec) { s.Name = "under_score" }, "name"},
		"offer":     {func(s *driver.Spec) { s.OfferID = "cx999" }, "offer_id"},
		"image":     {func(s *driver.Spec) { s.ImageID = "42" }, "image"},
		"region":    {func(s *driver.Spec) { s.Region = "atlantis" }, "region"},
		"labels":    {func(s *driver.Spec) { s.Labels = map[string]string{"a": "b c"} }, "labels"},
		"user data": {func(s *driver.Spec) { s.UserData = make([]byte, maxUserData+1) }, "user_data"},
	}
	inBubble(t, func(p *project) {
		for name, test := range tests {
			spec := p.spec("web-1")
			test.change(&spec)
			_, err := p.Create(p.Context(), spec)
			failure := p.failure(err)
			if failure.Code != driver.InvalidInput || failure.Field != test.field || failure.Outcome != driver.NotDone || failure.VendorCode != "invalid_input" {
				p.Errorf("%s: %+v", name, failure)
			}
		}
	})
}

func TestAMissingImageIsNoMissingServer(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		for message, want := range map[string]driver.Failure{
			"image with ID '42' not found": {Code: driver.InvalidInput, Field: "image"},
			"server type not found":        {Code: driver.InvalidInput, Field: "offer_id"},
			"server not found":             {Code: driver.NotFound},
		} {
			p.fault(emulator.Fault{
				Method: "POST", Action: "status", Status: 404, Headers: map[string]string{"Content-Type": "application/json"},
				Body: fmt.Sprintf(`{"error":{"code":"not_found","message":%q}}`, message),
			})
			_, err := p.Reinstall(p.Context(), machine.ID, driver.Spec{ImageID: "42"})
			if got := p.failure(err); got.Code != want.Code || got.Field != want.Field {
				p.Errorf("%s: %+v", message, got)
			}
		}
	})
}

func TestWhatTheVendorRefuses(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		p.make("web-2")
		id := machine.ID
		refused := func(what string, want driver.Failure, err error) {
			p.Helper()
			got := p.failure(err)
			if got.Code != want.Code || got.Reason != want.Reason || got.Field != want.Field || got.Outcome != driver.NotDone || got.RequestID == "" {
				p.Errorf("%s: %+v, want %+v", what, got, want)
			}
		}
		_, err := p.Create(p.Context(), p.spec("web-1"))
		refused("a taken name", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonNameTaken, Field: "name"}, err)
		refused("a rename to a taken name", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonNameTaken, Field: "name"}, p.Rename(p.Context(), id, "web-2"))
		p.patch(id, map[string]any{"locked": true})
		_, err = p.Delete(p.Context(), id)
		refused("a delete while locked", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonBusy}, err)
		_, err = p.Power(p.Context(), id, driver.PowerOff)
		refused("power while locked", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonBusy}, err)
		p.patch(id, map[string]any{"locked": false, "protection": map[string]bool{"delete": true, "rebuild": true}})
		_, err = p.Delete(p.Context(), id)
		refused("a delete while protected", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonProtected}, err)
		_, err = p.Reinstall(p.Context(), id, driver.Spec{ImageID: image})
		refused("a reinstall while protected", driver.Failure{Code: driver.Conflict, Reason: driver.ReasonProtected}, err)
		p.settings(func(s *emulator.Settings) { s.Quotas["servers"] = 2 })
		_, err = p.Create(p.Context(), p.spec("web-3"))
		refused("a full quota", driver.Failure{Code: driver.QuotaExceeded}, err)
		p.settings(func(s *emulator.Settings) { s.Quotas["servers"], s.ClosedRegions = 9, []string{"fsn1"} })
		_, err = p.Create(p.Context(), p.spec("web-3"))
		refused("a closed region", driver.Failure{Code: driver.CapacityUnavailable}, err)
		p.variables["READ_ONLY"] = p.Hetzner.Tokens["read_only"]
		_, err = p.open("env://READ_ONLY").Create(p.Context(), p.spec("web-3"))
		refused("a read-only token", driver.Failure{Code: driver.AccessDenied, Field: "token"}, err)
		if err := p.open("env://READ_ONLY").Verify(p.Context()); err != nil {
			p.Errorf("a read-only token can read: %v", err)
		}
		p.variables["WRONG"] = strings.Repeat("x", 64)
		refused("a wrong token", driver.Failure{Code: driver.AccessDenied, Field: "token"}, p.open("env://WRONG").Verify(p.Context()))
	})
}

func (p *project) patch(id string, fields map[string]any) {
	p.Helper()
	if _, err := p.Patch("hetzner", "servers", id, fields); err != nil {
		p.Fatal(err)
	}
}

func (p *project) settings(change func(*emulator.Settings)) {
	p.Helper()
	if err := p.ChangeSettings(change); err != nil {
		p.Fatal(err)
	}
}

func TestSecretsThatCannotBeResolved(t *testing.T) {
	inBubble(t, func(p *project) {
		p.variables["LINES"] = "planted\ntoken"
		since := p.seq()
		for reference, want := range map[string]driver.Failure{
			"env://MISSING":        {Code: driver.InvalidInput, Message: "the environment variable MISSING is not set"},
			"env://LINES":          {Code: driver.InvalidInput, Message: "line break, at position 8"},
			"vault://kv/x#token":   {Code: driver.InvalidConfig, Message: "provider argument vault"},
			"secret://root/hcloud": {Code: driver.InvalidConfig, Message: "provider argument secret_store"},
		} {
			_, err := p.open(reference).Create(p.Context(), p.spec("web-1"))
			got := p.failure(err)
			if got.Code != want.Code || got.Field != "token" || got.Outcome != driver.NotDone || !strings.Contains(got.Message, want.Message) || strings.Contains(got.Message, "planted") {
				p.Errorf("%s: %+v", reference, got)
			}
		}
		if requests := p.requests(since); len(requests) > 0 {
			p.Errorf("requests without a token: %v", requests)
		}
	})
}

func TestLostAnswers(t *testing.T) {
	tests := map[string]struct {
		fault   emulator.Fault
		outcome driver.Outcome
		made    int
		code    driver.Code
		message string
	}{
		"dropped before":        {emulator.Fault{Action: "drop"}, driver.Unknown, 0, driver.ProviderError, "127.0.0.1 is out of reach: "},
		"dropped after":         {emulator.Fault{Action: "drop", Point: "after"}, driver.Unknown, 1, driver.ProviderError, "is out of reach"},
		"truncated":             {emulator.Fault{Action: "truncate", Point: "after"}, driver.Unknown, 1, driver.ProviderError, "broke off"},
		"hangs":                 {emulator.Fault{Action: "hang", Delay: emulator.Duration(time.Hour)}, driver.Unknown, 0, driver.Timeout, "did not answer before the timeout"},
		"hangs after":           {emulator.Fault{Action: "hang", Point: "after", Delay: emulator.Duration(time.Hour)}, driver.Unknown, 1, driver.Timeout, "did not answer before the timeout"},
		"page of a proxy":       {page(404), driver.NotDone, 0, driver.ProviderError, "status 404 and a body (text/html)"},
		"page of a gateway":     {page(502), driver.Unknown, 0, driver.ProviderError, "status 502 and a body (text/html)"},
		"page that refuses":     {page(401), driver.NotDone, 0, driver.AccessDenied, "status 401"},
		"page of a hotel":       {page(200), driver.Unknown, 0, driver.ProviderError, "status 200 and a body (text/html)"},
		"JSON without a server": {jsonPage(201, `{}`), driver.Unknown, 0, driver.ProviderError, "no object with an id"},
		"JSON of another sort":  {jsonPage(201, `{"server":[1]}`), driver.Unknown, 0, driver.ProviderError, "not the JSON of Hetzner Cloud"},
		"error of another sort": {jsonPage(403, `{"message":"no"}`), driver.NotDone, 0, driver.AccessDenied, "status 403"},
	}
	for name, test := range tests {
		inBubble(t, func(p *project) {
			test.fault.Method = "POST"
			p.fault(test.fault)
			ctx, cancel := context.WithTimeout(p.Context(), 30*time.Second)
			defer cancel()
			_, err := p.Create(ctx, p.spec("web-1"))
			failure := p.failure(err)
			if failure.Outcome != test.outcome || failure.Code != test.code || !strings.Contains(failure.Message, test.message) {
				p.Errorf("%s: %+v", name, failure)
			}
			if made := len(p.Emulator.Objects("hetzner", "servers")); made != test.made {
				p.Errorf("%s: %d servers", name, made)
			}
			posts := slices.DeleteFunc(p.requests(0), func(request string) bool { return !strings.HasPrefix(request, "POST") })
			if len(posts) != 1 {
				p.Errorf("%s: the create was sent %d times", name, len(posts))
			}
		})
	}
}

func page(status int) emulator.Fault {
	return emulator.Fault{Action: "status", Status: status, Headers: map[string]string{"Content-Type": "text/html"}, Body: "<html>planted</html>"}
}

func jsonPage(status int, body string) emulator.Fault {
	return emulator.Fault{Action: "status", Status: status, Headers: map[string]string{"Content-Type": "application/json"}, Body: body}
}

func TestAProxysNotFoundIsNotTheVendors(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		for _, fault := range []emulator.Fault{page(404), jsonPage(404, `{"message":"not found"}`), jsonPage(200, `{}`), jsonPage(200, `{"server":null}`)} {
			p.fault(fault)
			_, err := p.Get(p.Context(), machine.ID)
			if failure := p.failure(err); failure.Code != driver.ProviderError {
				p.Errorf("%d %s: %+v", fault.Status, fault.Body, failure)
			}
		}
	})
}

func TestReadsSurviveABadMoment(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		p.fault(emulator.Fault{Action: "drop"})
		p.fault(page(503))
		if _, err := p.Get(p.Context(), machine.ID); err != nil {
			p.Errorf("after a drop and a 503: %v", err)
		}
		p.fault(emulator.Fault{Action: "drop", Point: "after"})
		if _, err := p.Mark(p.Context(), machine, machine.Marks, nil); err != nil {
			p.Errorf("a mark whose answer was lost: %v", err)
		}
	})
}

func TestOutOfReach(t *testing.T) {
	inBubble(t, func(p *project) {
		for message, cause := range map[string]error{
			"connection refused": &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED},
			"no such host":       &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "api.hetzner.cloud"}},
		} {
			p.base = roundTripper(func(*http.Request) (*http.Response, error) { return nil, cause })
			_, err := p.open("env://HCLOUD_TOKEN").Create(p.Context(), p.spec("web-1"))
			failure := p.failure(err)
			if failure.Code != driver.ProviderError || failure.Outcome != driver.NotDone || failure.Status != 0 || !strings.Contains(failure.Message, message) {
				p.Errorf("%s: %+v", message, failure)
			}
		}
		p.base = roundTripper(func(*http.Request) (*http.Response, error) { return nil, io.ErrUnexpectedEOF })
		_, err := p.open("env://HCLOUD_TOKEN").Create(p.Context(), p.spec("web-1"))
		if failure := p.failure(err); failure.Outcome != driver.Unknown || failure.Code != driver.ProviderError {
			p.Errorf("a reset connection: %+v", failure)
		}
	})
}

func TestAnActionThatFails(t *testing.T) {
	inBubble(t, func(p *project) {
		p.settings(func(s *emulator.Settings) {
			s.ActionResults = map[string]emulator.Result{"create_server": {Status: "error", Code: "resource_unavailable", Message: "error during placement"}}
		})
		created, err := p.Create(p.Context(), p.spec("web-1"))
		if err != nil {
			p.Fatal(err)
		}
		pass(10 * time.Second)
		progress, err := p.Poll(p.Context(), created.Operations[:1])
		if err != nil || len(progress) != 1 || !progress[0].Done {
			p.Fatalf("%+v, %v", progress, err)
		}
		failure := p.failure(progress[0].Err)
		if failure.Code != driver.CapacityUnavailable || failure.Outcome != driver.Unknown || failure.VendorCode != "resource_unavailable" ||
			!strings.Contains(failure.Message, "create_server ("+created.Operations[0].ID+") failed: error during placement") {
			p.Errorf("%+v", failure)
		}
	})
}

func TestAWordThatTheVendorNeverSaidIsNoEnd(t *testing.T) {
	action := &hcloud.Action{ID: 7, Status: "paused", Progress: 250}
	if progress := progressOf(driver.Operation{ID: "7"}, action); progress.Done || progress.Err != nil || progress.Percent != 100 {
		t.Errorf("%+v", progress)
	}
}

func TestAnEmptyBucketSlowsDownAndSaysSo(t *testing.T) {
	inBubble(t, func(p *project) {
		p.settings(func(s *emulator.Settings) {
			s.Limits = map[string]emulator.Limit{"hetzner": {PerHour: 3600, Remaining: new(0)}}
		})
		if _, err := p.List(p.Context()); err != nil {
			p.Errorf("with a second to wait: %v", err)
		}
		p.fault(emulator.Fault{
			Action: "status", Status: 429, Times: new(0), Body: `{"error":{"code":"rate_limit_exceeded","message":"limit of 3600 requests per hour reached"}}`,
			Headers: map[string]string{
				"Content-Type": "application/json", "RateLimit-Limit": "3600", "RateLimit-Remaining": "0", "RateLimit-Reset": itoa(int(time.Now().Unix()) + 3000),
			},
		})
		ctx, cancel := context.WithTimeout(p.Context(), 2*time.Minute)
		defer cancel()
		since := p.seq()
		_, err := p.List(ctx)
		failure := p.failure(err)
		want := "limit of 3600 requests per hour reached (the limit of 3600 requests per hour is per project; all of them are back at 2000-01-01T00:50:01Z)"
		if failure.Code != driver.RateLimited || failure.Outcome != driver.NotDone || failure.Status != 429 || failure.Message != want {
			p.Errorf("%+v", failure)
		}
		if requests := p.requests(since); len(requests) > 8 {
			p.Errorf("%d requests in two minutes of refusals", len(requests))
		}
	})
}

func TestIdsThatAreNone(t *testing.T) {
	inBubble(t, func(p *project) {
		for _, id := range []string{"", "web-1", "0", "-3", "1; drop"} {
			_, get := p.Get(p.Context(), id)
			_, remove := p.Delete(p.Context(), id)
			_, poll := p.Poll(p.Context(), []driver.Operation{{ID: id}})
			for _, err := range []error{get, remove, poll, p.Rename(p.Context(), id, "x")} {
				if failure := p.failure(err); failure.Code != driver.InvalidInput || failure.Outcome != driver.NotDone {
					p.Errorf("%q: %+v", id, failure)
				}
			}
		}
		if there, err := p.Prove(p.Context(), "web-1"); err != nil || there {
			p.Errorf("what is no id proves %t, %v", there, err)
		}
		_, err := p.Create(p.Context(), driver.Spec{})
		if failure := p.failure(err); failure.Code != driver.InvalidInput || failure.Outcome != driver.NotDone {
			p.Errorf("an empty order: %+v", failure)
		}
		spec := p.spec("web-1")
		spec.UserData = []byte("\xff\xfe")
		_, create := p.Create(p.Context(), spec)
		_, reinstall := p.Reinstall(p.Context(), "42", spec)
		for _, err := range []error{create, reinstall} {
			if failure := p.failure(err); failure.Code != driver.InvalidInput || failure.Field != "user_data" || failure.Outcome != driver.NotDone {
				p.Errorf("user data that is no text: %+v", failure)
			}
		}
		if requests := p.requests(0); len(requests) > 0 {
			p.Errorf("requests: %v", requests)
		}
	})
}

func TestEveryErrorHasACode(t *testing.T) {
	c := &cloud{host: "api.hetzner.cloud"}
	for _, err := range []error{errors.New("?"), context.Canceled, context.DeadlineExceeded, hcloud.ErrStatusCode, errNoID, hcloud.ActionError{}, hcloud.Error{}} {
		if failure := c.Describe(err); failure.Code == "" {
			t.Errorf("%v has no code", err)
		}
	}
}
