// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package instance

import (
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/attributes"
)

// policy is what on_change says is done when an argument changes that is only read at a machine's first start.
type policy string

const (
	replace   policy = "replace"
	reinstall policy = "reinstall"
	ignore    policy = "ignore"
	// undecided: on_change is not known yet.
	undecided policy = "undecided"
)

// policies holds one policy for each argument of on_change.
type policies struct{ Image, UserData, SSHAuthorizedKeys policy }

func (m model) policies() policies {
	return policies{
		Image:             policyOf(attributes.TextOf(m.OnChange, "image"), replace),
		UserData:          policyOf(attributes.TextOf(m.OnChange, "user_data"), replace),
		SSHAuthorizedKeys: policyOf(attributes.TextOf(m.OnChange, "ssh_authorized_keys"), ignore),
	}
}

func policyOf(written types.String, standard policy) policy {
	switch {
	case written.IsUnknown():
		return undecided
	case written.IsNull():
		return standard
	}
	return policy(written.ValueString())
}

// contentChange is a difference in what a machine is made from.
type contentChange struct {
	// Argument is where it is, Setting its name in on_change.
	Argument path.Path
	Setting  string
	Policy   policy
	// Unknown: whether there is a difference turns out in the apply.
	Unknown bool
}

// contentChanges answers what differs between a state and a plan in image, user data and keys, in that order. Null and
// empty are the same.
func contentChanges(prior, plan model) []contentChange {
	policies := plan.policies()
	var found []contentChange
	texts := []struct {
		argument, setting string
		policy            policy
		before, after     types.String
	}{
		{"image", "image", policies.Image, prior.Image, plan.Image},
		{"user_data", "user_data", policies.UserData, prior.UserData, plan.UserData},
		{"user_data_wo_version", "user_data", policies.UserData, prior.UserDataWOVersion, plan.UserDataWOVersion},
	}
	for _, text := range texts {
		if !attributes.SameText(text.before, text.after) {
			found = append(found, contentChange{path.Root(text.argument), text.setting, text.policy, text.after.IsUnknown()})
		}
	}
	if differ, unknown := keysDiffer(prior, plan); differ {
		found = append(found, contentChange{path.Root("ssh_authorized_keys"), "ssh_authorized_keys", policies.SSHAuthorizedKeys, unknown})
	}
	return found
}

func keysDiffer(prior, plan model) (differ, unknown bool) {
	before, _ := prior.keys()
	after, known := plan.keys()
	if !known {
		return true, true
	}
	if len(before) == 0 && len(after) == 0 {
		return false, false
	}
	return !prior.SSHAuthorizedKeys.Equal(plan.SSHAuthorizedKeys), false
}

// reinstalls says whether an update has to put the image afresh on the machine's disk. An import takes what is written.
func reinstalls(changes []contentChange, known private) bool {
	if known.Imported {
		return false
	}
	for _, change := range changes {
		if change.Policy == reinstall && !change.Unknown {
			return true
		}
	}
	return false
}
