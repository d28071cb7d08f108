// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// inProjects runs a test at DigitalOcean with the projects shop and blog, whose ids it gets by name.
func inProjects(t *testing.T, run func(t *testing.T, s *providertest.Scene, ids map[string]string)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, ids := furnished(t, vendorNamed("digitalocean"))
		run(t, s, ids)
	})
}

// inProject are options with a project.
func inProject(named any) options {
	return options{"digitalocean": options{"project_id": named}}
}

// projectIn is what a state or a plan has of the project.
func projectIn(t *testing.T, value tftypes.Value) string {
	t.Helper()
	return show(providertest.Fields(t, providertest.Fields(t, value)["digitalocean"])["project_id"])
}

// move puts a machine into a project, as others do.
func move(t *testing.T, s *providertest.Scene, machine, project string) {
	t.Helper()
	providertest.AsOthers(t, s.Emulator.DigitalOcean, http.MethodPost, "v2/projects/"+project+"/resources",
		map[string]any{"resources": []string{"do:droplet:" + machine}}, nil)
}

// inOtherProject puts a droplet into another project than that of optionMachines.
func inOtherProject(t *testing.T, s *providertest.Scene, machine string, ids map[string]string) {
	t.Helper()
	move(t, s, machine, ids["blog"])
}

// droplets are the ids of the droplets in a project.
func droplets(t *testing.T, s *providertest.Scene, project string) []string {
	t.Helper()
	var found struct{ Resources []struct{ URN string } }
	providertest.AsOthers(t, s.Emulator.DigitalOcean, http.MethodGet, "v2/projects/"+project+"/resources", nil, &found)
	var ids []string
	for _, one := range found.Resources {
		if id, is := strings.CutPrefix(one.URN, "do:droplet:"); is {
			ids = append(ids, id)
		}
	}
	return ids
}

// aboutProjects are the requests about projects since the journal was emptied.
func aboutProjects(s *providertest.Scene) []string {
	var found []string
	for _, entry := range s.Emulator.Journal() {
		if strings.HasPrefix(entry.Path, "/v2/projects") {
			found = append(found, entry.Method+" "+entry.Path)
		}
	}
	return found
}

func mustBeIn(t *testing.T, s *providertest.Scene, state providertest.State, project string) {
	t.Helper()
	if ids := droplets(t, s, project); !slices.Equal(ids, []string{providertest.Text(t, state.Value, "machine_id")}) {
		t.Errorf("in project %s are %v", project, ids)
	}
}

// TestAMachineThatOthersMoveGoesBackIntoItsProject, by one assignment, without being stopped.
func TestAMachineThatOthersMoveGoesBackIntoItsProject(t *testing.T) {
	inProjects(t, func(t *testing.T, s *providertest.Scene, ids map[string]string) {
		config := s.Machine(inProject("shop"))
		state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
		mustBeIn(t, s, state, ids["shop"])
		s.Emulator.ClearJournal()
		s.MustBeQuiet(typeName, state, config)
		want := []string{"GET /v2/projects", "GET /v2/projects/" + ids["shop"] + "/resources"}
		if asked := aboutProjects(s); !slices.Equal(asked, want) {
			t.Errorf("a plan that is quiet asks %v, want %v", asked, want)
		}
		move(t, s, providertest.Text(t, state.Value, "machine_id"), ids["blog"])
		plan := s.Plan(typeName, state, config)
		if _, seen := plan.Changed(t)["digitalocean"]; !seen || effectOf(plan, "digitalocean") != updates {
			t.Errorf("the plan is %q and changes %v: %s", effectOf(plan, "digitalocean"), plan.Changed(t), plan.Diagnostics)
		}
		s.Emulator.ClearJournal()
		state = s.Apply(typeName, state, config)
		if writes := s.Writes(); len(writes) != 1 {
			t.Errorf("the apply writes %v", writes)
		}
		mustBeIn(t, s, state, ids["shop"])
		s.MustBeQuiet(typeName, state, config)
	})
}

