// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const publicKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEqTg1qvYxK9qfQOZ2oqYxZb3WyXo0mUq9mYxwD0pQ2a me@example"

// encodedTwice is how keys go into a form.
func encodedTwice(keys string) string {
	return url.QueryEscape(strings.ReplaceAll(url.QueryEscape(keys), "+", "%20"))
}

// TestStoredForms: what is written comes back changed as the vendor changes it, with its types.
func TestStoredForms(t *testing.T) {
	for name, test := range map[string]struct {
		values, key string
		want        any
	}{
		"tags sorted and lower-cased": {"tags=" + url.QueryEscape("Zeta;alpha,beta alpha"), "tags", "alpha;beta;zeta"},
		"description trimmed":         {"description=" + url.QueryEscape(" key x\ncreating ü: %\n\n"), "description", " key x\ncreating ü: %"},
		"cores are a number":          {"cores=4", "cores", 4.0},
		"memory is text":              {"memory=4096", "memory", "4096"},
		"cpulimit is text":            {"cpulimit=1.5", "cpulimit", "1.5"},
		"booleans are numbers":        {"protection=1", "protection", 1.0},
		"password is masked":          {"cipassword=hunter2", "cipassword", "**********"},
		"keys encoded once":           {"sshkeys=" + encodedTwice(publicKey), "sshkeys", strings.ReplaceAll(url.QueryEscape(publicKey), "+", "%20")},
		"agent as written":            {"agent=1", "agent", "1"},
		"MAC address kept":            {"net0=" + url.QueryEscape("virtio=BC:24:11:00:00:01,bridge=vmbr0"), "net0", "virtio=BC:24:11:00:00:01,bridge=vmbr0"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				before := c.config(path, "digest")
				want(t, "answer", c.ask("PUT", path+"/config", test.values).raw, `{"data":null}`)
				want(t, test.key, c.config(path, test.key), test.want)
				if c.config(path, "digest") == before {
					t.Error("the digest did not change")
				}
			})
		})
	}
}

// TestConfigRefusals: texts with status 500.
func TestConfigRefusals(t *testing.T) {
	for name, test := range map[string]struct{ values, text string }{
		"nothing":           {"", "no options specified"},
		"digest":            {"cores=1&digest=abc", "checksum mismatch (file change by other user?)"},
		"args":              {"args=-no-reboot", "only root can set 'args' config"},
		"lock":              {"delete=lock", "only root can set 'lock' config"},
		"key":               {"sshkeys=" + encodedTwice("ssh-rsa nonsense"), "SSH public key validation error"},
		"key of other type": {"sshkeys=" + encodedTwice(strings.Replace(publicKey, "ed25519 ", "rsa ", 1)), "SSH public key validation error"},
		"missing volume":    {"ide2=" + url.QueryEscape("local:iso/none.iso,media=cdrom"), "volume 'local:iso/none.iso' does not exist"},
		"missing storage":   {"scsi1=none:8", "storage 'none' does not exist"},
		"storage of files":  {"scsi1=local:8", "storage 'local' does not support content-type 'images'"},
		"no volume":         {"scsi1=nonsense", "unable to parse volume ID 'nonsense'"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				before := c.config(path, "digest")
				wantRefusal(t, name, c.ask("PUT", path+"/config", test.values), refusal{500, test.text})
				want(t, "digest", c.config(path, "digest"), before)
			})
		})
	}
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.patch(emulator.Fields{"lock": "backup"})
		for _, method := range []string{"PUT", "POST"} {
			wantRefusal(t, method+" on a locked machine", c.ask(method, path+"/config", "cores=1"), refusal{500, "VM is locked (backup)"})
		}
	})
}

