// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import "context"

// sighting is what a read found of an object that a state holds.
type sighting[T any] struct {
	object T
	// gone says that the state is to drop the object; the notices say why.
	gone bool
	// managed is false while our marks are missing.
	managed bool
	// proof is the proof of the place that the state is to keep.
	proof   string
	notices []Notice
}

// judgeRead says what the table of judgements says of a read.
func (k *kept[T]) judgeRead(ctx context.Context, held holding, object T) sighting[T] {
	found := k.claimed(object)
	judged := JudgeMarks(found.marks, held.key, held.claim, k.account.settings.Owner)
	seen := sighting[T]{object: object, managed: judged.Sight != SightUnmarked, proof: held.proof}
	switch judged.Read {
	case Remove:
		seen.gone, seen.notices = true, []Notice{noLongerOurs(k.noun, held.String(), found)}
	case KeepAndWarn:
		seen.notices = []Notice{anotherStates(k.noun, found)}
	default:
	}
	if judged.Sight == SightOurs {
		k.account.sighted()
		seen.proof = k.account.proofSeen(ctx, held.proof)
	}
	return seen
}

// absent decides what a failed read means: gone, or an error that keeps the state.
func (k *kept[T]) absent(ctx context.Context, held holding, err error, action string) (sighting[T], error) {
	if ctx.Err() != nil || !k.account.isGone(err) {
		return sighting[T]{}, k.account.explain(ctx, err, action, held.String())
	}
	if err := k.account.proveAbsence(ctx, held.proof, held.String(), action); err != nil {
		return sighting[T]{}, err
	}
	return sighting[T]{gone: true, notices: []Notice{k.account.gone(held.noun, held.String())}}, nil
}

// judgeUpdate answers nil when the state may change the object.
func (k *kept[T]) judgeUpdate(held holding, object T, action string) error {
	found := k.claimed(object)
	switch JudgeMarks(found.marks, held.key, held.claim, k.account.settings.Owner).Update {
	case GoOn, RestoreMarks:
		return nil
	case PlanAgain:
		return k.account.planAgain(held.String(), action, found)
	default:
		return k.account.notOurs(held.String(), action, found)
	}
}

// restoreMarks writes the marks of an object where they are not what the state says. Creating stays on only as long as the
// object's create is under way: where rows are the marks, one whose claim is missing looks as if it were.
func (k *kept[T]) restoreMarks(ctx context.Context, held holding, object T, creating bool, action string) (T, error) {
	shown := k.claimed(object).marks
	wanted := k.account.marks(held.key, held.claim, creating && shown.Creating)
	if shown == wanted {
		return object, nil
	}
	return k.writeMarks(ctx, object, wanted, action)
}

// awaitGone returns when a read that began after the delete no longer shows the object. The list serves everybody who
// deletes at the same time, and the creates that follow; what bore no marks is not in it and is asked for.
func (k *kept[T]) awaitGone(ctx context.Context, object T, action string) error {
	deleted := k.claimed(object)
	for look := 0; ; look++ {
		current, err := k.objects.list(ctx, k.objects.now())
		if err == nil {
			_, there := current.byID[deleted.id]
			if !there && deleted.marks.Managed {
				return nil
			}
			if !there {
				_, err = k.one(ctx, deleted.id)
			}
		}
		switch {
		case k.account.isGone(err):
			return nil
		case err != nil && !k.account.passing(err):
			return k.account.explain(ctx, err, action, "")
		}
		if pause(ctx, interval(look)) != nil {
			return k.account.stillThere(ctx, err, action)
		}
	}
}
