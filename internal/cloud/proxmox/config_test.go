// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"crypto/sha256"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
	"github.com/better-compute/terraform-provider-bettercompute/internal/secret"
)

func TestManifestIsSound(t *testing.T) {
	if faults := config().Faults(); len(faults) > 0 {
		t.Errorf("the manifest has faults: %q", faults)
	}
	if faults := config().Validate(sound(nil), secret.Check); len(faults) > 0 {
		t.Errorf("a sound config has faults: %v", faults)
	}
}

// sound answers a config that can be used, with more or other fields.
func sound(more manifest.Values) manifest.Values {
	values := manifest.Values{"url": "https://pve.example.com:8006", "token": "env://PVE_TOKEN"}
	for name, value := range more {
		values[name] = value
	}
	return values
}

func TestFaultsOfConfigs(t *testing.T) {
	key := "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1wJJ7ODNsWpPWsa9RM3VHsJDxFE1Ik2mCSXTDTqlSr"
	tests := map[string]struct {
		values manifest.Values
		want   string
	}{
		"no https":             {manifest.Values{"url": "http://pve.example.com:8006"}, "url must start with https://"},
		"a token":              {manifest.Values{"token": "root@pam!x=hunter2"}, "token must be a reference"},
		"region":               {manifest.Values{"region": "Home Lab"}, "region must begin with a lower-case letter"},
		"node":                 {manifest.Values{"node": "pve 1"}, "node must be the name of a node"},
		"pool":                 {manifest.Values{"pool": "a//b"}, "pool must be the name of a pool"},
		"offers":               {manifest.Values{"offers": []string{"1c-2g", "2x"}}, "offers.1 must be CPUs, GiB of memory"},
		"an offer twice":       {manifest.Values{"offers": []string{"1c-2g", "1c-2g"}}, "offers.1 is there twice"},
		"disk":                 {manifest.Values{"disk": "efidisk0"}, "disk must be a drive"},
		"a VMID too low":       {manifest.Values{"vmid_min": int64(99)}, "vmid_min must be a VMID from 100"},
		"a VMID too high":      {manifest.Values{"vmid_max": int64(1000000000)}, "vmid_max must be a VMID from 100"},
		"an empty range":       {manifest.Values{"vmid_min": int64(600), "vmid_max": int64(500)}, "vmid_min must not be greater"},
		"linked with storage":  {manifest.Values{"full_clone": false, "storage": "ceph"}, "storage cannot be chosen for linked clones"},
		"task_timeout":         {manifest.Values{"task_timeout": "soon"}, "task_timeout must be a duration"},
		"clone_limit":          {manifest.Values{"clone_limit": int64(0)}, "clone_limit must be from 1 to 100"},
		"ca_certificate":       {manifest.Values{"ca_certificate": "x"}, "ca_certificate holds no certificate"},
		"tls_fingerprint":      {manifest.Values{"tls_fingerprint": "AA:BB"}, "tls_fingerprint must be a SHA-256 fingerprint"},
		"snippets nowhere":     {manifest.Values{"snippets": manifest.Values{"storage": "local"}}, "snippets must have exactly one"},
		"snippets in a folder": {manifest.Values{"snippets": manifest.Values{"storage": "local", "directory": "/x"}}, ""},
		"a port": {manifest.Values{"snippets": manifest.Values{"storage": "local", "sftp": manifest.Values{
			"host": "h", "user": "u", "private_key": "env://K", "known_host": key, "directory": "/x", "port": int64(70000),
		}}}, "snippets.sftp.port must be a port"},
		"a host key": {manifest.Values{"snippets": manifest.Values{"storage": "local", "sftp": manifest.Values{
			"host": "h", "user": "u", "private_key": "env://K", "known_host": "x", "directory": "/x",
		}}}, "snippets.sftp.known_host must be one line of known_hosts"},
		"a private key": {manifest.Values{"snippets": manifest.Values{"storage": "local", "sftp": manifest.Values{
			"host": "h", "user": "u", "private_key": "hunter2", "known_host": key, "directory": "/x",
		}}}, "snippets.sftp.private_key must be a reference"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, fault := range config().Validate(sound(test.values), secret.Check) {
				got = append(got, strings.Join(fault.Path, ".")+" "+fault.Message)
			}
			if test.want == "" && len(got) == 0 {
				return
			}
			if len(got) != 1 || !strings.HasPrefix(got[0], test.want) || test.want == "" {
				t.Errorf("faults %q, want one that begins with %q", got, test.want)
			}
			if strings.Contains(strings.Join(got, ""), "hunter2") {
				t.Errorf("a fault repeats a secret: %q", got)
			}
		})
	}
}

