// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// trouble is something at the vendor that an operation meets.
type trouble struct {
	name string
	// operations of the resource meet it, at the vendors; nil: all that have the resource.
	resource   *resource
	operations []string
	vendors    []string
	begin      func(vendor, *emulator.Emulator) error
	// says is the code that the command ends with; empty: it passes.
	says string
	// none says that nothing is ordered and nothing saved by then.
	none bool
	// end takes away what does not end by itself.
	end func(vendor, *emulator.Emulator) error
}

// pending is DigitalOcean's answer to whoever changes what is being changed.
const pending = `{"id":"unprocessable_entity","message":"Droplet already has a pending event."}`

// busy refuses changes for about 20 seconds, as an object does that somebody else is changing.
func busy(v vendor, world *emulator.Emulator) error {
	fault := emulator.Fault{Vendor: v.Name, Action: "status", Status: http.StatusLocked, Times: new(5)}
	if v.Name == "digitalocean" {
		fault.Status, fault.Body = http.StatusUnprocessableEntity, pending
	}
	for _, one := range []struct{ method, path string }{{http.MethodPost, "/actions"}, {http.MethodDelete, "/(servers|droplets|floating_ips|reserved_ips)/"}} {
		fault.Method, fault.Path = one.method, one.path
		if _, err := world.AddFault(fault); err != nil {
			return err
		}
	}
	return nil
}

// set is a trouble that a setting makes.
func set(change func(v vendor, settings *emulator.Settings)) func(vendor, *emulator.Emulator) error {
	return func(v vendor, world *emulator.Emulator) error {
		return world.ChangeSettings(func(settings *emulator.Settings) { change(v, settings) })
	}
}

func noQuota(v vendor, settings *emulator.Settings) {
	for _, kind := range []string{v.Collection, addressPlaces[v.Name].collection} {
		settings.Quotas[kind] = 1 // somebody else's
	}
}

func quota(v vendor, settings *emulator.Settings) {
	for _, kind := range []string{v.Collection, addressPlaces[v.Name].collection} {
		settings.Quotas[kind] = 100
	}
}

var clouds = []string{"hetzner", "digitalocean"}

var troubles = []trouble{
	{
		name: "a busy machine is waited out", resource: &instances, vendors: clouds, begin: busy,
		operations: []string{"power off", "power on", "reinstall", "set options", "take options off", "destroy", "destroy after a shutdown"},
	},
	{
		name: "a busy address is waited out", resource: &addresses, begin: busy,
		operations: []string{"create on a machine", "assign", "move", "unassign", "change the host name", "destroy", "destroy on a machine"},
	},
	{
		name: "no room, though the catalogue says so", resource: &instances, vendors: clouds, operations: []string{"create"},
		begin: set(func(v vendor, settings *emulator.Settings) {
			settings.Capacity = []emulator.Capacity{{Offer: v.Offer, Region: v.Region, Create: new(false)}}
		}),
		says: "(CAPACITY_UNAVAILABLE)", none: true,
		end: set(func(_ vendor, settings *emulator.Settings) { settings.Capacity = nil }),
	},
	{
		name: "no room, found out after the answer", resource: &instances, vendors: []string{"digitalocean"}, operations: []string{"create"},
		begin: set(func(v vendor, settings *emulator.Settings) {
			settings.ActionResults[v.CreateOperation] = emulator.Result{Status: "errored"}
		}),
		says: "(CAPACITY_UNAVAILABLE)",
	},
	{
		name: "no room, found out after the answer", resource: &instances, vendors: []string{"hetzner"}, operations: []string{"create"},
		begin: set(func(v vendor, settings *emulator.Settings) {
			settings.ActionResults[v.CreateOperation] = emulator.Result{Status: "error", Code: "resource_unavailable"}
		}),
		says: "(CAPACITY_UNAVAILABLE)",
	},
	{
		name: "a full quota", resource: &instances, vendors: clouds, operations: []string{"create"}, begin: set(noQuota),
		says: "(QUOTA_EXCEEDED)", none: true, end: set(quota),
	},
	{
		name: "a full quota of addresses", resource: &addresses, operations: []string{"create"}, begin: set(noQuota),
		says: "(QUOTA_EXCEEDED)", none: true, end: set(quota),
	},
	{
		name: "a name that is somebody else's", resource: &instances, vendors: []string{"hetzner"}, operations: []string{"create"},
		begin: func(v vendor, world *emulator.Emulator) error {
			_, err := v.Plant(world, "web", nil, nil)
			return err
		},
		says: "(CONFLICT)", none: true,
		end: func(v vendor, world *emulator.Emulator) error {
			for _, machine := range v.Machines(world) {
				if machine.Name == "web" {
					return world.Vanish(v.Name, v.Collection, machine.ID)
				}
			}
			return nil
		},
	},
	{
		name: "a delete that comes to nothing", resource: &instances, vendors: []string{"hetzner"}, operations: []string{"destroy"},
		begin: set(func(v vendor, settings *emulator.Settings) {
			settings.ActionResults[v.DeleteOperation] = emulator.Result{Status: "error"}
		}),
		says: "(PROVIDER_ERROR)",
	},
	{
		name: "a delete that comes to nothing, unsaid", resource: &instances, vendors: []string{"digitalocean"}, operations: []string{"destroy"},
		begin: set(func(v vendor, settings *emulator.Settings) {
			settings.ActionResults[v.DeleteOperation] = emulator.Result{Status: "errored"}
		}),
		says: "(TIMEOUT)",
	},
}

