// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// kept carries out what is the same for every sort of object that cannot be busy: the look-up before a create, the
// take-over, the end of a create, and what the table of judgements says of a read, a change and a delete.
type kept[T any] struct {
	account *Account
	noun    string
	objects *lists[T]
	// one reads one by its id; claimed says what is common to all sorts.
	one     func(ctx context.Context, id string) (T, error)
	claimed func(T) claimed
	// mark replaces the marks of an object.
	mark func(context.Context, T, driver.Marks) (T, error)
	// withdraw takes one claim off an object where claims stand side by side.
	withdraw func(ctx context.Context, object T, claim string) error
}

// planned is an object as it is planned; String is for people.
type planned struct{ noun, key, name string }

func (p planned) String() string { return p.noun + " " + p.name }

// holding is what a state knows of an object that it holds. Its name is the one that the configuration gives.
type holding struct{ noun, id, key, name, claim, proof string }

func (h holding) String() string { return h.noun + " " + h.name + " (id " + h.id + ")" }

// get answers one object, no older than wanted and than its last write: from the list, or by its id where the list does not
// have it.
func (k *kept[T]) get(ctx context.Context, id string, wanted age) (T, error) {
	current, err := k.objects.list(ctx, k.objects.notBeforeWrite(id, wanted))
	if err != nil {
		var none T
		return none, err
	}
	if object, there := current.byID[id]; there {
		return object, nil
	}
	return k.one(ctx, id)
}

// fresh answers one object by a read that begins now.
func (k *kept[T]) fresh(ctx context.Context, id string) (T, error) {
	return k.get(ctx, id, k.objects.now())
}

// awaitRead is fresh for an object that is there: a read that fails for a passing reason is tried again for as long as the
// operation has time.
func (k *kept[T]) awaitRead(ctx context.Context, id, action string) (T, error) {
	for look := 0; ; look++ {
		seen, err := k.fresh(ctx, id)
		if err == nil || !k.account.passing(err) {
			return seen, k.account.explain(ctx, err, action, k.noun+" (id "+id+")")
		}
		if pause(ctx, interval(look)) != nil {
			return seen, k.account.ended(ctx, action, k.noun+" (id "+id+")", err)
		}
	}
}

// holds says whether marks show our claim. As long as an object is being created a vendor that keeps rows shows none: whose
// it is is decided at the end.
func holds(marks driver.Marks, claim string) bool {
	return marks.Claim == claim || marks.Claim == "" && marks.Creating
}

// lookUp answers what bears the planned key, and refuses a leftover of the same resource that was made with other
// arguments.
func (k *kept[T]) lookUp(ctx context.Context, wanted planned) ([]T, error) {
	current, err := k.objects.list(ctx, k.account.lookupFrom())
	if err != nil {
		return nil, k.account.explain(ctx, err, "create "+wanted.String(), "")
	}
	var found []T
	for _, object := range current.ordered() {
		seen := k.claimed(object)
		if seen.marks.Key == wanted.key {
			found = append(found, object)
		} else if k.leftover(seen, wanted) {
			return nil, k.account.leftoverConflict("create "+wanted.String(), seen)
		}
	}
	return found, nil
}

// leftover says whether an object is what an earlier, interrupted create of this resource left behind.
func (k *kept[T]) leftover(seen claimed, wanted planned) bool {
	part, _, _ := strings.Cut(seen.marks.Claim, "-")
	return seen.marks.Creating && seen.marks.Account == k.account.settings.Reference.ID && part == ownerPart(k.account.settings.Owner) &&
		driver.PlainName(seen.name, seen.marks.Key) == wanted.name && !k.account.creating.has(seen.marks.Key)
}

// mayTakeOver refuses an object that is somebody else's, two with one key, and one that is not what is planned.
func (k *kept[T]) mayTakeOver(wanted planned, found []T, differs func(T) string) error {
	seen := k.claimed(found[0])
	if len(found) > 1 {
		var all []claimed
		for _, object := range found {
			all = append(all, k.claimed(object))
		}
		return k.account.twins("create "+wanted.String(), all)
	}
	if !seen.marks.Creating && !sameOwner(seen.marks.Claim, k.account.settings.Owner) {
		return k.account.foreignClaim("create "+wanted.String(), seen)
	}
	if text := differs(found[0]); text != "" {
		return k.account.cannotBring("create "+wanted.String(), seen, text)
	}
	return nil
}

