// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// updateParams are an update's own parameters beside the keys.
var updateParams = slices.Concat(configParams, []param{
	text("delete"), text("revert"), {name: "digest", kind: "string", long: 40}, flag("force"), flag("skiplock"),
	number("background_delay", 1, 30), text("import-working-storage"),
})

// update is one change of a configuration, split into its parts.
type update struct {
	set    values
	remove []string
	revert []string
	pool   *pool // of a machine that is being made, whose rights count on it
}

// putConfig changes at once, postConfig by a task, with the same checks before (qs API2/Qemu.pm, update_vm_api).
func putConfig(c *call, m *machine) core.Answer {
	change, answer := c.prepareUpdate(m)
	if answer != nil {
		return *answer
	}
	if problem := c.apply(m, change); problem != "" {
		return c.died(problem)
	}
	if len(c.unplugged) > 0 {
		return c.invalid(c.unplugged)
	}
	return c.reply(nil)
}

func postConfig(c *call, m *machine) core.Answer {
	change, answer := c.prepareUpdate(m)
	if answer != nil {
		return *answer
	}
	quick := c.in.number("background_delay", 0)
	during := c.api.settings.Get().TimeOf("qmconfig")
	started := c.fork("qmconfig", c.in["vmid"], func(w *worker) {
		w.lock(m.id, lockWait, func() {
			w.finish(during, func() {
				if problem := c.apply(m, change); problem != "" {
					w.end(problem)
				}
				for key, problem := range c.unplugged {
					w.end("400 Parameter verification failed. " + key + ": " + strings.TrimSpace(problem))
				}
			}, nothing)
		})
	})
	if quick > 0 && during.Seconds() <= float64(quick) {
		done := c.reply(nil)
		done.Wait = during
		return done
	}
	return started
}

// prepareUpdate checks an update: form, digest, lock, rights by key.
func (c *call) prepareUpdate(m *machine) (update, *core.Answer) {
	if c.in["skiplock"] == "1" {
		return update{}, new(c.invalid(map[string]string{"skiplock": "Only root may use this option."}))
	}
	change, answer := c.readUpdate()
	if answer != nil {
		return change, answer
	}
	if c.in.has("digest") && c.in["digest"] != m.digest() {
		return change, new(c.died("checksum mismatch (file change by other user?)"))
	}
	if m.config.has("lock") {
		return change, new(c.died("VM is locked (" + m.config["lock"] + ")"))
	}
	if answer := c.checkKeyRights(m, change); answer != nil {
		return change, answer
	}
	if answer := c.checkKeys(change); answer != nil {
		return change, answer
	}
	return change, nil
}

func (c *call) readUpdate() (update, *core.Answer) {
	change := update{set: values{}, remove: c.in.list("delete"), revert: c.in.list("revert")}
	for key, value := range c.in {
		if configParam(key).kind != "" {
			change.set[key] = value
		}
	}
	for _, key := range slices.Concat(change.remove, change.revert) {
		if configParam(key).kind == "" {
			return change, new(c.invalid(map[string]string{"delete": "unknown option '" + key + "'"}))
		}
		if _, both := change.set[key]; both {
			return change, new(c.invalid(map[string]string{
				"delete": fmt.Sprintf("you can't use '-%s' and -delete %s' at the same time", key, key),
			}))
		}
	}
	if len(change.set) == 0 && len(change.remove) == 0 && len(change.revert) == 0 {
		return change, new(c.died("no options specified"))
	}
	return change, nil
}

// checkKeyRights: each key has its own privilege. A bridge needs SDN.Use, a new volume room on its storage.
func (c *call) checkKeyRights(m *machine, change update) *core.Answer {
	for _, key := range slices.Concat(sortedKeys(change.set), change.remove) {
		value := change.set[key]
		if value == "" && isDrive(key) {
			value = m.merged()[key]
		}
		rights := keyRights(key, value)
		if len(rights) == 0 {
			return new(c.died("only root can set '" + key + "' config"))
		}
		if !c.mayChange(m, change.pool, rights...) {
			return c.forbidden(m.path() + ", " + strings.Join(rights, "|"))
		}
		if strings.HasSuffix(value, ":cloudinit") && !c.mayChange(m, change.pool, "VM.Config.Cloudinit") {
			return c.forbidden(m.path() + ", VM.Config.Cloudinit")
		}
		if answer := c.checkBridge(key, change.set[key]); answer != nil {
			return answer
		}
	}
	return nil
}

