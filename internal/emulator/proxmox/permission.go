// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// user is whose every token is.
const user = "root@pam"

// newTokens: main has every right, and so has what root@pam's tokens do without privilege separation. The others are
// privilege-separated: "separated" has the least role that our provider needs, everywhere; "pool" has it in the pool
// "team" and on the templates only; "no_audit" lacks every right to look.
func newTokens() core.Tokens {
	tokens := core.Tokens{}
	for name, id := range map[string]string{"main": "emulator", "separated": "separated", "no_audit": "no_audit", "pool": "pool"} {
		tokens[name] = user + "!" + id + "=" + newUUID()
	}
	return tokens
}

func newUUID() string {
	hex := core.RandomText("0123456789abcdef", 32)
	return strings.Join([]string{hex[:8], hex[8:12], hex[12:16], hex[16:20], hex[20:]}, "-")
}

// TokenName names the token of a request (AnyEvent.pm, extract_auth_value: after PVEAPIToken comes = or a blank).
func (a *API) TokenName(header http.Header) string {
	value, found := strings.CutPrefix(header.Get("Authorization"), "PVEAPIToken")
	if !found || len(value) < 2 || value[0] != '=' && value[0] != ' ' {
		return ""
	}
	return a.tokens.Name(value[1:])
}

// owner is who a token's tasks belong to, such as root@pam!emulator.
func (c *call) owner() string {
	id, _, _ := strings.Cut(c.api.tokens[c.Token], "=")
	return id
}

// machineRights are what a machine's life needs in PVE 8 and 9: reading, cloning into, configuring, powering, its agent.
var machineRights = []string{
	"VM.Allocate", "VM.Audit", "VM.Clone", "VM.Config.CDROM", "VM.Config.CPU", "VM.Config.Cloudinit", "VM.Config.Disk",
	"VM.Config.Memory", "VM.Config.Network", "VM.Config.Options", "VM.GuestAgent.Audit", "VM.Monitor", "VM.PowerMgmt",
}

var storageRights = []string{"Datastore.Allocate", "Datastore.AllocateSpace", "Datastore.AllocateTemplate", "Datastore.Audit"}

// grant is one entry of the access control list: a token's role on a path and everything below it.
type grant struct {
	token, path string
	privileges  []string
}

func firstGrants() []grant {
	common := func(token string) []grant {
		return []grant{
			{token, "/storage", storageRights}, {token, "/sdn/zones/localnetwork", []string{"SDN.Use"}},
			{token, "/nodes", []string{"Sys.Audit"}},
		}
	}
	grants := append(common("separated"), grant{"separated", "/vms", machineRights}, grant{"separated", "/pool", []string{"Pool.Allocate", "Pool.Audit"}})
	grants = append(grants, common("pool")...)
	grants = append(grants, grant{"pool", "/pool/team", append([]string{"Pool.Audit"}, machineRights...)})
	for _, template := range []string{"/vms/9000", "/vms/9001"} {
		grants = append(grants, grant{"pool", template, []string{"VM.Audit", "VM.Clone"}})
	}
	return append(grants, grant{"no_audit", "/", slices.DeleteFunc(allRights(), func(p string) bool { return strings.HasSuffix(p, ".Audit") })})
}

// allRights are the privileges that the emulated routes ask for, and those of the same families.
func allRights() []string {
	return slices.Concat(machineRights, storageRights, []string{
		"Pool.Allocate", "Pool.Audit", "SDN.Allocate", "SDN.Audit", "SDN.Use", "Sys.Audit", "Sys.Modify", "VM.Backup", "VM.Config.HWType",
		"VM.Console", "VM.GuestAgent.Unrestricted", "VM.Migrate", "VM.Snapshot",
	})
}

// rights are what a token may do on a path: the grant on the longest path at or above it, and for machines and storages
// of a pool the grant on the pool too (pve-access-control RPCEnvironment.pm, permissions).
func (a *API) rights(token, path string) []string {
	rights := a.granted(token, path)
	for _, p := range a.pools {
		if p.covers(a, path) {
			rights = append(rights, a.granted(token, "/pool/"+p.id)...)
		}
	}
	denied := a.settings.Get().Denied
	return slices.DeleteFunc(rights, func(p string) bool { return slices.Contains(denied, p) || !a.exists(p) })
}

func (a *API) granted(token, path string) []string {
	if token == "main" {
		return allRights()
	}
	for {
		for _, g := range a.grants {
			if g.token == token && g.path == path {
				return slices.Clone(g.privileges)
			}
		}
		if path == "/" {
			return nil
		}
		path = path[:strings.LastIndex(path, "/")]
		if path == "" {
			path = "/"
		}
	}
}

// exists says whether the emulated release has a privilege: PVE 9 has VM.GuestAgent.* in place of VM.Monitor.
func (a *API) exists(privilege string) bool {
	if privilege == "VM.Monitor" {
		return !a.since(9, 0)
	}
	return a.since(9, 0) || !strings.HasPrefix(privilege, "VM.GuestAgent.")
}

func (c *call) may(path, privilege string) bool {
	return slices.Contains(c.api.rights(c.Token, path), privilege)
}

// mayAny is may for one of several privileges.
func (c *call) mayAny(path string, privileges ...string) bool {
	return slices.ContainsFunc(privileges, func(p string) bool { return c.may(path, p) })
}

// permission says what a route asks for; nil lets the call through.
type permission func(*call) *core.Answer

// anyone needs a valid token and no privilege.
func anyone(*call) *core.Answer { return nil }

// every needs all of the privileges on a path; {name} stands for a parameter.
func every(path string, privileges ...string) permission {
	return func(c *call) *core.Answer {
		where := c.expand(path)
		for _, privilege := range privileges {
			if !c.may(where, privilege) {
				return c.forbidden(where + ", " + strings.Join(privileges, "|"))
			}
		}
		return nil
	}
}

// oneOf needs one of the privileges on a path.
func oneOf(path string, privileges ...string) permission {
	return func(c *call) *core.Answer {
		where := c.expand(path)
		if !c.mayAny(where, privileges...) {
			return c.forbidden(where + ", " + strings.Join(privileges, "|"))
		}
		return nil
	}
}

func (c *call) expand(path string) string {
	for name, value := range c.in {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	return path
}

// dropAccess removes what a destroyed machine leaves behind: its grants and its place in a pool (ac AccessControl.pm,
// remove_vm_access). Who had rights through these is forbidden to ask afterwards, instead of told that it is gone.
func (a *API) dropAccess(vmid int) {
	path := "/vms/" + strconv.Itoa(vmid)
	a.grants = slices.DeleteFunc(a.grants, func(g grant) bool { return g.path == path })
	for _, p := range a.pools {
		p.remove(vmid)
	}
}

// getPermissions: a token reads its own rights (ac API2/AccessControl.pm, permissions).
func getPermissions(c *call) core.Answer {
	paths := []string{"/", "/access", "/nodes", "/pool", "/sdn", "/storage", "/vms", "/sdn/zones", "/sdn/zones/localnetwork"}
	if c.in.has("path") {
		paths = []string{c.in["path"]}
	} else {
		for _, g := range c.api.grants {
			paths = append(paths, g.path)
		}
	}
	found := object{}
	for _, path := range paths {
		rights := map[string]int{}
		for _, privilege := range c.api.rights(c.Token, path) {
			rights[privilege] = 1
		}
		if len(rights) > 0 || c.in.has("path") {
			found[path] = rights
		}
	}
	return c.reply(found)
}