// TestPendingChanges: on a running machine CPUs and memory wait for the next start, names and tags do not.
func TestPendingChanges(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.start(path)
		c.ask("PUT", path+"/config", "cores=8&name=db&delete=vga")
		want(t, "shown", c.config(path, "cores"), 8.0)
		current := c.ask("GET", path+"/config", "current=1")
		want(t, "of the guest", current.get("cores"), 2.0)
		want(t, "name at once", current.get("name"), "db")
		want(t, "cpus", c.ask("GET", path+"/status/current", "").get("cpus"), 2.0)
		pending := c.ask("GET", path+"/pending", "")
		want(t, "pending", pending.row("key", "cores")["pending"], 8.0)
		want(t, "deleted", pending.row("key", "vga")["delete"], 1.0)
		want(t, "nothing pending", pending.row("key", "name")["pending"], nil)
		want(t, "reset", c.do("POST", path+"/status/reset", ""), "OK")
		want(t, "after a reset", c.ask("GET", path+"/config", "current=1").get("cores"), 2.0)
		want(t, "reboot", c.do("POST", path+"/status/reboot", ""), "OK")
		want(t, "after a reboot", c.ask("GET", path+"/config", "current=1").get("cores"), 8.0)
		want(t, "deleted after a reboot", c.ask("GET", path+"/config", "current=1").get("vga"), nil)
		c.ask("PUT", path+"/config", "cores=4")
		c.ask("PUT", path+"/config", "revert=cores")
		want(t, "reverted", c.config(path, "cores"), 8.0)
	})
}

// TestDrives: volumes are made, detached and freed with their drives.
func TestDrives(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		want(t, "new disk", c.do("POST", path+"/config", "scsi1=local-lvm:8"), "OK")
		want(t, "its value", c.config(path, "scsi1"), "local-lvm:vm-100-disk-1,size=8G")
		c.ask("PUT", path+"/config", "delete=scsi1")
		want(t, "unused", c.config(path, "unused0"), "local-lvm:vm-100-disk-1")
		c.ask("PUT", path+"/config", "delete=unused0")
		want(t, "freed", c.volume("local-lvm:vm-100-disk-1"), false)
		c.ask("PUT", path+"/config", "delete=ide2")
		want(t, "cloud-init drive freed", c.volume("local-lvm:vm-100-cloudinit"), false)
		want(t, "made anew", c.ask("PUT", path+"/config", "ide3=local-lvm:cloudinit").status, 200)
		want(t, "its value", c.config(path, "ide3"), "local-lvm:vm-100-cloudinit,media=cdrom")
		c.upload("pve1", "local", "seed.iso", "x")
		want(t, "medium", c.ask("PUT", path+"/config", "ide2="+url.QueryEscape("local:iso/seed.iso,media=cdrom")).status, 200)
		want(t, "its value", c.config(path, "ide2"), "local:iso/seed.iso,media=cdrom,size=1")
		c.ask("PUT", path+"/config", "ide2="+url.QueryEscape("none,media=cdrom"))
		want(t, "medium stays on the storage", c.volume("local:iso/seed.iso"), true)
		c.ask("PUT", path+"/config", "net1="+url.QueryEscape("virtio,bridge=vmbr0"))
		wantText(t, "new NIC", c.config(path, "net1"), "virtio=BC:24:11:")
	})
}

// volume says whether the inventory has a volume.
func (c cluster) volume(id string) bool {
	for _, o := range c.Objects("proxmox", "volumes") {
		if o.ID == id {
			return true
		}
	}
	return false
}

// TestConfigByTask: POST answers a UPID, or null when it is done within background_delay.
func TestConfigByTask(t *testing.T) {
	inClusterWith(t, emulator.Options{ActionTime: 3 * time.Second}, func(c cluster) {
		path := c.clone()
		upid := c.starts("POST", path+"/config", "cores=3")
		want(t, "meanwhile", c.config(path, "cores"), 2.0)
		want(t, "end", c.ends(upid), "OK")
		want(t, "afterwards", c.config(path, "cores"), 3.0)
		began := time.Now()
		want(t, "in time", c.ask("POST", path+"/config", "cores=4&background_delay=5").raw, `{"data":null}`)
		want(t, "it took", time.Since(began), 3*time.Second)
		want(t, "afterwards", c.config(path, "cores"), 4.0)
		wantText(t, "too late", c.ask("POST", path+"/config", "cores=5&background_delay=2").data, "UPID:pve1:")
		pass(time.Minute)
		c.set(func(s *emulator.Settings) {
			s.ActionResults["qmconfig"] = emulator.Result{Status: "error", Message: "no"}
		})
		want(t, "failed", c.do("POST", path+"/config", "cores=6"), "no")
		want(t, "unchanged", c.config(path, "cores"), 5.0)
	})
}

