// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package pluginserver serves a provider to the Terraform or OpenTofu that has started this process. It is what
// tf6server.Serve does, by the same gRPC server of go-plugin, without go-plugin's second protocol: net/rpc, which no CLI
// speaks to a provider, looks methods up by their names, and for that the linker keeps every exported method of every type
// of every library: 5 of 29 MB.
package pluginserver

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"os"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
)

// largestMessage is how large a message may be, in bytes: as in tf6server.Serve.
const largestMessage = 256 << 20

// Serve serves a provider until the CLI says that it is done. The name is the provider's address, such as
// "registry.terraform.io/better-compute/bettercompute". The handshake goes to stdout; from then on os.Stdout and os.Stderr
// lead to the CLI, where what a library prints is logged. The error is ErrNotStartedByCLI or says which part of the
// handshake failed.
func Serve(ctx context.Context, name string, provider func() tfprotov6.ProviderServer, stdout io.Writer) error {
	if os.Getenv(cookieName) != cookie {
		return ErrNotStartedByCLI
	}
	quiet(name)
	economize()
	identity, err := identify(os.Getenv("PLUGIN_CLIENT_CERT"))
	if err != nil {
		return err
	}
	listener, err := listen(ctx)
	if err != nil {
		return fmt.Errorf("listen for the CLI: %w", err)
	}
	defer listener.Close()
	output, err := newPipes()
	if err != nil {
		return err
	}
	server, err := newServer(name, provider, identity.tls, output)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(stdout, handshake(listener.Addr(), identity)); err != nil {
		return fmt.Errorf("tell the CLI where to connect: %w", err)
	}
	os.Stdout, os.Stderr = output.stdout.write, output.stderr.write
	return server.Serve(listener)
}

// newServer builds the gRPC server with the services that go-plugin's client asks for, and the provider's.
func newServer(name string, provider func() tfprotov6.ProviderServer, config *tls.Config, output pipes) (*grpc.Server, error) {
	var server *grpc.Server
	services := plugin.GRPCServer{
		Plugins: plugin.PluginSet{"provider": &tf6server.GRPCProviderPlugin{Name: name, GRPCProvider: provider}},
		Server: func(options []grpc.ServerOption) *grpc.Server {
			options = append(options, grpc.MaxRecvMsgSize(largestMessage), grpc.MaxSendMsgSize(largestMessage))
			server = grpc.NewServer(options...)
			return server
		},
		TLS:    config,
		Stdout: output.stdout.read,
		Stderr: output.stderr.read,
	}
	if err := services.Init(); err != nil {
		return nil, err
	}
	return server, nil
}

// pipe carries what is printed to go-plugin's service for it. Neither end is closed before the process ends.
type pipe struct{ read, write *os.File }

type pipes struct{ stdout, stderr pipe }

func newPipes() (pipes, error) {
	var made pipes
	var err error
	if made.stdout.read, made.stdout.write, err = os.Pipe(); err != nil {
		return pipes{}, err
	}
	made.stderr.read, made.stderr.write, err = os.Pipe()
	return made, err
}
