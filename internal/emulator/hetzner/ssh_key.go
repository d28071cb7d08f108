// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"
	"slices"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// sshKey is a public key of a project.
type sshKey struct {
	id          int64
	name        string
	publicKey   string
	fingerprint string // MD5, with colons
	labels      map[string]string
	created     time.Time
}

func (k *sshKey) body() object {
	return object{
		"id": k.id, "name": k.name, "fingerprint": k.fingerprint, "public_key": k.publicKey,
		"labels": labelsBody(k.labels), "created": timestamp(k.created),
	}
}

// keyNamed finds a key by id or name.
func (p *project) keyNamed(wanted string) *sshKey {
	for _, k := range p.sshKeys {
		if text(k.id) == wanted || k.name == wanted {
			return k
		}
	}
	return nil
}

func withSSHKey(handle func(*call, *sshKey) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		id := c.id("id")
		for _, k := range c.project.sshKeys {
			if k.id == id {
				return handle(c, k)
			}
		}
		return notFound("SSH key")
	}
}

func getSSHKey(_ *call, k *sshKey) core.Answer {
	return reply(http.StatusOK, object{"ssh_key": k.body()}, k.id)
}

func listSSHKeys(c *call) core.Answer {
	requirements, wrong := c.selector()
	if wrong != nil {
		return *wrong
	}
	var rows []row
	for _, k := range c.project.sshKeys {
		if c.wanted("name", k.name) && c.wanted("fingerprint", k.fingerprint) && selects(requirements, k.labels) {
			rows = append(rows, row{body: k.body(), keys: map[string]sortKey{"id": number(k.id), "name": word(k.name)}})
		}
	}
	return c.replyList("ssh_keys", rows, "id", "name")
}

// createSSHKey: names and keys are unique per project.
func createSSHKey(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name, _ := in.text("name")
	if name == "" && len(in.errors) == 0 {
		in.fail("name", "is required")
	}
	publicKey, _ := in.text("public_key")
	parsed, _, _, _, err := ssh.ParseAuthorizedKey([]byte(publicKey))
	if err != nil {
		in.fail("public_key", "is not a valid SSH public key")
	}
	labels, _ := in.labels()
	if answer := in.answer(); answer != nil {
		return *answer
	}
	made := &sshKey{
		name: name, publicKey: publicKey, fingerprint: ssh.FingerprintLegacyMD5(parsed), labels: labels, created: c.now,
	}
	if refused := c.checkKey(made); refused != nil {
		return *refused
	}
	made.id = take(&c.api.ids.sshKey)
	c.project.sshKeys = append(c.project.sshKeys, made)
	return reply(http.StatusCreated, object{"ssh_key": made.body()}, made.id)
}

func (c *call) checkKey(made *sshKey) *core.Answer {
	for _, k := range c.project.sshKeys {
		if k.fingerprint == made.fingerprint {
			return new(taken("public_key", "SSH key with the same fingerprint already exists"))
		}
		if k.name == made.name {
			return new(taken("name", "SSH key name is already used"))
		}
	}
	return nil
}

func updateSSHKey(c *call, k *sshKey) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name, hasName := in.text("name")
	labels, hasLabels := in.labels()
	if answer := in.answer(); answer != nil {
		return about(*answer, k.id)
	}
	if other := c.project.keyNamed(name); hasName && other != nil && other != k {
		return about(taken("name", "SSH key name is already used"), k.id)
	}
	if hasName {
		k.name = name
	}
	if hasLabels {
		k.labels = labels
	}
	return getSSHKey(c, k)
}

func deleteSSHKey(c *call, k *sshKey) core.Answer {
	c.project.sshKeys = slices.DeleteFunc(c.project.sshKeys, func(other *sshKey) bool { return other == k })
	return noContent(k.id)
}
