// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner_test

import (
	"context"
	"testing"
	"time"

	"github.com/hetznercloud/hcloud-go/v2/hcloud"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// newClient is the vendor's own client against an emulator in memory. Its retries are off, so that a test sees every
// answer.
func newClient(e *emulator.Emulator, token string) *hcloud.Client {
	return hcloud.NewClient(
		hcloud.WithEndpoint(e.Hetzner.Endpoint), hcloud.WithToken(token), hcloud.WithHTTPClient(e.Hetzner.Client()),
		hcloud.WithRetryOpts(hcloud.RetryOpts{BackoffFunc: hcloud.ConstantBackoff(time.Second), MaxRetries: 0}),
	)
}

func createOptions(name string) hcloud.ServerCreateOpts {
	return hcloud.ServerCreateOpts{
		Name: name, ServerType: &hcloud.ServerType{Name: "cx23"}, Image: &hcloud.Image{Name: "ubuntu-24.04"},
		Location: &hcloud.Location{Name: "fsn1"}, Labels: map[string]string{"app": "shop"},
	}
}

// mustCreate creates a server and waits until it runs.
func mustCreate(t *testing.T, client *hcloud.Client, options hcloud.ServerCreateOpts) *hcloud.Server {
	t.Helper()
	created, _, err := client.Server.Create(t.Context(), options)
	if err != nil {
		t.Fatalf("create %s: %v", options.Name, err)
	}
	await(t, client, append(created.NextActions, created.Action)...)
	server, _, err := client.Server.GetByID(t.Context(), created.Server.ID)
	if err != nil || server == nil {
		t.Fatalf("get %s: %v, %v", options.Name, server, err)
	}
	return server
}

func await(t *testing.T, client *hcloud.Client, actions ...*hcloud.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := client.Action.WaitFor(ctx, actions...); err != nil {
		t.Fatalf("wait: %v", err)
	}
}
