// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package vendormade

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/better-compute/terraform-provider-bettercompute/internal/acceptance"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// TestImportFromTheVendorsProvider has the vendor's own provider make the machine. VENDORMADE_HCLOUD, VENDORMADE_DIGITALOCEAN and
// VENDORMADE_PROXMOX are the paths of their binaries.
func TestImportFromTheVendorsProvider(t *testing.T) {
	found := false
	for _, provider := range acceptance.VendorProviders {
		binary := provider.Binary("VENDORMADE")
		if binary == "" {
			continue
		}
		found = true
		for name, cli := range acceptance.CLIs(t) {
			theirs := theirs{VendorProvider: provider, binary: binary, cli: cli}
			t.Run(name+"/"+provider.Name+"/beside it", theirs.importBeside)
			t.Run(name+"/"+provider.Name+"/by the guide", theirs.migrate)
		}
	}
	if !found {
		t.Skip("VENDORMADE_HCLOUD, VENDORMADE_DIGITALOCEAN or VENDORMADE_PROXMOX has to be the path of a provider's binary")
	}
}

// theirs is a vendor's own provider on a CLI.
type theirs struct {
	acceptance.VendorProvider
	binary, cli string
}

// cloud is an emulator on which actions take their time, as these providers wait for them.
func (o theirs) cloud(t *testing.T) *acceptance.Cloud {
	t.Helper()
	vendor := providertest.Vendors[slices.IndexFunc(providertest.Vendors, func(one providertest.Vendor) bool { return one.Name == o.Vendor })]
	return &acceptance.Cloud{Emulator: emulator.Start(t, emulator.Options{}), Vendor: vendor}
}

// made answers a workspace in whose state the provider has the machine.
func (o theirs) made(t *testing.T, cloud *acceptance.Cloud, configuration string) *acceptance.Workspace {
	t.Helper()
	w := acceptance.NewWorkspace(t, cloud, o.cli)
	w.Use(o.VendorProvider, o.binary)
	w.Write(configuration)
	w.Init()
	w.Must("apply")
	w.MustBeEmpty()
	return w
}

// configuration makes the machine.
func (o theirs) configuration(t *testing.T) string {
	t.Helper()
	return testdata(t, "terraform-provider-"+o.Name)
}

// importBeside imports the machine into a state of its own, and asks their provider afterwards: it would take the marks off, and
// nothing else. Where it is let, the next plan here puts them back, and nothing else.
func (o theirs) importBeside(t *testing.T) {
	cloud := o.cloud(t)
	w := o.made(t, cloud, o.Needs()+o.configuration(t))
	byAPI := byTheAPI(t, cloud.Vendor)
	if diff := cmp.Diff(orders(byAPI), orders(cloud)); diff != "" {
		t.Errorf("through the API the machine is made by other requests than by the provider (-API +provider):\n%s", diff)
	}
	if diff := cmp.Diff(answered(t, byAPI), answered(t, cloud)); diff != "" {
		t.Errorf("through the API another machine is made than by the provider (-API +provider):\n%s", diff)
	}
	ours := acceptance.NewWorkspace(t, cloud, o.cli)
	machines[o.Vendor].mustImport(ours, cloud)
	wantChanges(t, "beside ours", withoutRandom(mustUpdate(w, machineOf[o.Vendor]+".web").changes()), seen[o.Vendor])
	w.Must("apply", "planned")
	wantChanges(t, "with the marks taken off", mustUpdate(ours, address).changes(), changes{"managed": {false, true}})
	ours.Must("apply", "planned")
	ours.MustBeEmpty()
}

// byTheAPI answers a vendor where the machine was made through the API.
func byTheAPI(t *testing.T, vendor providertest.Vendor) *acceptance.Cloud {
	t.Helper()
	cloud := &acceptance.Cloud{Emulator: emulator.Start(t, emulator.Options{ActionTime: -1}), Vendor: vendor}
	machines[vendor.Name].make(t, cloud)
	return cloud
}

// own is what no two machines have in common, in an answer of a vendor: ids, times, hardware addresses, a configuration's digest.
var own = regexp.MustCompile(`(?i)[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[0-9:.+Z]+|([0-9a-f]{2}:){5}[0-9a-f]{2}|[0-9a-f]{40}|ctime=\d+`)

