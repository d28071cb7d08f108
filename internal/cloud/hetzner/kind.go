// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package hetzner is the driver of Hetzner Cloud, on the vendor's own library with its retries off.
package hetzner

import (
	"context"
	"fmt"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

const (
	kindName = "hetzner-cloud"
	// pageSize is the most entries of a page (Hetzner API document, "Pagination").
	pageSize = 50
	// maxUserData is the most bytes of user data (Hetzner API document, POST /servers).
	maxUserData = 32 << 10
)

// pacing makes all accounts of the process with the same endpoint and token obey the vendor's rate limit together: the
// limit is the project's, however many accounts and configurations of the provider use it.
var pacing = transport.NewPacing()

// Kind is Hetzner Cloud.
func Kind() driver.Kind {
	return driver.Kind{Manifest: config(), Options: options(), CheckOptions: checkOptions, Families: familiesOf, Open: open, Region: regionOf}
}

func regionOf(values manifest.Values) string { return values.String("location") }

func config() manifest.Manifest {
	return manifest.Manifest{
		Kind:      kindName,
		Attribute: "hetzner_cloud",
		Title:     "Hetzner Cloud",
		Doc:       "An account is one project of Hetzner Cloud: its API token belongs to exactly one.",
		Fields: []manifest.Field{
			{
				Name: "token", Type: manifest.String, Required: true, Secret: true,
				Doc: "Reference to the project's API token with read and write permission, such as `env://HCLOUD_TOKEN`.",
			},
			{
				Name: "location", Type: manifest.String, Default: "fsn1",
				Doc: "Location of machines that name no region of their own, such as `nbg1`. Default: `fsn1`.",
			},
			{
				Name: "dns_zones", Type: manifest.StringMap, Check: failure.CheckZones,
				Doc: "Tenants that the project's DNS zones belong to, by zone, such as `{ \"example.com\" = \"shop\" }`: a managed certificate is made only for " +
					"domains in zones of its own tenant. Default: all zones belong to the account's tenant.",
			},
			{
				Name: "endpoint", Type: manifest.String, Default: hcloud.Endpoint, Check: checkEndpoint,
				Doc: "URL of the API; plain http on loopback addresses only. Default: `" + hcloud.Endpoint + "`.",
			},
		},
	}
}

func checkEndpoint(value any) error {
	text, _ := value.(string)
	return transport.CheckEndpoint(text)
}

// cloud is the driver of one account.
type cloud struct {
	client   *hcloud.Client
	location string
	host     string
	endpoint string
	token    func(context.Context) (string, error)
	// mark is read once.
	mark driver.Kept[string]
	// market and prices are read once.
	market driver.Kept[market]
	prices driver.Kept[string]
}

func open(values manifest.Values, environment driver.Environment) (driver.Driver, error) {
	reference := values.String("token")
	endpoint := values.String("endpoint")
	token := func(ctx context.Context) (string, error) { return environment.Resolve(ctx, reference) }
	client, err := transport.New(transport.Options{
		Vendor:            kindName,
		Endpoint:          endpoint,
		Version:           environment.Version,
		Base:              environment.Base,
		Token:             token,
		Waits:             driver.Waits,
		MaxRetries:        environment.MaxRetries,
		RequestsPerSecond: environment.RequestsPerSecond,
		RepeatWrites:      true,
		Refill:            time.Second,
		RequestIDHeader:   requestIDHeader,
		Pacing:            pacing,
	})
	if err != nil {
		return nil, fmt.Errorf("endpoint %w", err)
	}
	return &cloud{
		client: hcloud.NewClient(
			hcloud.WithEndpoint(endpoint),
			hcloud.WithHTTPClient(client),
			hcloud.WithRetryOpts(hcloud.RetryOpts{MaxRetries: 0}),
		),
		location: values.String("location"),
		host:     failure.HostOf(endpoint),
		endpoint: endpoint,
		token:    token,
	}, nil
}

// Limits are the vendor's fixed numbers.
func (c *cloud) Limits() driver.Limits {
	return driver.Limits{UserDataBytes: maxUserData, PollBatch: pageSize, ListPage: pageSize, UniqueNames: true, CreateTimeout: 20 * time.Minute}
}

// Verify reads the currency of the prices, which a plan of a machine needs too: every read of this vendor needs a token.
// Whether it may also write, a read does not tell.
func (c *cloud) Verify(ctx context.Context) error {
	_, err := c.prices.Get(ctx, c.currency)
	return err
}
