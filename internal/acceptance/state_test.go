// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"regexp"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// killBeforeTheStore ends the CLI after the machine was finished and before its state is kept.
func killBeforeTheStore(t *testing.T, cloud *Cloud, workspace *Workspace, store *Store) {
	t.Helper()
	store.Hold(true)
	apply := workspace.Start("apply")
	<-store.Held
	await(t, "the machine is finished", func() bool {
		marks := marks(t, cloud)
		return marks["claim"] != "" && marks["creating"] == ""
	})
	apply.Kill()
	store.Hold(false)
}

func TestKilledBeforeTheStateWasStoredWithOwner(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		store := NewStore(t)
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + store.Block() + owned + accountMain + instanceWeb)
		workspace.Init()
		killBeforeTheStore(t, cloud, workspace, store)

		out := workspace.Must("apply")
		if !strings.Contains(Joined(out), "taken back") {
			t.Errorf("the adoption is not said:\n%s", out)
		}
		wantServers(t, cloud, 1)
		if creates(cloud) != 1 {
			t.Errorf("%d creates were sent", creates(cloud))
		}
		workspace.MustBeEmpty()
	})
}

var importBlock = regexp.MustCompile(`(?s)import \{\n.*?\n\s*\}\n`)

func TestKilledBeforeTheStateWasStoredWithoutOwner(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		store := NewStore(t)
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + store.Block() + accountMain + instanceWeb)
		workspace.Init()
		killBeforeTheStore(t, cloud, workspace, store)

		before := last(cloud)
		out := workspace.MustFail([]string{"(CONFLICT)", "Only if this very state had it"}, "apply")
		block := importBlock.FindString(strings.ReplaceAll(strings.ReplaceAll(out, "│", ""), "╵", ""))
		if block == "" {
			t.Fatalf("there is no import block:\n%s", out)
		}
		workspace.Write(header + store.Block() + accountMain + instanceWeb + "\n" + strings.ReplaceAll(block, ".NAME", ".web"))
		if out := workspace.Must("apply"); !strings.Contains(out, "1 imported") {
			t.Errorf("nothing is imported:\n%s", out)
		}
		if sent := writes(cloud, before); len(sent) != 0 {
			t.Errorf("the import sent %+v", sent)
		}
		workspace.MustBeEmpty()
		wantServers(t, cloud, 1)
	})
}

func TestTheSameConfigurationInASecondState(t *testing.T) {
	for name, providers := range map[string][2]string{
		"without owner": {"", ""},
		"other owners":  {owned, strings.ReplaceAll(owned, "shop/prod", "shop/staging")},
	} {
		t.Run(name, func(t *testing.T) {
			OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
				first, second := NewWorkspace(t, cloud, cli), NewWorkspace(t, cloud, cli)
				first.Write(header + providers[0] + accountMain + instanceWeb)
				second.Write(header + providers[1] + accountMain + instanceWeb)
				first.Init()
				second.Init()
				first.Must("apply")
				before := last(cloud)
				second.MustFail([]string{"(CONFLICT)", "Another state or workspace has it", "name"}, "apply")
				if sent := writes(cloud, before); len(sent) != 0 {
					t.Errorf("the second state sent %+v", sent)
				}
				if held := second.Resources(); len(held) != 0 {
					t.Errorf("the second state holds %v", held)
				}
				first.MustBeEmpty()
			})
		})
	}
}
