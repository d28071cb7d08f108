// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/kdomanski/iso9660"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

func TestTenAtOnceGoRoundForeignMachines(t *testing.T) {
	inLab(t, func(l *lab) {
		account := l.account("", manifest.Values{"vmid_min": int64(5000), "vmid_max": int64(5999)})
		var wishes []compute.Wish
		for i := range 10 {
			wish := wishFor("web-" + strconv.Itoa(i))
			wishes = append(wishes, wish)
			l.plantAt(slots(wish.Key, 5000, 5999)[0])
		}
		foreign := l.machines()
		var group sync.WaitGroup
		for _, wish := range wishes {
			group.Go(func() {
				if _, err := account.Create(l.Context(), wish); err != nil {
					l.Errorf("create %s: %v", wish.Name, err)
				}
			})
		}
		group.Wait()
		all := l.machines()
		if len(all) != len(foreign)+10 {
			l.Errorf("there are %d machines besides %d foreign ones", len(all)-len(foreign), len(foreign))
		}
		for _, object := range foreign {
			if diff := cmp.Diff(object, l.vm(object.ID)); diff != "" {
				l.Errorf("a foreign machine has changed: %s", diff)
			}
		}
		if refused := l.refusedClones(); l.cloned() != 10 || refused > 0 {
			l.Errorf("%d clones were begun, %d refused", l.cloned(), refused)
		}
		l.countCalls("create of ten", 10)
	})
}

// plantAt plants a foreign machine, unless one is there already.
func (l *lab) plantAt(vmid int) {
	l.Helper()
	for _, object := range l.machines() {
		if object.ID == strconv.Itoa(vmid) {
			return
		}
	}
	if _, err := l.Plant("proxmox", "vms", emulator.Fields{"vmid": vmid, "name": "foreign", "node": "pve2", "description": "somebody's"}); err != nil {
		l.Fatal(err)
	}
}

func (l *lab) refusedClones() int {
	refused := 0
	for _, entry := range l.Journal() {
		if entry.Operation == "clone" && !entry.Accepted {
			refused++
		}
	}
	return refused
}

// countCalls logs how many requests there were for each of a number of machines.
func (l *lab) countCalls(what string, machines int) {
	calls := map[string]int{}
	for _, entry := range l.Journal() {
		calls[entry.Method+" "+callPattern.ReplaceAllString(entry.Path, "")]++
	}
	l.Logf("%s: %d requests, %.1f a machine: %v", what, len(l.Journal()), float64(len(l.Journal()))/float64(machines), calls)
}

// callPattern is what differs between calls of one kind.
var callPattern = regexp.MustCompile(`/api2/json|/nodes/pve\d|/\d+|UPID[^/]*|/content/.*`)

// seed reads the files of a machine's volume with a library.
func (l *lab) seed(id string) map[string]string {
	l.Helper()
	volume, _, _ := strings.Cut(l.config(id)["ide2"], ",")
	data, err := l.Bytes("proxmox", "volumes", volume)
	if err != nil {
		l.Fatal(err)
	}
	image, err := iso9660.OpenImage(bytes.NewReader(data))
	if err != nil {
		l.Fatal(err)
	}
	root, err := image.RootDir()
	if err != nil {
		l.Fatal(err)
	}
	children, err := root.GetChildren()
	if err != nil {
		l.Fatal(err)
	}
	files := map[string]string{}
	for _, child := range children {
		content, err := io.ReadAll(child.Reader())
		if err != nil {
			l.Fatal(err)
		}
		files[child.Name()] = string(content)
	}
	return files
}

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1wJJ7ODNsWpPWsa9RM3VHsJDxFE1Ik2mCSXTDTqlSr me@host"

func TestUserDataReachesTheMachine(t *testing.T) {
	inLab(t, func(l *lab) {
		account, wish := l.account("", nil), wishFor("web")
		wish.UserData, wish.SSHAuthorizedKeys = []byte("#cloud-config\nruncmd: [touch /planted]\n"), []string{publicKey}
		made := l.create(account, wish)
		config, files := l.config(made.Machine.ID), l.seed(made.Machine.ID)
		for file, wants := range map[string][]string{
			"user-data":      {"#cloud-config", "touch /planted", publicKey},
			"meta-data":      {"local-hostname: \"web\"", config.uuid()},
			"network-config": {config.nics()[0].mac, "dhcp4: true"},
		} {
			for _, want := range wants {
				if !strings.Contains(files[file], want) {
					l.Errorf("%s lacks %q:\n%s", file, want, files[file])
				}
			}
		}
		if drives := config.drives(isCloudInit); len(drives) > 0 {
			l.Errorf("the vendor's cloud-init drive is still there: %v", drives)
		}
		if _, err := account.Delete(l.Context(), heldOf(made, wish), 0); err != nil {
			l.Fatal(err)
		}
		for _, volume := range l.Objects("proxmox", "volumes") {
			if strings.Contains(volume.ID, made.Machine.ID) || strings.Contains(volume.ID, wish.Key) {
				l.Errorf("volume %s is left", volume.ID)
			}
		}
	})
}

