// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
)

// upload sends an ISO as browsers do, waits for its task, and gives how it ended.
func (c cluster) upload(node, storage, name, content string) any {
	c.t.Helper()
	sent := c.sendFile(node, storage, "iso", name, content)
	upid, started := sent.data.(string)
	if !started {
		c.t.Fatalf("upload: %d %s %s", sent.status, sent.reason, sent.raw)
	}
	return c.ends(upid)
}

func (c cluster) sendFile(node, storage, kind, name, content string) answer {
	c.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if err := form.WriteField("content", kind); err != nil {
		c.t.Fatal(err)
	}
	part, err := form.CreateFormFile("filename", name)
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := part.Write([]byte(content)); err != nil {
		c.t.Fatal(err)
	}
	if err := form.Close(); err != nil {
		c.t.Fatal(err)
	}
	url := c.Proxmox.Endpoint + base + "/nodes/" + node + "/storage/" + storage + "/upload"
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, url, &body)
	if err != nil {
		c.t.Fatal(err)
	}
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Authorization", "PVEAPIToken="+c.token)
	return send(c.t, c.Proxmox.Client(), request)
}
