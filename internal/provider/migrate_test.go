// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package provider_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	framework "github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/providerserver"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"
	acceptance "github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// vendorsOwn stands for a vendor's own provider, as far as a CLI needs one that has a resource in its state: it has one type of
// resource, whose create takes the object that is there.
type vendorsOwn struct {
	typeName, id string
}

// Metadata is that of provider.Provider.
func (v *vendorsOwn) Metadata(_ context.Context, _ framework.MetadataRequest, response *framework.MetadataResponse) {
	response.TypeName, _, _ = strings.Cut(v.typeName, "_")
}

// Schema is that of provider.Provider.
func (v *vendorsOwn) Schema(context.Context, framework.SchemaRequest, *framework.SchemaResponse) {}

// Configure is that of provider.Provider.
func (v *vendorsOwn) Configure(context.Context, framework.ConfigureRequest, *framework.ConfigureResponse) {
}

// DataSources is that of provider.Provider.
func (v *vendorsOwn) DataSources(context.Context) []func() datasource.DataSource { return nil }

// Resources is that of provider.Provider.
func (v *vendorsOwn) Resources(context.Context) []func() resource.Resource {
	return []func() resource.Resource{func() resource.Resource { return &ownResource{v} }}
}

type ownResource struct{ *vendorsOwn }

type ownModel struct {
	ID types.String `tfsdk:"id"`
}

// Metadata is that of resource.Resource.
func (r *ownResource) Metadata(_ context.Context, _ resource.MetadataRequest, response *resource.MetadataResponse) {
	response.TypeName = r.typeName
}

// Schema is that of resource.Resource.
func (r *ownResource) Schema(_ context.Context, _ resource.SchemaRequest, response *resource.SchemaResponse) {
	response.Schema = schema.Schema{Attributes: map[string]schema.Attribute{"id": schema.StringAttribute{Computed: true}}}
}

// Create takes the object.
func (r *ownResource) Create(ctx context.Context, _ resource.CreateRequest, response *resource.CreateResponse) {
	response.Diagnostics.Append(response.State.Set(ctx, ownModel{types.StringValue(r.id)})...)
}

// Read keeps what is there.
func (r *ownResource) Read(context.Context, resource.ReadRequest, *resource.ReadResponse) {}

// Update has nothing to change.
func (r *ownResource) Update(context.Context, resource.UpdateRequest, *resource.UpdateResponse) {}

// Delete must never be asked for.
func (r *ownResource) Delete(_ context.Context, _ resource.DeleteRequest, response *resource.DeleteResponse) {
	response.Diagnostics.AddError("the old resource is to be destroyed", "A migration destroys nothing.")
}

// guideBlock is the configuration of the guide about migrations.
func guideBlock(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "templates", "guides", "migrate.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "```terraform\n")
	block, _, ended := strings.Cut(after, "```")
	if !found || !ended {
		t.Fatal("the guide has no configuration")
	}
	return block
}

// moving is the configuration of the guide for another type of resource and its vendor.
func (m migrated) moving(s *providertest.Scene, id string) string {
	text := strings.NewReplacer(
		`hetzner_cloud = { token = "env://HCLOUD_TOKEN" }`, s.Vendor.BlockOn(s.Emulator, "env://"+providertest.SceneVariable),
		"hcloud_server", m.from, `"152016692"`, fmt.Sprintf("%q", id), "bettercompute_instance", m.to,
		`"cx23"`, fmt.Sprintf("%q", s.Vendor.Offer), `"ubuntu-24.04"`, fmt.Sprintf("%q", s.Vendor.Image), `"fsn1"`, fmt.Sprintf("%q", s.Vendor.Region),
	).Replace(guideBlock(s.T))
	if m.to == addressType {
		text = regexp.MustCompile(`(?m)^  (offer_id|image) .*\n`).ReplaceAllString(text, "")
	}
	return text
}

// migrated is one way from a vendor's own provider to this one.
type migrated struct {
	from, to, vendor, collection string
	planted                      emulator.Fields
}

