// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// TestRefusals: statuses and texts of what is wrong with a request itself. The text is the reason phrase and the message.
func TestRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, values string
		want                 refusal
	}{
		"unknown path":            {"GET", "/nothing", "", refusal{501, "Method 'GET /nothing' not implemented"}},
		"unknown method":          {"PUT", "/version", "", refusal{501, "Method 'PUT /version' not implemented"}},
		"unknown node":            {"GET", "/nodes/nope/status", "", refusal{500, "hostname lookup 'nope' failed - failed to get address info for: nope: Name or service not known"}},
		"missing machine":         {"GET", "/nodes/pve1/qemu/555/config", "", refusal{500, "Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist"}},
		"machine of other node":   {"GET", "/nodes/pve2/qemu/9000/status/current", "", refusal{500, "Configuration file 'nodes/pve2/qemu-server/9000.conf' does not exist"}},
		"delete missing":          {"DELETE", "/nodes/pve1/qemu/555", "", refusal{500, "Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist"}},
		"configure missing":       {"PUT", "/nodes/pve1/qemu/555/config", "cores=1", refusal{500, "Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist"}},
		"agent of missing":        {"GET", "/nodes/pve1/qemu/555/agent/network-get-interfaces", "", refusal{500, "Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist"}},
		"clone missing":           {"POST", "/nodes/pve1/qemu/555/clone", "newid=100", refusal{500, "unable to find configuration file for VM 555 on node 'pve1'"}},
		"reset missing":           {"POST", "/nodes/pve1/qemu/555/status/reset", "", refusal{500, "unable to find configuration file for VM 555 on node 'pve1'"}},
		"reboot missing":          {"POST", "/nodes/pve1/qemu/555/status/reboot", "", refusal{500, "unable to find configuration file for VM 555 on node 'pve1'"}},
		"missing snapshot":        {"GET", template + "/config", "snapshot=old", refusal{500, "snapshot 'old' does not exist"}},
		"missing storage":         {"GET", "/nodes/pve1/storage/none/status", "", refusal{500, "storage 'none' does not exist"}},
		"missing pool":            {"GET", "/pools", "poolid=none", refusal{500, "pool 'none' does not exist"}},
		"clone into missing pool": {"POST", template + "/clone", "newid=100&pool=none", refusal{403, "Permission check failed (pool 'none' does not exist)"}},
		"parameters":              {"PUT", template + "/config", "cores=0", refusal{400, "Parameter verification failed."}},
	} {
		t.Run(name, func(t *testing.T) {
			inClusterWith(t, emulator.Options{AllowUnrouted: true}, func(c cluster) {
				got := c.ask(test.method, test.path, test.values)
				wantRefusal(t, name, got, test.want)
				want(t, "data", got.data, nil)
				want(t, "connection", got.header.Get("Connection"), "close")
			})
		})
	}
}

// TestServerRefusals: what the HTTP server refuses itself has no JSON, only a reason phrase.
func TestServerRefusals(t *testing.T) {
	type spoil func(*http.Request)
	for name, test := range map[string]struct {
		method, path, body string
		spoil              spoil
		want               refusal
	}{
		"PATCH":             {"PATCH", "/version", "", nil, refusal{501, "method 'PATCH' not available"}},
		"HEAD":              {"HEAD", "/version", "", nil, refusal{501, "method 'HEAD' not available"}},
		"chunked":           {"POST", template + "/clone", "newid=100", func(r *http.Request) { r.ContentLength = -1 }, refusal{501, "chunked transfer encoding not supported"}},
		"DELETE with body":  {"DELETE", template, "purge=1", nil, refusal{501, "Unexpected content for method 'DELETE'"}},
		"other content":     {"POST", template + "/clone", "newid: 100", func(r *http.Request) { r.Header.Set("Content-Type", "text/yaml") }, refusal{506, "upload 'Content-Type 'text/yaml' not implemented"}},
		"too large":         {"POST", template + "/config", "description=" + strings.Repeat("x", 513<<10), nil, refusal{501, "for data too large"}},
		"no token":          {"GET", "/version", "", func(r *http.Request) { r.Header.Del("Authorization") }, refusal{401, "No ticket"}},
		"bearer token":      {"GET", "/version", "", func(r *http.Request) { r.Header.Set("Authorization", "Bearer x") }, refusal{401, "No ticket"}},
		"wrong secret":      {"GET", "/version", "", func(r *http.Request) { r.Header.Set("Authorization", "PVEAPIToken=root@pam!emulator=x") }, refusal{401, "Authentication failed!"}},
		"no formatter":      {"GET", "/../nodes", "", nil, refusal{501, "no such uri"}},
		"node that is down": {"GET", "/nodes/pve2/status", "", nil, refusal{595, "No route to host"}},
	} {
		t.Run(name, func(t *testing.T) {
			inClusterWith(t, emulator.Options{AllowUnrouted: true}, func(c cluster) {
				c.set(func(s *emulator.Settings) { s.NodesDown = []string{"pve2"} })
				url := c.Proxmox.Endpoint + base + test.path
				if name == "no formatter" {
					url = c.Proxmox.Endpoint + "/api2/nodes"
				}
				request, err := http.NewRequestWithContext(c.t.Context(), test.method, url, strings.NewReader(test.body))
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Authorization", "PVEAPIToken="+c.token)
				if test.body != "" {
					request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				}
				if test.spoil != nil {
					test.spoil(request)
				}
				began := time.Now()
				got := send(c.t, c.Proxmox.Client(), request)
				if got.status != test.want.status || got.reason != test.want.text || got.raw != "" || got.header.Get("Content-Type") != "" {
					t.Errorf("got %d %q %q, want %d %q", got.status, got.reason, got.raw, test.want.status, test.want.text)
				}
				if late := time.Since(began) >= 3*time.Second; late != (got.status == 401) {
					t.Errorf("answered after %s", time.Since(began))
				}
			})
		})
	}
}

