// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
)

// Vocabulary is what the served vendors know; settings that name anything else are refused.
type Vocabulary struct {
	Operations []string
	Kinds      []string
	Vendors    []string
}

// SettingsStore holds the settings. What Get returns is never changed afterwards.
type SettingsStore struct {
	mutex  sync.Mutex
	start  Settings
	now    Settings
	known  Vocabulary
	limits int // counts changes of limits
}

// NewSettings makes a store with the settings that Reset comes back to.
func NewSettings(start Settings) *SettingsStore {
	return &SettingsStore{start: start.clone(), now: start.clone()}
}

// Know sets the words that settings may use.
func (s *SettingsStore) Know(known Vocabulary) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.known = known
}

// Get gives the settings. The caller must not change its maps and lists.
func (s *SettingsStore) Get() Settings {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.now
}

// Limit gives a vendor's limit and a number that grows with each change of the limits, by which a vendor notices that
// "remaining" was set.
func (s *SettingsStore) Limit(vendor string) (Limit, int) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.now.Limits[vendor], s.limits
}

// Change applies a change to a copy and keeps it if it is valid.
func (s *SettingsStore) Change(change func(*Settings)) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	next := s.now.clone()
	change(&next)
	return s.set(next, !maps.EqualFunc(next.Limits, s.now.Limits, func(a, b Limit) bool { return a == b }))
}

// Merge applies a JSON merge patch (RFC 7396): objects key by key, lists as a whole, null puts back the default.
// Unknown keys are errors.
func (s *SettingsStore) Merge(patch []byte) error {
	var changes map[string]json.RawMessage
	if err := decodeStrict(patch, &changes); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	next, err := s.merged(changes)
	if err != nil {
		return err
	}
	_, limitsSet := changes["limits"]
	return s.set(next, limitsSet)
}

// merged gives the settings with the changes. The caller holds the lock.
func (s *SettingsStore) merged(changes map[string]json.RawMessage) (next Settings, err error) {
	document, err := toDocument(s.now)
	if err != nil {
		return next, err
	}
	defaults, err := toDocument(s.start)
	if err != nil {
		return next, err
	}
	for key, change := range changes {
		if _, known := document[key]; !known {
			return next, fmt.Errorf("there is no setting %q", key)
		}
		if document[key], err = mergeValue(document[key], change, defaults[key]); err != nil {
			return next, fmt.Errorf("%s: %w", key, err)
		}
	}
	data, err := json.Marshal(document)
	if err != nil {
		return next, err
	}
	return next, decodeStrict(data, &next)
}

// set checks and keeps the settings. The caller holds the lock.
func (s *SettingsStore) set(next Settings, limitsSet bool) error {
	if err := next.check(); err != nil {
		return err
	}
	if err := s.known.check(next); err != nil {
		return err
	}
	s.now = next
	if limitsSet {
		s.limits++
	}
	return nil
}

func (v Vocabulary) check(s Settings) error {
	operations := slices.Concat(slices.Collect(maps.Keys(s.ActionTimes)), slices.Collect(maps.Keys(s.ActionResults)))
	if err := onlyKnown("operation", operations, v.Operations); err != nil {
		return err
	}
	if err := onlyKnown("kind", slices.Collect(maps.Keys(s.Quotas)), v.Kinds); err != nil {
		return err
	}
	return onlyKnown("vendor", slices.Collect(maps.Keys(s.Limits)), v.Vendors)
}

func onlyKnown(what string, given, known []string) error {
	for _, word := range given {
		if !slices.Contains(known, word) {
			return fmt.Errorf("there is no %s %q; known are %q", what, word, known)
		}
	}
	return nil
}

// TakeResult gives how the next action of an operation ends, and counts it. The zero Result means success.
func (s *SettingsStore) TakeResult(operation string) Result {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	result, found := s.now.ActionResults[operation]
	if !found {
		return Result{}
	}
	if result.Times != nil && *result.Times == 0 {
		return result
	}
	next := s.now.clone()
	if result.Times == nil || *result.Times == 1 {
		delete(next.ActionResults, operation)
	} else {
		left := result
		left.Times = new(*result.Times - 1)
		next.ActionResults[operation] = left
	}
	s.now = next
	return result
}

// Reset goes back to the start.
func (s *SettingsStore) Reset() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.now = s.start.clone()
	s.limits++
}

// Explain gives each setting's value and meaning.
func (s *SettingsStore) Explain() (map[string]Explained, error) {
	document, err := toDocument(s.Get())
	if err != nil {
		return nil, err
	}
	explained := make(map[string]Explained, len(document))
	for key, value := range document {
		explained[key] = Explained{Value: value, Meaning: Meanings[key]}
	}
	return explained, nil
}

// Explained is a setting's value with its meaning.
type Explained struct {
	Value   json.RawMessage `json:"value"`
	Meaning string          `json:"meaning"`
}
