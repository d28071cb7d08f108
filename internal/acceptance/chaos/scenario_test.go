// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// stage is a vendor with a CLI on which states are lost, doubled and mixed up.
type stage struct {
	t     *testing.T
	cloud *acceptance.Cloud
	cli   string
	own   subject
	owned bool
}

// onStage runs a scenario on each CLI and vendor, with and without owner; plain go test does so on one vendor.
func onStage(t *testing.T, run func(s *stage)) {
	t.Helper()
	for name, cli := range acceptance.CLIs(t) {
		for _, on := range machines()[:stages()] {
			for _, owned := range []bool{true, false} {
				owner := "no owner"
				if owned {
					owner = "owner"
				}
				t.Run(name+"/"+on.Name+"/"+owner, func(t *testing.T) {
					t.Parallel()
					cloud := &acceptance.Cloud{Emulator: emulator.Start(t, emulator.Options{}), Vendor: on.Vendor}
					run(&stage{t: t, cloud: cloud, cli: cli, own: on, owned: owned})
				})
			}
		}
	}
}

// stages is on how many vendors scenarios are played.
func stages() int {
	if os.Getenv(budgetVariable) == "" {
		return 1
	}
	return len(vendors())
}

// workspace is a folder of its own, with a configuration.
func (s *stage) workspace(text string) *acceptance.Workspace {
	s.t.Helper()
	own := acceptance.NewWorkspace(s.t, s.cloud, s.cli)
	own.Write(text)
	own.Init()
	return own
}

// plain is the configuration of one machine.
func (s *stage) plain(more arguments, createBeforeDestroy bool) string {
	return s.own.configuration("", s.owned, s.own.written(with(more), nil), createBeforeDestroy)
}

// wantMachines compares the vendor's machines with their number and with what the workspaces hold.
func (s *stage) wantMachines(count int, holders ...*acceptance.Workspace) {
	s.t.Helper()
	there := map[string]bool{}
	for _, machine := range s.own.Machines(s.cloud.Emulator) {
		there[machine.ID] = true
	}
	if len(there) != count {
		s.t.Errorf("the vendor has %d machines, want %d: %v", len(there), count, there)
	}
	for _, holder := range holders {
		for address, resource := range holder.Resources() {
			if id, ok := resource.Values["machine_id"].(string); ok && !there[id] {
				s.t.Errorf("%s is machine %s in the state, which is not there", address, id)
			} else if ok {
				delete(there, id)
			}
		}
	}
	if len(holders) > 0 && len(there) > 0 {
		s.t.Errorf("machines %v are in no state", there)
	}
}

func (s *stage) ordered() int { return s.own.ordered(s.cloud.Emulator, 0) }

// keepState copies the state of a folder, as a backup does.
func keepState(t *testing.T, workspace *acceptance.Workspace) []byte {
	t.Helper()
	state, err := os.ReadFile(filepath.Join(workspace.Folder, "terraform.tfstate"))
	if err != nil {
		t.Fatal(err)
	}
	return state
}

func restoreState(t *testing.T, workspace *acceptance.Workspace, state []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(workspace.Folder, "terraform.tfstate"), state, 0o600); err != nil {
		t.Fatal(err)
	}
}

// A state of last week is restored after the machine was replaced: the old one is gone, and the new one bears a claim that
// this state has lost.
func TestAStateOfLastWeekIsRestored(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		workspace := s.workspace(s.plain(nil, false))
		workspace.Must("apply")
		lastWeek := keepState(s.t, workspace)
		workspace.Write(s.plain(arguments{"image": s.own.OtherImage}, false))
		workspace.Must("apply")
		restoreState(s.t, workspace, lastWeek)
		if !s.owned {
			workspace.MustFail([]string{"(CONFLICT)", "Only if this very state had it", "import {"}, "apply")
			s.wantMachines(1)
			return
		}
		if out := workspace.Must("apply"); !strings.Contains(acceptance.Joined(out), "taken back") {
			s.t.Errorf("the adoption is not said:\n%s", out)
		}
		s.wantMachines(1, workspace)
		if s.ordered() != 2 {
			s.t.Errorf("%d machines were ordered, want 2", s.ordered())
		}
		workspace.MustBeEmpty()
	})
}

// A tainted machine with create_before_destroy, its arguments unchanged: the new one has the old one's id.
func TestATaintedMachineWithCreateBeforeDestroy(t *testing.T) {
	for name, apply := range map[string][]string{"taint": {"apply"}, "-replace": {"apply", "-replace=bettercompute_instance.web"}} {
		said := []string{"taken back", "nothing was replaced: change idempotency_key"}
		if name == "taint" {
			// With -replace the CLIs drop the warnings of the plan of the new machine.
			said = append(said, "The replacement has the id of the machine that it replaces")
		}
		t.Run(name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				workspace := s.workspace(s.plain(nil, true))
				workspace.Must("apply")
				if name == "taint" {
					workspace.Must("taint", "bettercompute_instance.web")
				}
				if !s.owned {
					workspace.MustFail([]string{"(CONFLICT)", "create_before_destroy", "change idempotency_key"}, apply...)
				} else {
					out := acceptance.Joined(workspace.Must(apply...))
					for _, text := range said {
						if !strings.Contains(out, text) {
							s.t.Errorf("it does not say %q:\n%s", text, out)
						}
					}
					workspace.MustBeEmpty()
				}
				s.wantMachines(1, workspace)
				if s.ordered() != 1 {
					s.t.Errorf("%d machines were ordered, want 1", s.ordered())
				}
			})
		})
	}
}

