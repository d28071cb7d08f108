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

// lookBack is for vendors whose index lags. It makes the key's entry; where that is new, no earlier try can be hiding in
// the lag and nothing has to be waited for. Else the lag is waited out before it is believed that there is nothing.
func (a *Account) lookBack(ctx context.Context, order *order) ([]driver.Machine, error) {
	intent, ok := a.driver.(driver.Intent)
	if !ok {
		return nil, nil
	}
	wish, action := order.wish, "create "+order.wish.object()
	before := time.Now()
	earlier, err := a.intend(ctx, intent, wish.Key, action)
	if err != nil {
		return nil, err
	}
	if !earlier {
		order.intended = before
		return nil, nil
	}
	ends := time.Now().Add(a.Limits().IndexLag)
	for look := 0; ; look++ {
		found, err := a.driver.Find(ctx, wish.Key)
		if err != nil || len(found) > 0 {
			return found, a.explain(ctx, err, action, "")
		}
		left := time.Until(ends)
		if left <= 0 {
			return nil, nil
		}
		if pause(ctx, min(left, interval(look))) != nil {
			return nil, a.ended(ctx, action, "", nil)
		}
	}
}

// takeBack removes the key's entry after an order that the vendor has refused, so that the next create with the key need not
// wait for the index. Only an entry that this create has made itself, and only while everybody else who has seen it since
// still waits the lag out: what they order later makes the entry anew. Of two creates that both found none at the same moment
// the other one's machine may lose its entry; it shows by its account's mark all the same, and gets its key again with the
// last marks of its create. Nothing depends on the removal but that wait, so its failure is none of the create's.
func (a *Account) takeBack(ctx context.Context, order order) {
	intent, ok := a.driver.(driver.Intent)
	if !ok || order.intended.IsZero() || time.Since(order.intended) > a.Limits().IndexLag/2 {
		return
	}
	ending, done := lastWords(ctx)
	defer done()
	_ = intent.TakeBack(ending, order.wish.Key)
}

// intend is sent once more when its answer was lost: the entry is then there, and counts as an earlier try.
func (a *Account) intend(ctx context.Context, intent driver.Intent, key, action string) (earlier bool, err error) {
	for range 2 {
		err = a.persist(ctx, action, "", func(ctx context.Context) error {
			var err error
			earlier, err = intent.Intend(ctx, key)
			return err
		})
		if err == nil || a.describe(err).Outcome != driver.Unknown {
			break
		}
	}
	return earlier, err
}

// twinsOf answers all machines with the wish's key when there is an older one than the one that this create has just
// ordered. Names that are not unique let two processes order one each; the index shows what came earlier as soon as it
// shows our own.
func (a *Account) twinsOf(ctx context.Context, wish Wish, made Made) []driver.Machine {
	if made.ordered.IsZero() || !a.Has(CapabilityIntent) {
		return nil
	}
	// Any list that began after the order will do to begin with: the one that has just shown the machine ready.
	wanted := age{after: a.machines.moment(made.Machine.ID)}
	for look := 0; ; look++ {
		// Only a look that began after the lag can show that there is no other one.
		late := time.Since(made.ordered) > a.Limits().IndexLag
		found, err := a.sameKey(ctx, wish.Key, made.Machine.ID, wanted)
		wanted = a.machines.now()
		own := slices.IndexFunc(found, func(machine driver.Machine) bool { return machine.ID == made.Machine.ID })
		if err == nil && own > 0 {
			return found
		}
		if own == 0 || late || pause(ctx, interval(look)) != nil {
			return nil
		}
	}
}

// sameKey answers the machines with a key, oldest first: from the account's list where that shows our own already, else from
// the vendor's index.
func (a *Account) sameKey(ctx context.Context, key, own string, wanted age) ([]driver.Machine, error) {
	others := func(machine driver.Machine) bool { return machine.Marks.Key != key }
	wanted, each, err := a.machines.way(ctx, wanted)
	if err != nil {
		return nil, err
	}
	if !each {
		current, err := a.machines.list(ctx, wanted)
		if err != nil {
			return nil, err
		}
		if _, there := current.byID[own]; there {
			return slices.DeleteFunc(current.ordered(), others), nil
		}
	}
	found, err := a.driver.Find(ctx, key)
	slices.SortFunc(found, older)
	return slices.DeleteFunc(found, others), err
}

// giveWay removes the machine that this create has just made, since an older one has its key.
func (a *Account) giveWay(ctx context.Context, wish Wish, made Made, twins []driver.Machine) (Made, error) {
	action := "create " + wish.object()
	if err := a.remove(ctx, made.Machine, 0, action); err != nil {
		return a.fail(ctx, made, err)
	}
	var ids []string
	for _, machine := range twins {
		ids = append(ids, objectOf(machine))
	}
	return Made{}, a.conflict("name", action,
		fmt.Sprintf("Another apply made the same machine at the same moment: %s bear one key. The one that was made here, %s, was removed again; the other was not touched.",
			strings.Join(ids, " and "), objectOf(made.Machine)),
		"If both applies work for the same state, run plan again. Else choose another name, tenant_id or idempotency_key in one of them.")
}

// loseRace ends a create or take-over whose claim does not hold. Where claims stand side by side it takes its own off, and
// nothing else.
func (a *Account) loseRace(ctx context.Context, wish Wish, made Made, seen driver.Machine) error {
	lost := a.lostRace("create "+wish.object(), claimedMachine(seen))
	claims, ok := a.driver.(driver.Claims)
	if !ok || !slices.Contains(seen.OtherClaims, made.Claim) {
		return lost
	}
	err := a.persist(ctx, "withdraw from "+objectOf(seen), "", func(ctx context.Context) error {
		return claims.Withdraw(ctx, seen.ID, made.Claim)
	})
	a.machines.wrote(seen.ID)
	if err != nil {
		return err
	}
	return lost
}

// forget removes what a machine that is gone has left in the vendor's index.
func (a *Account) forget(ctx context.Context, gone driver.Machine, action string) error {
	intent, ok := a.driver.(driver.Intent)
	if !ok {
		return nil
	}
	current, err := a.machines.list(ctx, age{after: a.machines.moment(gone.ID)})
	if err != nil {
		return a.explain(ctx, err, action, "")
	}
	rest := slices.DeleteFunc(current.ordered(), func(machine driver.Machine) bool { return machine.ID == gone.ID })
	return a.persist(ctx, action, "", func(ctx context.Context) error { return intent.Forget(ctx, gone, rest) })
}
