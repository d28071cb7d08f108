// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"bytes"
	"context"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-log/tflogtest"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

func TestLifeOfAMachine(t *testing.T) {
	inBubble(t, func(p *project) {
		ctx := p.Context()
		spec := p.spec("web-1")
		created, err := p.Create(ctx, spec)
		if err != nil {
			p.Fatal(err)
		}
		if got := names(created.Operations); !slices.Equal(got, []string{"create_server", "start_server"}) {
			p.Errorf("operations of the create: %v", got)
		}
		if created.Machine.State != driver.StatePending || !created.Machine.Busy {
			p.Errorf("right after the create: %s, busy %t", created.Machine.State, created.Machine.Busy)
		}
		p.await(created.Operations)
		machine, err := p.Get(ctx, created.Machine.ID)
		if err != nil {
			p.Fatal(err)
		}
		p.looksLike(machine, spec)
		p.isFoundAs(machine)

		p.await(p.started(p.Reinstall(ctx, machine.ID, driver.Spec{ImageID: otherImage})))
		if after, err := p.Get(ctx, machine.ID); err != nil || after.ImageID != otherImage || after.Marks != machine.Marks {
			p.Errorf("after the reinstall: %+v, %v", after, err)
		}
		p.await(p.started(p.Delete(ctx, machine.ID)))
		_, err = p.Get(ctx, machine.ID)
		if failure := p.failure(err); failure.Code != driver.NotFound || failure.Status != 404 || failure.RequestID == "" {
			p.Errorf("after the delete: %+v", failure)
		}
		_, err = p.Delete(ctx, machine.ID)
		if failure := p.failure(err); failure.Code != driver.NotFound || failure.Outcome != driver.NotDone {
			p.Errorf("a second delete: %+v", failure)
		}
	})
}

func names(operations []driver.Operation) []string {
	list := make([]string, len(operations))
	for i, operation := range operations {
		list[i] = operation.Name
	}
	return list
}

func (p *project) started(operations []driver.Operation, err error) []driver.Operation {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
	return operations
}

func (p *project) looksLike(machine driver.Machine, spec driver.Spec) {
	p.Helper()
	want := driver.Machine{
		ID: machine.ID, Name: spec.Name, State: driver.StateRunning, OfferID: offer, Image: "ubuntu-24.04", ImageID: image, Region: "fsn1",
		Addresses: machine.Addresses, Marks: spec.Marks, Labels: spec.Labels, VCPU: 2, MemoryGiB: 4, DiskGiB: 40, Architecture: "x86", CreatedAt: machine.CreatedAt,
		Options: manifest.Values{
			driver.OptionPublicIPv4: true, driver.OptionPublicIPv6: true, driver.OptionBackups: false, driver.OptionDeleteProtection: false,
			driver.OptionReverseDNS: "", driver.OptionNetwork: []string{}, optionNetworkIP: []string{}, optionFirewalls: []string{}, optionGroup: "",
		},
	}
	if diff := cmp.Diff(want, machine); diff != "" {
		p.Error(diff)
	}
	if machine.CreatedAt.IsZero() || len(machine.Addresses) != 2 {
		p.Fatalf("created %s, addresses %v", machine.CreatedAt, machine.Addresses)
	}
	if ipv6 := machine.Addresses[1]; ipv6.Family != "ipv6" || !strings.HasSuffix(ipv6.Address, "::1") {
		p.Errorf("the IPv6 network shows as %v", ipv6)
	}
}

