// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

// starts is how often each provider is started; what counts is the middle one.
const starts = 15

// schemaMethod is what a CLI asks a provider first, by the version of the protocol.
var schemaMethod = map[int]string{5: "/tfplugin5.Provider/GetSchema", 6: "/tfplugin6.Provider/GetProviderSchema"}

// measureStart starts a provider as the CLIs do, until it has answered its schema.
func measureStart(ctx context.Context, s subject) (start, error) {
	measured := start{Subject: s.Name}
	info, err := os.Stat(s.binary)
	if err != nil {
		return measured, err
	}
	measured.BinaryBytes = info.Size()
	var took []time.Duration
	for range starts {
		one, err := startOnce(ctx, s.binary)
		if err != nil {
			return measured, fmt.Errorf("start %s: %w", s.binary, err)
		}
		took = append(took, one)
	}
	slices.Sort(took)
	measured.Milliseconds = float64(took[len(took)/2].Microseconds()) / 1000
	measured.Fastest = float64(took[0].Microseconds()) / 1000
	return measured, nil
}

func startOnce(ctx context.Context, binary string) (time.Duration, error) {
	began := time.Now()
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey: "TF_PLUGIN_MAGIC_COOKIE", MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{
			5: {"provider": &tf6server.GRPCProviderPlugin{}}, 6: {"provider": &tf6server.GRPCProviderPlugin{}},
		},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		AutoMTLS:         true,
		Logger:           hclog.NewNullLogger(),
		Cmd:              exec.CommandContext(context.WithoutCancel(ctx), binary),
	})
	defer client.Kill()
	protocol, err := client.Client()
	if err != nil {
		return 0, err
	}
	connected, ok := protocol.(*plugin.GRPCClient)
	if !ok {
		return 0, fmt.Errorf("the provider speaks %T", protocol)
	}
	var schema emptypb.Empty // what it says does not matter here
	method := schemaMethod[client.NegotiatedVersion()]
	err = connected.Conn.Invoke(ctx, method, &emptypb.Empty{}, &schema, grpc.MaxCallRecvMsgSize(256<<20))
	return time.Since(began), err
}
