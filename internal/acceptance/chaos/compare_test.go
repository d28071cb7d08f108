// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// compared are the vendors' own providers that are measured with the same interruptions: what makes one machine.
var compared = map[string]string{
	"hetzner": `
resource "hcloud_server" "web" {
  name        = "web"
  server_type = "cx23"
  image       = "ubuntu-24.04"
  location    = "fsn1"
}
`,
	"digitalocean": `
resource "digitalocean_droplet" "web" {
  name   = "web"
  size   = "s-2vcpu-4gb"
  image  = "ubuntu-24-04-x64"
  region = "fra1"
}
`,
}

// hit is one way in which the create is interrupted in the comparison.
type hit struct {
	name string
	// fault meets the request that makes the machine; nil: act follows during the wait for the machine.
	fault *emulator.Fault
	act   func(*acceptance.Process)
}

var hits = []hit{
	{"nothing", &emulator.Fault{Action: "delay", Delay: emulator.Duration(time.Millisecond)}, nil},
	{"kill -9, answer held", &emulator.Fault{Action: "hang", Point: "after"}, (*acceptance.Process).Kill},
	{"kill -9 during the wait", nil, (*acceptance.Process).Kill},
	{"Ctrl-C, answer held", &emulator.Fault{Action: "delay", Delay: held, Point: "after"}, (*acceptance.Process).Interrupt},
	{"Ctrl-C during the wait", nil, (*acceptance.Process).Interrupt},
	{"answer lost", &emulator.Fault{Action: "drop", Point: "after"}, nil},
	{"502 after", &emulator.Fault{Action: "status", Point: "after", Status: http.StatusBadGateway}, nil},
	{"504 as a page, after", &emulator.Fault{Action: "status", Point: "after", Status: http.StatusGatewayTimeout, Body: page}, nil},
}

// measured is what one provider has left after an interrupted create and at most two more applies.
type measured struct {
	// there are the machines at the vendor, kept those of them that the state holds.
	there, kept int
	// applies is how many more it took; failed says that the last one failed too.
	applies int
	failed  bool
	// out is what the last apply printed.
	out string
}

func (m measured) String() string {
	text := fmt.Sprintf("%d made, %d in no state", m.there, m.there-m.kept)
	switch {
	case m.failed:
		return text + ", still fails"
	case m.applies == 0:
		return text
	}
	return fmt.Sprintf("%s, %d more apply", text, m.applies)
}

// TestCompare interrupts the create of one machine with this provider and with the vendor's own, and prints what each of
// them leaves. CHAOS_HCLOUD and CHAOS_DIGITALOCEAN are the paths of their binaries.
func TestCompare(t *testing.T) {
	found := false
	for _, theirs := range acceptance.VendorProviders {
		binary := theirs.Binary("CHAOS")
		if binary == "" || compared[theirs.Vendor] == "" {
			continue
		}
		found = true
		for name, cli := range acceptance.CLIs(t) {
			t.Run(name+"/"+theirs.Vendor, func(t *testing.T) {
				rows := []string{}
				for _, how := range hits {
					ours, other := measureOurs(t, cli, theirs.Vendor, how), measureTheirs(t, cli, binary, theirs, how)
					rows = append(rows, fmt.Sprintf("%s\t%s\t%s\t%s", theirs.Vendor, how.name, other, ours))
					if other.failed {
						t.Logf("%s: the last apply with theirs:\n%s", how.name, other.out)
					}
					if ours.failed || ours.there != 1 || ours.kept != 1 {
						t.Errorf("%s: this provider: %s", how.name, ours)
					}
				}
				t.Log("\n" + columns("vendor\tinterrupted by\tterraform-provider-"+theirs.Name+"\tthis provider", rows))
			})
		}
	}
	if !found {
		t.Skip("CHAOS_HCLOUD or CHAOS_DIGITALOCEAN has to be the path of a provider's binary to compare with")
	}
}