// answered is the machine as the vendor answers it.
func answered(t *testing.T, cloud *acceptance.Cloud) []string {
	t.Helper()
	path := cloud.CreatePath + "/" + cloud.Machines(cloud.Emulator)[0].ID
	if cloud.WritePath != "" {
		path = cloud.WritePath + cloud.Machines(cloud.Emulator)[0].ID + "/config"
	}
	return strings.SplitAfter(own.ReplaceAllString(send(t, cloud, http.MethodGet, path, nil), "OWN"), ",")
}

// orders answers the requests that have changed the machine, in order.
func orders(cloud *acceptance.Cloud) []string {
	var found []string
	for _, entry := range cloud.Journal() {
		if entry.Method != http.MethodGet && (strings.HasPrefix(entry.Path, cloud.CreatePath) || cloud.WritePath != "" && strings.HasPrefix(entry.Path, cloud.WritePath)) {
			found = append(found, entry.Method+" "+entry.Path)
		}
	}
	return found
}

// seen is what a vendor's own provider would change back, were it asked to.
var seen = map[string]changes{
	"hetzner": {
		"labels.better-compute.io/account": {"ID", nil}, "labels.better-compute.io/claim": {"ID", nil},
		"labels.better-compute.io/idempotency-key": {"ID", nil}, "labels.better-compute.io/managed": {"true", nil},
	},
	"digitalocean": {"tags": {
		[]any{"better-compute", "better-compute:account:ID", "better-compute:claim:ID", "better-compute:key:ID", "tier:web"}, []any{"tier:web"},
	}},
	"proxmox": {
		"description": {"better-compute ID\naccount ID\nclaim ID\n\nof the shop", "of the shop"},
		"tags":        {[]any{"better-compute", "tier.web"}, []any{"tier.web"}},
	},
}

// withoutRandom answers changes with ID in the place of what differs from run to run.
func withoutRandom(all changes) changes {
	plain := changes{}
	for name, one := range all {
		plain[name] = change{plainOf(one.Before), plainOf(one.After)}
	}
	return plain
}

func plainOf(value any) any {
	switch value := value.(type) {
	case string:
		return random.ReplaceAllString(value, "ID")
	case []any:
		plain := make([]any, len(value))
		for i, one := range value {
			plain[i] = plainOf(one)
		}
		return plain
	}
	return value
}

// migrate does what the guide about migrations says: one apply takes the machine out of their provider's hands and into ours.
func (o theirs) migrate(t *testing.T) {
	cloud := o.cloud(t)
	w := o.made(t, cloud, o.Needs()+o.configuration(t))
	w.Write(o.migrated(t, idsOf(cloud)))
	cloud.ClearJournal()
	w.Init()
	w.Must("plan", "-out=planned")
	actions := map[string]string{}
	for _, one := range planned(w, "planned") {
		actions[one.Address] = strings.Join(one.Change.Actions, " ")
	}
	if diff := cmp.Diff(map[string]string{address: "update", machineOf[o.Vendor] + ".web": "forget"}, actions); diff != "" {
		t.Errorf("the plan (-want +got):\n%s", diff)
	}
	w.Must("apply", "planned")
	if diff := cmp.Diff(machines[o.Vendor].marks, writes(cloud)); diff != "" {
		t.Errorf("the apply has written (-want +got):\n%s", diff)
	}
	w.MustBeEmpty()
}

// migrated is their configuration with the machine as ours: what named theirs names it now.
func (o theirs) migrated(t *testing.T, ids spelling) string {
	t.Helper()
	old := machineOf[o.Vendor]
	before, rest, _ := strings.Cut(o.configuration(t), "resource \""+old+"\" \"web\" {\n")
	_, after, _ := strings.Cut(rest, "\n}\n")
	return strings.Join([]string{
		strings.Replace(beginning, "required_providers {\n", "required_providers {\n"+o.Required(), 1), before,
		"removed {\n  from = " + old + ".web\n  lifecycle {\n    destroy = false\n  }\n}\n", ids.text(testdata(t, o.Vendor)),
		strings.NewReplacer(old+".web.id", address+".machine_id", old+".web.ipv", address+".ipv").Replace(after),
	}, "\n")
}

// machineOf are the resources that the machine is to their providers.
var machineOf = map[string]string{
	"hetzner": "hcloud_server", "digitalocean": "digitalocean_droplet", "proxmox": "proxmox_virtual_environment_vm",
}
