// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// conflict is an error about an object in the way, with nothing changed.
func (a *Account) conflict(field, action, message, advice string) *Error {
	return a.fault(driver.Conflict, field, action, message, advice)
}

// foreignClaim refuses an object with our key that another state owns, or ours before it was lost.
func (a *Account) foreignClaim(action string, other claimed) error {
	refused := a.conflict("name", action,
		fmt.Sprintf("%s bears the key of this resource and another claim: %s. Nothing was changed.", capital(other.object), other.whose()),
		strings.Join([]string{
			"What to do depends on whose it is:",
			"- Another state or workspace has it: choose another name, tenant_id or idempotency_key here; do not import it.",
			"- The resource's block was renamed: add a `moved` block.",
			"- It is replaced with create_before_destroy: change idempotency_key" + a.nameToo() + " together with the argument.",
			"- Only if this very state had it and lost it: import it.",
		}, "\n"))
	refused.Import, refused.Account = other.marks.Key, a.settings.Reference
	return refused
}

func (a *Account) nameToo() string {
	if a.Limits().UniqueNames {
		return " and the name (it is unique at " + a.title() + ")"
	}
	return ""
}

func (a *Account) twins(action string, found []claimed) error {
	return a.conflict("name", action,
		fmt.Sprintf("%d objects bear the key of this resource: %s. None was changed.", len(found), objectsOf(found)),
		"Look at both at the vendor, keep one and remove the other there, then apply again.")
}

func (a *Account) leftoverConflict(action string, other claimed) error {
	refused := a.conflict("name", action,
		fmt.Sprintf("%s was made %s ago under the same name with other arguments, by a create that has not come to its end. Nothing was changed.",
			capital(other.object), other.age()),
		"If another apply is making it now, wait for that. Else it is a leftover: go back to the arguments it was made with and apply, or remove it at the vendor, or import it.")
	refused.Import, refused.Account = other.marks.Key, a.settings.Reference
	return refused
}

// nameTakenConflict says who has the name, as far as one look tells.
func (a *Account) nameTakenConflict(ctx context.Context, wish Wish, failed error) error {
	failure := a.describe(failed)
	refused := &Error{
		Failure: failure, Vendor: a.title(), Action: "create " + wish.object(), cause: failed,
		Advice: "Choose another name. If the machine is to be managed here, import it.",
	}
	refused.Field = "name"
	lister, ok := a.driver.(driver.List)
	if !ok {
		return refused
	}
	holders, err := lister.FindName(ctx, wish.Name)
	if err != nil || len(holders) == 0 {
		return refused
	}
	holder := holders[0]
	refused.Object = objectOf(holder) + " has the name already"
	if holder.Marks.Key != "" {
		refused.Object += "; " + claimedMachine(holder).whose()
		refused.Advice = "If it is replaced with create_before_destroy, the new one needs another name, since names are unique at " + a.title() +
			". Else choose another name, or import it if only this state is to have it."
	}
	refused.Import, refused.Account = holder.ID, a.settings.Reference
	return refused
}

func (a *Account) cannotBring(action string, other claimed, differs string) error {
	refused := a.conflict("name", action,
		fmt.Sprintf("%s bears the key of this resource but is not what is planned: %s. Nothing was changed.", capital(other.object), differs),
		"Plan what it is, or remove it at the vendor, or give this resource another idempotency_key.")
	refused.Import, refused.Account = other.marks.Key, a.settings.Reference
	return refused
}

func (a *Account) lostRace(action string, other claimed) error {
	return a.conflict("name", action,
		fmt.Sprintf("Another apply changed or took %s at the same moment: %s. Nothing was saved, and nothing more was written.",
			other.object, other.whose()),
		"If both applies work for the same state, run plan again. Else choose another name, tenant_id or idempotency_key in one of them.")
}

func (a *Account) planAgain(object, action string, other claimed) error {
	return a.conflict("", action,
		fmt.Sprintf("%s was taken over by a later create: %s. Nothing was changed.", capital(object), other.whose()),
		"Run plan again.")
}

func (a *Account) notOurs(object, action string, other claimed) error {
	return a.conflict("", action,
		fmt.Sprintf("%s does not belong to this state any more: %s. Nothing was changed.", capital(object), other.whose()),
		"If another state has it now, take it out of this one (`removed` block or `state rm`). Else run plan again.")
}

// mayHaveBeenMade ends a create whose answer was lost and whose object has not shown.
func (a *Account) mayHaveBeenMade(planned, key string, failed error) error {
	failure := a.describe(failed)
	return &Error{
		Failure: failure, Vendor: a.title(), Action: "create " + planned, cause: failed,
		Advice: "The answer was lost and the object has not shown since: it may or may not have been made, with the key " + key +
			". Apply again: the next apply looks for it first and makes no second one.",
	}
}

// mayHaveHappened marks the error of a change that must not be repeated blindly.
func (a *Account) mayHaveHappened(err error) error {
	known, ok := errors.AsType[*Error](err)
	if !ok || known.Outcome != driver.Unknown {
		return err
	}
	known.Advice = "The answer was lost: it may have happened. It was not sent again. Look at the machine, then apply again if it has not."
	return known
}