func TestKeysAloneGoByTheVendorsOwnOptions(t *testing.T) {
	inLab(t, func(l *lab) {
		wish := wishFor("web")
		wish.SSHAuthorizedKeys = []string{publicKey}
		made := l.create(l.account("", nil), wish)
		config := l.config(made.Machine.ID)
		if !strings.HasPrefix(config["sshkeys"], "ssh-ed25519%20AAAA") || config["ipconfig0"] != "ip=dhcp,ip6=auto" || config["name"] != "web" {
			l.Errorf("the config is %v", config)
		}
		if len(config.drives(isCloudInit)) != 1 || l.count("POST", "/upload") != 0 {
			l.Errorf("drives %v, uploads %d", config.drives(isCloudInit), l.count("POST", "/upload"))
		}
		l.countCalls("create of one", 1)
	})
}

func TestSnippetsInPlaceOfAnImage(t *testing.T) {
	folder := t.TempDir()
	inLab(t, func(l *lab) {
		account := l.account("", manifest.Values{"snippets": manifest.Values{"storage": "local", "directory": folder}})
		wish := wishFor("web")
		wish.UserData = []byte("#cloud-config\n{}\n")
		made, err := account.Create(l.Context(), wish)
		if err != nil && !strings.Contains(err.Error(), "snippets") {
			l.Fatal(err)
		}
		config := l.config(made.Machine.ID)
		user, meta := snippetNames(wish.Key)
		if want := fmt.Sprintf("user=local:snippets/%s,meta=local:snippets/%s", user, meta); config["cicustom"] != want {
			l.Errorf("cicustom is %q, want %q", config["cicustom"], want)
		}
		if names := filesIn(t, folder); !slices.Equal(names, []string{meta, user}) {
			l.Errorf("the folder holds %v", names)
		}
		if _, err := account.Delete(l.Context(), heldOf(made, wish), 0); err != nil {
			l.Fatal(err)
		}
		if names := filesIn(t, folder); len(names) > 0 {
			l.Errorf("after the removal the folder holds %v", names)
		}
	})
}

func TestClonesOfEachKind(t *testing.T) {
	tests := map[string]struct {
		config manifest.Values
		check  func(l *lab, id string, config vmConfig)
	}{
		"linked": {manifest.Values{"full_clone": false}, func(l *lab, _ string, config vmConfig) {
			if !strings.HasPrefix(config["scsi0"], "local-lvm:") {
				l.Errorf("the disk is %s", config["scsi0"])
			}
		}},
		"onto another storage": {manifest.Values{"storage": "shared"}, func(l *lab, _ string, config vmConfig) {
			if !strings.HasPrefix(config["scsi0"], "shared:") {
				l.Errorf("the disk is %s", config["scsi0"])
			}
		}},
		"into a pool": {manifest.Values{"pool": "team"}, func(l *lab, id string, _ vmConfig) {
			if !strings.Contains(l.poolOf(id), "team") {
				l.Errorf("the pool is %s", l.poolOf(id))
			}
		}},
		"with a larger disk": {diskOffers, func(l *lab, _ string, config vmConfig) {
			if config.sizeGiB("scsi0") != 20 {
				l.Errorf("the disk is %s", config["scsi0"])
			}
		}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				wish := wishFor("web")
				if test.config["offers"] != nil {
					wish.OfferID = "2c-4g-20d"
				}
				made := l.create(l.account("", test.config), wish)
				test.check(l, made.Machine.ID, l.config(made.Machine.ID))
			})
		})
	}
}

// poolOf answers the pool that the cluster's list shows of a machine.
func (l *lab) poolOf(id string) string {
	l.Helper()
	var rows []struct {
		VMID number `json:"vmid"`
		Pool string `json:"pool"`
	}
	if err := l.open(nil).client.get(l.Context(), "/cluster/resources", nil, &rows); err != nil {
		l.Fatal(err)
	}
	for _, row := range rows {
		if strconv.Itoa(row.VMID.int()) == id {
			return row.Pool
		}
	}
	return ""
}

func TestADiskIsNeverShrunk(t *testing.T) {
	inLab(t, func(l *lab) {
		wish := wishFor("web")
		wish.OfferID = "1c-2g-1d"
		made := l.create(l.account("", manifest.Values{"offers": []string{"1c-2g-1d"}}), wish)
		if made.Machine.DiskGiB != 3 || made.Machine.OfferID != "1c-2g-1d" || l.count(http.MethodPut, "/resize") != 0 {
			l.Errorf("made %+v", made.Machine)
		}
		if len(made.Notices) != 1 || !strings.Contains(made.Notices[0].Detail, "never shrunk") {
			l.Errorf("notices %+v", made.Notices)
		}
	})
}

