// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package digitalocean is the driver of DigitalOcean, on the vendor's own library with its retries off.
package digitalocean

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/transport"
)

const (
	kindName        = "digitalocean"
	defaultEndpoint = "https://api.digitalocean.com/"
	// pageSize is the most entries of a page (DigitalOcean API document, "Links & Pagination").
	pageSize = 200
	// maxUserData is the most bytes of user data (DigitalOcean API document, POST /v2/droplets).
	maxUserData = 64 << 10
	// indexLag is how long a droplet may be missing from a list by tag. The vendor publishes no figure.
	indexLag = 30 * time.Second
	// appearLag is how long a droplet may be missing altogether after its create was accepted, which the vendor's own
	// Terraform provider waits out too.
	appearLag = 120 * time.Second
)

// pacing makes all accounts of the process with the same endpoint and token obey the vendor's rate limit together.
var pacing = transport.NewPacing()

// Kind is DigitalOcean.
func Kind() driver.Kind {
	return driver.Kind{Manifest: config(), Options: options(), CheckOptions: checkOptions, Families: familiesOf, Open: open, Region: regionOf}
}

func regionOf(values manifest.Values) string { return values.String("region") }

func config() manifest.Manifest {
	return manifest.Manifest{
		Kind:      kindName,
		Attribute: "digitalocean",
		Title:     "DigitalOcean",
		Doc:       "An account is one team of DigitalOcean: its API token belongs to exactly one.",
		Fields: []manifest.Field{
			{
				Name: "token", Type: manifest.String, Required: true, Secret: true,
				Doc: "Reference to the team's API token, such as `env://DIGITALOCEAN_TOKEN`. It needs read and write access to droplets, reserved IPs, certificates, actions and tags, and read access to the account, domains, regions, sizes, images, VPCs, firewalls and SSH keys.",
			},
			{
				Name: "region", Type: manifest.String, Required: true, Check: checkRegion,
				Doc: "Slug of the region of machines that name none of their own, such as `fra1`.",
			},
			{
				Name: "endpoint", Type: manifest.String, Default: defaultEndpoint, Check: checkEndpoint,
				Doc: "URL of the API, without a path; plain http on loopback addresses only. Default: `" + defaultEndpoint + "`.",
			},
			{
				Name: "previews", Type: manifest.Boolean, Default: false,
				Doc: "Allow what DigitalOcean offers as a preview: addresses out of a prefix of your own (BYOIP). Default: `false`.",
			},
			{
				Name: "dns_zones", Type: manifest.StringMap, Check: failure.CheckZones,
				Doc: "Tenants that the team's domains belong to, by domain, such as `{ \"example.com\" = \"shop\" }`: a managed certificate is made only for " +
					"names in domains of its own tenant. Default: all domains belong to the account's tenant.",
			},
			{
				Name: "vpc_uuid", Type: manifest.String, Check: checkUUID,
				Doc: "UUID of the VPC that machines are put into; it must be in their region. Default: the region's default VPC.",
			},
			{
				Name: "project_id", Type: manifest.String, Check: checkUUID,
				Doc: "Id of the project that machines and IPv4 addresses are put into as they are made; what was made before stays where it is. " +
					"The token needs the scopes `project:read` and `project:assign_resource` then. IPv6 addresses and certificates belong to no project. Default: the team's default project.",
			},
		},
	}
}

// checkEndpoint refuses a path: the vendor's library drops it for some calls.
func checkEndpoint(value any) error {
	text, _ := value.(string)
	if err := transport.CheckEndpoint(text); err != nil {
		return err
	}
	address, err := url.Parse(text)
	if err != nil || strings.Trim(address.Path, "/") != "" {
		return errors.New("must not contain a path: the API is at the root of its host")
	}
	return nil
}

var (
	regionPattern = regexp.MustCompile(`^[a-z][a-z0-9-]{0,38}[a-z0-9]$`)
	uuidPattern   = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

func checkRegion(value any) error {
	if text, _ := value.(string); !regionPattern.MatchString(text) {
		return errors.New("must be the slug of a region, such as fra1")
	}
	return nil
}

func checkUUID(value any) error {
	if text, _ := value.(string); !uuidPattern.MatchString(text) {
		return errors.New("must be a UUID in lower case, such as 760e09ef-dc84-11e8-981e-3cfdfeaae000")
	}
	return nil
}

// cloud is the driver of one account.
type cloud struct {
	client *godo.Client
	region string
	vpc    string
	// project is empty where the config names none.
	project string
	// previews allows what the vendor offers as a preview.
	previews bool
	host     string
	// market, place and placeProof are read once.
	market     driver.Kept[market]
	place      driver.Kept[godo.Account]
	placeProof driver.Kept[string]
	// tagging lets calls about tags be shared, shown remembers droplets that were there.
	tagging tagging
	shown   shown
	// assigning lets droplets go into their project together.
	assigning gatherer[string, projectAnswer]
}

// burstShare: a minute may have 5 percent of an hour's requests (DigitalOcean API document, "Rate Limit").
const burstShare = 0.05

func open(values manifest.Values, environment driver.Environment) (driver.Driver, error) {
	reference := values.String("token")
	endpoint := strings.TrimRight(values.String("endpoint"), "/") + "/"
	client, err := transport.New(transport.Options{
		Vendor:   kindName,
		Endpoint: endpoint,
		Version:  environment.Version,
		Base:     environment.Base,
		Token: func(ctx context.Context) (string, error) {
			return environment.Resolve(ctx, reference)
		},
		Waits:             driver.Waits,
		MaxRetries:        environment.MaxRetries,
		RequestsPerSecond: environment.RequestsPerSecond,
		RepeatWrites:      true,
		BurstShare:        burstShare,
		RequestIDHeader:   requestIDHeader,
		Pacing:            pacing,
	})
	if err != nil {
		return nil, fmt.Errorf("endpoint %w", err)
	}
	client.Transport = keeping{client.Transport}
	library, err := godo.New(client, godo.SetBaseURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("endpoint %w", err)
	}
	return &cloud{
		client: library, region: values.String("region"), vpc: values.String("vpc_uuid"), previews: values.Boolean("previews"), host: failure.HostOf(endpoint),
		project: values.String("project_id"), shown: shown{ids: map[string]bool{}},
	}, nil
}

// Limits are the vendor's fixed numbers.
func (c *cloud) Limits() driver.Limits {
	return driver.Limits{
		IndexLag: indexLag, RenewalChangesID: true, AppearLag: appearLag, UserDataBytes: maxUserData, PollBatch: pageSize, ListPage: pageSize, FixedUserData: true,
		CreateTimeout: 20 * time.Minute,
	}
}
