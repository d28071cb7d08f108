// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret/vaulttest"
)

const plantedSecret = "planted-secret-44e7d0"

// stores are a sealed file and a Vault, and what uses them: an account with a token of each, one whose token is put there
// by the same apply, and a machine of each account.
const stores = `
variable "vault" {
  type = string
}

variable "token" {
  type      = string
  ephemeral = true
}

variable "planted" {
  type      = string
  ephemeral = true
}

provider "bettercompute" {
  secret_store = {
    path     = "${path.root}/secrets.sealed"
    identity = "env://IDENTITY"
  }
  vault = {
    address = var.vault
    token   = "secret://root/vault-token"
  }
}

resource "bettercompute_secret" "made" {
  name             = "made"
  value_wo         = var.token
  value_wo_version = "1"
}

resource "bettercompute_secret" "planted" {
  name             = "planted"
  value_wo         = var.planted
  value_wo_version = "1"
}

locals {
  tokens = {
    sealed = "secret://root/cloud-token"
    vault  = "vault://secret/team/cloud#token"
    made   = bettercompute_secret.made.ref
  }
}

data "bettercompute_provider_account" "main" {
  for_each = local.tokens
  name     = each.key
  EACH
}

resource "bettercompute_instance" "web" {
  for_each         = local.tokens
  provider_account = data.bettercompute_provider_account.main[each.key]
  name             = "web-${each.key}"
  offer_id         = "OFFER"
  image            = "IMAGE"
}
`

// sealed is a sealed file in a workspace, with its identity.
type sealed struct {
	secret.SealedFile
	identity string
}

// newStores puts the emulator's token into a sealed file and a Vault, and nowhere else.
func newStores(t *testing.T, workspace *Workspace) (sealed, *vaulttest.Server) {
	t.Helper()
	identity, recipient, err := secret.NewIdentity()
	if err != nil {
		t.Fatal(err)
	}
	file := sealed{identity: identity, SealedFile: secret.SealedFile{
		Path: filepath.Join(workspace.Folder, "secrets.sealed"), Recipients: []string{recipient},
		Identity: func(context.Context) (string, error) { return identity, nil },
	}}
	token := workspace.Environment[workspace.cloud.TokenVariable]
	delete(workspace.Environment, workspace.cloud.TokenVariable)
	for name, value := range map[string]string{"cloud-token": token, "vault-token": vaulttest.Token} {
		if err := file.Put(t.Context(), secret.Entry{Tenant: "root", Name: name}, value); err != nil {
			t.Fatal(err)
		}
	}
	server := vaulttest.Start(t)
	server.Put("secret/team/cloud", map[string]any{"token": token})
	workspace.Environment["IDENTITY"] = identity
	workspace.Environment["TF_VAR_vault"] = server.Address
	workspace.Environment["TF_VAR_token"] = token
	workspace.Environment["TF_VAR_planted"] = plantedSecret
	return file, server
}

// Tokens of the sealed file and of Vault make machines, and what is in the stores, and what opens them, is found nowhere: not
// in output at TRACE, plan, state, private state or the journal.
func TestNoSecretOfTheStoresAtRest(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		file, server := newStores(t, workspace)
		workspace.Environment["TF_LOG"] = "TRACE"
		workspace.Write(header + strings.Replace(stores, "EACH", cloud.Block("${each.value}", "var.endpoint", ""), 1))
		workspace.Init()
		texts := map[string]string{
			"plan's output":  workspace.Must("plan", "-out=plan.bin"),
			"apply's output": workspace.Must("apply"),
			"plan as JSON":   workspace.Must("show", "-json", "plan.bin"),
			"second plan":    workspace.Must("plan", "-detailed-exitcode"),
			"journal":        fmt.Sprintf("%+v", cloud.Journal()),
		}
		wantServers(t, cloud, 3)
		got, err := secret.Resolver{Sealed: &file.SealedFile}.Resolve(t.Context(), "secret://root/planted")
		if err != nil || got != plantedSecret {
			t.Errorf("the planted value is %q, %v", got, err)
		}
		if len(server.Requests()) == 0 || !strings.Contains(texts["apply's output"], "POST") {
			t.Error("Vault was not asked, or the log shows no requests")
		}
		for name, text := range files(t, workspace.Folder) {
			texts[name] = text
		}
		if !strings.Contains(texts["terraform.tfstate"], "secret://root/planted") || texts["plan.bin"] == "" || texts["secrets.sealed"] == "" {
			t.Errorf("state, plan or sealed file are missing among %d texts", len(texts))
		}
		wantNowhere(t, texts, cloud.Account().Token, vaulttest.Token, plantedSecret, strings.TrimPrefix(file.identity, "AGE-SECRET-KEY-"))
		workspace.Environment["TF_LOG"] = ""
		workspace.Must("destroy")
		wantServers(t, cloud, 0)
		if entries, err := file.List(); err != nil || len(entries) != 2 {
			t.Errorf("the sealed file has %v, %v: what was put by hand was to stay", entries, err)
		}
	})
}

// The checkout was thrown away after the apply, and with it a file that was not committed: the next plan puts the value
// there again.
func TestASealedFileThatWasNotCommitted(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		file, _ := newStores(t, workspace)
		committed, err := os.ReadFile(file.Path)
		if err != nil {
			t.Fatal(err)
		}
		workspace.Write(header + strings.Replace(stores, "EACH", cloud.Block("${each.value}", "var.endpoint", ""), 1))
		workspace.Init()
		workspace.Must("apply", "-target=bettercompute_secret.planted")
		if err := os.WriteFile(file.Path, committed, 0o600); err != nil {
			t.Fatal(err)
		}
		out := workspace.Must("apply", "-target=bettercompute_secret.planted")
		if !strings.Contains(Joined(out), "secret://root/planted is no longer there") || !strings.Contains(out, "1 added") {
			t.Errorf("the value was not put again:\n%s", out)
		}
		if there, err := file.Has(secret.Entry{Tenant: "root", Name: "planted"}); err != nil || !there {
			t.Errorf("it is there: %t, %v", there, err)
		}
	})
}