// mayChange says whether the token has one of the rights on the machine, or in the pool that it is being made in.
func (c *call) mayChange(m *machine, in *pool, rights ...string) bool {
	return c.mayAny(m.path(), rights...) || in != nil && c.mayAny("/pool/"+in.id, rights...)
}

// validKeys says whether every line is a public key as ssh-keygen takes it: the type, perhaps behind options, and base64
// that begins with the same type (RFC 4253, 6.6).
func validKeys(encoded string) bool {
	plain, err := url.PathUnescape(encoded)
	if err != nil {
		return false
	}
	for line := range strings.Lines(plain) {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		i := slices.IndexFunc(fields, func(field string) bool { return keyType.MatchString(field) })
		if i < 0 || i+1 == len(fields) {
			return false
		}
		blob, err := base64.StdEncoding.DecodeString(fields[i+1])
		if err != nil || len(blob) < 32 || !strings.HasPrefix(string(blob[4:]), fields[i]) {
			return false
		}
	}
	return true
}

var keyType = regexp.MustCompile(`^(ssh-(rsa|dss|ed25519)|ecdsa-sha2-nistp(256|384|521)|sk-[a-z0-9-]+@openssh\.com)$`)

// checkKeys looks at what values name: keys, volumes, storages.
func (c *call) checkKeys(change update) *core.Answer {
	if keys, given := change.set["sshkeys"]; given && !validKeys(keys) {
		return new(c.died("SSH public key validation error"))
	}
	for _, key := range sortedKeys(change.set) {
		if !isDrive(key) {
			continue
		}
		if status, problem := c.driveProblem(change.set[key]); problem != "" {
			return new(c.api.failure(status, problem))
		}
	}
	return nil
}

// driveProblem checks what a drive is to be made of: nothing, a volume that is there, or a new one on a storage.
func (c *call) driveProblem(value string) (int, string) {
	volid := properties(value)[""] + properties(value)["file"]
	name, rest, onStorage := strings.Cut(volid, ":")
	if volid == "none" || volid == "cdrom" {
		return 0, ""
	}
	if !onStorage {
		return http.StatusInternalServerError, fmt.Sprintf("unable to parse volume ID '%s'", volid)
	}
	s := c.api.storage(name)
	if s == nil {
		return http.StatusInternalServerError, fmt.Sprintf("storage '%s' does not exist", name)
	}
	if isNewVolume(rest) {
		if !c.may("/storage/"+name, "Datastore.AllocateSpace") {
			return http.StatusForbidden, permissionText("/storage/" + name + ", Datastore.AllocateSpace")
		}
		if !s.holds("images") {
			return http.StatusInternalServerError, fmt.Sprintf("storage '%s' does not support content-type 'images'", name)
		}
		return 0, ""
	}
	v := c.api.volume(c.node, volid)
	if where := "/storage/" + name; v != nil && v.owner == 0 && !c.mayAny(where, "Datastore.AllocateSpace", "Datastore.Audit") {
		return http.StatusForbidden, permissionText(where + ", Datastore.AllocateSpace|Datastore.Audit")
	}
	if v == nil {
		return http.StatusInternalServerError, fmt.Sprintf("volume '%s' does not exist", volid)
	}
	return 0, ""
}

// isNewVolume says whether the part after the storage asks for a new volume: a size in GiB, or a cloud-init drive.
func isNewVolume(rest string) bool {
	if rest == "cloudinit" {
		return true
	}
	_, err := strconv.ParseFloat(rest, 64)
	return err == nil
}