// TestNobodyPaysForAProjectThatIsNotWritten: not with other options written, and no more once it is taken out, which moves
// nothing.
func TestNobodyPaysForAProjectThatIsNotWritten(t *testing.T) {
	inProjects(t, func(t *testing.T, s *providertest.Scene, ids map[string]string) {
		config := s.Machine(options{"digitalocean": options{"monitoring": true}})
		state := s.Apply(typeName, s.Begin().Nothing(typeName), config)
		s.MustBeQuiet(typeName, state, config)
		if asked := aboutProjects(s); len(asked) > 0 {
			t.Errorf("without a project: %v", asked)
		}
		written := withOption(config, "digitalocean.project_id", ids["shop"])
		state = s.Apply(typeName, state, written)
		if got := projectIn(t, state.Value); !strings.Contains(got, ids["shop"]) {
			t.Errorf("the state has %s", got)
		}
		state = s.Apply(typeName, state, config)
		if got := projectIn(t, state.Value); got != "null" {
			t.Errorf("taken out, the state has %s", got)
		}
		mustBeIn(t, s, state, ids["shop"])
		s.Emulator.ClearJournal()
		s.MustBeQuiet(typeName, state, config)
		if asked := aboutProjects(s); len(asked) > 0 {
			t.Errorf("taken out: %v", asked)
		}
	})
}

// TestAProjectThatIsNotKnownYet is taken by the apply, and not asked about before.
func TestAProjectThatIsNotKnownYet(t *testing.T) {
	inProjects(t, func(t *testing.T, s *providertest.Scene, _ map[string]string) {
		config := s.Machine(inProject(providertest.Unknown))
		plan := s.Plan(typeName, s.Begin().Nothing(typeName), config)
		if errors := plan.Diagnostics.Errors(); len(errors) > 0 || projectIn(t, plan.Planned.Value) != "unknown" || len(aboutProjects(s)) > 0 {
			t.Errorf("planned %s, asked %v: %s", projectIn(t, plan.Planned.Value), aboutProjects(s), errors)
		}
		state := s.Apply(typeName, s.Begin().Nothing(typeName), s.Machine(inProject("shop")))
		plan = s.Plan(typeName, state, config)
		if errors := plan.Diagnostics.Errors(); len(errors) > 0 || plan.Replaces {
			t.Errorf("replaces %t: %s", plan.Replaces, errors)
		}
	})
}

// TestAProjectThatCannotBeUsed is refused in the plan of a new machine and of a change, at its argument.
func TestAProjectThatCannotBeUsed(t *testing.T) {
	for name, test := range map[string]struct {
		token   string
		project string
		says    []string
	}{
		"it is not there":             {"", "shpo", []string{"(INVALID_INPUT)", "The nearest: shop (id ", "make it first"}},
		"the token has not the right": {"no_projects", "shop", []string{"(ACCESS_DENIED)", "project:read", "project:assign_resource"}},
	} {
		t.Run(name, func(t *testing.T) {
			inProjects(t, func(t *testing.T, s *providertest.Scene, _ map[string]string) {
				state := s.Apply(typeName, s.Begin().Nothing(typeName), s.Machine(nil))
				if test.token != "" {
					t.Setenv(providertest.SceneVariable, s.Emulator.DigitalOcean.Tokens[test.token])
				}
				s.Emulator.ClearJournal()
				for _, prior := range []providertest.State{s.Begin().Nothing(typeName), state} {
					errors := s.Plan(typeName, prior, s.Machine(inProject(test.project))).Diagnostics.Errors()
					if len(errors.At("digitalocean.project_id")) != 1 || len(errors) != 1 {
						t.Errorf("the plan says %s", errors)
					}
					for _, words := range test.says {
						if !strings.Contains(errors.String(), words) {
							t.Errorf("%q is missing in: %s", words, errors)
						}
					}
				}
				if writes := s.Writes(); len(writes) > 0 {
					t.Errorf("the plans have written: %s", writes)
				}
			})
		})
	}
}

// TestARefreshWithoutTheRightKeepsTheState, and says what is missing.
func TestARefreshWithoutTheRightKeepsTheState(t *testing.T) {
	inProjects(t, func(t *testing.T, s *providertest.Scene, _ map[string]string) {
		state := s.Apply(typeName, s.Begin().Nothing(typeName), s.Machine(inProject("shop")))
		t.Setenv(providertest.SceneVariable, s.Emulator.DigitalOcean.Tokens["no_projects"])
		read, faults := s.Begin().Refresh(t.Context(), typeName, state)
		if errors := faults.Errors(); len(errors.At("digitalocean.project_id")) != 1 || !strings.Contains(errors.String(), "project:read") || !read.There() {
			t.Errorf("there %t: %s", read.There(), errors)
		}
	})
}

