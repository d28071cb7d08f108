// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// estate plants machines that are ours and run.
func (l *lab) estate(count int) []compute.Held {
	l.Helper()
	var all []compute.Held
	for i := range count {
		wish := wishFor("web-" + strconv.Itoa(i))
		own := record{key: wish.Key, account: labAccount.ID, claim: compute.NewClaim("shop"), image: "9000", offer: wish.OfferID, created: time.Now()}
		uuid := "1b4e28ba-2fa1-41d2-883f-" + strconv.Itoa(100000000000+i)
		id := strconv.Itoa(200000000 + i)
		_, err := l.Plant("proxmox", "vms", emulator.Fields{
			"vmid": id, "name": wish.Name, "status": "running", "description": own.String(), "tags": tagManaged, "agent": "1",
			"smbios1": "uuid=" + uuid, "scsi0": "local-lvm:vm-" + id + "-disk-0,size=3G", "memory": "2048", "cores": 1,
		})
		if err != nil {
			l.Fatal(err)
		}
		all = append(all, compute.Held{MachineID: id, Key: wish.Key, Name: wish.Name, Claim: own.claim, UUID: uuid})
	}
	<-time.After(30 * time.Second) // the cluster's list shows them running, and their agents answer
	l.ClearJournal()
	return all
}

func TestRefreshOfFiftyMachines(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(50)
		account := l.account("shop", nil)
		var group sync.WaitGroup
		for _, one := range held {
			group.Go(func() {
				seen, err := account.Read(l.Context(), one)
				if err != nil || seen.Gone || !seen.Managed || seen.Machine.State != driver.StateRunning || len(seen.Machine.Addresses) == 0 {
					l.Errorf("%s: %+v, %v", one.Name, seen, err)
				}
			})
		}
		group.Wait()
		l.countCalls("refresh of fifty", 50)
		if lists, configs, agents := l.count("GET", "/cluster/resources"), l.count("GET", "/config"), l.count("GET", "/agent/"); lists != 1 || configs != 50 || agents != 50 {
			l.Errorf("%d lists, %d configs, %d questions to agents", lists, configs, agents)
		}
		if all := len(l.Journal()); all != 101 {
			l.Errorf("%d requests", all)
		}
	})
}

func TestAnAgentThatDoesNotAnswerIsWaitedForThreeSeconds(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(1)
		l.fault(emulator.Fault{Method: "GET", Path: "/agent/", Action: "hang"})
		began := time.Now()
		seen, err := l.account("shop", nil).Read(l.Context(), held[0])
		if err != nil || seen.Machine.Addresses != nil || seen.Machine.State != driver.StateRunning {
			l.Errorf("%+v, %v", seen, err)
		}
		if took := time.Since(began); took > 4*time.Second {
			l.Errorf("the read took %s", took)
		}
	})
}

func TestAStoppedMachineIsSeenAtOnce(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(1)
		if _, err := l.Patch("proxmox", "vms", held[0].MachineID, emulator.Fields{"status": "stopped"}); err != nil {
			l.Fatal(err)
		}
		seen, err := l.account("shop", nil).Read(l.Context(), held[0])
		if err != nil || seen.Machine.State != driver.StateStopped || seen.Machine.Addresses != nil {
			l.Errorf("%+v, %v", seen, err)
		}
	})
}

func TestAVMIDThatSomebodyElseHasTaken(t *testing.T) {
	for name, fields := range map[string]emulator.Fields{
		"a machine without a word": {"name": "theirs"},
		"a clone of ours":          {"name": "theirs", "tags": tagManaged, "description": "better-compute inst_other\nclaim 0-aaaaaaaaaaaaaaaa"},
	} {
		t.Run(name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				held := l.estate(1)[0]
				if err := l.Vanish("proxmox", "vms", held.MachineID); err != nil {
					l.Fatal(err)
				}
				fields["vmid"] = held.MachineID
				if _, err := l.Plant("proxmox", "vms", fields); err != nil {
					l.Fatal(err)
				}
				seen, err := l.account("shop", nil).Read(l.Context(), held)
				if err != nil || !seen.Gone || len(seen.Notices) != 1 {
					l.Errorf("read: %+v, %v", seen, err)
				}
				_, err = l.account("shop", nil).Update(l.Context(), held, compute.Change{Name: "web-9"})
				l.wantCode(err, driver.Conflict, "Nothing was changed")
				notices, err := l.account("shop", nil).Delete(l.Context(), held, 0)
				if err != nil || len(notices) != 1 || !strings.Contains(notices[0].Detail, "left alone at the vendor") {
					l.Errorf("delete: %+v, %v", notices, err)
				}
				if writes := l.writes(); len(writes) > 0 {
					l.Errorf("written: %+v", writes)
				}
			})
		})
	}
}

