// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import "time"

// Clock tells the emulated time: the process's own plus the setting "clock". In a testing/synctest bubble that is the
// bubble's time.
type Clock struct {
	settings *SettingsStore
}

// NewClock makes a clock that follows the settings.
func NewClock(settings *SettingsStore) *Clock {
	return &Clock{settings: settings}
}

// Now is the emulated time in UTC.
func (c *Clock) Now() time.Time {
	return time.Now().Add(time.Duration(c.settings.Get().Clock)).UTC()
}
