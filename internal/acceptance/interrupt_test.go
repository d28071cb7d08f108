// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// Killed while the answer of the create is held: the machine is made, nobody knows of it.
func TestKilledWhileTheCreateIsAnswered(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + instanceWeb)
		workspace.Init()
		fault := addFault(t, cloud, emulator.Fault{Method: "POST", Path: "^" + cloud.CreatePath + "$", Point: "after", Action: "hang"})
		apply := workspace.Start("apply")
		awaitHolding(t, cloud, fault)
		apply.Kill()
		wantServers(t, cloud, 1)

		out := workspace.Must("apply")
		wantServers(t, cloud, 1)
		if creates(cloud) != 1 {
			t.Errorf("%d creates were sent", creates(cloud))
		}
		if id := servers(t, cloud)[0].ID; !strings.Contains(Joined(out), "web (id "+id+")") || !strings.Contains(out, "Warning") {
			t.Errorf("no warning names machine %s:\n%s", id, out)
		}
		workspace.MustBeEmpty()
		workspace.Must("destroy")
		wantServers(t, cloud, 0)
	})
}

// Ctrl-C during the wait: the machine is kept, untainted, and finished in place.
func TestInterruptedDuringTheWait(t *testing.T) {
	OnEach(t, emulator.Options{ActionTime: 2 * Patience}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + instanceWeb)
		workspace.Init()
		apply := workspace.Start("apply")
		await(t, "the create is waited for", func() bool {
			asked := func(entry emulator.Entry) bool { return strings.HasPrefix(entry.Path, cloud.ActionsPath) }
			return creates(cloud) == 1 && slices.ContainsFunc(cloud.Journal(), asked)
		})
		apply.Interrupt()
		out, took, err := apply.Wait()
		if err == nil || took > Patience {
			t.Errorf("after Ctrl-C it took %s and ended with %v:\n%s", took, err, out)
		}
		timePasses(t, cloud, 2*Patience)
		kept, there := workspace.Resources()["bettercompute_instance.web"]
		if !there || kept.Tainted || kept.Values["machine_id"] != servers(t, cloud)[0].ID || kept.Values["name"] != "web" {
			t.Fatalf("the state holds %+v\n%s", kept, out)
		}

		before := last(cloud)
		out = workspace.Must("apply")
		if !strings.Contains(out, "0 added, 1 changed, 0 destroyed") {
			t.Errorf("the machine is not finished in place:\n%s", out)
		}
		for _, entry := range writes(cloud, before) {
			if strings.HasPrefix(entry.Path, cloud.CreatePath) && entry.Method != "PUT" {
				t.Errorf("finishing sent %s %s", entry.Method, entry.Path)
			}
		}
		if marks := marks(t, cloud); marks["creating"] != "" {
			t.Errorf("the marks are %v", marks)
		}
		workspace.MustBeEmpty()
	})
}

// A second Ctrl-C ends the CLI hard; the next apply still finds the machine.
func TestInterruptedTwice(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + instanceWeb)
		workspace.Init()
		fault := addFault(t, cloud, emulator.Fault{Method: "POST", Path: "^" + cloud.CreatePath + "$", Point: "after", Action: "hang", Delay: emulator.Duration(2 * Patience)})
		apply := workspace.Start("apply")
		awaitHolding(t, cloud, fault)
		apply.Interrupt()
		await(t, "the CLI has seen the first Ctrl-C", func() bool { return strings.Contains(apply.out.String(), "Interrupt received") })
		apply.Interrupt()
		if out, took, err := apply.Wait(); err == nil || took > Patience {
			t.Errorf("it took %s and ended with %v:\n%s", took, err, out)
		}
		cloud.RemoveFault(fault)
		workspace.Must("apply")
		wantServers(t, cloud, 1)
		if creates(cloud) != 1 {
			t.Errorf("%d creates were sent", creates(cloud))
		}
		workspace.MustBeEmpty()
	})
}