func TestAProtectedMachineIsNotTouched(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(1)[0]
		if _, err := l.Patch("proxmox", "vms", held.MachineID, emulator.Fields{"protection": 1}); err != nil {
			l.Fatal(err)
		}
		_, err := l.account("shop", nil).Delete(l.Context(), held, 0)
		l.wantCode(err, driver.InvalidState, "protection mode", "lift it there")
		if writes := l.writes(); len(writes) > 0 {
			l.Errorf("written: %+v", writes)
		}
	})
}

func TestATemplatesProtectionIsNotInherited(t *testing.T) {
	inLab(t, func(l *lab) {
		if _, err := l.Patch("proxmox", "vms", "9000", emulator.Fields{"protection": 1, "tags": "golden;debian"}); err != nil {
			l.Fatal(err)
		}
		account, wish := l.account("", nil), wishFor("web")
		made := l.create(account, wish)
		if config := l.config(made.Machine.ID); config["protection"] == "1" || config["tags"] != tagManaged {
			l.Errorf("the config is %v", config)
		}
		if _, err := account.Delete(l.Context(), heldOf(made, wish), 0); err != nil {
			l.Error(err)
		}
	})
}

func TestAbsenceIsNotBelievedWithoutTheRightToSee(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(2)
		l.token = l.Proxmox.Tokens["no_audit"]
		account := l.account("shop", nil)
		_, err := account.Read(l.Context(), held[0])
		l.wantCode(err, driver.AccessDenied, "VM.Audit")
		_, err = account.Delete(l.Context(), held[0], 0)
		l.wantCode(err, driver.AccessDenied, "VM.Audit")
	})
}

func TestAMachineOfAPoolTokenIsGoneWhenTheClusterSaysSo(t *testing.T) {
	inLab(t, func(l *lab) {
		l.token = l.Proxmox.Tokens["pool"]
		account, wish := l.account("", manifest.Values{"pool": "team"}), wishFor("web")
		made := l.create(account, wish)
		held := heldOf(made, wish)
		if _, err := account.Delete(l.Context(), held, 0); err != nil {
			l.Fatal(err)
		}
		seen, err := l.account("", manifest.Values{"pool": "team"}).Read(l.Context(), held)
		if err != nil || !seen.Gone {
			l.Errorf("read: %+v, %v", seen, err)
		}
	})
}

func TestANodeThatIsDownRemovesNothing(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(2)
		if _, err := l.Patch("proxmox", "vms", held[0].MachineID, emulator.Fields{"node": "pve2"}); err != nil {
			l.Fatal(err)
		}
		l.set(func(settings *emulator.Settings) { settings.NodesDown = []string{"pve2"} })
		account := l.account("shop", nil)
		_, err := account.Read(l.Context(), held[0])
		l.wantCode(err, driver.ProviderError, "cannot be reached")
		if seen, err := account.Read(l.Context(), held[1]); err != nil || seen.Gone {
			l.Errorf("the machine on another node: %+v, %v", seen, err)
		}
	})
}

func TestAMachineThatHasMigratedIsFound(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(1)[0]
		opened := l.open(nil)
		if _, err := opened.Get(l.Context(), held.MachineID); err != nil {
			l.Fatal(err)
		}
		if _, err := l.Patch("proxmox", "vms", held.MachineID, emulator.Fields{"node": "pve3"}); err != nil {
			l.Fatal(err)
		}
		machine, err := opened.Get(l.Context(), held.MachineID)
		if err != nil || machine.Marks.Key != held.Key {
			l.Errorf("%+v, %v", machine, err)
		}
	})
}

