// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package pluginserver

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
)

// ServeDebug serves a provider that a person has started, under a debugger for example, until the context ends. It prints
// the variable that makes CLIs connect to it.
func ServeDebug(ctx context.Context, name string, provider func() tfprotov6.ProviderServer, stdout io.Writer) error {
	listener, err := listen(ctx)
	if err != nil {
		return fmt.Errorf("listen for CLIs: %w", err)
	}
	defer listener.Close()
	output, err := newPipes()
	if err != nil {
		return err
	}
	server, err := newServer(name, provider, nil, output)
	if err != nil {
		return err
	}
	defer context.AfterFunc(ctx, server.Stop)()
	text, err := reattach(name, listener.Addr())
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "Serving. To use this process, set in the shell of the CLI:\n\n\tTF_REATTACH_PROVIDERS='%s'\n\n", text)
	return server.Serve(listener)
}

// reattach is the value of TF_REATTACH_PROVIDERS: how a CLI connects to a process that it has not started. Test tells it
// not to end that process.
func reattach(name string, address net.Addr) (string, error) {
	type network struct{ Network, String string }
	type process struct {
		Protocol        string
		ProtocolVersion int
		Pid             int
		Test            bool
		Addr            network
	}
	text, err := json.Marshal(map[string]process{name: {
		Protocol: string(plugin.ProtocolGRPC), ProtocolVersion: protocolVersion, Pid: os.Getpid(), Test: true,
		Addr: network{Network: address.Network(), String: address.String()},
	}})
	return string(text), err
}