// takeOver writes our claim, after one more look right before, and answers the object only if the claim stays. Known is
// false where nothing was written, or another claim holds: nothing may be saved then.
func (k *kept[T]) takeOver(ctx context.Context, wanted planned, object T, claim string) (taken T, known bool, err error) {
	before := k.claimed(object)
	action := "take over " + before.object
	if before.marks.Creating && time.Since(before.created) < writeDeadline {
		// Its create may still be alive in another process, which takes `creating` off when it comes to its end.
		if pause(ctx, 2*longestInterval) != nil {
			return object, false, k.account.ended(ctx, action, "", nil)
		}
	}
	seen, err := k.fresh(ctx, before.id)
	if err != nil {
		return object, false, k.account.explain(ctx, err, action, "")
	}
	if k.claimed(seen).marks != before.marks {
		return object, false, k.account.lostRace("create "+wanted.String(), k.claimed(seen))
	}
	taken, err = k.writeMarks(ctx, seen, k.account.marks(wanted.key, claim, before.marks.Creating), action)
	if err != nil {
		return object, false, err
	}
	if pause(ctx, takeOverPause) != nil {
		return taken, true, k.account.ended(ctx, action, "", nil)
	}
	seen, err = k.awaitRead(ctx, before.id, action)
	if err != nil {
		return taken, true, err
	}
	if !holds(k.claimed(seen).marks, claim) {
		return object, false, k.loseRace(ctx, wanted, seen, claim)
	}
	return seen, true, nil
}

// takenOver says what a take-over has found.
func takenOver(noun string, found claimed) Notice {
	if found.marks.Creating {
		return Notice{
			Summary: "An interrupted create was carried on",
			Detail: fmt.Sprintf("%s was made %s ago by a create that did not come to its end. It bears this resource's key and was taken over; no second one was made.",
				capital(found.object), found.age()),
		}
	}
	return Notice{
		Summary: "A " + noun + " that this state had lost was taken back",
		Detail: fmt.Sprintf("%s was made %s ago under the same owner and bears this resource's key. It was adopted; no second one was made.",
			capital(found.object), found.age()),
	}
}

// loseRace ends a create or take-over whose claim does not hold. Where claims stand side by side it takes its own off, and
// nothing else.
func (k *kept[T]) loseRace(ctx context.Context, wanted planned, seen T, claim string) error {
	found := k.claimed(seen)
	lost := k.account.lostRace("create "+wanted.String(), found)
	if k.withdraw == nil || !slices.Contains(found.otherClaims, claim) {
		return lost
	}
	err := k.account.persist(ctx, "withdraw from "+found.object, "", func(ctx context.Context) error {
		return k.withdraw(ctx, seen, claim)
	})
	k.objects.wrote(found.id)
	if err != nil {
		return err
	}
	return lost
}

// complete is the end of every create: read, write the marks without `creating`, read again. Whoever finds another claim
// has lost, saves nothing and writes nothing more: won is false then.
func (k *kept[T]) complete(ctx context.Context, wanted planned, object T, claim string) (completed T, won bool, err error) {
	action, id := "create "+wanted.String(), k.claimed(object).id
	for _, write := range []bool{true, false} {
		seen, err := k.awaitRead(ctx, id, action)
		if err != nil {
			return object, true, err
		}
		marks := k.claimed(seen).marks
		if !holds(marks, claim) || !write && marks.Claim != claim {
			return object, false, k.loseRace(ctx, wanted, seen, claim)
		}
		if object = seen; !write {
			break
		}
		if object, err = k.writeMarks(ctx, seen, k.account.marks(wanted.key, claim, false), action); err != nil {
			return seen, true, err
		}
	}
	return object, true, nil
}

// writeMarks writes the marks of an object, which does no harm when it happens twice: a lost answer is sent once more.
func (k *kept[T]) writeMarks(ctx context.Context, object T, marks driver.Marks, action string) (marked T, err error) {
	seen := k.claimed(object)
	for range 2 {
		err = k.account.persist(ctx, action, seen.object, func(ctx context.Context) error {
			var err error
			marked, err = k.mark(ctx, object, marks)
			return err
		})
		k.objects.wrote(seen.id)
		if err == nil {
			return marked, nil
		}
		if k.account.describe(err).Outcome != driver.Unknown {
			break
		}
	}
	return object, err
}

// letGo ends a create that knows its object and has failed: `creating` comes off, since the state that is saved now owns
// the object. There is false when the vendor has thrown it away.
func (k *kept[T]) letGo(ctx context.Context, object T, claim string) (left T, there bool) {
	ending, done := lastWords(ctx)
	defer done()
	id := k.claimed(object).id
	seen, err := k.one(ending, id)
	if err != nil {
		return object, !k.account.isGone(err)
	}
	marks := k.claimed(seen).marks
	if !holds(marks, claim) || !marks.Creating {
		return seen, true
	}
	marked, err := k.mark(ending, seen, k.account.marks(marks.Key, claim, false))
	k.objects.wrote(id)
	if err != nil {
		return seen, true
	}
	return marked, true
}
