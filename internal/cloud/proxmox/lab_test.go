// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"context"
	"testing"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// lab is an emulated cluster.
type lab struct {
	*testing.T
	*emulator.Emulator
	token string
}

func newLab(t *testing.T, options emulator.Options) *lab {
	t.Helper()
	made := emulator.InMemory(t, options)
	return &lab{T: t, Emulator: made, token: made.Proxmox.Token}
}

// open opens a driver to the cluster, as another process would.
func (l *lab) open(more manifest.Values) *cloud {
	l.Helper()
	values := sound(more)
	values["url"] = l.Proxmox.Endpoint
	if l.Proxmox.Endpoint == "" {
		values["url"] = "https://127.0.0.1:8006"
	}
	opened, err := open(config().WithDefaults(values), driver.Environment{
		Resolve: func(context.Context, string) (string, error) { return l.token, nil }, MaxRetries: 3, Base: l.Proxmox.Transport(),
	})
	if err != nil {
		l.Fatal(err)
	}
	return opened.(*cloud) //nolint:forcetypeassert // open makes one
}
