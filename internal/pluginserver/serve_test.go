// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package pluginserver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"

	"github.com/better-compute/terraform-provider-bettercompute/internal/pluginserver"
)

// The tests start this program again as a provider: serving takes the process over.
const role = "PLUGINSERVER_TEST_ROLE"

const address = "registry.terraform.io/better-compute/tested"

func TestMain(m *testing.M) {
	as := os.Getenv(role)
	if as == "" {
		os.Exit(m.Run())
	}
	if err := serve(as); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(as string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if as == "debug" {
		return pluginserver.ServeDebug(ctx, address, newTested, os.Stdout)
	}
	return pluginserver.Serve(ctx, address, newTested, os.Stdout)
}

// tested answers GetMetadata, after it has printed something, as a library might.
type tested struct{ tfprotov6.ProviderServer }

func newTested() tfprotov6.ProviderServer { return tested{} }

func (tested) GetMetadata(context.Context, *tfprotov6.GetMetadataRequest) (*tfprotov6.GetMetadataResponse, error) {
	fmt.Println("printed by a library")
	return &tfprotov6.GetMetadataResponse{Resources: []tfprotov6.ResourceMetadata{{TypeName: "tested_thing"}}}, nil
}

// hostConfig is how both CLIs set go-plugin's client up.
func hostConfig(command *exec.Cmd) *plugin.ClientConfig {
	return &plugin.ClientConfig{
		HandshakeConfig: plugin.HandshakeConfig{
			MagicCookieKey: "TF_PLUGIN_MAGIC_COOKIE", MagicCookieValue: "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2",
		},
		VersionedPlugins: map[int]plugin.PluginSet{6: {"provider": &tf6server.GRPCProviderPlugin{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
		Cmd:              command,
	}
}

func self(as string) *exec.Cmd {
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), role+"="+as)
	return command
}

// metadata asks the provider for the names of its resources, and answers the message as it came.
func metadata(t *testing.T, client *plugin.Client) string {
	t.Helper()
	protocol, err := client.Client()
	if err != nil {
		t.Fatal(err)
	}
	if err := protocol.Ping(); err != nil {
		t.Errorf("ping: %v", err)
	}
	var answer emptypb.Empty
	connection := protocol.(*plugin.GRPCClient).Conn
	if err := connection.Invoke(t.Context(), "/tfplugin6.Provider/GetMetadata", &emptypb.Empty{}, &answer, grpc.WaitForReady(true)); err != nil {
		t.Fatal(err)
	}
	text, err := proto.Marshal(&answer)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestACLIStartsAsksAndEndsAProvider(t *testing.T) {
	for name, mTLS := range map[string]bool{"with TLS": true, "without TLS": false} {
		t.Run(name, func(t *testing.T) {
			temporary := t.TempDir()
			t.Setenv("TMPDIR", temporary)
			command := self("serve")
			config := hostConfig(command)
			config.AutoMTLS = mTLS
			printed := &text{found: make(chan struct{}), wanted: "printed by a library"}
			config.SyncStdout = printed
			client := plugin.NewClient(config)
			defer client.Kill()
			if answer := metadata(t, client); !strings.Contains(answer, "tested_thing") {
				t.Errorf("the provider answers %q", answer)
			}
			select {
			case <-printed.found:
			case <-time.After(time.Minute):
				t.Error("what a library prints does not reach the CLI")
			}

			client.Kill()
			if command.ProcessState == nil || !command.ProcessState.Success() {
				t.Errorf("asked to end, the provider ended with %v", command.ProcessState)
			}
			if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
				t.Errorf("left in the directory of temporary files: %v, %v", left, err)
			}
		})
	}
}

func TestAProviderThatNobodyAskedForSaysSo(t *testing.T) {
	tests := map[string]struct {
		environment []string
		says        string
	}{
		"started by hand": {nil, "terraform and tofu start it themselves"},
		"a certificate that is none": {
			[]string{"TF_PLUGIN_MAGIC_COOKIE=d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2", "PLUGIN_CLIENT_CERT=none"},
			"PLUGIN_CLIENT_CERT holds no certificate",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			command := self("serve")
			command.Env = append(command.Env, test.environment...)
			var stdout, stderr bytes.Buffer
			command.Stdout, command.Stderr = &stdout, &stderr
			if err := command.Run(); err == nil {
				t.Error("it ends with 0")
			}
			if !strings.Contains(stderr.String(), test.says) || stdout.Len() > 0 {
				t.Errorf("it prints %q and, as an error, %q", stdout.String(), stderr.String())
			}
		})
	}
}

func TestADebuggerServesManyCLIs(t *testing.T) {
	command := self("debug")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	process := attached(t, stdout)
	for range 2 {
		config := hostConfig(nil)
		config.Reattach = process
		client := plugin.NewClient(config)
		if answer := metadata(t, client); !strings.Contains(answer, "tested_thing") {
			t.Errorf("the provider answers %q", answer)
		}
		client.Kill()
	}
	if err := command.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, stdout); err != nil {
		t.Error(err)
	}
	if err := command.Wait(); err != nil {
		t.Errorf("interrupted, it ends with %v", err)
	}
}

// attached reads the value of TF_REATTACH_PROVIDERS from what a debugged provider prints.
func attached(t *testing.T, stdout io.Reader) *plugin.ReattachConfig {
	t.Helper()
	value, err := reattachValue(stdout)
	if err != nil {
		t.Fatal(err)
	}
	var processes map[string]struct {
		Protocol        plugin.Protocol
		ProtocolVersion int
		Pid             int
		Test            bool
		Addr            socket
	}
	if err := json.Unmarshal([]byte(value), &processes); err != nil {
		t.Fatalf("%v in %s", err, value)
	}
	found := processes[address]
	return &plugin.ReattachConfig{
		Protocol: found.Protocol, ProtocolVersion: found.ProtocolVersion, Pid: found.Pid, Test: found.Test, Addr: found.Addr,
	}
}

func reattachValue(stdout io.Reader) (string, error) {
	lines := bufio.NewScanner(stdout)
	for lines.Scan() {
		if value, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "TF_REATTACH_PROVIDERS='"); found {
			return strings.TrimSuffix(value, "'"), nil
		}
	}
	return "", errors.New("the debugged provider prints no TF_REATTACH_PROVIDERS")
}

// socket is a net.Addr as the variable spells it.
type socket struct{ NetworkName, Address string }

func (s *socket) UnmarshalJSON(text []byte) error {
	var fields struct{ Network, String string }
	err := json.Unmarshal(text, &fields)
	s.NetworkName, s.Address = fields.Network, fields.String
	return err
}

func (s socket) Network() string { return s.NetworkName }
func (s socket) String() string  { return s.Address }

// text says when what is written to it contains what is wanted.
type text struct {
	mutex  sync.Mutex
	all    bytes.Buffer
	wanted string
	found  chan struct{}
	once   sync.Once
}

func (t *text) Write(written []byte) (int, error) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.all.Write(written)
	if strings.Contains(t.all.String(), t.wanted) {
		t.once.Do(func() { close(t.found) })
	}
	return len(written), nil
}
