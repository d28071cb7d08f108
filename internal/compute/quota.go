// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"
	"fmt"
	"sync"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// quotas count what one command makes of each sort, against what the vendor allows.
type quotas struct {
	mutex   sync.Mutex
	planned map[driver.Counted]map[string]bool
	// started is how many creates this process has begun: what they have made is among what the vendor counts, and among
	// what is planned too, since an apply plans every resource once more.
	started map[driver.Counted]int
	counts  memo[int]
}

func newQuotas() *quotas {
	return &quotas{planned: map[driver.Counted]map[string]bool{}, started: map[driver.Counted]int{}}
}

// plan notes an object that is to be made, once for each key, and answers how many there are by now. Objects without a key
// are all different.
func (q *quotas) plan(sort driver.Counted, key string) int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	if q.planned[sort] == nil {
		q.planned[sort] = map[string]bool{}
	}
	if key == "" {
		key = fmt.Sprintf("unknown %d", len(q.planned[sort]))
	}
	q.planned[sort][key] = true
	return len(q.planned[sort])
}

func (q *quotas) isPlanned(sort driver.Counted, key string) bool {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.planned[sort][key]
}

func (q *quotas) start(sort driver.Counted) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.started[sort]++
}

func (q *quotas) begun(sort driver.Counted) int {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	return q.started[sort]
}

// ampleRoom is how much room a limit must leave after the plan for the objects that are there already not to be counted:
// a request saved for everybody whose limit is far away.
const ampleRoom = 100

// checkQuota refuses the first planned object that the account has no room for. It is a warning where objects of ours are
// there, since the same plan may remove some of them first. Nil where the vendor does not tell.
func (a *Account) checkQuota(ctx context.Context, sort driver.Counted, key string) []Finding {
	vendor, ok := a.driver.(driver.Quotas)
	if !ok {
		return nil
	}
	action := fmt.Sprintf("count the account's %s", sort)
	planned := a.quotas.plan(sort, key)
	limit, err := vendor.QuotaOf(ctx, sort)
	if err != nil && a.describe(err).Code == driver.AccessDenied {
		return nil // a token that may make machines need not be allowed to read the account
	}
	if err != nil {
		return appendFinding(nil, a.explain(ctx, err, action, ""))
	}
	if limit == 0 || planned+ampleRoom <= limit {
		return nil
	}
	there, err := a.countBefore(ctx, vendor, sort)
	if err != nil {
		return appendFinding(nil, a.explain(ctx, err, action, ""))
	}
	if there+planned <= limit {
		return nil
	}
	ours, adopted, err := a.oursOf(ctx, sort)
	if err != nil || there+planned-adopted <= limit {
		return appendFinding(nil, a.explain(ctx, err, action, ""))
	}
	certain := there-ours+planned > limit
	return []Finding{{Field: "provider_account", Warning: !certain, Err: a.overQuota(sort, limit, there, planned, certain)}}
}

func (a *Account) overQuota(sort driver.Counted, limit, there, planned int, certain bool) *Error {
	message := fmt.Sprintf("The account may have %s. It has %d, and this plan makes %d more.", sort.Number(limit), there, planned)
	next := "Ask " + a.title() + " for a higher limit, or remove what is no longer needed."
	if !certain {
		next += " Nothing is wrong if this plan removes as many of the account's own first."
	}
	return a.fault(driver.QuotaExceeded, "", "make "+sort.More(planned), message, next)
}

// countBefore answers how many objects there were before this process made any.
func (a *Account) countBefore(ctx context.Context, vendor driver.Quotas, sort driver.Counted) (int, error) {
	return a.quotas.counts.get(ctx, string(sort), func(ctx context.Context) (int, error) {
		there, err := vendor.CountOf(ctx, sort)
		return max(there-a.quotas.begun(sort), 0), err
	})
}

// oursOf answers how many objects bear marks of ours, and how many of them are what is planned: a create whose answer was
// lost is taken up again and makes nothing new.
func (a *Account) oursOf(ctx context.Context, sort driver.Counted) (ours, adopted int, err error) {
	keys, err := a.keysOf(ctx, sort)
	for _, key := range keys {
		if a.quotas.isPlanned(sort, key) {
			adopted++
		}
	}
	return len(keys), adopted, err
}

// keysOf answers the key of each object of ours.
func (a *Account) keysOf(ctx context.Context, sort driver.Counted) ([]string, error) {
	var keys []string
	if sort == driver.CountedAddresses {
		current, err := a.addresses.list(ctx, age{since: a.settings.Opened})
		if err != nil {
			return nil, err
		}
		for _, address := range current.ordered() {
			if address.ID != "" && address.Marks.Key != "" {
				keys = append(keys, address.Marks.Key)
			}
		}
		return keys, nil
	}
	current, err := a.machines.list(ctx, age{since: a.settings.Opened})
	if err != nil {
		return nil, err
	}
	for _, machine := range current.ordered() {
		keys = append(keys, machine.Marks.Key)
	}
	return keys, nil
}