var ways = []migrated{
	{"hcloud_server", instanceType, "hetzner", "servers", emulator.Fields{"labels": map[string]string{"team": "a"}}},
	{"digitalocean_droplet", instanceType, "digitalocean", "droplets", emulator.Fields{"size_slug": "s-2vcpu-4gb", "region": "fra1", "tags": []string{"team-a"}}},
	{"proxmox_virtual_environment_vm", instanceType, "proxmox", "vms", emulator.Fields{
		"cores": 2, "memory": "4096", "scsi0": "local-lvm:disk,size=20G", "status": "running", "tags": "team-a", "description": "made elsewhere",
	}},
	{"hcloud_floating_ip", addressType, "hetzner", "floating_ips", emulator.Fields{"labels": map[string]string{"team": "a"}}},
}

// unmarkedParts are what a migration must leave as it was.
func unmarkedParts(vendor providertest.Vendor, object emulator.Object) []string {
	labels, _ := vendor.Labels(object)
	return []string{object.ID, object.State, fmt.Sprint(labels)}
}

// TestFromTheVendorsOwnProviders: a moved block ends in the two blocks that do it, these take the object over and touch
// nothing but its marks, and the plan after that is empty.
func TestFromTheVendorsOwnProviders(t *testing.T) {
	for _, way := range ways {
		t.Run(way.from, func(t *testing.T) {
			providertest.NeedCLI(t)
			vendor := vendorsOf(way.vendor)[0]
			s := providertest.NewScene(t, vendor)
			way.run(s)
		})
	}
}

func (m migrated) run(s *providertest.Scene) {
	fields := maps.Clone(m.planted)
	fields["name"] = "web"
	before, err := s.Emulator.Plant(m.vendor, m.collection, fields)
	if err != nil {
		s.T.Fatal(err)
	}
	factories := providertest.Factories()
	name, _, _ := strings.Cut(m.from, "_")
	own := &vendorsOwn{typeName: m.from, id: before.ID}
	factories[name] = providerserver.NewProtocol6WithError(own)
	config := m.moving(s, before.ID)
	account, _, _ := strings.Cut(config, "removed {")
	_, taken, _ := strings.Cut(config, "import {")
	_, kept, _ := strings.Cut(taken, "}\n")
	moved := fmt.Sprintf("moved {\n  from = %s.web\n  to   = %s.web\n}\n", m.from, m.to)
	acceptance.Test(s.T, acceptance.TestCase{
		ProtoV6ProviderFactories: factories,
		Steps: []acceptance.TestStep{
			{Config: fmt.Sprintf("resource %q \"web\" {}\n", m.from)},
			{Config: account + moved + kept, ExpectError: regexp.MustCompile(`is\s+imported,\s+not\s+moved(?s:.*)` + regexp.QuoteMeta(before.ID))},
			{
				PreConfig: s.Emulator.ClearJournal, Config: config,
				ConfigPlanChecks: acceptance.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(m.to+".web", plancheck.ResourceActionUpdate)}},
				Check:            func(*terraform.State) error { return m.untouched(s, before) },
			},
			{
				Config: account + kept, ConfigPlanChecks: acceptance.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()}},
			},
		},
	})
}

// untouched says what of the object has changed besides its marks.
func (m migrated) untouched(s *providertest.Scene, before emulator.Object) error {
	for _, write := range s.Writes() {
		if !s.Vendor.Marks(write) {
			return fmt.Errorf("the migration has sent %s", write)
		}
	}
	for _, object := range s.Emulator.Objects(m.vendor, m.collection) {
		if object.ID != before.ID {
			continue
		}
		if diff := cmp.Diff(unmarkedParts(s.Vendor, before), unmarkedParts(s.Vendor, object)); diff != "" {
			return fmt.Errorf("the migration has changed (-before +after):\n%s", diff)
		}
		if _, marks := s.Vendor.Labels(object); marks["claim"] == "" {
			return fmt.Errorf("it bears no claim: %v", marks)
		}
		return nil
	}
	return fmt.Errorf("%s is not there any more", before.ID)
}