// TestAnAssignmentThatFails: the create keeps its machine and the next apply carries it to its end; a change is planned again.
func TestAnAssignmentThatFails(t *testing.T) {
	refuses := emulator.Fault{
		Vendor: "digitalocean", Method: http.MethodPost, Path: "^/v2/projects/.*/resources$", Action: "status", Status: http.StatusForbidden,
		Body: `{"id":"forbidden","message":"You are not authorized to perform this operation"}`,
	}
	for name, before := range map[string]any{"of a create": nil, "of a change": "blog"} {
		t.Run(name, func(t *testing.T) {
			inProjects(t, func(t *testing.T, s *providertest.Scene, ids map[string]string) {
				state := s.Begin().Nothing(typeName)
				if before != nil {
					state = s.Apply(typeName, state, s.Machine(inProject(before)))
				}
				config := s.Machine(inProject("shop"))
				if _, err := s.Emulator.AddFault(refuses); err != nil {
					t.Fatal(err)
				}
				plan := s.Plan(typeName, state, config)
				failed, diagnostics := s.Begin().ApplyChange(t.Context(), typeName, plan)
				if errors := diagnostics.Errors(); len(errors.At("digitalocean.project_id")) != 1 || !strings.Contains(errors.String(), "project:assign_resource") {
					t.Errorf("the apply says %s", errors)
				}
				state = s.Apply(typeName, failed, config)
				mustBeIn(t, s, state, ids["shop"])
				s.MustBeQuiet(typeName, state, config)
			})
		})
	}
}

// TestAnAssignmentThatIsFollowedByAFailure is in the state: the plan that follows does the rest alone.
func TestAnAssignmentThatIsFollowedByAFailure(t *testing.T) {
	inProjects(t, func(t *testing.T, s *providertest.Scene, ids map[string]string) {
		state := s.Apply(typeName, s.Begin().Nothing(typeName), s.Machine(inProject("blog")))
		config := with(s.Machine(inProject("shop")), "power", "off")
		if _, err := s.Emulator.AddFault(emulator.Fault{
			Vendor: "digitalocean", Method: http.MethodPost, Path: "^/v2/droplets/.*/actions$", Action: "status", Status: http.StatusForbidden,
			Body: `{"id":"forbidden","message":"You are not authorized to perform this operation"}`,
		}); err != nil {
			t.Fatal(err)
		}
		state, faults := s.Begin().ApplyChange(t.Context(), typeName, s.Plan(typeName, state, config))
		if len(faults.Errors()) != 1 || projectIn(t, state.Value) != "shop" {
			t.Errorf("the state has %s: %s", projectIn(t, state.Value), faults)
		}
		mustBeIn(t, s, state, ids["shop"])
		s.Emulator.ClearJournal()
		state = s.Apply(typeName, state, config)
		for _, write := range s.Writes() {
			if strings.HasPrefix(write, "POST /v2/projects") {
				t.Errorf("the machine is assigned once more: %v", s.Writes())
			}
		}
		s.MustBeQuiet(typeName, state, config)
	})
}

// TestAnImportDoesNotTellTheProject, and asks for none; the first apply sees to what is written.
func TestAnImportDoesNotTellTheProject(t *testing.T) {
	inProjects(t, func(t *testing.T, s *providertest.Scene, ids map[string]string) {
		made := s.Apply(typeName, s.Begin().Nothing(typeName), s.Machine(inProject("blog")))
		s.Emulator.ClearJournal()
		state, faults := s.Begin().ImportObject(t.Context(), typeName, s.Account, providertest.Text(t, made.Value, "machine_id"))
		if len(faults) > 0 || projectIn(t, state.Value) != "null" || len(aboutProjects(s)) > 0 {
			t.Errorf("the import shows %s and has asked %v: %s", projectIn(t, state.Value), aboutProjects(s), faults)
		}
		config := s.Machine(inProject("shop"))
		state = s.Apply(typeName, state, config)
		mustBeIn(t, s, state, ids["shop"])
		s.MustBeQuiet(typeName, state, config)
	})
}
