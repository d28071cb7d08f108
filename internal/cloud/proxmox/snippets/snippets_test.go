// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package snippets

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// keep writes a file twice and removes it twice, and looks at the folder in between.
func keep(t *testing.T, store Store, folder string) {
	t.Helper()
	for _, content := range []string{"first", "second, which is longer"} {
		if err := store.Write(t.Context(), "web-user.yaml", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(folder, "web-user.yaml")); err != nil || string(got) != content {
			t.Fatalf("the file holds %q, %v", got, err)
		}
	}
	about, err := os.Stat(filepath.Join(folder, "web-user.yaml"))
	if err != nil || about.Mode().Perm() != 0o640 {
		t.Errorf("the file is %v, %v", about.Mode(), err)
	}
	for range 2 {
		if err := store.Remove(t.Context(), "web-user.yaml"); err != nil {
			t.Fatal(err)
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestDirectory(t *testing.T) {
	folder := t.TempDir()
	keep(t, Directory(folder), folder)
	err := Directory(filepath.Join(folder, "missing")).Write(t.Context(), "x", nil)
	if !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "directory") {
		t.Errorf("a folder that is missing: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Directory(folder).Write(ended, "x", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("after the cancel: %v", err)
	}
}

// server is a real sshd on loopback.
type server struct {
	folder string
	port   int
	// hostKey and otherKey are public keys, of which the server has the first; userKey is private.
	hostKey, otherKey string
	userKey           []byte
}

// program answers where a program of Debian's openssh-server or openssh-client is.
func program(t *testing.T, paths ...string) string {
	t.Helper()
	for _, path := range paths {
		if found, err := exec.LookPath(path); err == nil {
			return found
		}
	}
	if os.Getenv("CI_REQUIRE") == "1" {
		t.Fatalf("%s is not there: install Debian's package openssh-server", paths[0])
	}
	t.Skipf("needs %s, from Debian's package openssh-server", paths[0])
	return ""
}

func startServer(t *testing.T) server {
	t.Helper()
	sshd, sftpServer := program(t, "sshd", "/usr/sbin/sshd"), program(t, "/usr/lib/openssh/sftp-server")
	folder := t.TempDir()
	keys := map[string]string{}
	for _, name := range []string{"host", "other", "user"} {
		path := filepath.Join(folder, name)
		run(t, program(t, "ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", path)
		keys[name] = string(read(t, path+".pub"))
	}
	authorized := filepath.Join(folder, "authorized_keys")
	write(t, authorized, keys["user"])
	separation(t)
	made := server{folder: folder, hostKey: keys["host"], otherKey: keys["other"], userKey: read(t, filepath.Join(folder, "user"))}
	// A port that was free may be somebody else's by the time that the server listens there.
	for range 10 {
		made.port = freePort(t)
		settings := filepath.Join(folder, "sshd_config")
		write(t, settings, fmt.Sprintf("ListenAddress 127.0.0.1:%d\nHostKey %s\nAuthorizedKeysFile %s\nSubsystem sftp %s\nStrictModes no\nUsePAM no\nPidFile none\n",
			made.port, filepath.Join(folder, "host"), authorized, sftpServer))
		if serves(t, exec.CommandContext(t.Context(), sshd, "-D", "-e", "-f", settings), made.port) {
			return made
		}
	}
	t.Fatal("sshd finds no port")
	return made
}

// serves starts the server and answers whether it listens; it does not where it has ended by itself.
func serves(t *testing.T, command *exec.Cmd, port int) bool {
	t.Helper()
	var log bytes.Buffer
	command.Stderr = &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = command.Process.Kill()
		<-ended
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return awaitPort(t, port, ended)
}

// separation makes the folder that sshd wants to be there when it runs as root; the package's service makes it otherwise.
func separation(t *testing.T) {
	t.Helper()
	if os.Getuid() != 0 {
		return
	}
	if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
		t.Fatal(err)
	}
}

func run(t *testing.T, name string, arguments ...string) {
	t.Helper()
	if out, err := exec.CommandContext(t.Context(), name, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().(*net.TCPAddr).Port
}

// awaitPort waits for another process, which no channel tells about, until it listens or has ended.
func awaitPort(t *testing.T, port int, ended <-chan struct{}) bool {
	t.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(5 * time.Minute)
	var dialer net.Dialer
	for {
		select {
		case <-ended:
			return false
		case <-look.C:
			if connection, err := dialer.DialContext(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port)); err == nil {
				connection.Close()
				return true
			}
		case <-deadline:
			t.Fatal("sshd does not listen")
		}
	}
}

func (s server) store(t *testing.T, folder string) SFTP {
	t.Helper()
	self, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return SFTP{
		Host: "127.0.0.1", Port: s.port, User: self.Username, Directory: folder, KnownHost: s.hostKey,
		PrivateKey: func(context.Context) (string, error) { return base64.StdEncoding.EncodeToString(s.userKey), nil },
	}
}

func TestSFTP(t *testing.T) {
	server := startServer(t)
	folder := t.TempDir()
	t.Run("files come and go", func(t *testing.T) { keep(t, server.store(t, folder), folder) })
	t.Run("a known_hosts line and plain PEM will do", func(t *testing.T) {
		store := server.store(t, folder)
		store.KnownHost = fmt.Sprintf("[127.0.0.1]:%d %s", server.port, server.hostKey)
		store.PrivateKey = func(context.Context) (string, error) { return string(server.userKey), nil }
		keep(t, store, folder)
	})
	t.Run("another host key is refused before anything is sent", func(t *testing.T) {
		store := server.store(t, folder)
		store.KnownHost = server.otherKey
		wantError(t, store.Write(t.Context(), "x", nil), "the server shows the host key SHA256:", "correct known_host")
	})
	t.Run("a key that may not log in", func(t *testing.T) {
		store := server.store(t, folder)
		store.PrivateKey = func(context.Context) (string, error) {
			return string(read(t, filepath.Join(server.folder, "other"))), nil
		}
		wantError(t, store.Write(t.Context(), "x", nil), "unable to authenticate")
	})
	t.Run("a folder that is missing", func(t *testing.T) {
		store := server.store(t, filepath.Join(folder, "missing"))
		wantError(t, store.Write(t.Context(), "x", nil), "missing: file does not exist")
	})
}

func TestSFTPWithoutAServer(t *testing.T) {
	store := SFTP{
		Host: "127.0.0.1", Port: freePort(t), User: "nobody", Directory: "/x", KnownHost: hostKeyText,
		PrivateKey: func(context.Context) (string, error) { return "hunter2", nil },
	}
	wantError(t, store.Write(t.Context(), "x", nil), "neither PEM nor PEM in base64")
	store.PrivateKey = func(context.Context) (string, error) { return "", errors.New("env://KEY is not set") }
	wantError(t, store.Remove(t.Context(), "x"), "env://KEY is not set")
}

const hostKeyText = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ1wJJ7ODNsWpPWsa9RM3VHsJDxFE1Ik2mCSXTDTqlSr host"

func TestParseKnownHost(t *testing.T) {
	for _, text := range []string{hostKeyText, "pve1 " + hostKeyText, "[pve1]:2222 " + hostKeyText} {
		if _, err := ParseKnownHost(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"", "pve1", "@revoked * " + hostKeyText, "SHA256:abc"} {
		if _, err := ParseKnownHost(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func wantError(t *testing.T, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("the error is %v, want %q", err, text)
		}
	}
	if err != nil && strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error repeats a secret: %v", err)
	}
}
