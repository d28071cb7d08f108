// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

func TestKeysAreMergedIntoCloudConfig(t *testing.T) {
	keys := []string{"ssh-ed25519 BBBB b@example.com", "ssh-ed25519 AAAA a@example.com"}
	for name, one := range map[string]struct {
		userData string
		keys     int
	}{
		"nothing written":      {"", 2},
		"only the header":      {"#cloud-config\n", 2},
		"other settings":       {"#cloud-config\npackages: [nginx]\n", 2},
		"keys of their own":    {"#cloud-config\nssh_authorized_keys:\n  - ssh-ed25519 CCCC c@example.com\n", 3},
		"the same key":         {"#cloud-config\nssh_authorized_keys:\n  - ssh-ed25519 AAAA a@example.com\n", 2},
		"a value of that name": {"#cloud-config\nhostname: ssh_authorized_keys\n", 2},
	} {
		t.Run(name, func(t *testing.T) {
			merged, err := compute.MergeUserData([]byte(one.userData), keys)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(string(merged), "#cloud-config\n") {
				t.Errorf("the header is missing:\n%s", merged)
			}
			var config, before map[string]any
			if err := yaml.Unmarshal(merged, &config); err != nil {
				t.Fatal(err)
			}
			if err := yaml.Unmarshal([]byte(one.userData), &before); err != nil {
				t.Fatal(err)
			}
			if got, ok := config["ssh_authorized_keys"].([]any); !ok || len(got) != one.keys {
				t.Errorf("the keys are %v", config["ssh_authorized_keys"])
			}
			for key := range before {
				if _, there := config[key]; !there {
					t.Errorf("%s is lost:\n%s", key, merged)
				}
			}
		})
	}
}

func TestUserDataWithoutKeysStaysByteForByte(t *testing.T) {
	for _, userData := range []string{"", "#!/bin/sh\necho hi", "#cloud-config\na:   1\n"} {
		merged, err := compute.MergeUserData([]byte(userData), nil)
		if err != nil || string(merged) != userData {
			t.Errorf("%q became %q, %v", userData, merged, err)
		}
	}
}

func TestUserDataThatIsNoCloudConfigIsRefusedWithoutShowingIt(t *testing.T) {
	for name, userData := range map[string]string{
		"a script":         "#!/bin/sh\nTOKEN=planted",
		"broken YAML":      "#cloud-config\npassword: [planted",
		"a list":           "#cloud-config\n- planted\n",
		"keys are no list": "#cloud-config\nssh_authorized_keys: planted\n",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := compute.MergeUserData([]byte(userData), []string{"ssh-ed25519 AAAA"})
			wantCode(t, err, driver.InvalidInput)
			if strings.Contains(err.Error(), "planted") {
				t.Errorf("the message shows user data: %v", err)
			}
		})
	}
}
