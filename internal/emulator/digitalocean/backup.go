// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// backupPolicy is when a droplet is backed up.
type backupPolicy struct {
	Plan    string `json:"plan"`    // daily or weekly
	Weekday string `json:"weekday"` // of a weekly one: SUN to SAT
	Hour    int    `json:"hour"`    // 0, 4, 8, 12, 16 or 20
}

// Windows and retention: DigitalOcean API document, models droplet_backup_policy and supported_droplet_backup_policy.
const backupWindow = 4 * time.Hour

var (
	weekdays    = []string{"SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"}
	backupHours = []int{0, 4, 8, 12, 16, 20}
	retention   = map[string]int{"daily": 7, "weekly": 28}
)

// defaultBackups is the policy of who asks for backups and no more: weekly, at a time of the vendor's choice.
func defaultBackups(now time.Time) backupPolicy {
	return backupPolicy{Plan: "weekly", Weekday: weekdays[now.Weekday()], Hour: backupHours[now.Hour()/4]}
}

// readBackups reads backup_policy, which backups are needed for (the wordings are unverified).
func readBackups(in *fields, wanted bool, now time.Time) backupPolicy {
	policy := defaultBackups(now)
	given := in.read("backup_policy", &policy, "an object with plan, weekday and hour")
	if !wanted {
		if given {
			in.refuse(unprocessable("backup_policy can only be set when backups are enabled"))
		}
		return backupPolicy{}
	}
	if retention[policy.Plan] == 0 || !slices.Contains(backupHours, policy.Hour) {
		in.refuse(unprocessable("backup_policy is not valid"))
	}
	if policy.Plan == "weekly" && !slices.Contains(weekdays, policy.Weekday) {
		in.refuse(unprocessable("backup_policy is not valid"))
	}
	return policy
}

func enableBackups(c *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	policy := readBackups(in, true, c.now)
	return func(time.Time) {
		d.turnOn("backups")
		d.backups = policy
	}, in.problem
}

func disableBackups(_ *call, d *droplet, _ *fields) (effect func(time.Time), refused *core.Answer) {
	return func(time.Time) {
		d.turnOff("backups")
		d.backups = backupPolicy{}
	}, nil
}

func changeBackupPolicy(c *call, d *droplet, in *fields) (effect func(time.Time), refused *core.Answer) {
	if !d.has("backups") {
		return refusedWith("Backups are not enabled for this Droplet.")
	}
	policy := readBackups(in, true, c.now)
	return func(time.Time) { d.backups = policy }, in.problem
}

// nextBackup is the window of the next backup, null without backups.
func (d *droplet) nextBackup(now time.Time) any {
	if !d.has("backups") || d.backups.Plan == "" {
		return nil
	}
	day := now.UTC().Truncate(24 * time.Hour)
	start := day.Add(time.Duration(d.backups.Hour) * time.Hour)
	for start.Before(now) || d.backups.Plan == "weekly" && weekdays[start.Weekday()] != d.backups.Weekday {
		start = start.AddDate(0, 0, 1)
	}
	return object{"start": timestamp(start), "end": timestamp(start.Add(backupWindow))}
}

func (d *droplet) backupRecord(now time.Time) object {
	record := object{"droplet_id": d.id, "backup_enabled": d.has("backups"), "next_backup_window": d.nextBackup(now)}
	if d.has("backups") {
		record["backup_policy"] = object{
			"plan": d.backups.Plan, "weekday": d.backups.Weekday, "hour": d.backups.Hour,
			"window_length_hours": int(backupWindow.Hours()), "retention_period_days": retention[d.backups.Plan],
		}
	}
	return record
}

func (a *API) addBackups() {
	a.route("GET /v2/droplets/backups/policies", listBackupPolicies)
	a.route("GET /v2/droplets/backups/supported_policies", listSupportedPolicies)
	a.route("GET /v2/droplets/{droplet}/backups/policy", withDroplet(getBackupPolicy))
	a.route("GET /v2/droplets/{droplet}/backups", withDroplet(listBackups))
}

func getBackupPolicy(c *call, d *droplet) core.Answer {
	return reply(http.StatusOK, object{"policy": d.backupRecord(c.now)}, text(d.id))
}

// listBackupPolicies names the droplets that have backups, by id.
func listBackupPolicies(c *call) core.Answer {
	policies := object{}
	for _, d := range c.team.droplets {
		if d.has("backups") {
			policies[text(d.id)] = d.backupRecord(c.now)
		}
	}
	return reply(http.StatusOK, object{"policies": policies, "links": object{}, "meta": object{"total": len(policies)}}, "")
}

func listSupportedPolicies(*call) core.Answer {
	plans := []object{}
	for _, name := range []string{"weekly", "daily"} {
		days := weekdays
		if name == "daily" {
			days = []string{}
		}
		plans = append(plans, object{
			"name": name, "possible_window_starts": backupHours, "window_length_hours": int(backupWindow.Hours()),
			"retention_period_days": retention[name], "possible_days": days,
		})
	}
	return reply(http.StatusOK, object{"supported_policies": plans}, "")
}

// listBackups: the emulator's clock never gets as far as a backup.
func listBackups(c *call, _ *droplet) core.Answer {
	return c.replyList("backups", 0, func(int) any { return nil })
}
