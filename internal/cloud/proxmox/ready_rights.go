// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"fmt"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// permissions are a token's own rights: by path and privilege, 1 where the right goes for everything below the path (GET
// /access/permissions).
type permissions map[string]map[string]number

// permissions reads the token's rights, once. Every token may ask for its own.
func (c *cloud) permissions(ctx context.Context) (permissions, error) {
	return c.kept.permissions.Get(ctx, func(ctx context.Context) (permissions, error) {
		own := permissions{}
		err := c.client.get(ctx, "/access/permissions", nil, &own)
		return own, err
	})
}

// has says whether the token has a privilege on a path: what is said of the path itself, else of the nearest one above it.
func (p permissions) has(privilege, path string) bool {
	if rights, there := p[path]; there {
		_, has := rights[privilege]
		return has
	}
	for path != "/" {
		path = path[:strings.LastIndex(path, "/")]
		if path == "" {
			path = "/"
		}
		if rights, there := p[path]; there {
			return rights[privilege] != 0
		}
	}
	return false
}

// hasBelow says whether the token has a privilege on a path or anywhere below it.
func (p permissions) hasBelow(privilege, path string) bool {
	for where, rights := range p {
		if _, has := rights[privilege]; has && strings.HasPrefix(where+"/", path+"/") {
			return true
		}
	}
	return p.has(privilege, path)
}

// need is a right that a create needs: one of the privileges, on one of the paths.
type need struct {
	privileges, paths []string
	below             bool
}

// needs are the rights that can be told before: those on disks and bridges of the template are not known without its config.
func (c *cloud) needs(spec driver.Spec, template row, iso string) []need {
	machine := []string{fmt.Sprintf("/vms/%d", c.vmidMin)}
	if c.pool != "" {
		machine = append(machine, "/pool/"+c.pool)
	}
	needs := []need{{privileges: []string{"VM.Clone"}, paths: []string{fmt.Sprintf("/vms/%d", template.VMID.int())}}}
	for _, privileges := range [][]string{
		{"VM.Allocate"}, {"VM.Config.CPU"}, {"VM.Config.Memory"}, {"VM.Config.Options"}, {"VM.Config.Network", "VM.Config.Cloudinit"}, {"VM.PowerMgmt"},
	} {
		needs = append(needs, need{privileges: privileges, paths: machine})
	}
	if size, err := parseOffer(spec.OfferID); err == nil && size.diskGiB > 0 {
		needs = append(needs, need{privileges: []string{"VM.Config.Disk"}, paths: machine})
	}
	if c.storage != "" {
		needs = append(needs, need{privileges: []string{"Datastore.AllocateSpace"}, paths: []string{"/storage/" + c.storage}})
	}
	if iso != "" {
		needs = append(needs, need{privileges: []string{"VM.Config.CDROM"}, paths: machine})
		for _, privilege := range []string{"Datastore.AllocateTemplate", "Datastore.Allocate"} {
			needs = append(needs, need{privileges: []string{privilege}, paths: []string{"/storage/" + iso}})
		}
	}
	return append(needs, need{privileges: []string{"SDN.Use"}, paths: []string{"/sdn/zones/localnetwork"}, below: true})
}

func (n need) metBy(own permissions) bool {
	for _, privilege := range n.privileges {
		for _, path := range n.paths {
			if own.has(privilege, path) || n.below && own.hasBelow(privilege, path) {
				return true
			}
		}
	}
	return false
}

// checkRights refuses what the token may not do.
func (c *cloud) checkRights(ctx context.Context, spec driver.Spec, template row) error {
	own, err := c.permissions(ctx)
	if err != nil {
		return err
	}
	iso := ""
	if len(spec.UserData) > 0 && !spec.KeysOnly && c.snippets == nil {
		if iso, err = c.isoStorageOf(ctx, c.nodeFor(template)); err != nil {
			return err
		}
	}
	var lacks []string
	for _, need := range c.needs(spec, template, iso) {
		if !need.metBy(own) {
			lacks = append(lacks, fmt.Sprintf("%s on %s is needed to %s", strings.Join(need.privileges, " or "), strings.Join(need.paths, " or "), purposeOf(need.privileges[0])))
		}
	}
	if len(lacks) == 0 {
		return nil
	}
	return &rightsError{lacks: lacks}
}

func (c *cloud) nodeFor(template row) string {
	if c.node != "" {
		return c.node
	}
	return template.Node
}

func purposeOf(privilege string) string {
	for _, right := range Rights {
		if right.Privilege == privilege {
			return right.For
		}
	}
	return "make machines"
}

// rightsError says which rights a token lacks.
type rightsError struct{ lacks []string }

func (e *rightsError) Error() string {
	return "the token lacks rights: " + strings.Join(e.lacks, "; ")
}

// rightsNext says how a token comes by rights (pveum(1), "Permission Management").
const rightsNext = "Give the token a role with these privileges on these paths (in the web interface: Datacenter, Permissions; in a shell: pveum acl modify). " +
	"A token with separated privileges needs them besides its user."