// A tainted machine without create_before_destroy is replaced, also by one of another image or another name.
func TestATaintedMachineIsReplaced(t *testing.T) {
	for name, more := range map[string]func(vendor) arguments{
		"as it was": plain, "with another image": otherImage(arguments{}), "with labels": with(arguments{"labels": arguments{"color": "blue"}}),
	} {
		t.Run(name, func(t *testing.T) {
			onStage(t, func(s *stage) {
				workspace := s.workspace(s.plain(nil, false))
				workspace.Must("apply")
				first := s.own.Machines(s.cloud.Emulator)[0].ID
				workspace.Must("taint", "bettercompute_instance.web")
				workspace.Write(s.plain(more(s.own.vendor), false))
				workspace.Must("apply")
				s.wantMachines(1, workspace)
				if now := s.own.Machines(s.cloud.Emulator); len(now) == 1 && now[0].ID == first && !s.own.ReusesIDs {
					s.t.Errorf("machine %s is still there", first)
				}
				workspace.MustBeEmpty()
			})
		})
	}
}

const counted = `
resource "bettercompute_instance" "web" {
  count            = 2
  provider_account = data.bettercompute_provider_account.main
  name             = "web-${count.index}"
  offer_id         = "OFFER"
  image            = "IMAGE"
}
`

const forEach = `
resource "bettercompute_instance" "web" {
  for_each         = toset(["0", "1"])
  provider_account = data.bettercompute_provider_account.main
  name             = "web-${each.key}"
  offer_id         = "OFFER"
  image            = "IMAGE"
}
`

// From count to for_each without moved blocks: the old addresses are destroyed and the new ones made, with the same ids.
func TestCountBecomesForEach(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		workspace := s.workspace(s.own.configuration("", s.owned, nil, false) + counted)
		workspace.Must("apply")
		workspace.Write(s.own.configuration("", s.owned, nil, false) + forEach)
		out, err := workspace.Run("apply")
		for tries := 0; err != nil && tries < 2; tries++ {
			if s.owned || !strings.Contains(out, "(CONFLICT)") {
				s.t.Fatalf("the apply fails:\n%s", out)
			}
			out, err = workspace.Run("apply")
		}
		if err != nil {
			s.t.Fatalf("two more applies fail:\n%s", out)
		}
		s.wantMachines(2, workspace)
		workspace.MustBeEmpty()
		workspace.Must("destroy")
		s.wantMachines(0, workspace)
	})
}

// Two states make the same machine at the same moment: one of them has it, and the other one's apply says so.
func TestTwoCreatorsAtOnce(t *testing.T) {
	t.Parallel()
	onStage(t, func(s *stage) {
		if err := s.cloud.ChangeSettings(func(settings *emulator.Settings) {
			settings.ActionTime = emulator.Duration(3 * time.Second)
		}); err != nil {
			s.t.Fatal(err)
		}
		first, second := s.workspace(s.plain(nil, false)), s.workspace(s.plain(nil, false))
		one, two := first.Start("apply"), second.Start("apply")
		outOne, _, errOne := one.Wait()
		outTwo, _, errTwo := two.Wait()
		s.judgeRace(outOne, outTwo, errOne, errTwo)
		s.losersHoldNothing(map[*acceptance.Workspace]error{first: errOne, second: errTwo})
	})
}

// judgeRace: at least one creator has the machine; a loser has a CONFLICT and holds nothing, unless both have the same
// owner: then the later one has taken it over, and the earlier one finds that out when it plans again.
func (s *stage) judgeRace(outOne, outTwo string, errOne, errTwo error) {
	s.t.Helper()
	if s.ordered() != 1 {
		s.t.Errorf("%d machines were ordered\n%s\n%s", s.ordered(), outOne, outTwo)
	}
	if errOne != nil && errTwo != nil {
		s.t.Errorf("both fail:\n%s\n%s", outOne, outTwo)
	}
	s.wantMachines(1)
	for out, err := range map[string]error{outOne: errOne, outTwo: errTwo} {
		if err != nil && !strings.Contains(out, "(CONFLICT)") {
			s.t.Errorf("the loser is told something else:\n%s", out)
		}
	}
	if errOne == nil && errTwo == nil && !s.owned {
		s.t.Errorf("both have the machine:\n%s\n%s", outOne, outTwo)
	}
}

// losersHoldNothing: an apply that has lost a race has saved nothing.
func (s *stage) losersHoldNothing(ended map[*acceptance.Workspace]error) {
	s.t.Helper()
	for workspace, err := range ended {
		if held := workspace.Resources(); err != nil && len(held) > 0 {
			s.t.Errorf("the loser holds %v", held)
		}
	}
}
