// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"

	"golang.org/x/crypto/ssh"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// sshKey is a public key of a team.
type sshKey struct {
	id          int64
	name        string
	publicKey   string
	fingerprint string // MD5, with colons
}

func (k *sshKey) body() object {
	return object{"id": k.id, "fingerprint": k.fingerprint, "public_key": k.publicKey, "name": k.name}
}

// keyNamed finds a key by id or fingerprint; names may repeat.
func (t *team) keyNamed(wanted string) *sshKey {
	for _, k := range t.keys {
		if text(k.id) == wanted || k.fingerprint == wanted {
			return k
		}
	}
	return nil
}

func withKey(handle func(*call, *sshKey) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.team.keyNamed(c.Params["key"])
		if found == nil {
			return notFound()
		}
		return handle(c, found)
	}
}

func listKeys(c *call) core.Answer {
	return c.replyList("ssh_keys", len(c.team.keys), func(i int) any { return c.team.keys[i].body() })
}

func getKey(_ *call, k *sshKey) core.Answer {
	return reply(http.StatusOK, object{"ssh_key": k.body()}, text(k.id))
}

// createKey: a public key can be there once; the text of its refusal is unverified.
func createKey(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name := in.text("name")
	publicKey := in.text("public_key")
	parsed, _, _, _, err := ssh.ParseAuthorizedKey([]byte(publicKey))
	if name == "" {
		in.refuse(unprocessable("Name can't be blank"))
	}
	if err != nil {
		in.refuse(unprocessable("public_key is not a valid SSH public key"))
	}
	if in.problem != nil {
		return *in.problem
	}
	made := &sshKey{name: name, publicKey: publicKey, fingerprint: ssh.FingerprintLegacyMD5(parsed)}
	if c.team.keyNamed(made.fingerprint) != nil {
		return unprocessable("SSH Key is already in use on your account")
	}
	made.id = take(&c.api.ids.key)
	c.team.keys = append(c.team.keys, made)
	return reply(http.StatusCreated, object{"ssh_key": made.body()}, text(made.id))
}

func updateKey(c *call, k *sshKey) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	name := in.text("name")
	if name == "" {
		in.refuse(unprocessable("Name can't be blank"))
	}
	if in.problem != nil {
		return about(*in.problem, text(k.id))
	}
	k.name = name
	return getKey(c, k)
}

func deleteKey(c *call, k *sshKey) core.Answer {
	c.team.keys = slices.DeleteFunc(c.team.keys, func(other *sshKey) bool { return other == k })
	return noContent(text(k.id))
}
