// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// checkHolderProject answers INVALID_INPUT for a machine in another project than the account's. What is written for the
// machine itself decides, since it is put there before its address. Where nothing is, and both are of one account which names
// none, there is nothing to ask.
func (a *Account) checkHolderProject(ctx context.Context, holder Holder, action string) error {
	switch {
	case a.projects == nil:
		return nil
	case holder.Project != "":
		return a.checkWrittenProject(ctx, holder.Project, action)
	case holder.MachineID == "" || a.projectOf(nil) == "" && !holder.OfOther:
		return nil
	}
	// The second looks again only where the first was an older list.
	inside, err := a.inProject(ctx, a.projectOf(nil), holder.MachineID, age{since: a.settings.Opened}, a.projects.membersOf(a.projectOf(nil)).now())
	switch {
	case err != nil && a.describe(err).Code == driver.AccessDenied && a.projectOf(nil) == "":
		return nil // an account without a project may do without the right to see any
	case err != nil:
		return a.explain(ctx, err, action, "")
	case inside:
		return nil
	}
	return a.inOtherProject(action, fmt.Sprintf("The machine is in another project of %s", a.title()),
		"Use a machine of the same project, or an account whose project_id is the machine's.")
}

// checkWrittenProject compares the project that is written for a machine with the account's. What is wrong with it by itself
// the machine's own plan tells.
func (a *Account) checkWrittenProject(ctx context.Context, written, action string) error {
	option := a.projects.option
	project, err := a.resolveText(ctx, option, written, "")
	if err != nil {
		return nil //nolint:nilerr // told by the machine's plan
	}
	all, err := a.optionObjects(ctx, option, "", time.Time{})
	if err != nil {
		return err
	}
	own := a.projectOf(nil)
	at := slices.IndexFunc(all, func(object driver.Object) bool { return object.ID == own || own == "" && object.Default })
	if at >= 0 && all[at].ID == project {
		return nil
	}
	return a.inOtherProject(action, fmt.Sprintf("The machine's own %s puts it into project %s of %s", option.Name, written, a.title()),
		fmt.Sprintf("Leave the machine's %s out, use an account for the address whose project_id is project %s, or use another machine.", option.Name, project))
}

func (a *Account) inOtherProject(action, what, next string) *Error {
	name := "the default project"
	if id := a.projectOf(nil); id != "" {
		name = "project " + id
	}
	return a.fault(driver.InvalidInput, "instance", action, fmt.Sprintf("%s: the addresses of account %s are in %s.", what, a.settings.Reference.ID, name), next)
}