func TestMachineWithoutAnAgent(t *testing.T) {
	inLab(t, func(l *lab) {
		l.set(func(settings *emulator.Settings) { settings.Agent = map[string]string{"": "off"} })
		account, wish := l.account("", nil), wishFor("web")
		began := time.Now()
		made := l.create(account, wish)
		if len(made.Notices) != 1 || !strings.Contains(made.Notices[0].Summary, "No address") || made.Machine.Addresses != nil {
			l.Errorf("made %+v", made)
		}
		if took := time.Since(began); took < 60*time.Second || took > 90*time.Second {
			l.Errorf("the create took %s", took)
		}
		wish = wishFor("web-2")
		wish.WaitForAddress = false
		began = time.Now()
		if made := l.create(account, wish); len(made.Notices) > 0 || time.Since(began) > 40*time.Second {
			l.Errorf("without waiting: %s, notices %+v", time.Since(began), made.Notices)
		}
	})
}

// refusals are creates that cannot come to an end.
var refusals = map[string]struct {
	config  manifest.Values
	prepare func(l *lab)
	wish    func(*compute.Wish)
	code    driver.Code
	says    []string
}{
	"the range is full": {
		config: manifest.Values{"vmid_min": int64(700), "vmid_max": int64(702)},
		prepare: func(l *lab) {
			for vmid := 700; vmid <= 702; vmid++ {
				l.plantAt(vmid)
			}
		},
		code: driver.CapacityUnavailable, says: []string{"all 3 VMIDs", "vmid_min"},
	},
	"no such template": {
		wish: func(wish *compute.Wish) { wish.Image = "debian-31" },
		code: driver.InvalidInput, says: []string{"debian-31"},
	},
	"a template on two nodes": {
		prepare: func(l *lab) {
			if _, err := l.Plant("proxmox", "vms", emulator.Fields{"vmid": 9100, "name": "debian-13", "node": "pve2", "template": 1}); err != nil {
				l.Fatal(err)
			}
			<-time.After(15 * time.Second) // the cluster's list shows names late
		},
		code: driver.InvalidInput, says: []string{"9000 on node pve1", "9100 on node pve2", "VMID"},
	},
	"a node without the template's storage": {
		config: manifest.Values{"node": "pve2"},
		code:   driver.InvalidInput, says: []string{"can't clone VM to node 'pve2'"},
	},
	"an unknown pool": {
		config: manifest.Values{"pool": "nobodys"},
		code:   driver.AccessDenied, says: []string{"pool 'nobodys' does not exist"},
	},
	"another boot disk": {
		config: manifest.Values{"disk": "virtio0"},
		code:   driver.InvalidInput, says: []string{"no drive virtio0"},
	},
	"a place that the token may not see": {
		prepare: func(l *lab) {
			l.token = l.Proxmox.Tokens["no_audit"]
		},
		wish: func(wish *compute.Wish) { wish.Image = "9000" },
		code: driver.InvalidInput, says: []string{"VM.Audit"},
	},
}

func TestRefusalsOfACreate(t *testing.T) {
	for name, test := range refusals {
		t.Run(name, func(t *testing.T) {
			inLab(t, func(l *lab) {
				if test.prepare != nil {
					test.prepare(l)
				}
				wish := wishFor("web")
				if test.wish != nil {
					test.wish(&wish)
				}
				before := len(l.machines())
				made, err := l.account("", test.config).Create(l.Context(), wish)
				l.wantCode(err, test.code, test.says...)
				if made.Machine.ID == "" && len(l.machines()) != before {
					l.Errorf("there are %+v", l.machines())
				}
			})
		})
	}
}

func TestWarningsOfATaskAreToldOnce(t *testing.T) {
	inLab(t, func(l *lab) {
		l.set(func(settings *emulator.Settings) {
			settings.ActionResults = map[string]emulator.Result{"qmstart": {Status: "warnings: 1"}}
		})
		made := l.create(l.account("", nil), wishFor("web"))
		if len(made.Notices) != 1 || !strings.Contains(made.Notices[0].Detail, "qmstart ended with warnings: something is not as it should be") {
			l.Errorf("notices %+v", made.Notices)
		}
	})
}

func TestATaskThatTakesTooLong(t *testing.T) {
	inLab(t, func(l *lab) {
		l.set(func(settings *emulator.Settings) {
			settings.ActionTimes = map[string]emulator.Duration{"qmclone": emulator.Duration(time.Hour)}
		})
		made, err := l.account("", manifest.Values{"task_timeout": "2m"}).Create(l.Context(), wishFor("web"))
		l.wantCode(err, driver.Timeout, "qmclone", "task_timeout of 2m0s")
		if made.Machine.ID == "" || !made.Unfinished {
			l.Errorf("made %+v", made)
		}
	})
}
