// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// projects is what a command knows of the projects at a vendor that has such.
type projects struct {
	vendor driver.Projects
	// option is the one that names the project of a machine.
	option driver.Option
	mutex  sync.Mutex
	// members are the machines of each project that was asked about, by its id; "" is the vendor's default one.
	members map[string]*lists[string]
	// assigned are the projects that this process has put machines into, by the machine's id.
	assigned map[string]string
}

// newProjects answers nil where the vendor has no projects.
func newProjects(account *Account) *projects {
	vendor, ok := account.driver.(driver.Projects)
	option, named := account.settings.Kind.ProjectOption()
	if !ok || !named {
		return nil
	}
	return &projects{vendor: vendor, option: option, members: map[string]*lists[string]{}, assigned: map[string]string{}}
}

// membersOf answers the list of a project's machines, which has not been asked for yet.
func (p *projects) membersOf(id string) *lists[string] {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.members[id] == nil {
		read := func(ctx context.Context) ([]string, error) { return p.vendor.ProjectMachines(ctx, id) }
		p.members[id] = newLists(read, func(id string) string { return id }, strings.Compare)
	}
	return p.members[id]
}

// note remembers where a machine was put: what a list that began before shows of it is old.
func (p *projects) note(machineID, id string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.assigned[machineID] = id
	for _, members := range p.members {
		members.wrote(machineID)
	}
}

// assignedTo is the project that this process has put a machine into; empty: it has not.
func (p *projects) assignedTo(machineID string) string {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.assigned[machineID]
}

// ownProject is the project that options name, as they do; empty: none.
func (a *Account) ownProject(options manifest.Values) string {
	if a.projects == nil {
		return ""
	}
	return options.String(a.projects.option.Name)
}

// projectOf is the id of the project that a machine with these options, which are canonical, is put into as it is made. Empty:
// it stays where the vendor puts it.
func (a *Account) projectOf(options manifest.Values) string {
	if a.projects == nil {
		return ""
	}
	return cmp.Or(a.ownProject(options), a.projects.vendor.ProjectID())
}

// checkProject answers INVALID_INPUT with Field "project_id" where the account's config names a project that the token does
// not show, with the nearest ones that it does. Without a project nothing is asked.
func (a *Account) checkProject(ctx context.Context) error {
	wanted := a.projectOf(nil)
	if wanted == "" {
		return nil
	}
	all, err := a.optionObjects(ctx, a.projects.option, "", time.Time{})
	if err != nil {
		return err
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
	return a.fault(driver.InvalidInput, "project_id", "find project "+wanted,
		fmt.Sprintf("The account's token shows no project %s of %s.", wanted, a.title()),
		"Choose one that there is. The nearest: "+strings.Join(shown, ", ")+".")
}

// assignProject puts a machine into a project; empty: into none. In a create it stands before the end, so that one which was
// cut off comes by here again; doing it twice does no harm. Where this process has put it already nothing is sent.
func (a *Account) assignProject(ctx context.Context, machine driver.Machine, project, action string) error {
	if project == "" || a.projects.assignedTo(machine.ID) == project {
		return nil
	}
	err := a.persistAgain(ctx, action, objectOf(machine), func(ctx context.Context) error {
		return a.projects.vendor.AssignProject(ctx, machine.ID, project)
	})
	if err == nil {
		a.projects.note(machine.ID, project)
	}
	return err
}

// stillInProject says whether a machine is in the project that a state names. One list of the project serves all machines of
// the command.
func (a *Account) stillInProject(ctx context.Context, named any, machineID string) (bool, error) {
	text, _ := named.(string)
	if text == "" {
		return false, nil
	}
	project, err := a.resolveText(ctx, a.projects.option, text, "")
	switch {
	case CodeOf(err) == driver.InvalidInput:
		return false, nil // the project itself is gone, or has another name
	case err != nil:
		return false, err
	}
	inside, err := a.inProject(ctx, project, machineID, age{since: a.settings.Opened})
	if a.isGone(err) {
		return false, nil
	}
	return inside, a.explain(ctx, err, "list the machines of project "+text, "")
}

// inProject looks for a machine in lists of a project, each no older than wanted, until one shows it. Lists lag: what this
// process has done itself it knows better.
func (a *Account) inProject(ctx context.Context, project, machineID string, wanted ...age) (bool, error) {
	if put := a.projects.assignedTo(machineID); put != "" && project != "" {
		return put == project, nil
	}
	members := a.projects.membersOf(project)
	for _, oldest := range wanted {
		current, err := members.list(ctx, members.notBeforeWrite(machineID, oldest))
		if err != nil {
			return false, err
		}
		if _, there := current.byID[machineID]; there {
			return true, nil
		}
	}
	return false, nil
}