// isFoundAs looks a machine up in every way.
func (p *project) isFoundAs(machine driver.Machine) {
	p.Helper()
	ways := map[string]func() ([]driver.Machine, error){
		"key":  func() ([]driver.Machine, error) { return p.Find(p.Context(), machine.Marks.Key) },
		"list": func() ([]driver.Machine, error) { return p.List(p.Context()) },
		"name": func() ([]driver.Machine, error) { return p.FindName(p.Context(), machine.Name) },
	}
	for way, look := range ways {
		found, err := look()
		if err != nil || len(found) != 1 || found[0].ID != machine.ID {
			p.Errorf("by %s: %v, %v", way, found, err)
		}
	}
	if found, err := p.Find(p.Context(), "inst_"+strings.Repeat("z", 52)); err != nil || len(found) != 0 {
		p.Errorf("another key finds %v, %v", found, err)
	}
}

func TestMarksAndNameChangeInPlace(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		marks := machine.Marks
		marks.Creating, marks.Claim = false, "0-fedcba9876543210"
		labels := map[string]string{"team": "pay", "other.example/tool": "x"}
		marked, err := p.Mark(p.Context(), machine, marks, labels)
		if err != nil || marked.Marks != marks || !maps.Equal(marked.Labels, labels) {
			p.Errorf("marked: %+v, %v", marked, err)
		}
		bare, err := p.Mark(p.Context(), machine, driver.Marks{}, nil)
		if err != nil || bare.Marks != (driver.Marks{}) || len(bare.Labels) != 0 {
			p.Errorf("without marks: %+v, %v", bare, err)
		}
		if err := p.Rename(p.Context(), machine.ID, "web-2"); err != nil {
			p.Error(err)
		}
		if after, err := p.Get(p.Context(), machine.ID); err != nil || after.Name != "web-2" || after.Marks != (driver.Marks{}) {
			p.Errorf("renamed: %+v, %v", after, err)
		}
	})
}

func TestCreateOff(t *testing.T) {
	inBubble(t, func(p *project) {
		spec := p.spec("web-1")
		spec.Off = true
		created, err := p.Create(p.Context(), spec)
		if err != nil {
			p.Fatal(err)
		}
		p.await(created.Operations)
		if machine, err := p.Get(p.Context(), created.Machine.ID); err != nil || machine.State != driver.StateStopped {
			p.Errorf("%s, %v", machine.State, err)
		}
	})
}

func TestPower(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		steps := []struct {
			action    driver.PowerAction
			operation string
			state     driver.State
		}{
			{driver.GracefulRestart, "reboot_server", driver.StateRunning},
			{driver.Reset, "reset_server", driver.StateRunning},
			{driver.Cycle, "reset_server", driver.StateRunning},
			{driver.GracefulOff, "shutdown_server", driver.StateStopped},
			{driver.PowerOn, "start_server", driver.StateRunning},
			{driver.PowerOff, "stop_server", driver.StateStopped},
		}
		for _, step := range steps {
			operations := p.started(p.Power(p.Context(), machine.ID, step.action))
			if got := names(operations); !slices.Equal(got, []string{step.operation}) {
				p.Errorf("%s starts %v, want %s", step.action, got, step.operation)
			}
			p.await(operations)
			pass(time.Minute)
			if after, err := p.Get(p.Context(), machine.ID); err != nil || after.State != step.state {
				p.Errorf("after %s: %s, %v, want %s", step.action, after.State, err, step.state)
			}
			if !slices.Contains(p.PowerActions(), step.action) {
				p.Errorf("%s is not among the power actions", step.action)
			}
		}
		_, err := p.Power(p.Context(), machine.ID, driver.Nmi)
		if failure := p.failure(err); failure.Code != driver.Unsupported || failure.Outcome != driver.NotDone {
			p.Errorf("nmi: %+v", failure)
		}
	})
}

func TestResumeAnswersWhatStillRuns(t *testing.T) {
	inBubble(t, func(p *project) {
		spec := p.spec("web-1")
		created, err := p.Create(p.Context(), spec)
		if err != nil {
			p.Fatal(err)
		}
		resumed, err := p.Resume(p.Context(), spec, created.Machine)
		if err != nil || resumed.Proof != created.Proof || !slices.Equal(resumed.Operations, created.Operations) {
			p.Errorf("resumed %+v, %v, want what the create answered: %+v", resumed, err, created)
		}
		p.await(resumed.Operations)
		resumed, err = p.Resume(p.Context(), spec, created.Machine)
		if err != nil || len(resumed.Operations) != 0 || resumed.Proof != created.Proof || resumed.Machine.ID != created.Machine.ID {
			p.Errorf("when nothing runs: %+v, %v", resumed, err)
		}
	})
}

