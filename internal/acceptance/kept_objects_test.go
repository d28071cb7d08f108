// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"
)

// keptKind is a kind of objects: where the vendor lists them, and the fields of its answer that they are planted with.
type keptKind struct{ kind, path, list, fields string }

// keptKinds are the kinds by vendor, in the order in which they are planted, so that each gets the id and the address that it had.
var keptKinds = map[string][]keptKind{
	"hetzner": {
		{"servers", "/v1/servers", "servers", "name labels created status server_type image location primary_disk_size"},
		{"floating_ips", "/v1/floating_ips", "floating_ips", "id name description type ip labels created home_location server"},
		{"certificates", "/v1/certificates", "certificates", "name labels created type domain_names status certificate"},
	},
	"digitalocean": {
		{"tags", "/v2/tags", "tags", "name"},
		{"vpcs", "/v2/vpcs", "vpcs", "id name region ip_range default"},
		{"droplets", "/v2/droplets", "droplets", "name tags created_at disk status size_slug image region features vpc_uuid"},
		{"reserved_ips", "/v2/reserved_ips", "reserved_ips", "ip region droplet"},
		{"certificates", "/v2/certificates", "certificates", "id name type state dns_names created_at not_after sha1_fingerprint"},
	},
}

// fullConfiguration has everything that the vendor has; key is the private key of the uploaded certificate.
func fullConfiguration(vendor providertest.Vendor, certificate string) string {
	text := Header + `
variable "key" {
  type = string
}

provider "bettercompute" {
  tenant_id    = "shop"
  secret_store = { path = "secrets.sealed", identity = "env://` + identityVariable + `" }
}

resource "bettercompute_secret" "token" {
  name     = "token"
  value_wo = "one"
}

resource "bettercompute_provider_account" "main" {
  name = "main"
  ACCOUNT
}

resource "bettercompute_instance" "web" {
  provider_account    = bettercompute_provider_account.main
  name                = "web"
  offer_id            = "OFFER"
  image               = "IMAGE"
  labels              = { role = "web" }
  user_data           = "#cloud-config\npackage_update: true\n"
  ssh_authorized_keys = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHjVHYqYpmrHAyx4xJKUvuY5kPJ1IkVYEKRFMxJ5HbXC web"]
  power               = "on"
  timeouts            = { create = "15m" }
}
`
	if vendor.Name == "proxmox" {
		return text
	}
	return text + `
resource "bettercompute_provider_address" "front" {
  provider_account = bettercompute_provider_account.main
  name             = "front"
  description      = "the front door"
  instance         = bettercompute_instance.web
}

resource "bettercompute_certificate" "issued" {
  provider_account = bettercompute_provider_account.main
  name             = "issued"
  kind             = "managed"
  domains          = ["www.example.com"]
}

resource "bettercompute_certificate" "uploaded" {
  provider_account           = bettercompute_provider_account.main
  name                       = "uploaded"
  kind                       = "custom"
  certificate_pem            = ` + strconv.Quote(certificate) + `
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}
`
}

// TestKeepStates writes the states of this version. It is run by hand, see "States of earlier versions" in CONTRIBUTING.md.
func TestKeepStates(t *testing.T) {
	if *keep == "" {
		t.Skip("states are written with -keep-states VERSION only")
	}
	OnEach(t, emulator.Options{ActionTime: -1}, func(t *testing.T, cloud *Cloud, cli string) {
		authority := certpemtest.NewAuthority(t, time.Now())
		leaf := authority.Leaf(t, time.Now().Add(60*24*time.Hour), "api.example.com")
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Environment[identityVariable] = sealAgain(t, filepath.Join(workspace.Folder, "secrets.sealed"))
		workspace.Environment["TF_VAR_key"] = certpemtest.KeyPEM(t, leaf)
		workspace.Write(fullConfiguration(cloud.Vendor, certpemtest.PEM(leaf)+authority.Chain()))
		workspace.Init()
		workspace.Must("apply")
		workspace.MustBeEmpty()
		folder := filepath.Join("testdata", "states", *keep, cloud.Name)
		if err := os.MkdirAll(folder, 0o750); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"main.tf", "terraform.tfstate"} {
			text, err := os.ReadFile(filepath.Join(workspace.Folder, name))
			if err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(folder, name), []byte(strings.ReplaceAll(string(text), cloud.server(), keptEndpoint)))
		}
		objects, err := json.MarshalIndent(answers(t, cloud), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(folder, "objects.json"), append(objects, '\n'))
	})
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// answers are the fields of the objects that planting them takes, as the vendor's API answers.
func answers(t *testing.T, cloud *Cloud) map[string][]emulator.Fields {
	t.Helper()
	all := map[string][]emulator.Fields{}
	if cloud.Name == "proxmox" {
		one := servers(t, cloud)[0]
		var answer struct{ Data emulator.Fields }
		ask(t, cloud, "/api2/json/nodes/"+one.Node+"/qemu/"+one.ID+"/config", &answer)
		delete(answer.Data, "digest")
		answer.Data["vmid"], answer.Data["node"], answer.Data["status"] = one.ID, one.Node, one.State
		all["vms"] = []emulator.Fields{answer.Data}
		return all
	}
	for _, kind := range keptKinds[cloud.Name] {
		var answer map[string]json.RawMessage
		ask(t, cloud, kind.path+"?per_page=50", &answer)
		var objects []emulator.Fields
		if err := json.Unmarshal(answer[kind.list], &objects); err != nil {
			t.Fatal(err)
		}
		for _, object := range objects {
			kept := emulator.Fields{}
			for name := range strings.FieldsSeq(kind.fields) {
				if value, there := object[name]; there {
					kept[name] = value
				}
			}
			if kept["type"] == "custom" {
				delete(kept, "dns_names") // which this vendor shows empty
			}
			all[kind.kind] = append(all[kind.kind], kept)
		}
	}
	return all
}

// ask makes one request with the main token.
func ask(t *testing.T, cloud *Cloud, path string, answer any) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://emulator.example"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", map[bool]string{true: "PVEAPIToken=", false: "Bearer "}[cloud.Name == "proxmox"]+cloud.Account().Token)
	response, err := cloud.Account().Client().Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %v %s", path, response.StatusCode, err, body)
	}
	if err := json.Unmarshal(body, answer); err != nil {
		t.Fatal(err)
	}
}

// plantKept puts the objects there that were at the vendor when the state was kept.
func plantKept(t *testing.T, cloud *Cloud, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "objects.json"))
	if err != nil {
		t.Fatal(err)
	}
	var kept map[string][]emulator.Fields
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	order := []string{"vms"}
	for _, kind := range keptKinds[cloud.Name] {
		order = append(order, kind.kind)
	}
	for _, kind := range order {
		for _, fields := range kept[kind] {
			if _, err := cloud.Emulator.Plant(cloud.Name, kind, fields); err != nil {
				t.Fatalf("%s %v: %v", kind, fields, err)
			}
		}
	}
}
