// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"slices"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// mutations answers bodies that each lack one field of the given one, have null there, or have an empty object there.
func mutations(t *testing.T, body []byte) [][]byte {
	t.Helper()
	var all [][]byte
	for n := 0; ; n++ {
		for _, change := range []func(map[string]any, string){
			func(object map[string]any, name string) { delete(object, name) },
			func(object map[string]any, name string) { object[name] = nil },
			func(object map[string]any, name string) { object[name] = map[string]any{} },
		} {
			var value any
			if err := json.Unmarshal(body, &value); err != nil {
				t.Fatal(err)
			}
			left := n
			if !changeField(value, &left, change) {
				return all
			}
			changed, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, changed)
		}
	}
}

// changeField changes field number n, counted through the whole value, and says whether there is one.
func changeField(value any, n *int, change func(map[string]any, string)) bool {
	switch value := value.(type) {
	case []any:
		for _, element := range value {
			if changeField(element, n, change) {
				return true
			}
		}
	case map[string]any:
		for _, name := range sortedNames(value) {
			if *n == 0 {
				change(value, name)
				return true
			}
			*n--
			if changeField(value[name], n, change) {
				return true
			}
		}
	}
	return false
}

// TestNoFieldIsMissed takes every field out of every answer in turn: the driver answers or fails, and never panics.
func TestNoFieldIsMissed(t *testing.T) {
	inBubble(t, func(p *project) {
		machine := p.make("web-1")
		created, err := p.Create(p.Context(), p.spec("web-2"))
		if err != nil {
			p.Fatal(err)
		}
		calls := map[string]func(*cloud) error{
			"get":    func(c *cloud) error { _, err := c.Get(p.Context(), machine.ID); return err },
			"list":   func(c *cloud) error { _, err := c.List(p.Context()); return err },
			"poll":   func(c *cloud) error { _, err := c.Poll(p.Context(), created.Operations); return err },
			"resume": func(c *cloud) error { _, err := c.Resume(p.Context(), driver.Spec{}, machine); return err },
			"prove":  func(c *cloud) error { _, err := c.Prove(p.Context(), created.Proof); return err },
			"image":  func(c *cloud) error { _, err := c.Images(p.Context(), driver.ImageQuery{Name: image}); return err },
			"mark":   func(c *cloud) error { _, err := c.Mark(p.Context(), machine, machine.Marks, nil); return err },
			"power":  func(c *cloud) error { _, err := c.Power(p.Context(), machine.ID, driver.PowerOn); return err },
		}
		for _, name := range slices.Sorted(maps.Keys(calls)) {
			p.mutate(name, calls[name])
		}
		p.mutateCatalogue()
		p.mutateCreate()
	})
}

// record answers a driver that keeps the body of the last answer.
func (p *project) record(body *[]byte) *cloud {
	p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := p.Hetzner.Transport().RoundTrip(request)
		if err == nil {
			*body, _ = io.ReadAll(response.Body)
			response.Body = io.NopCloser(bytes.NewReader(*body))
		}
		return response, err
	})
	return p.open("env://HCLOUD_TOKEN")
}

// replay answers a driver whose every request is answered with a body.
func (p *project) replay(status int, body []byte) *cloud {
	p.base = roundTripper(func(*http.Request) (*http.Response, error) { return jsonAnswer(status, string(body)), nil })
	return p.open("env://HCLOUD_TOKEN")
}

func (p *project) mutate(name string, call func(*cloud) error) {
	p.Helper()
	var body []byte
	if err := call(p.record(&body)); err != nil {
		p.Fatalf("%s: %v", name, err)
	}
	changed := mutations(p.T, body)
	if len(changed) < 10 {
		p.Fatalf("%s: %d mutations of %s", name, len(changed), body)
	}
	for _, one := range changed {
		p.survives(name, one, call(p.replay(200, one)))
	}
}

// survives checks what the driver makes of a mutation: an error has a code and is no proof of absence.
func (p *project) survives(name string, body []byte, err error) {
	p.Helper()
	if err == nil {
		return
	}
	if failure := p.failure(err); failure.Code != driver.ProviderError {
		p.Errorf("%s: %+v for %s", name, failure, body)
	}
}

// mutateCatalogue takes fields out of one server type, and the currency out of the prices.
func (p *project) mutateCatalogue() {
	p.Helper()
	var types []byte
	p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
		response, err := p.Hetzner.Transport().RoundTrip(request)
		if err == nil && request.URL.Path == "/v1/server_types" {
			types, _ = io.ReadAll(response.Body)
			response.Body = io.NopCloser(bytes.NewReader(types))
		}
		return response, err
	})
	if _, err := p.open("env://HCLOUD_TOKEN").Offers(p.Context(), driver.OfferQuery{}); err != nil {
		p.Fatal(err)
	}
	types = firstOf(p.T, types, "server_types")
	for _, one := range mutations(p.T, types) {
		p.offersOf(one, []byte(`{"pricing":{"currency":"EUR"}}`))
	}
	for _, one := range []string{`{}`, `{"pricing":null}`, `{"pricing":{}}`, `{"pricing":{"currency":null,"primary_ips":[]}}`, `{"pricing":[]}`} {
		p.offersOf(types, []byte(one))
	}
}

func (p *project) offersOf(types, pricing []byte) {
	p.Helper()
	p.base = roundTripper(func(request *http.Request) (*http.Response, error) {
		if request.URL.Path == "/v1/pricing" {
			return jsonAnswer(200, string(pricing)), nil
		}
		return jsonAnswer(200, string(types)), nil
	})
	_, err := p.open("env://HCLOUD_TOKEN").Offers(p.Context(), driver.OfferQuery{Region: "fsn1"})
	p.survives("offers", types, err)
}

func (p *project) mutateCreate() {
	p.Helper()
	var body []byte
	if _, err := p.record(&body).Create(p.Context(), p.spec("web-3")); err != nil {
		p.Fatal(err)
	}
	for _, one := range mutations(p.T, body) {
		created, err := p.replay(201, one).Create(p.Context(), p.spec("web-3"))
		p.survives("create", one, err)
		if err == nil && created.Machine.ID == "0" {
			p.Errorf("a create without an id succeeds: %s", one)
		}
	}
}