func TestAnUnprivilegedTokenSeesAllOffersWithOneWarning(t *testing.T) {
	inLab(t, func(l *lab) {
		l.token = l.Proxmox.Tokens["no_audit"]
		account := l.account("", nil)
		findings := account.Preflight(l.Context(), compute.Preflight{OfferID: "8c-32g", CheckOffer: true})
		if len(findings) != 1 || !findings[0].Warning || !strings.Contains(findings[0].Err.Message, "Sys.Audit") {
			l.Errorf("findings %+v", findings)
		}
		if again := account.Preflight(l.Context(), compute.Preflight{OfferID: "1c-2g", CheckOffer: true}); len(again) != 0 {
			l.Errorf("the second time: %+v", again)
		}
	})
}

func TestOffersFollowTheRoomOfTheNodes(t *testing.T) {
	inLab(t, func(l *lab) {
		account := l.account("", manifest.Values{"offers": []string{"1c-2g", "999c-2g", "1c-99999g"}})
		offers, err := account.Offers(l.Context(), driver.OfferQuery{})
		available := map[string]bool{}
		for _, offer := range offers {
			available[offer.ID] = offer.Available
		}
		if err != nil || !available["1c-2g"] || available["999c-2g"] || available["1c-99999g"] || len(available) != 3 {
			l.Errorf("available: %v, %v", available, err)
		}
		pinned := l.account("", manifest.Values{"node": "pve9"})
		if offers, err := pinned.Offers(l.Context(), driver.OfferQuery{}); compute.CodeOf(err) != driver.InvalidInput || !strings.Contains(err.Error(), "pve1, pve2, pve3") {
			l.Errorf("on a node that is not there: %+v, %v", offers, err)
		}
		l.set(func(settings *emulator.Settings) { settings.NodesDown = []string{"pve2"} })
		down := l.account("", manifest.Values{"node": "pve2"})
		if offers, err := down.Offers(l.Context(), driver.OfferQuery{}); err != nil || len(offers) != 4 || offers[0].Available {
			l.Errorf("on a node that is down: %+v, %v", offers, err)
		}
	})
}

func TestUserDataWithoutAWayIsRefusedInThePlan(t *testing.T) {
	inLab(t, func(l *lab) {
		account := l.account("", manifest.Values{"iso_storage": "local-lvm"})
		look := compute.Preflight{OfferID: "1c-2g", Image: "debian-13", CheckImage: true, CheckOffer: true, UserDataBytes: 20}
		if findings := account.Preflight(l.Context(), look); len(findings) > 0 {
			l.Errorf("keys alone: %+v", findings)
		}
		look.HasUserData = true
		findings := account.Preflight(l.Context(), look)
		if len(findings) != 1 || findings[0].Err.Code != driver.Unsupported || findings[0].Field != "user_data" || findings[0].Warning {
			l.Errorf("findings %+v", findings)
		}
		if findings := l.account("", nil).Preflight(l.Context(), look); len(findings) > 0 {
			l.Errorf("with a storage for ISO images: %+v", findings)
		}
	})
}

func TestAnInterruptDuringTheCloneIsFinishedInPlace(t *testing.T) {
	inLab(t, func(l *lab) {
		ctx, cancel := context.WithCancel(l.Context())
		time.AfterFunc(time.Second, cancel)
		wish := wishFor("web")
		made, err := l.account("", nil).Create(ctx, wish)
		if !errors.Is(err, compute.ErrInterrupted) || made.Machine.ID == "" || !made.Unfinished {
			l.Fatalf("the interrupted create answers %+v, %v", made, err)
		}
		held := heldOf(made, wish)
		if seen, err := l.account("", nil).Read(l.Context(), held); err != nil || seen.Gone {
			l.Fatalf("a refresh during the clone: %+v, %v", seen, err)
		}
		finished, err := l.account("", nil).Finish(l.Context(), held, wish)
		if err != nil || finished.Unfinished || finished.Machine.State != driver.StateRunning || l.cloned() != 1 {
			l.Errorf("finished %+v, %v after %d clones", finished, err, l.cloned())
		}
	})
}

