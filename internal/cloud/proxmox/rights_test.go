// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// live lets a machine with user data and a larger disk live: created, labelled, put up afresh, removed. It answers
// everything that was said on the way, the first error last.
func (l *lab) live() (said []string, err error) {
	l.Helper()
	account, wish := l.account("", diskOffers), wishFor("web")
	wish.OfferID, wish.UserData = "2c-4g-20d", []byte("#cloud-config\n{}\n")
	for _, finding := range account.Preflight(l.Context(), compute.Preflight{OfferID: wish.OfferID, Image: wish.Image, CheckOffer: true, CheckImage: true, HasUserData: true}) {
		said = append(said, finding.Err.Error())
		if !finding.Warning {
			err = finding.Err
		}
	}
	if err != nil {
		return said, err
	}
	made, err := account.Create(l.Context(), wish)
	said = append(said, notices(made.Notices)...)
	if err != nil {
		return append(said, err.Error()), err
	}
	again := wish
	again.Image = "ubuntu-24.04"
	updated, err := account.Update(l.Context(), heldOf(made, wish), compute.Change{
		ChangeLabels: true, Labels: map[string]string{"color": "blue"}, Reinstall: &again,
	})
	said = append(said, notices(updated.Notices)...)
	if err != nil {
		return append(said, err.Error()), err
	}
	_, err = account.Delete(l.Context(), heldOf(updated, wish), 0)
	if err != nil {
		said = append(said, err.Error())
	}
	return said, err
}

func notices(all []compute.Notice) []string {
	var texts []string
	for _, notice := range all {
		texts = append(texts, notice.Summary+": "+notice.Detail)
	}
	return texts
}

func TestTheListOfRightsIsEnough(t *testing.T) {
	for _, release := range []string{"9.1", "8.4", "8.3"} {
		t.Run(release, func(t *testing.T) {
			inLab(t, func(l *lab) {
				l.set(func(settings *emulator.Settings) { settings.Release = release })
				l.token = l.Proxmox.Tokens["separated"]
				if said, err := l.live(); err != nil || len(said) > 0 {
					l.Errorf("%v: %q", err, said)
				}
				if left := l.machines(); len(left) > 0 {
					l.Errorf("left: %+v", left)
				}
			})
		})
	}
}

// TestEveryRightOfTheListIsNeeded takes one right after the other away from the token. What then fails, or is warned of,
// names it.
func TestEveryRightOfTheListIsNeeded(t *testing.T) {
	// The first is a right to look into pools that are the token's own; the others may stand for each other.
	optional := map[string]bool{"Pool.Audit": true, "VM.Monitor": true, "VM.Config.Cloudinit": true, "Datastore.Audit": true, "VM.Config.Network": true}
	for _, right := range Rights {
		if optional[right.Privilege] {
			continue
		}
		t.Run(right.Privilege, func(t *testing.T) {
			inLab(t, func(l *lab) {
				l.token = l.Proxmox.Tokens["separated"]
				l.set(func(settings *emulator.Settings) { settings.Denied = []string{right.Privilege} })
				said, err := l.live()
				if !strings.Contains(strings.Join(said, "\n"), right.Privilege) {
					l.Errorf("without %s: %v, said %q", right.Privilege, err, said)
				}
				if code := compute.CodeOf(err); err != nil && code != driver.AccessDenied && code != driver.InvalidInput && code != driver.Unsupported {
					l.Errorf("the code is %s: %v", code, err)
				}
			})
		})
	}
}

func TestTheGuideListsTheRights(t *testing.T) {
	guide, err := os.ReadFile("../../../templates/guides/proxmox.md")
	if err != nil {
		t.Fatal(err)
	}
	_, role, _ := strings.Cut(string(guide), "--privs \"")
	role, _, _ = strings.Cut(role, "\"")
	path := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	for _, right := range Rights {
		if row := "| `" + right.Privilege + "` | " + path.Replace(right.Path) + " | " + right.For + " |\n"; !strings.Contains(string(guide), row) {
			t.Errorf("the guide lacks the row %s", row)
		}
		if !slices.Contains(strings.Fields(role), right.Privilege) && right.Privilege != "VM.Monitor" {
			t.Errorf("the guide's role lacks %s", right.Privilege)
		}
	}
}