func TestProve(t *testing.T) {
	inBubble(t, func(p *project) {
		created, err := p.Create(p.Context(), p.spec("web-1"))
		if err != nil {
			p.Fatal(err)
		}
		p.await(created.Operations)
		p.variables["FOREIGN"] = p.Hetzner.Tokens["foreign"]
		foreign := p.open("env://FOREIGN")
		proves := func(when string) {
			if there, err := p.Prove(p.Context(), created.Proof); err != nil || !there {
				p.Errorf("%s the own project proves %t, %v", when, there, err)
			}
			if there, err := foreign.Prove(p.Context(), created.Proof); err != nil || there {
				p.Errorf("%s a foreign project proves %t, %v", when, there, err)
			}
		}
		proves("while it lives")
		p.await(p.started(p.Delete(p.Context(), created.Machine.ID)))
		proves("after its end")
		if there, err := p.Prove(p.Context(), ""); err != nil || there {
			p.Errorf("without a proof: %t, %v", there, err)
		}
		_, err = foreign.Get(p.Context(), created.Machine.ID)
		if failure := p.failure(err); failure.Code != driver.NotFound {
			p.Errorf("a foreign project answers %+v", failure)
		}
	})
}

func TestListsReadAllPages(t *testing.T) {
	inBubble(t, func(p *project) {
		labels := map[string]string{"better-compute.io/managed": "true"}
		for range 120 {
			if _, err := p.Plant("hetzner", "servers", map[string]any{"labels": labels}); err != nil {
				p.Fatal(err)
			}
		}
		if _, err := p.Plant("hetzner", "servers", map[string]any{"labels": map[string]string{}}); err != nil {
			p.Fatal(err)
		}
		since := p.seq()
		machines, err := p.List(p.Context())
		if err != nil || len(machines) != 120 {
			p.Errorf("%d machines, %v", len(machines), err)
		}
		want := []string{
			"GET /servers?label_selector=better-compute.io%2Fmanaged%3Dtrue&page=1&per_page=50",
			"GET /servers?label_selector=better-compute.io%2Fmanaged%3Dtrue&page=2&per_page=50",
			"GET /servers?label_selector=better-compute.io%2Fmanaged%3Dtrue&page=3&per_page=50",
		}
		if diff := cmp.Diff(want, p.requests(since)); diff != "" {
			p.Error(diff)
		}
	})
}

func TestListsGiveAMovedObjectOnceAndEnd(t *testing.T) {
	inBubble(t, func(p *project) {
		calls := 0
		p.base = roundTripper(func(*http.Request) (*http.Response, error) {
			calls++
			body := `{"servers":[{"id":7,"name":"web-1"}],"meta":{"pagination":{"page":1,"next_page":2}}}`
			if calls > 1 {
				body = `{"servers":[{"id":7,"name":"web-1"},{"id":8}],"meta":{"pagination":{"page":2,"next_page":1}}}`
			}
			return jsonAnswer(200, body), nil
		})
		machines, err := p.open("env://HCLOUD_TOKEN").List(p.Context())
		if err != nil || len(machines) != 2 || calls != 2 {
			p.Errorf("%d machines after %d pages, %v", len(machines), calls, err)
		}
	})
}