// TestTokenForms: after PVEAPIToken comes = or a blank.
func TestTokenForms(t *testing.T) {
	inCluster(t, func(c cluster) {
		for _, between := range []string{"=", " "} {
			request := newRequest(c.t, "GET", c.Proxmox.Endpoint+base+"/version", "")
			request.Header.Set("Authorization", "PVEAPIToken"+between+c.token)
			want(t, "status with "+between, send(c.t, c.Proxmox.Client(), request).status, 200)
		}
	})
}

// TestParameters: each wrong one has its text, as PVE::JSONSchema words it.
func TestParameters(t *testing.T) {
	for name, test := range map[string]struct {
		method, path, values, param, text string
	}{
		"missing":             {"POST", "/clone", "name=x", "newid", "property is missing and it is not optional"},
		"unknown":             {"POST", "/clone", "newid=100&cores=2", "cores", "property is not defined in schema and the schema does not allow additional properties"},
		"too small":           {"POST", "/clone", "newid=99", "newid", "value must have a minimum value of 100"},
		"too large":           {"POST", "/clone", "newid=1000000000", "newid", "invalid format - value does not look like a valid VM ID"},
		"leading zero":        {"POST", "/clone", "newid=0100", "newid", "invalid format - value does not look like a valid VM ID"},
		"no number":           {"POST", "/clone", "newid=x", "newid", "type check ('integer') failed - got 'x'"},
		"boolean":             {"POST", "/clone", "newid=100&full=true", "full", "type check ('boolean') failed - got 'true'"},
		"enumeration":         {"POST", "/clone", "newid=100&format=iso", "format", "value 'iso' does not have a value in the enumeration 'raw, qcow2, vmdk'"},
		"name":                {"POST", "/clone", "newid=100&name=inst_01", "name", "invalid format - value does not look like a valid DNS name"},
		"tags":                {"PUT", "/config", "tags=a:b", "tags", "invalid format - invalid characters in tag"},
		"description":         {"PUT", "/config", "description=" + strings.Repeat("x", 8193), "description", "value may only be 8192 characters long"},
		"keys encoded once":   {"PUT", "/config", "sshkeys=ssh-rsa%20AAAA", "sshkeys", "invalid format - invalid urlencoded string: ssh-rsa AAAA"},
		"gateway alone":       {"PUT", "/config", "ipconfig0=gw%3D10.0.0.1", "ipconfig0", "invalid format - format error\ngw: missing property - 'gw' requires 'ip'\n"},
		"address":             {"PUT", "/config", "ipconfig0=ip%3D10.0.0.1", "ipconfig0", "invalid format - format error\nip: invalid format - value does not look like a valid ipv4 network configuration\n"},
		"unknown deleted key": {"PUT", "/config", "delete=colour", "delete", "unknown option 'colour'"},
		"set and deleted":     {"PUT", "/config", "cores=2&delete=cores", "delete", "you can't use '-cores' and -delete cores' at the same time"},
		"other vmid":          {"PUT", "/config", "vmid=101&cores=1", "vmid", "duplicate parameter (already defined in URI) with conflicting values!"},
		"digest":              {"PUT", "/config", "cores=1&digest=" + strings.Repeat("a", 41), "digest", "value may only be 40 characters long"},
		"skiplock":            {"PUT", "/config", "cores=1&skiplock=1", "skiplock", "Only root may use this option."},
		"disk":                {"PUT", "/resize", "disk=hda&size=5G", "disk", "value 'hda' does not have a value in the enumeration 'ide0, ide1, ide2"},
		"size":                {"PUT", "/resize", "disk=scsi0&size=5GB", "size", "value does not match the regex pattern"},
		"repeated":            {"POST", "/clone", "newid=100&newid=101", "newid", "type check ('string') failed - got ARRAY"},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				got := c.ask(test.method, template+test.path, test.values)
				want(t, "status", got.status, 400)
				if !strings.HasPrefix(got.errors[test.param], test.text) {
					t.Errorf("errors %q, want %s: %s", got.errors, test.param, test.text)
				}
			})
		})
	}
}

