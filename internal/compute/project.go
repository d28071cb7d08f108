// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// projects is what a command knows of the projects at a vendor that has such.
type projects struct {
	all driver.Kept[[]driver.Project]
	// members are the machines of the account's project.
	members *lists[string]
	mutex   sync.Mutex
	// assigned are those that this process has put into it.
	assigned map[string]bool
}

// newProjects answers nil where the vendor has no projects.
func newProjects(account *Account) *projects {
	vendor, ok := account.driver.(driver.Projects)
	if !ok {
		return nil
	}
	members := newLists(vendor.ProjectMachines, func(id string) string { return id }, strings.Compare)
	return &projects{members: members, assigned: map[string]bool{}}
}

// checkProject answers INVALID_INPUT with Field "project_id" where the account's config names a project that the token does
// not show, with the nearest ones that it does. Without a project nothing is asked.
func (a *Account) checkProject(ctx context.Context) error {
	vendor, ok := a.driver.(driver.Projects)
	if !ok || vendor.ProjectID() == "" {
		return nil
	}
	wanted, action := vendor.ProjectID(), "find project "+vendor.ProjectID()
	all, err := a.projects.all.Get(ctx, vendor.ListProjects)
	if err != nil {
		return a.explain(ctx, err, action, "")
	}
	names, ids := map[string]string{}, make([]string, len(all))
	for i, project := range all {
		names[project.ID], ids[i] = project.Name, project.ID
	}
	if slices.Contains(ids, wanted) {
		return nil
	}
	var shown []string
	for _, near := range nearest(wanted, ids) {
		shown = append(shown, fmt.Sprintf("%s (%s)", near, names[near]))
	}
	return a.fault(driver.InvalidInput, "project_id", action,
		fmt.Sprintf("The account's token shows no project %s of %s.", wanted, a.title()),
		"Choose one that there is. The nearest: "+strings.Join(shown, ", ")+".")
}

// assignProject puts a machine that is being made into the account's project. It stands before the end of the create, so
// that one which was cut off comes by here again; doing it twice does no harm. Without a project nothing is sent.
func (a *Account) assignProject(ctx context.Context, machine driver.Machine, action string) error {
	vendor, ok := a.driver.(driver.Projects)
	if !ok || vendor.ProjectID() == "" {
		return nil
	}
	err := a.persistAgain(ctx, action, objectOf(machine), func(ctx context.Context) error {
		return vendor.AssignProject(ctx, machine.ID)
	})
	if err == nil {
		a.projects.mutex.Lock()
		defer a.projects.mutex.Unlock()
		a.projects.assigned[machine.ID] = true
	}
	return err
}

// checkHolderProject answers INVALID_INPUT for a machine in another project than the account's. Where both are of one
// account which names none, there is nothing to ask.
func (a *Account) checkHolderProject(ctx context.Context, machineID, action string, ofOther bool) error {
	vendor, ok := a.driver.(driver.Projects)
	if !ok || vendor.ProjectID() == "" && !ofOther {
		return nil
	}
	inside, err := a.inProject(ctx, machineID)
	switch {
	case err != nil && a.describe(err).Code == driver.AccessDenied && vendor.ProjectID() == "":
		return nil // an account without a project may do without the right to see any
	case err != nil:
		return a.explain(ctx, err, action, "")
	case inside:
		return nil
	}
	name := "the default project"
	if id := vendor.ProjectID(); id != "" {
		name = "project " + id
	}
	return a.fault(driver.InvalidInput, "instance", action,
		fmt.Sprintf("The machine is in another project of %s: the addresses of account %s are in %s.", a.title(), a.settings.Reference.ID, name),
		"Use a machine of the same project, or an account whose project_id is the machine's.")
}

// inProject looks in the list of the command, and for a machine that is missing there in one that begins now.
func (a *Account) inProject(ctx context.Context, machineID string) (bool, error) {
	a.projects.mutex.Lock()
	assigned := a.projects.assigned[machineID]
	a.projects.mutex.Unlock()
	if assigned {
		return true, nil
	}
	for _, wanted := range []age{{since: a.settings.Opened}, a.projects.members.now()} {
		current, err := a.projects.members.list(ctx, wanted)
		if err != nil {
			return false, err
		}
		if _, there := current.byID[machineID]; there {
			return true, nil
		}
	}
	return false, nil
}
