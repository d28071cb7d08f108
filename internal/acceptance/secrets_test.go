// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

const plantedUserData = "planted-user-data-3b1f9c"

// A planted token and planted user data are found nowhere: not in the CLI's output at TRACE, in the plan, the state with its
// private part, nor the journal.
func TestNoSecretAtRest(t *testing.T) {
	OnEach(t, emulator.Options{}, func(t *testing.T, cloud *Cloud, cli string) {
		workspace := NewWorkspace(t, cloud, cli)
		workspace.Environment["TF_LOG"] = "TRACE"
		workspace.Environment["TF_VAR_user_data"] = "#cloud-config\nwrite_files: [{path: /etc/planted, content: " + plantedUserData + "}]\n"
		workspace.Write(header + accountMain + `
variable "user_data" {
  type      = string
  ephemeral = true
}

resource "bettercompute_instance" "web" {
  provider_account     = data.bettercompute_provider_account.main
  name                 = "web"
  offer_id             = "OFFER"
  image                = "IMAGE"
  user_data_wo         = var.user_data
  user_data_wo_version = "1"
  ssh_authorized_keys  = ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlO/7rWinJpPnT+Qzi6nlu6fvavVZUBsjphPd2B2W/1 planted@example.com"]
}
`)
		workspace.Init()
		texts := map[string]string{
			"plan's output":  workspace.Must("plan", "-out=plan.bin"),
			"apply's output": workspace.Must("apply"),
			"plan as JSON":   workspace.Must("show", "-json", "plan.bin"),
			"second plan":    workspace.Must("plan"),
			"journal":        fmt.Sprintf("%+v", cloud.Journal()),
		}
		if !strings.Contains(texts["apply's output"], "POST") || !strings.Contains(texts["apply's output"], "user_data") {
			t.Error("the log shows no request with user data: nothing was searched")
		}
		if line := lineWith(texts["apply's output"], "Calls to vendors"); !strings.Contains(line, "POST") || !strings.Contains(line, "(create)") {
			t.Errorf("the log does not end with the calls that the apply has made: %q", line)
		}
		for name, text := range files(t, workspace.Folder) {
			texts[name] = text
		}
		if !strings.Contains(texts["terraform.tfstate"], "machine_id") || texts["plan.bin"] == "" || !strings.Contains(texts["terraform.tfstate, private"], "claim") {
			t.Errorf("state, private state or plan are missing among %d texts", len(texts))
		}
		wantNowhere(t, texts, workspace.Environment[cloud.TokenVariable], plantedUserData)
		if entries := cloud.Journal(); len(entries) == 0 {
			t.Error("the journal is empty")
		}
	})
}

// lineWith is the last line of a text that has the words.
func lineWith(text, words string) string {
	found := ""
	for line := range strings.Lines(text) {
		if strings.Contains(line, words) {
			found = line
		}
	}
	return found
}

// wantNowhere searches texts, by their names, for secrets.
func wantNowhere(t *testing.T, texts map[string]string, secrets ...string) {
	t.Helper()
	for name, text := range texts {
		for _, secret := range secrets {
			if secret == "" {
				t.Fatal("there is no secret to search for")
			}
			if strings.Contains(text, secret) {
				t.Errorf("%s contains a planted secret: ...%s...", name, around(text, secret))
			}
		}
	}
}

// files answers the texts of all files of a folder; a plan is a zip, so its entries too.
func files(t *testing.T, folder string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "main.tf" || strings.Contains(path, ".terraform"+string(filepath.Separator)) {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		texts[name] = string(text)
		if strings.HasSuffix(name, ".bin") {
			unzip(t, path, texts)
		}
		if strings.HasSuffix(name, ".tfstate") {
			texts[name+", private"] = privateState(t, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// privateState answers what a state keeps for the provider alone, which is written in base64.
func privateState(t *testing.T, state []byte) string {
	t.Helper()
	var content struct {
		Resources []struct {
			Instances []struct {
				Private []byte `json:"private"`
			} `json:"instances"`
		} `json:"resources"`
	}
	if err := json.Unmarshal(state, &content); err != nil {
		t.Fatal(err)
	}
	var private strings.Builder
	for _, resource := range content.Resources {
		for _, instance := range resource.Instances {
			private.Write(instance.Private)
		}
	}
	return private.String()
}

func around(text, secret string) string {
	at := strings.Index(text, secret)
	return text[max(0, at-80):at]
}

func unzip(t *testing.T, path string, texts map[string]string) {
	t.Helper()
	archive, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	for _, file := range archive.File {
		reader, err := file.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(reader)
		_ = reader.Close()
		if err != nil {
			t.Fatal(err)
		}
		texts[path+"/"+file.Name] = string(text)
	}
}
