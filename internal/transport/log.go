// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"context"
	"net/http"
	"time"

	"github.com/hashicorp/terraform-plugin-log/tflog"
)

// log writes one line per attempt at DEBUG, and the bodies at TRACE. Headers are never written.
func (e *exchange) log(ctx context.Context, response *http.Response, err error) {
	fields := map[string]any{
		"vendor":       e.Vendor,
		"method":       e.request.Method,
		"path":         e.mask.text(e.request.URL.Path),
		"query":        e.mask.query(e.request.URL.Query()),
		"attempt":      e.attempt,
		"milliseconds": time.Since(e.started).Milliseconds(),
	}
	if err != nil {
		fields["error"] = e.mask.text(err.Error())
		tflog.Debug(ctx, "Vendor did not answer", fields)
		return
	}
	fields["status"] = response.StatusCode
	fields["request_id"] = e.mask.text(response.Header.Get(e.RequestIDHeader))
	tflog.Debug(ctx, "Vendor answered", fields)
	tflog.Trace(ctx, "Bodies of the exchange", map[string]any{
		"vendor":     e.Vendor,
		"method":     e.request.Method,
		"path":       fields["path"],
		"request_id": fields["request_id"],
		"request":    body{mask: e.mask, contentType: e.request.Header.Get("Content-Type"), bytes: e.sent},
		"response":   body{mask: e.mask, contentType: response.Header.Get("Content-Type"), bytes: e.received},
	})
}

// body is masked only when the log really writes it.
type body struct {
	mask        mask
	contentType string
	bytes       []byte
}

// MarshalText is what a log in JSON calls.
func (b body) MarshalText() ([]byte, error) { return []byte(b.String()), nil }

// String is what a log in plain text calls.
func (b body) String() string { return b.mask.body(b.contentType, b.bytes) }
