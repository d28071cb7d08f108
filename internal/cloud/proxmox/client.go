// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
)

// client speaks the JSON API of Proxmox VE. Requests are forms, answers an envelope {"data": ...}.
type client struct {
	http *http.Client
	// base is the cluster's URL with /api2/json.
	base string
}

// get reads; answer takes the envelope's data.
func (c *client) get(ctx context.Context, path string, query url.Values, answer any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.send(ctx, http.MethodGet, path, "", nil, answer)
}

func (c *client) post(ctx context.Context, path string, form url.Values, answer any) error {
	return c.send(ctx, http.MethodPost, path, formType, strings.NewReader(form.Encode()), answer)
}

func (c *client) put(ctx context.Context, path string, form url.Values, answer any) error {
	return c.send(ctx, http.MethodPut, path, formType, strings.NewReader(form.Encode()), answer)
}

// delete has its parameters in the query: a body would be refused.
func (c *client) delete(ctx context.Context, path string, query url.Values, answer any) error {
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	return c.send(ctx, http.MethodDelete, path, "", nil, answer)
}

// upload sends a file to a storage. The body is in memory, so that its length is known: the server takes no chunks.
func (c *client) upload(ctx context.Context, path string, form url.Values, name string, data []byte, answer any) error {
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for field := range form {
		if err := writer.WriteField(field, form.Get(field)); err != nil {
			return err
		}
	}
	part, err := writer.CreateFormFile("filename", name)
	if err != nil {
		return err
	}
	if _, err := part.Write(data); err != nil {
		return err
	}
	if err := writer.Close(); err != nil {
		return err
	}
	return c.send(ctx, http.MethodPost, path, writer.FormDataContentType(), bytes.NewReader(body.Bytes()), answer)
}

const formType = "application/x-www-form-urlencoded"

func (c *client) send(ctx context.Context, method, path, contentType string, body io.Reader, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return err
	}
	request.Header.Set("Accept", "application/json")
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return decode(response, data, answer)
}

// decode reads the envelope of a success, or makes the error of a refusal.
func decode(response *http.Response, data []byte, answer any) error {
	if response.StatusCode != http.StatusOK {
		return refusal(response, data)
	}
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(data, &envelope); err != nil {
		return foreignAnswer(response)
	}
	if answer == nil {
		return nil
	}
	if len(envelope.Data) == 0 {
		return foreignAnswer(response)
	}
	if err := json.Unmarshal(envelope.Data, answer); err != nil {
		return &answerError{status: response.StatusCode, text: "its answer has another form than expected: " + err.Error(), path: pathOf(response), foreign: true}
	}
	return nil
}

func pathOf(response *http.Response) string {
	if response.Request == nil {
		return ""
	}
	return response.Request.URL.Path
}
