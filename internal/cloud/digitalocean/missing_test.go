// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"fmt"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// TestAnswersThatLackSomething answers every call with well-formed JSON that lacks what the call is about: the driver
// answers or fails, never panics, and takes none of it for an absence.
func TestAnswersThatLackSomething(t *testing.T) {
	machine := driver.Machine{ID: "42", Marks: driver.Marks{Managed: true, Key: exampleKey, Claim: exampleClaim, Creating: true}}
	operation := driver.Operation{ID: "7", Name: actionCreate, MachineID: "42"}
	for name, call := range map[string]func(p *team) error{
		"verify":    func(p *team) error { return p.Verify(p.Context()) },
		"prove":     func(p *team) error { _, err := p.Prove(p.Context(), "x"); return err },
		"get":       func(p *team) error { _, err := p.Get(p.Context(), "42"); return err },
		"list":      func(p *team) error { _, err := p.List(p.Context()); return err },
		"find":      func(p *team) error { _, err := p.Find(p.Context(), exampleKey); return err },
		"offers":    func(p *team) error { _, err := p.Offers(p.Context(), driver.OfferQuery{}); return err },
		"images":    func(p *team) error { _, err := p.Images(p.Context(), driver.ImageQuery{}); return err },
		"image":     func(p *team) error { _, err := p.Images(p.Context(), driver.ImageQuery{Name: "debian"}); return err },
		"create":    func(p *team) error { _, err := p.Create(p.Context(), p.specOf("1")); return err },
		"resume":    func(p *team) error { _, err := p.Resume(p.Context(), driver.Spec{}, machine); return err },
		"poll":      func(p *team) error { _, err := p.Poll(p.Context(), []driver.Operation{operation}); return err },
		"power":     func(p *team) error { _, err := p.Power(p.Context(), "42", driver.PowerOn); return err },
		"reinstall": func(p *team) error { _, err := p.Reinstall(p.Context(), "42", p.specOf("1")); return err },
		"rename":    func(p *team) error { return p.Rename(p.Context(), "42", "api") },
		"mark":      func(p *team) error { _, err := p.Mark(p.Context(), machine, driver.Marks{}, nil); return err },
		"intend":    func(p *team) error { _, err := p.Intend(p.Context(), exampleKey); return err },
		"forget":    func(p *team) error { return p.Forget(p.Context(), machine, nil) },
		"delete":    func(p *team) error { _, err := p.Delete(p.Context(), "42"); return err },
	} {
		for _, root := range []string{"account", "droplet", "droplets", "sizes", "regions", "image", "images", "action", "actions", "tag", "links", "meta"} {
			for _, value := range []string{"null", "{}", "[]", "[null]", "[{}]", `""`, "0"} {
				inBubble(t, func(p *team) {
					p.cloud = p.answered(200, nil, fmt.Sprintf("{%q:%s}", root, value))
					if err := call(p); err != nil {
						if failure := p.failure(err); failure.Code != driver.ProviderError {
							p.Errorf("%s answered with %s %s: %+v", name, root, value, failure)
						}
					}
				})
			}
		}
	}
}
