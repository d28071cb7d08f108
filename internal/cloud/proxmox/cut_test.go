// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// death is a process that is killed at one of its writes: that write gets through or not, its answer never comes, and
// nothing is sent after it.
type death struct {
	http.RoundTripper
	at    int
	after bool
	kill  context.CancelFunc
	seen  int
	dead  bool
}

var errDead = errors.New("this process is dead")

func (d *death) RoundTrip(request *http.Request) (*http.Response, error) {
	if d.dead {
		return nil, errDead
	}
	if request.Method == http.MethodGet {
		return d.RoundTripper.RoundTrip(request)
	}
	d.seen++
	if d.seen != d.at {
		return d.RoundTripper.RoundTrip(request)
	}
	if d.after {
		if response, err := d.RoundTripper.RoundTrip(request); err == nil {
			response.Body.Close()
		}
	}
	d.dead = true
	d.kill()
	return nil, errDead
}

// dying answers an account of a process that dies, and the context that ends with it.
func (l *lab) dying(at int, after bool) (*compute.Account, context.Context, *death) {
	l.Helper()
	ctx, kill := context.WithCancel(l.Context())
	l.Cleanup(kill)
	own := &death{RoundTripper: l.Proxmox.Transport(), at: at, after: after, kill: kill}
	l.carrier = own
	defer func() { l.carrier = nil }()
	return l.account("shop", diskOffers), ctx, own
}

var diskOffers = manifest.Values{"offers": []string{"2c-4g-20d"}}

// eachDeath runs a test for a death before and after each write, until one comes to its end alive.
func eachDeath(t *testing.T, least int, run func(l *lab, at int, after bool) (alive bool)) {
	t.Helper()
	for _, after := range []bool{false, true} {
		for at, alive := 1, false; !alive; at++ {
			name := "before write " + strconv.Itoa(at)
			if after {
				name = "after write " + strconv.Itoa(at)
			}
			t.Run(name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					alive = run(newLab(t, emulator.Options{ActionTime: 2 * time.Second}), at, after)
				})
			})
			if alive && at <= least {
				t.Errorf("there were only %d writes", at-1)
			}
		}
	}
}

// webOptions are those of the machine that dies.
var webOptions = manifest.Values{
	driver.OptionNetwork: "vmbr1.100", optionDevices: []string{"vmbr0", "vmbr1.200"}, optionCPUType: "host", optionOnBoot: true,
}

// TestCreateThatIsKilledAtAnyWrite kills a create before and after each of its writes: clone, disk, network devices, user
// data, configuration, start, marks. The next apply ends with one machine that runs, and never clones twice.
func TestCreateThatIsKilledAtAnyWrite(t *testing.T) {
	wish := wishFor("web")
	wish.OfferID, wish.UserData, wish.Options = "2c-4g-20d", []byte("#cloud-config\n{}\n"), webOptions
	eachDeath(t, 7, func(l *lab, at int, after bool) bool {
		account, ctx, own := l.dying(at, after)
		_, err := account.Create(ctx, wish)
		if !own.dead {
			if err != nil {
				l.Fatal(err)
			}
			return true
		}
		made := l.create(l.account("shop", diskOffers), wish)
		l.wantWeb(made, wish)
		if clones := l.cloned(); clones != 1 {
			l.Errorf("%d clones were made", clones)
		}
		return false
	})
}

// cloned answers how many clones the cluster began.
func (l *lab) cloned() int {
	count := 0
	for _, entry := range l.Journal() {
		if entry.Operation == "clone" && entry.Accepted {
			count++
		}
	}
	return count
}

// wantWeb wants exactly one machine, which is as planned.
func (l *lab) wantWeb(made compute.Made, wish compute.Wish) {
	l.Helper()
	if all := l.machines(); len(all) != 1 || all[0].ID != made.Machine.ID || all[0].State != "running" {
		l.Fatalf("there is %+v, made %s", all, made.Machine.ID)
	}
	config := l.config(made.Machine.ID)
	own := readRecord(config["description"])
	if own.key != wish.Key || own.claim != made.Claim || own.creating || own.unfinished {
		l.Errorf("its description is\n%s", config["description"])
	}
	if config["cores"] != "2" || config["memory"] != "4096" || config.sizeGiB("scsi0") != 20 || config["tags"] != tagManaged {
		l.Errorf("its config is %v", config)
	}
	if !strings.Contains(config["ide2"], seedName(wish.Key)) {
		l.Errorf("its user data is at %s", config["ide2"])
	}
	l.wantSeedForEachDevice(made.Machine.ID)
	for name, value := range wish.Options {
		if shown := optionsOf(vm{config: config})[name]; !reflect.DeepEqual(shown, value) {
			l.Errorf("its %s is %v, want %v", name, shown, value)
		}
	}
	if len(made.Machine.Addresses) == 0 || made.Unfinished {
		l.Errorf("made %+v", made)
	}
}

// TestReinstallThatIsKilledAtAnyWrite does the same for stop, user data, destroy, clone, disk, user data, configuration and
// start. Killed between destroy and clone the machine is gone, and is made anew; else the same VMID stays.
func TestReinstallThatIsKilledAtAnyWrite(t *testing.T) {
	wish := wishFor("web")
	wish.OfferID, wish.UserData, wish.Options = "2c-4g-20d", []byte("#cloud-config\n{}\n"), webOptions
	again := wish
	again.Image = "ubuntu-24.04"
	eachDeath(t, 7, func(l *lab, at int, after bool) bool {
		made := l.create(l.account("shop", diskOffers), wish)
		held := heldOf(made, wish)
		account, ctx, own := l.dying(at, after)
		_, err := account.Update(ctx, held, compute.Change{Reinstall: &again})
		if !own.dead {
			if err != nil {
				l.Fatal(err)
			}
			return true
		}
		next := l.account("shop", diskOffers)
		updated, err := next.Update(l.Context(), held, compute.Change{Reinstall: &again})
		if compute.CodeOf(err) == driver.NotFound {
			updated, err = next.Create(l.Context(), again)
		}
		if err != nil {
			l.Fatal(err)
		}
		updated.Claim = l.claim(updated.Machine.ID)
		l.wantWeb(updated, wish)
		if updated.Machine.ImageID != "9001" {
			l.Errorf("the image is %s", updated.Machine.ImageID)
		}
		return false
	})
}

func (l *lab) claim(id string) string {
	l.Helper()
	return readRecord(l.config(id)["description"]).claim
}