// TestBodies: forms, also with semicolons, and JSON mean the same; JSON has real booleans.
func TestBodies(t *testing.T) {
	for name, test := range map[string][2]string{
		"form":       {"application/x-www-form-urlencoded", "cores=3&onboot=1"},
		"semicolons": {"application/x-www-form-urlencoded", "cores=3;onboot=1"},
		"JSON":       {"application/json", `{"cores":3,"onboot":true,"tags":null}`},
	} {
		t.Run(name, func(t *testing.T) {
			inCluster(t, func(c cluster) {
				path := c.clone()
				request := newRequest(c.t, "PUT", c.Proxmox.Endpoint+base+path+"/config", test[1])
				request.Header.Set("Content-Type", test[0])
				request.Header.Set("Authorization", "PVEAPIToken="+c.token)
				got := send(c.t, c.Proxmox.Client(), request)
				want(t, "answer", got.raw, `{"data":null}`)
				want(t, "cores", c.config(path, "cores"), 3.0)
				want(t, "onboot", c.config(path, "onboot"), 1.0)
			})
		})
	}
	inCluster(t, func(c cluster) {
		request := newRequest(c.t, "PUT", c.Proxmox.Endpoint+base+template+"/config", `{"cores":`)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "PVEAPIToken="+c.token)
		wantText(t, "broken JSON", send(c.t, c.Proxmox.Client(), request).message, "malformed JSON string")
	})
}

// TestOlderReleases: up to 8.3 the text is in the reason phrase only (pve-http-server 5.2.0 brought the message).
func TestOlderReleases(t *testing.T) {
	for release, wanted := range map[string]string{
		"8.3": `{"data":null}`,
		"8.4": `{"data":null,"message":"pool 'none' does not exist\n"}`,
		"9.1": `{"data":null,"message":"pool 'none' does not exist\n"}`,
	} {
		inCluster(t, func(c cluster) {
			c.set(func(s *emulator.Settings) { s.Release = release })
			got := c.ask("GET", "/pools", "poolid=none")
			want(t, release+" body", got.raw, wanted)
			want(t, release+" reason", got.reason, "pool 'none' does not exist")
			want(t, release+" version", c.ask("GET", "/version", "").get("release"), release)
		})
	}
}

// TestOverTLS: HTTPS with TLS 1.3 and HTTP/1.1 only, a certificate that the start line has, and real reason phrases.
func TestOverTLS(t *testing.T) {
	e := emulator.Start(t, emulator.Options{})
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(e.Proxmox.CACertificate)) {
		t.Fatalf("no certificate in %q", e.Proxmox.CACertificate)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	for _, host := range []string{"127.0.0.1", "localhost"} {
		url := strings.Replace(e.Proxmox.Endpoint, "127.0.0.1", host, 1)
		request := newRequest(t, "GET", url+base+"/nodes/pve1/qemu/555/config", "")
		request.Header.Set("Authorization", "PVEAPIToken="+e.Proxmox.Token)
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		want(t, "status line", response.Status, "500 Configuration file 'nodes/pve1/qemu-server/555.conf' does not exist")
		want(t, "protocol", response.Proto, "HTTP/1.1")
		want(t, "TLS version", response.TLS.Version, uint16(tls.VersionTLS13))
		want(t, "closed", response.Close, true)
		sum := sha256.Sum256(response.TLS.PeerCertificates[0].Raw)
		want(t, "fingerprint", strings.ReplaceAll(e.Proxmox.TLSFingerprint, ":", ""), fmt.Sprintf("%X", sum))
	}
	request := newRequest(t, "GET", e.Proxmox.Endpoint+base+"/version", "")
	old := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS12}}
	if response, err := (&http.Client{Transport: old}).Do(request); err == nil {
		response.Body.Close()
		t.Error("answers TLS 1.2")
	}
	stranger := &http.Transport{}
	if response, err := (&http.Client{Transport: stranger}).Do(request); err == nil {
		response.Body.Close()
		t.Error("a client that does not know the certificate trusts it")
	}
}

// TestFaultsHaveReasons: an injected status has the phrase that the vendor gives it, or the fault's own.
func TestFaultsHaveReasons(t *testing.T) {
	for name, test := range map[string]struct {
		fault emulator.Fault
		want  string
		raw   string
	}{
		"node out of reach": {emulator.Fault{Action: "status", Status: 595}, "595 No route to host", ""},
		"lost forwarding":   {emulator.Fault{Action: "status", Status: 596}, "596 Connection timed out", ""},
		"own phrase":        {emulator.Fault{Action: "status", Status: 500, Reason: "cluster not ready - no quorum?", Body: `{"data":null}`}, "500 cluster not ready - no quorum?", `{"data":null}`},
		"plain":             {emulator.Fault{Action: "status", Status: 500}, "500 got no worker upid", `{"data":null,"message":"got no worker upid\n"}`},
	} {
		inCluster(t, func(c cluster) {
			if _, err := c.AddFault(test.fault); err != nil {
				t.Fatal(err)
			}
			got := c.ask("GET", "/version", "")
			want(t, name, fmt.Sprintf("%d %s", got.status, got.reason), test.want)
			want(t, name+" body", got.raw, test.raw)
		})
	}
}