func columns(head string, rows []string) string {
	var text strings.Builder
	out := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(out, head)
	for _, line := range rows {
		fmt.Fprintln(out, line)
	}
	_ = out.Flush() // a strings.Builder takes everything
	return text.String()
}

// measurement is one provider in one folder with a vendor of its own.
type measurement struct {
	t         *testing.T
	vendor    subject
	cloud     *emulator.Emulator
	workspace *acceptance.Workspace
	// id is the attribute with the vendor's id.
	id string
}

func newMeasurement(t *testing.T, cli, name, id string) *measurement {
	t.Helper()
	world := emulator.Start(t, emulator.Options{ActionTime: 3 * time.Second, AllowUnrouted: true})
	for _, one := range machines() {
		if one.Name == name {
			workspace := acceptance.NewWorkspace(t, &acceptance.Cloud{Emulator: world, Vendor: one.Vendor}, cli)
			return &measurement{t: t, vendor: one, cloud: world, workspace: workspace, id: id}
		}
	}
	t.Fatalf("there is no vendor %s", name)
	return nil
}

func measureOurs(t *testing.T, cli, vendor string, how hit) measured {
	t.Helper()
	own := newMeasurement(t, cli, vendor, "machine_id")
	own.workspace.Write(own.vendor.configuration("", true, own.vendor.written(plain, nil), false))
	return own.take(how)
}

func measureTheirs(t *testing.T, cli, binary string, theirs acceptance.VendorProvider, how hit) measured {
	t.Helper()
	own := newMeasurement(t, cli, theirs.Vendor, "id")
	own.workspace.Use(theirs, binary)
	own.workspace.Write(theirs.Needs() + compared[theirs.Vendor])
	return own.take(how)
}

// take interrupts the create and applies until it passes, at most twice more.
func (m *measurement) take(how hit) measured {
	m.t.Helper()
	m.workspace.Init()
	err := m.interrupt(how)
	found := measured{}
	for ; err != nil && found.applies < 2; found.applies++ {
		m.awaitRest()
		found.out, err = m.workspace.Run("apply")
	}
	found.failed = err != nil
	held := map[string]bool{}
	for _, resource := range m.workspace.Resources() {
		held[fmt.Sprint(resource.Values[m.id])] = true
	}
	for _, machine := range m.vendor.Machines(m.cloud) {
		found.there++
		if held[machine.ID] {
			found.kept++
		}
	}
	return found
}

func (m *measurement) interrupt(how hit) error {
	id := ""
	if how.fault != nil {
		fault := *how.fault
		fault.Method, fault.Path = http.MethodPost, "^"+m.vendor.CreatePath+"$"
		var err error
		if id, err = m.cloud.AddFault(fault); err != nil {
			m.t.Fatal(err)
		}
	}
	process := m.workspace.Start("apply")
	switch {
	case how.act == nil:
	case id == "":
		m.awaitWait()
	default:
		if err := m.cloud.AwaitHolding(m.t.Context(), id); err != nil {
			m.t.Fatal(err)
		}
	}
	if how.act != nil {
		how.act(process)
	}
	_, _, err := process.Wait()
	if how.act != nil {
		m.cloud.RemoveFault(id)
		return errors.Join(err, errWasKilled)
	}
	return err
}

// awaitWait returns when the create has been answered.
func (m *measurement) awaitWait() {
	m.await("the create was not answered", func() bool {
		return slices.ContainsFunc(m.cloud.Journal(), func(entry emulator.Entry) bool { return m.vendor.orders(entry) && entry.Status != 0 })
	})
}

// awaitRest returns when nothing is under way at the vendor, as when a person has looked before the next apply.
func (m *measurement) awaitRest() {
	m.await("something is still under way at the vendor", func() bool {
		return !slices.ContainsFunc(m.vendor.Machines(m.cloud), func(machine emulator.Object) bool { return machine.Busy != nil })
	})
}

func (m *measurement) await(complaint string, happened func() bool) {
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(time.Minute)
	for !happened() {
		select {
		case <-look.C:
		case <-deadline:
			m.t.Fatal(complaint + " within a minute")
		}
	}
}