func TestAListWithoutEndIsAnError(t *testing.T) {
	inBubble(t, func(p *project) {
		calls := 0
		p.base = roundTripper(func(*http.Request) (*http.Response, error) {
			calls++
			return jsonAnswer(200, `{"servers":[],"meta":{"pagination":{"next_page":`+itoa(calls+1)+`}}}`), nil
		})
		_, err := p.open("env://HCLOUD_TOKEN").List(p.Context())
		if failure := p.failure(err); failure.Code != driver.ProviderError || !strings.Contains(failure.Message, "more than 1000 pages") || calls != 1000 {
			p.Errorf("%+v after %d pages", failure, calls)
		}
	})
}

func TestPollAsksOnceForAll(t *testing.T) {
	inBubble(t, func(p *project) {
		var operations []driver.Operation
		for i := range 3 {
			spec := p.spec("web-" + itoa(i))
			created, err := p.Create(p.Context(), spec)
			if err != nil {
				p.Fatal(err)
			}
			operations = append(operations, created.Operations...)
		}
		unknown := driver.Operation{ID: "999999999"}
		since := p.seq()
		progress, err := p.Poll(p.Context(), append(operations, unknown, operations[0]))
		if err != nil || len(progress) != 6 || len(p.requests(since)) != 1 {
			p.Errorf("%d of 6 operations in %v, %v", len(progress), p.requests(since), err)
		}
		for _, one := range progress {
			if one.Done || !slices.Contains(operations, one.Operation) {
				p.Errorf("progress %+v", one)
			}
		}
		if progress, err := p.Poll(p.Context(), nil); err != nil || len(progress) != 0 {
			p.Errorf("of nothing: %v, %v", progress, err)
		}
	})
}

func TestWhatACreateSendsAndKeeps(t *testing.T) {
	inBubble(t, func(p *project) {
		var sent, received []byte
		p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
			sent, _ = io.ReadAll(request.Body)
			request.Body = io.NopCloser(bytes.NewReader(sent))
			response, err := p.Hetzner.Transport().RoundTrip(request)
			if err == nil {
				received, _ = io.ReadAll(response.Body)
				response.Body = io.NopCloser(bytes.NewReader(received))
			}
			return response, err
		})
		spec := p.spec("web-1")
		spec.UserData = []byte("#cloud-config\nplanted: user-data\n")
		var log bytes.Buffer
		if _, err := p.open("env://HCLOUD_TOKEN").Create(tflogtest.RootLogger(p.Context(), &log), spec); err != nil {
			p.Fatal(err)
		}
		want := `{"name":"web-1","server_type":"cx23","image":161547269,"location":"fsn1","user_data":"#cloud-config\nplanted: user-data\n",` +
			`"labels":{"better-compute.io/account":"pacct_` + exampleKey[5:] + `","better-compute.io/claim":"` + exampleClaim +
			`","better-compute.io/creating":"true","better-compute.io/idempotency-key":"` + exampleKey + `","better-compute.io/managed":"true","team":"shop"}}`
		if diff := cmp.Diff(want, string(sent)); diff != "" {
			p.Error(diff)
		}
		_, password, found := strings.Cut(string(received), `"root_password":"`)
		password, _, _ = strings.Cut(password, `"`)
		if !found || password == "" {
			p.Fatal("the vendor gives no root password any more; this test needs one")
		}
		for _, secret := range []string{password, "planted", p.Hetzner.Token} {
			if strings.Contains(log.String(), secret) {
				p.Errorf("the log has %q", secret)
			}
		}
		if !strings.Contains(log.String(), "web-1") {
			p.Error("the log lacks the name: nothing was logged")
		}
	})
}

func TestCancelledReadsEndAtOnce(t *testing.T) {
	inBubble(t, func(p *project) {
		p.variables["HCLOUD_TOKEN"] = p.Hetzner.Token
		ctx, cancel := context.WithCancel(p.Context())
		cancel()
		_, err := p.Get(ctx, "42")
		if failure := p.failure(err); failure.Code != driver.ProviderError || failure.Outcome != driver.NotDone {
			p.Errorf("%+v", failure)
		}
	})
}
