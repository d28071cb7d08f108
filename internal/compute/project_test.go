// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"slices"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/drivertest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// projectsOn is an account whose machines may name projects: shop is project-2, blog is project-3. Owner names the state.
func projectsOn(memory *drivertest.Memory, owner string) *compute.Account {
	return compute.NewAccount(compute.Settings{
		Kind: drivertest.MemoryKind(), Driver: memory, Region: "here", Opened: time.Now(), Owner: owner,
		Reference: compute.Reference{ID: compute.AccountID("root", "memory", "main", ""), TenantID: "root", Kind: "memory"},
	})
}

func inProject(wish compute.Wish, named string) compute.Wish {
	wish.Options = manifest.Values{"project_id": named}
	return wish
}

// mustHold fails the test unless a project has exactly these machines.
func mustHold(t *testing.T, memory *drivertest.Memory, project string, want ...string) {
	t.Helper()
	ids, err := memory.ProjectMachines(t.Context(), project)
	if err != nil || !slices.Equal(ids, want) {
		t.Errorf("in %s are %v, want %v: %v", project, ids, want, err)
	}
}

func TestAMachinesProjectElseItsAccounts(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		memory.Project = "project-2"
		account := projectsOn(memory, "")
		mustHold(t, memory, "project-3")
		own := mustCreate(t, account, inProject(wishFor("own"), "blog")).Machine.ID
		others := mustCreate(t, account, wishFor("others")).Machine.ID
		mustHold(t, memory, "project-3", own)
		mustHold(t, memory, "project-2", others)
	})
}

// TestAProjectThatCannotBeListedIsNoDrift: only a list that was read says that a machine is somewhere else.
func TestAProjectThatCannotBeListedIsNoDrift(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := inProject(wishFor("web"), "shop")
		machine := mustCreate(t, projectsOn(memory, ""), wish).Machine
		account := projectsOn(memory, "")
		memory.Hook = on("ProjectMachines", false, refused(driver.Failure{Code: driver.ProviderError, Status: 502, Outcome: driver.Unknown}))
		_, err := account.ShownOptions(t.Context(), machine, wish.Options)
		wantCode(t, err, driver.ProviderError)
		for _, want := range []manifest.Values{wish.Options, {}} {
			shown, err := account.ShownOptions(t.Context(), machine, wish.Options)
			if err != nil || shown["project_id"] != want["project_id"] {
				t.Errorf("it shows %v, want %v: %v", shown, want, err)
			}
			if err := memory.AssignProject(t.Context(), machine.ID, "project-3"); err != nil {
				t.Fatal(err)
			}
			account = projectsOn(memory, "") // another command
		}
	})
}

func TestAnotherSpellingOfAProjectIsNoAssignment(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := inProject(wishFor("web"), "shop")
		made := mustCreate(t, projectsOn(memory, ""), wish)
		for _, test := range []struct {
			written     string
			assignments int
		}{{"project-2", 1}, {"blog", 2}} {
			written := manifest.Values{"project_id": test.written}
			change := compute.Change{Options: compute.OptionChange{Written: written, Prior: wish.Options, All: written}}
			_, err := projectsOn(memory, "").Update(t.Context(), heldOf(made, wish), change)
			if count := memory.Count("AssignProject"); err != nil || count != test.assignments {
				t.Errorf("%s: %d assignments, want %d: %v", test.written, count, test.assignments, err)
			}
		}
	})
}

func TestAMachineThatIsTakenBackIsPutIntoItsProject(t *testing.T) {
	bubble(t, func(t *testing.T, memory *drivertest.Memory) {
		wish := inProject(wishFor("web"), "shop")
		made := mustCreate(t, projectsOn(memory, "state"), wish)
		if err := memory.AssignProject(t.Context(), made.Machine.ID, "project-1"); err != nil {
			t.Fatal(err)
		}
		again := mustCreate(t, projectsOn(memory, "state"), wish)
		if !again.Adopted || again.Machine.ID != made.Machine.ID {
			t.Errorf("%+v", again)
		}
		mustHold(t, memory, "project-2", made.Machine.ID)
	})
}
