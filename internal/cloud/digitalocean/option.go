// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"slices"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// The options that only this vendor has.
const (
	optionVPC        = "vpc_uuid"
	optionMonitoring = "monitoring"
	optionSSHKeys    = "ssh_key_ids"
)

// The features of a droplet that are options (DigitalOcean API document, model droplet, features).
const (
	featureBackups    = "backups"
	featureIPv6       = "ipv6"
	featureMonitoring = "monitoring"
)

// options: what an order takes and cannot be changed later replaces the droplet (DigitalOcean API document, POST
// /v2/droplets and POST /v2/droplets/{droplet_id}/actions).
func options() []driver.Option {
	return []driver.Option{
		driver.CommonOption(driver.OptionPublicIPv4, driver.Option{
			Effect: driver.Replaces, Addresses: true,
			Note: "`false` orders the droplet without public networking: it has no IPv6 either and never takes a reserved IP.",
		}),
		driver.CommonOption(driver.OptionPublicIPv6, driver.Option{
			Effect: driver.InPlace, Off: driver.Replaces, Addresses: true,
			Note: "Not written, a droplet with public networking is ordered with IPv6. Switched on later, the address has to be configured in the guest by hand.",
		}),
		driver.CommonOption(driver.OptionBackups, driver.Option{
			Effect: driver.InPlace, Note: "Weekly, at a time of the vendor's choice; a policy that was set by hand stays.",
		}),
		driver.CommonOption(driver.OptionDeleteProtection, driver.Option{
			Effect: driver.InPlace, Local: true, Note: "DigitalOcean has no switch of its own: only plans honour it.",
		}),
		driver.CommonOption(driver.OptionNetwork, driver.Option{
			Effect: driver.Replaces, Refers: true, Addresses: true, Follows: []string{optionVPC},
			Note: "A VPC of the machine's region. Not written: the account's `vpc_uuid`, else the region's default VPC.",
		}),
		{
			Field: manifest.Field{
				Name: optionVPC, Type: manifest.String, Check: checkUUID,
				Doc: "UUID of the VPC, in place of `network`.",
			},
			Effect: driver.Replaces, Refers: true, Addresses: true, Follows: []string{driver.OptionNetwork},
		},
		{
			Field: manifest.Field{
				Name: optionMonitoring, Type: manifest.Boolean,
				Doc: "Whether the vendor's metrics agent is installed with the droplet.",
			},
			Effect: driver.Replaces, Note: "Later the agent can only be installed or removed in the guest.",
		},
		{
			Field: manifest.Field{
				Name: optionSSHKeys, Type: manifest.StringSet,
				Doc: "SSH keys of the team that the droplet gets at its creation, by id or name, beside `ssh_authorized_keys`. With at least one of them no root password is sent by e-mail.",
			},
			Effect: driver.Replaces, Refers: true, Hidden: true,
		},
		{
			Field: manifest.Field{
				Name: projectField, Type: manifest.String,
				Doc: "Project of the team that the droplet is in, by id or name, in place of the account's `project_id`. The token needs the scopes `project:read` and `project:assign_resource`.",
			},
			Effect: driver.InPlace, Refers: true, Project: true,
			Note: "Not written: the account's `project_id`, else the team's default project, at the creation; later the droplet stays where it is. " +
				"Its reserved addresses have to be of an account with the same project.",
		},
	}
}

// familiesOf: a droplet is always in a VPC, which is of IPv4, and without public networking it has no IPv6 (DigitalOcean API
// document, POST /v2/droplets, public_networking).
func familiesOf(options manifest.Values) (public, private []string) {
	private = []string{"ipv4"}
	if options[driver.OptionPublicIPv4] == false {
		return nil, private
	}
	public = []string{"ipv4"}
	if options[driver.OptionPublicIPv6] != false {
		public = append(public, "ipv6")
	}
	return public, private
}

// checkOptions looks at options that depend on each other.
func checkOptions(written manifest.Values) []manifest.Fault {
	var faults []manifest.Fault
	if written[driver.OptionPublicIPv4] == false && written[driver.OptionPublicIPv6] == true {
		faults = append(faults, manifest.Fault{
			Path: []string{driver.OptionPublicIPv6}, Message: "cannot be true with public_ipv4 = false: a droplet without public networking has no IPv6 either",
		})
	}
	network, vpc := written.String(driver.OptionNetwork), written.String(optionVPC)
	if network != "" && vpc != "" && network != vpc {
		faults = append(faults, manifest.Fault{Path: []string{optionVPC}, Message: "cannot be written together with network, unless both are the same VPC's UUID"})
	}
	if project, there := written[projectField]; there && project == "" {
		faults = append(faults, manifest.Fault{
			Path: []string{projectField}, Message: "must not be empty: leave it out for the account's project, else the team's default one",
		})
	}
	return faults
}

// orderOptions puts the options into an order.
func (c *cloud) orderOptions(order *godo.DropletCreateRequest, options manifest.Values) error {
	public := options[driver.OptionPublicIPv4] != false
	order.VPCUUID, order.IPv6 = c.vpc, public && options[driver.OptionPublicIPv6] != false
	if !public {
		order.PublicNetworking = new(false)
	}
	for _, name := range []string{driver.OptionNetwork, optionVPC} {
		if id := options.String(name); id != "" {
			order.VPCUUID = id
		}
	}
	order.Backups, order.Monitoring = options.Boolean(driver.OptionBackups), options.Boolean(optionMonitoring)
	for _, id := range options.StringList(optionSSHKeys) {
		number, err := parseID(id)
		if err != nil {
			return err
		}
		order.SSHKeys = append(order.SSHKeys, godo.DropletCreateSSHKey{ID: number})
	}
	return nil
}

// optionsOf are the options that a droplet shows: nothing while it is being made, and no word about IPv4 before its
// addresses are there.
func optionsOf(droplet *godo.Droplet, addresses []driver.Address) manifest.Values {
	shown := manifest.Values{}
	if droplet.VPCUUID != "" {
		shown[driver.OptionNetwork], shown[optionVPC] = droplet.VPCUUID, droplet.VPCUUID
	}
	if stateOf(droplet.Status) == driver.StatePending {
		return shown
	}
	shown[driver.OptionBackups] = slices.Contains(droplet.Features, featureBackups)
	shown[driver.OptionPublicIPv6] = slices.Contains(droplet.Features, featureIPv6)
	shown[optionMonitoring] = slices.Contains(droplet.Features, featureMonitoring)
	if len(addresses) > 0 {
		shown[driver.OptionPublicIPv4] = slices.ContainsFunc(addresses, func(own driver.Address) bool {
			return own.Family == "ipv4" && own.Scope == "public"
		})
	}
	return shown
}
