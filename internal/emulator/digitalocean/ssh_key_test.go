// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const (
	publicKey   = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGvx7LzJ5fU9JVQLVZBXhMBdGSkTHhIn4sBmyQ8BzcfP laptop"
	keyMaterial = `{"name":"laptop","public_key":"` + publicKey + `"}`
)

// TestSSHKeys: they are found by id and by fingerprint, and unique by what they are.
func TestSSHKeys(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		made := c.ask("POST", "/v2/account/keys", keyMaterial)
		want(c.t, "status", made.status, 201)
		fingerprint := made.get("ssh_key", "fingerprint").(string)
		if len(strings.Split(fingerprint, ":")) != 16 {
			c.t.Errorf("fingerprint %q", fingerprint)
		}
		byID, byPrint := "/v2/account/keys/"+made.id("ssh_key"), "/v2/account/keys/"+fingerprint
		want(c.t, "by id", c.ask("GET", byID, "").get("ssh_key", "public_key"), publicKey)
		want(c.t, "by fingerprint", c.ask("GET", byPrint, "").id("ssh_key"), made.id("ssh_key"))
		want(c.t, "by name", c.ask("GET", "/v2/account/keys/laptop", "").status, 404)
		want(c.t, "twice", c.ask("POST", "/v2/account/keys", keyMaterial).message(), "SSH Key is already in use on your account")
		want(c.t, "no key", c.ask("POST", "/v2/account/keys", `{"name":"a","public_key":"x"}`).status, 422)
		want(c.t, "no name", c.ask("POST", "/v2/account/keys", `{"public_key":"`+publicKey+`"}`).status, 422)
		want(c.t, "rename", c.ask("PUT", byPrint, `{"name":"desk"}`).get("ssh_key", "name"), "desk")
		want(c.t, "rename to nothing", c.ask("PUT", byPrint, `{}`).status, 422)
		want(c.t, "listed", c.ask("GET", "/v2/account/keys", "").values("ssh_keys", "name"), "desk")
		for _, key := range []string{made.id("ssh_key"), `"` + fingerprint + `"`, `"` + made.id("ssh_key") + `"`} {
			body := strings.TrimSuffix(webBody, "}") + fmt.Sprintf(`,"ssh_keys":[%s]}`, key)
			want(c.t, "droplet with "+key, c.ask("POST", "/v2/droplets", body).status, 202)
		}
		want(c.t, "DELETE", c.ask("DELETE", byID, "").status, 204)
		want(c.t, "DELETE again", c.ask("DELETE", byID, "").status, 404)
	})
}
