// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

func TestMain(m *testing.M) { Main(m) }

const (
	header      = Header
	accountMain = AccountMain
	owned       = Owned
)

const instanceWeb = `
resource "bettercompute_instance" "web" {
  provider_account = data.bettercompute_provider_account.main
  name             = "web"
  offer_id         = "OFFER"
  image            = "IMAGE"
}
`

// creates counts the requests that made or could have made a machine.
func creates(cloud *Cloud) int {
	count := 0
	for _, entry := range cloud.Journal() {
		if entry.Method == http.MethodPost && entry.Path == cloud.CreatePath {
			count++
		}
	}
	return count
}

// writes answers the requests that were no reads.
func writes(cloud *Cloud, since int64) []emulator.Entry {
	var found []emulator.Entry
	for _, entry := range cloud.JournalSince(since) {
		if entry.Method != http.MethodGet {
			found = append(found, entry)
		}
	}
	return found
}

func last(cloud *Cloud) int64 {
	journal := cloud.Journal()
	if len(journal) == 0 {
		return 0
	}
	return journal[len(journal)-1].Seq
}

func servers(t *testing.T, cloud *Cloud) []emulator.Object {
	t.Helper()
	return cloud.Machines(cloud.Emulator)
}

// marks answers the marks of the only machine.
func marks(t *testing.T, cloud *Cloud) map[string]string {
	t.Helper()
	wantServers(t, cloud, 1)
	_, marks := cloud.Labels(servers(t, cloud)[0])
	return marks
}

func wantServers(t *testing.T, cloud *Cloud, count int) {
	t.Helper()
	if found := servers(t, cloud); len(found) != count {
		t.Fatalf("there are %d machines, want %d: %+v", len(found), count, found)
	}
}

func addFault(t *testing.T, cloud *Cloud, fault emulator.Fault) string {
	t.Helper()
	id, err := cloud.AddFault(fault)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func awaitHolding(t *testing.T, cloud *Cloud, fault string) {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), Patience)
	defer done()
	if err := cloud.AwaitHolding(ctx, fault); err != nil {
		t.Fatal(err)
	}
}

// await looks every few milliseconds until something in another process has happened.
func await(t *testing.T, what string, happened func() bool) {
	t.Helper()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(Patience)
	for !happened() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("%s: it has not happened within %s", what, Patience)
		}
	}
}

// timePasses moves the vendor's clock on, which ends what its actions are waited for.
func timePasses(t *testing.T, cloud *Cloud, length time.Duration) {
	t.Helper()
	if err := cloud.ChangeSettings(func(settings *emulator.Settings) {
		settings.Clock += emulator.Duration(length)
		settings.ActionTime = 0
	}); err != nil {
		t.Fatal(err)
	}
}
