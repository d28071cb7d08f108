// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package pluginserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/hashicorp/go-plugin"
)

// What a CLI puts into the environment of a provider, so that one started by hand can tell.
const (
	cookieName = "TF_PLUGIN_MAGIC_COOKIE"
	cookie     = "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"
)

// protocolVersion is the provider protocol's, tfprotov6.
const protocolVersion = 6

// ErrNotStartedByCLI says that the process was started by hand.
var ErrNotStartedByCLI = errors.New(
	"this program is a provider plugin: terraform and tofu start it themselves; see -h for what it does besides")

// handshake is the line by which go-plugin's client learns where to connect and whom to trust there.
func handshake(address net.Addr, identity identity) string {
	return fmt.Sprintf("%d|%d|%s|%s|%s|%s", plugin.CoreProtocolVersion, protocolVersion,
		address.Network(), address.String(), plugin.ProtocolGRPC, identity.certificate)
}

// listen opens a socket in the directory of temporary files, or on Windows, where older CLIs know none, a port of
// those that the CLI allows.
func listen(ctx context.Context) (net.Listener, error) {
	if runtime.GOOS == "windows" {
		return listenPort(ctx)
	}
	return new(net.ListenConfig).Listen(ctx, "unix", filepath.Join(os.TempDir(), "plugin"+rand.Text()[:10]))
}

func listenPort(ctx context.Context) (net.Listener, error) {
	// Unset is 0, and port 0 is any free one.
	first, _ := strconv.Atoi(os.Getenv("PLUGIN_MIN_PORT"))
	last, _ := strconv.Atoi(os.Getenv("PLUGIN_MAX_PORT"))
	for port := first; port <= last; port++ {
		if listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return listener, nil
		}
	}
	return nil, fmt.Errorf("no port from PLUGIN_MIN_PORT %d to PLUGIN_MAX_PORT %d is free", first, last)
}
