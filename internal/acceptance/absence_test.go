// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"cmp"
	"net/http"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// A token of another project sees nothing of ours, a refused one nothing at all, a proxy answers pages: none of them
// empties a state.
func TestNothingLeavesTheStateForTheWrongReason(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + instanceWeb)
		workspace.Init()
		workspace.Must("apply")
		good := workspace.Environment[cloud.TokenVariable]

		workspace.Environment[cloud.TokenVariable] = cloud.Account().Tokens[cmp.Or(cloud.Blind, "foreign")]
		says := cloud.BlindSays
		if says == nil {
			says = []string{"right project", "The state is kept"}
		}
		workspace.MustFail(append([]string{"(ACCESS_DENIED)"}, says...), "plan")
		workspace.MustFail([]string{"(ACCESS_DENIED)"}, "destroy")
		workspace.Environment[cloud.TokenVariable] = strings.Repeat("a", 64)
		workspace.MustFail([]string{"(ACCESS_DENIED)", cloud.WrongToken}, "plan")
		workspace.Environment[cloud.TokenVariable] = good

		fault := addFault(t, cloud, emulator.Fault{
			Path: "^" + cmp.Or(cloud.ListPath, cloud.CreatePath), Action: "status", Status: http.StatusNotFound, Times: new(0),
			Headers: map[string]string{"Content-Type": "text/html"}, Body: "<html>not found</html>",
		})
		workspace.MustFail([]string{"(PROVIDER_ERROR)"}, "plan")
		cloud.RemoveFault(fault)

		if held := workspace.Resources(); len(held) != 1 {
			t.Errorf("the state holds %v", held)
		}
		wantServers(t, cloud, 1)
		workspace.MustBeEmpty()
	})
}

// A machine that was deleted by hand is made again, once, and the plan says why; it was the only one of its account.
func TestAMachineDeletedByHandIsMadeAgain(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Write(header + accountMain + instanceWeb)
		workspace.Init()
		workspace.Must("apply")
		first := servers(t, cloud)[0].ID
		if err := cloud.Vanish(cloud.Name, cloud.Collection, first); err != nil {
			t.Fatal(err)
		}
		if out := workspace.Must("apply"); !strings.Contains(Joined(out), "The machine is gone") || !strings.Contains(out, first) {
			t.Errorf("the plan does not say what happened:\n%s", out)
		}
		if found := servers(t, cloud); len(found) != 1 || (found[0].ID == first) != cloud.ReusesIDs {
			t.Errorf("there is %+v", found)
		}
		workspace.MustBeEmpty()
	})
}
