// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/certpem/certpemtest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const certificates = `
variable "key" {
  type      = string
  ephemeral = true
}

variable "pem" {
  type = string
}

resource "bettercompute_certificate" "text" {
  provider_account           = data.bettercompute_provider_account.main
  name                       = "text"
  kind                       = "custom"
  certificate_pem            = var.pem
  private_key_pem_wo         = var.key
  private_key_pem_wo_version = "1"
}

resource "bettercompute_certificate" "named" {
  provider_account = data.bettercompute_provider_account.main
  name             = "named"
  kind             = "custom"
  certificate      = "env://PLANTED_CERTIFICATE"
  private_key      = "env://PLANTED_KEY"
}
`

// A private key, by reference and write-only, is found nowhere: not in the CLI's output at TRACE, in the plan, the state with
// its private part, nor the journal.
func TestNoPrivateKeyAtRest(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		if cloud.Name == "proxmox" {
			t.Skip("Proxmox VE has no certificates")
		}
		workspace := NewWorkspace(t, cloud, cli)
		authority := certpemtest.NewAuthority(t, time.Now())
		planted := map[string]certpemtest.Pair{"TEXT": {}, "NAMED": {}}
		for name := range planted {
			planted[name] = authority.Leaf(t, time.Now().Add(48*time.Hour), strings.ToLower(name)+".example.com")
		}
		keys := []string{certpemtest.KeyPEM(t, planted["TEXT"]), certpemtest.KeyPEM(t, planted["NAMED"])}
		workspace.Environment["TF_LOG"] = "TRACE"
		workspace.Environment["TF_VAR_pem"] = certpemtest.PEM(planted["TEXT"]) + authority.Chain()
		workspace.Environment["TF_VAR_key"] = keys[0]
		workspace.Environment["PLANTED_CERTIFICATE"] = certpemtest.PEM(planted["NAMED"]) + authority.Chain()
		workspace.Environment["PLANTED_KEY"] = keys[1]
		workspace.Write(header + accountMain + certificates)
		workspace.Init()
		texts := map[string]string{
			"plan's output":  workspace.Must("plan", "-out=plan.bin"),
			"apply's output": workspace.Must("apply"),
			"plan as JSON":   workspace.Must("show", "-json", "plan.bin"),
			"second plan":    workspace.Must("plan", "-detailed-exitcode"),
			"journal":        fmt.Sprintf("%+v", cloud.Journal()),
		}
		if !strings.Contains(texts["apply's output"], "private_key") {
			t.Error("the log shows no request with a private key: nothing was searched")
		}
		for name, text := range files(t, workspace.Folder) {
			texts[name] = text
		}
		for _, key := range keys {
			for _, line := range strings.Split(key, "\n") {
				if len(line) > 20 && !strings.HasPrefix(line, "-----") {
					wantNowhere(t, texts, line)
				}
			}
		}
		workspace.Must("destroy")
	})
}