// server answers the version over TLS with a certificate that no system knows.
func server(t *testing.T) (url, ca, fingerprint string) {
	t.Helper()
	tls := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		if got := request.Header.Get("Authorization"); got != "PVEAPIToken=root@pam!test=secret" {
			t.Errorf("authorization is %q", got)
		}
		w.Header().Set("Content-Type", "application/json;charset=UTF-8")
		fmt.Fprint(w, `{"data":{"/vms":{"VM.Audit":1}}}`)
	}))
	tls.Config.ErrorLog = log.New(io.Discard, "", 0)
	tls.StartTLS()
	t.Cleanup(tls.Close)
	certificate := tls.Certificate()
	ca = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate.Raw}))
	return tls.URL, ca, fmt.Sprintf("%x", sha256.Sum256(certificate.Raw))
}

func verify(t *testing.T, values manifest.Values) (driver.Driver, error) {
	t.Helper()
	opened, err := open(config().WithDefaults(values), driver.Environment{
		Resolve: func(context.Context, string) (string, error) { return "root@pam!test=secret", nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(opened.(*cloud).client.http.CloseIdleConnections)
	return opened, opened.(driver.Verify).Verify(t.Context())
}

func TestCertificates(t *testing.T) {
	url, ca, fingerprint := server(t)
	for name, values := range map[string]manifest.Values{
		"an authority of its own":     {"ca_certificate": ca},
		"a fingerprint":               {"tls_fingerprint": fingerprint},
		"a fingerprint, upper case":   {"tls_fingerprint": strings.ToUpper(fingerprint)},
		"a URL that ends with slash":  {"tls_fingerprint": fingerprint, "url": url + "/"},
		"a fingerprint with its dots": {"tls_fingerprint": withColons(fingerprint)},
	} {
		t.Run(name, func(t *testing.T) {
			if values["url"] == nil {
				values["url"] = url
			}
			if _, err := verify(t, sound(values)); err != nil {
				t.Error(err)
			}
		})
	}
}

func withColons(fingerprint string) string {
	var pairs []string
	for pair := range slices.Chunk([]byte(fingerprint), 2) {
		pairs = append(pairs, string(pair))
	}
	return strings.ToUpper(strings.Join(pairs, ":"))
}

func TestRefusalOfACertificateShowsBothWaysToTrustIt(t *testing.T) {
	url, _, fingerprint := server(t)
	for name, values := range map[string]manifest.Values{
		"the system's roots":  {},
		"another fingerprint": {"tls_fingerprint": strings.Repeat("ab", 32)},
	} {
		t.Run(name, func(t *testing.T) {
			values["url"] = url
			opened, err := verify(t, sound(values))
			if err == nil {
				t.Fatal("the certificate is trusted")
			}
			described := opened.Describe(err)
			if described.Code != driver.InvalidConfig || described.Field != "tls_fingerprint" || described.Outcome != driver.NotDone {
				t.Errorf("described as %+v", described)
			}
			for _, want := range []string{"tls_fingerprint = \"" + withColons(fingerprint) + "\"", "ca_certificate = file(", "Nothing was sent"} {
				if !strings.Contains(described.Message, want) {
					t.Errorf("the message does not say %q:\n%s", want, described.Message)
				}
			}
		})
	}
}