func TestAnInterruptedCloneWhosePlaceAForeignMachineTook(t *testing.T) {
	inLab(t, func(l *lab) {
		ctx, cancel := context.WithCancel(l.Context())
		time.AfterFunc(time.Second, cancel)
		wish := wishFor("web")
		made, err := l.account("", nil).Create(ctx, wish)
		if !errors.Is(err, compute.ErrInterrupted) {
			l.Fatal(err)
		}
		<-time.After(10 * time.Second)
		if err := l.Vanish("proxmox", "vms", made.Machine.ID); err != nil {
			l.Fatal(err)
		}
		if _, err := l.Plant("proxmox", "vms", emulator.Fields{"vmid": made.Machine.ID, "name": "theirs"}); err != nil {
			l.Fatal(err)
		}
		l.ClearJournal()
		_, err = l.account("", nil).Finish(l.Context(), heldOf(made, wish), wish)
		l.wantCode(err, driver.Conflict)
		if writes := l.writes(); len(writes) > 0 {
			l.Errorf("written: %+v", writes)
		}
	})
}

func TestLostAnswerOfAClone(t *testing.T) {
	for _, point := range []string{"before", "after"} {
		t.Run(point, func(t *testing.T) {
			inLab(t, func(l *lab) {
				l.fault(emulator.Fault{Method: http.MethodPost, Operation: "clone", Point: point, Action: "drop"})
				wish := wishFor("web")
				made, err := l.account("", nil).Create(l.Context(), wish)
				if point == "after" {
					if err != nil || l.cloned() != 1 || made.Machine.State != driver.StateRunning {
						l.Errorf("%+v, %v after %d clones", made, err, l.cloned())
					}
					return
				}
				l.wantCode(err, driver.ProviderError, "makes no second one")
				if all := l.machines(); len(all) > 0 {
					l.Errorf("there is %+v", all)
				}
			})
		})
	}
}

// TestLostAnswersOfTheStepsBehindTheClone loses the answer of each later write of a create, carried out or not.
func TestLostAnswersOfTheStepsBehindTheClone(t *testing.T) {
	for name, write := range map[string]emulator.Fault{
		"disk": {Method: http.MethodPut, Path: "/resize$"}, "user data": {Method: http.MethodPost, Path: "/upload$"},
		"configuration": {Method: http.MethodPost, Path: "/config$"}, "start": {Method: http.MethodPost, Path: "/status/start$"},
	} {
		for _, point := range []string{"before", "after"} {
			t.Run(name+" "+point, func(t *testing.T) {
				inLab(t, func(l *lab) {
					write.Point, write.Action = point, "drop"
					l.fault(write)
					wish := wishFor("web")
					wish.OfferID, wish.UserData = "2c-4g-20d", []byte("#cloud-config\n{}\n")
					l.wantWeb(l.create(l.account("", diskOffers), wish), wish)
				})
			})
		}
	}
}

func TestShutdownThatAGuestIgnores(t *testing.T) {
	inLab(t, func(l *lab) {
		account, wish := l.account("", nil), wishFor("web")
		made := l.create(account, wish)
		l.set(func(settings *emulator.Settings) {
			settings.ActionTimes = map[string]emulator.Duration{"guest_off": emulator.Duration(24 * time.Hour)}
		})
		began := time.Now()
		updated, err := account.Update(l.Context(), heldOf(made, wish), compute.Change{Power: "off", ShutdownTimeout: 20 * time.Second})
		if err != nil || updated.Machine.State != driver.StateStopped {
			l.Errorf("%+v, %v", updated, err)
		}
		if took := time.Since(began); took < 20*time.Second || took > time.Minute {
			l.Errorf("it took %s", took)
		}
	})
}

func TestListShowsOursOnly(t *testing.T) {
	inLab(t, func(l *lab) {
		held := l.estate(3)
		l.plantAt(7000)
		managed, err := l.account("shop", nil).Managed(l.Context())
		var ids []string
		for _, machine := range managed {
			ids = append(ids, machine.ID)
		}
		if want := []string{held[0].MachineID, held[1].MachineID, held[2].MachineID}; err != nil || !slices.Equal(ids, want) {
			l.Errorf("managed are %v, %v", ids, err)
		}
	})
}