// TestConfigWaitsForTheLock: as long as a worker has the machine's lock file, 10 s at most.
func TestConfigWaitsForTheLock(t *testing.T) {
	for during, status := range map[time.Duration]int{5 * time.Second: 200, 20 * time.Second: 500} {
		inCluster(t, func(c cluster) {
			path := c.clone()
			c.set(func(s *emulator.Settings) { s.ActionTimes["qmstart"] = emulator.Duration(during) })
			c.starts("POST", path+"/status/start", "")
			began := time.Now()
			got := c.ask("PUT", path+"/config", "description=x")
			want(t, "status", got.status, status)
			want(t, "it took", time.Since(began), min(during, 10*time.Second))
			if status == 500 {
				want(t, "text", got.message, "can't lock file '/var/lock/qemu-server/lock-100.conf' - got timeout")
			}
		})
	}
}

// TestResize: everything but the form is found in the task.
func TestResize(t *testing.T) {
	for name, test := range map[string]struct{ values, exit, size string }{
		"grow":         {"disk=scsi0&size=20G", "OK", "20G"},
		"grow by":      {"disk=scsi0&size=%2B1536M", "OK", "4608M"},
		"bytes":        {"disk=scsi0&size=4294967296", "OK", "4G"},
		"same":         {"disk=scsi0&size=3G", "OK", "3G"},
		"shrink":       {"disk=scsi0&size=2G", "shrinking disks is not supported", "3G"},
		"missing disk": {"disk=scsi7&size=20G", "disk 'scsi7' does not exist", "3G"},
		"cdrom":        {"disk=ide2&size=20G", "you can't resize a cdrom", "3G"},
		"old digest":   {"disk=scsi0&size=20G&digest=abc", "checksum mismatch (file change by other user?)", "3G"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				want(t, "exit", c.do("PUT", path+"/resize", test.values), test.exit)
				want(t, "disk", c.config(path, "scsi0"), "local-lvm:vm-100-disk-0,discard=on,iothread=1,size="+test.size)
			})
		})
	}
	inCluster(t, func(c cluster) {
		path := c.clone()
		want(t, "missing machine", c.do("PUT", "/nodes/pve1/qemu/555/resize", "disk=scsi0&size=9G"), "Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist")
		c.patch(emulator.Fields{"lock": "backup"})
		want(t, "locked", c.do("PUT", path+"/resize", "disk=scsi0&size=9G"), "VM is locked (backup)")
		c.patch(emulator.Fields{"lock": nil})
		want(t, "maxdisk", c.do("PUT", path+"/resize", "disk=scsi0&size=9G"), "OK")
		want(t, "maxdisk", c.ask("GET", path+"/status/current", "").get("maxdisk"), 9.0*(1<<30))
	})
}

// TestCloudInit: the generated text, and a snippet that must be there when the drive is made.
func TestCloudInit(t *testing.T) {
	inCluster(t, func(c cluster) {
		path := c.clone()
		c.ask("PUT", path+"/config", "ciuser=admin&sshkeys="+encodedTwice(publicKey))
		user := c.ask("GET", path+"/cloudinit/dump", "type=user").data
		for _, part := range []string{"#cloud-config\n", "hostname: web\n", "user: admin\n", "  - " + publicKey + "\n"} {
			wantText(t, "user data", user, part)
		}
		want(t, "regenerated", c.ask("PUT", path+"/cloudinit", "").raw, `{"data":null}`)
		want(t, "comparison", c.ask("GET", path+"/cloudinit", "").row("key", "ciuser")["value"], "admin")
		want(t, "any snippet is taken", c.ask("PUT", path+"/config", "cicustom="+url.QueryEscape("user=local:snippets/u.yaml")).status, 200)
		want(t, "and missed at the start", c.do("POST", path+"/status/start", ""), "volume 'local:snippets/u.yaml' does not exist")
		if _, err := c.Plant("proxmox", "volumes", emulator.Fields{"volid": "local:snippets/u.yaml", "content": "snippets", "data": []byte("#cloud-config")}); err != nil {
			t.Fatal(err)
		}
		c.start(path)
	})
}

// TestAnswersAreJSONObjects: numbers of a configuration are numbers in the raw answer too.
func TestAnswersAreJSONObjects(t *testing.T) {
	inCluster(t, func(c cluster) {
		var body struct {
			Data map[string]json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal([]byte(c.ask("GET", template+"/config", "").raw), &body); err != nil {
			t.Fatal(err)
		}
		for key, wanted := range map[string]string{"cores": "2", "memory": `"2048"`, "template": "1", "name": `"debian-13"`} {
			want(t, key, string(body.Data[key]), wanted)
		}
	})
}