// TestTroubles meets operations with what vendors do to them on a bad day: what passes by itself is waited out, what does
// not is said with its code and leaves nothing behind, and the next apply goes on when it is over.
func TestTroubles(t *testing.T) {
	for _, trouble := range troubles {
		for _, on := range subjects() {
			if on.resource != trouble.resource || trouble.vendors != nil && !slices.Contains(trouble.vendors, on.Name) {
				continue
			}
			for _, operation := range on.possible() {
				if slices.Contains(trouble.operations, operation.name) {
					t.Run(trouble.name+"/"+on.String()+"/"+operation.name, func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) { trouble.meet(t, trial{on: on, operation: operation, owned: true}) })
					})
				}
			}
		}
	}
}

func (d trouble) meet(t *testing.T, one trial) {
	t.Helper()
	play := one.prepare(t)
	if err := d.begin(one.on.vendor, play.cloud); err != nil {
		t.Fatal(err)
	}
	play.wire = newWire(play.transport())
	first := play.apply(play.wire, play.after)
	said := first.said.Errors().String()
	if d.says == "" && first.failed || d.says != "" && !strings.Contains(said, d.says) {
		t.Errorf("the command says %q, want %q", said, d.says)
	}
	if d.none && (play.ordered() > 0 || play.live.current.There()) {
		t.Errorf("%d were ordered, the state holds %v: %s", play.ordered(), play.holds(), play.writes())
	}
	if d.says == "" && strings.Count(play.writes(), " 423") == 0 && strings.Count(play.writes(), " 422") == 0 {
		t.Errorf("nothing was refused: %s", play.writes())
	}
	if d.end != nil {
		if err := d.end(one.on.vendor, play.cloud); err != nil {
			t.Fatal(err)
		}
	}
	play.wire.what.mayTaint = d.says != ""
	if found := play.repeat(first); found.outcome.isWrong() {
		t.Errorf("%s: %s", found.outcome, found.why)
	}
	play.left.Wait()
	<-time.After(settling)
}

// A create that Ctrl-C has cut short, and whose block is gone then: what is there of it goes, and nothing is left.
func TestAnUnfinishedObjectIsDestroyed(t *testing.T) {
	for _, on := range subjects() {
		t.Run(on.String(), func(t *testing.T) {
			one := trial{on: on, operation: on.possible()[0], owned: true}
			_, whole := one.run(t)
			one.at = 1 + slices.IndexFunc(whole.sent, func(sent string) bool {
				method, path, _ := strings.Cut(sent, " ")
				return on.orders(emulator.Entry{Vendor: on.Name, Method: method, Path: path})
			})
			one.what = interruptions[slices.IndexFunc(interruptions, func(what interruption) bool { return what.stops && what.carriedOut })]
			synctest.Test(t, func(t *testing.T) {
				play := one.prepare(t)
				play.wire = newWire(play.transport())
				play.wire.at, play.wire.what = one.at, one.what
				if first := play.apply(play.wire, play.after); !play.wire.isStopped() || len(play.holds()) != 1 {
					t.Fatalf("the state holds %v: %s", play.holds(), first.said)
				}
				play.after = nil
				if again := play.apply(newWire(play.transport()), nil); again.failed {
					t.Errorf("the destroy fails: %s", again.said)
				}
				if left := play.objects(); len(left) > 0 {
					t.Errorf("left: %+v", left)
				}
			})
		})
	}
}

// An image may be written by its id: the second plan is empty.
func TestAnImageByItsID(t *testing.T) {
	for _, on := range machines() {
		t.Run(on.String(), func(t *testing.T) {
			byID := operation{name: "create by the image's id", after: func(v vendor) arguments { return arguments{"image": v.ImageID} }}
			if found, _ := (trial{on: on, operation: byID, owned: true}).run(t); found.outcome != unharmed {
				t.Errorf("%s: %s", found.outcome, found.why)
			}
		})
	}
}

// Half of the deletes of twenty machines are refused for a while: all machines go, and none is dropped from the state before
// it is gone.
func TestHalfOfTheDeletesAreRefused(t *testing.T) {
	for name, status := range map[string]int{"too many requests": http.StatusTooManyRequests, "unavailable": http.StatusServiceUnavailable, "busy": 0} {
		for _, on := range machines() {
			if !slices.Contains(clouds, on.Name) {
				continue
			}
			t.Run(name+"/"+on.Name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					crowd := newCrowd(t, on, 1)
					crowd.apply(20)
					fault := emulator.Fault{Method: http.MethodDelete, Action: "status", Status: status, Times: new(10)}
					if status == 0 {
						fault.Status = http.StatusLocked
						if on.Name == "digitalocean" {
							fault.Status, fault.Body = http.StatusUnprocessableEntity, pending
						}
					}
					if _, err := crowd.cloud.AddFault(fault); err != nil {
						t.Fatal(err)
					}
					crowd.destroy()
				})
			})
		}
	}
}
