// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package proxmox is the driver of Proxmox VE, on a small client of its own. A machine is a clone of a template; its VMID
// follows from its key, and its description says whose it is.
package proxmox

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/proxmox/snippets"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

const (
	kindName = "proxmox"
	// maxUserData is what a snippet may have (qemu-server, Cloudinit.pm); an ISO image could hold more.
	maxUserData = 1 << 20
	// pollBatch is how many tasks one Poll asks for; the vendor takes one request each.
	pollBatch = 32
	// addressWait is how long a create waits for the guest agent.
	addressWait = 60 * time.Second
)

// pacing is shared by all accounts of the process; the vendor itself has no rate limit, a proxy before it may.
var pacing = transport.NewPacing()

// Kind is Proxmox VE.
func Kind() driver.Kind {
	return driver.Kind{Manifest: config(), Options: options(), CheckOptions: checkOptions, Open: open, Region: regionOf}
}

func regionOf(values manifest.Values) string { return values.String("region") }

// settings are the account's config, read once.
type settings struct {
	region, node, pool, storage, disk, isoStorage string
	fullClone                                     bool
	vmidMin, vmidMax                              int
	offers                                        []size
	taskTimeout                                   time.Duration
	cloneLimit                                    int
	snippetStorage                                string
}

// cloud is the driver of one account.
type cloud struct {
	settings
	client   *client
	host     string
	snippets snippets.Store
	memory   *memory
	kept     *kept
}

// kept is what is read once for as long as the driver lives.
type kept struct {
	permissions driver.Kept[permissions]
	stock       driver.Kept[[]row]
	// mutex guards isos, the storages for ISO images by node.
	mutex sync.Mutex
	isos  map[string]*driver.Kept[[]storage]
}

func open(values manifest.Values, environment driver.Environment) (driver.Driver, error) {
	own, err := readSettings(values)
	if err != nil {
		return nil, err
	}
	trusted, err := trust(values)
	if err != nil {
		return nil, err
	}
	reference, endpoint := values.String("token"), strings.TrimRight(values.String("url"), "/")
	carrier, err := transport.New(transport.Options{
		Vendor: kindName, Endpoint: endpoint, Version: environment.Version, Base: environment.Base, TLS: trusted,
		Token:               func(ctx context.Context) (string, error) { return environment.Resolve(ctx, reference) },
		AuthorizationPrefix: "PVEAPIToken=",
		Waits:               driver.Waits, MaxRetries: environment.MaxRetries, RequestsPerSecond: environment.RequestsPerSecond,
		RepeatStatus: nodeStatuses, Pacing: pacing,
	})
	if err != nil {
		return nil, fmt.Errorf("url %w", err)
	}
	return &cloud{
		settings: own, host: failure.HostOf(endpoint), memory: newMemory(), kept: &kept{isos: map[string]*driver.Kept[[]storage]{}},
		client:   &client{http: carrier, base: endpoint + "/api2/json"},
		snippets: storeOf(values.Object("snippets"), environment),
	}, nil
}

func readSettings(values manifest.Values) (settings, error) {
	timeout, err := time.ParseDuration(values.String("task_timeout"))
	if err != nil {
		return settings{}, fmt.Errorf("task_timeout: %w", err)
	}
	own := settings{
		region: values.String("region"), node: values.String("node"), pool: values.String("pool"), storage: values.String("storage"),
		disk: values.String("disk"), isoStorage: values.String("iso_storage"), fullClone: values.Boolean("full_clone"),
		vmidMin: int(values.Integer("vmid_min")), vmidMax: int(values.Integer("vmid_max")),
		taskTimeout: timeout, cloneLimit: int(values.Integer("clone_limit")),
		snippetStorage: values.Object("snippets").String("storage"),
	}
	for _, id := range values.StringList("offers") {
		offer, err := parseOffer(id)
		if err != nil {
			return settings{}, fmt.Errorf("offer %q %w", id, err)
		}
		own.offers = append(own.offers, offer)
	}
	return own, nil
}

// storeOf answers where snippets go; nil: user data goes by an ISO image.
func storeOf(values manifest.Values, environment driver.Environment) snippets.Store {
	if values == nil {
		return nil
	}
	server := values.Object("sftp")
	if server == nil {
		return snippets.Directory(values.String("directory"))
	}
	reference := server.String("private_key")
	return snippets.SFTP{
		Host: server.String("host"), Port: int(server.Integer("port")), User: server.String("user"),
		Directory: server.String("directory"), KnownHost: server.String("known_host"),
		PrivateKey: func(ctx context.Context) (string, error) {
			text, err := environment.ResolveText(ctx, reference)
			if err != nil {
				return "", &failure.Reference{Field: privateKeyField, Err: err}
			}
			if err := snippets.CheckPrivateKey(text); err != nil {
				return "", &failure.Input{Field: privateKeyField, Message: "the value behind " + reference + " is no key to log in with: " + err.Error()}
			}
			return text, nil
		},
	}
}

// privateKeyField is the key's path in the account's config.
const privateKeyField = "snippets.sftp.private_key"

// Limits are the vendor's fixed numbers. Names are not unique, a create is a clone and then its configuration, and every
// machine is read by requests of its own.
func (c *cloud) Limits() driver.Limits {
	return driver.Limits{
		UserDataBytes: maxUserData, PollBatch: pollBatch, CreateTimeout: 30 * time.Minute,
		Stepwise: true, ReadsEach: true, AddressWait: addressWait, ResizeKeepsPlace: true,
	}
}

// Verify reads the token's own rights, which a plan of a machine looks at too (pve-access-control, API2/AccessControl.pm,
// permissions).
func (c *cloud) Verify(ctx context.Context) error {
	_, err := c.permissions(ctx)
	return err
}

// vmPath answers the path of a machine on its node, with more behind it.
func vmPath(node string, vmid int, more string) string {
	return fmt.Sprintf("/nodes/%s/qemu/%d%s", url.PathEscape(node), vmid, more)
}
