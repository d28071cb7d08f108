// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package acceptance

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// Postgres is a PostgreSQL server for the pg backend, on loopback, until the test ends.
type Postgres struct {
	port   string
	folder string
	as     *syscall.SysProcAttr
}

// StartPostgres starts a fresh server of the programs that Debian's package postgresql installs. Where they are missing the
// test is skipped, or fails if CI_REQUIRE is 1.
func StartPostgres(t *testing.T) *Postgres {
	t.Helper()
	programs := postgresPrograms(t)
	data, err := os.MkdirTemp("", "bettercompute-postgres-") //nolint:usetesting // the server runs as another user, who may not enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	own := &Postgres{folder: programs, as: unprivileged(t, data)}
	own.run(t, "initdb", "--auth=trust", "--username=postgres", "--no-sync", "--no-locale", "--encoding=UTF8", "-D", data)
	// A port that was free may be somebody else's by the time that the server listens there.
	for range 10 {
		own.port = freePort(t)
		if own.serves(t, data) {
			return own
		}
	}
	t.Fatal("PostgreSQL finds no port")
	return nil
}

// serves starts the server and answers whether it takes connections; it does not where it has ended by itself.
func (p *Postgres) serves(t *testing.T, data string) bool {
	t.Helper()
	server := p.command(context.Background(), "postgres", "-D", data, "-p", p.port,
		"-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off")
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = server.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGINT) // the fast shutdown
		<-ended
	})
	return p.await(t, ended)
}

// postgresPrograms answers the folder with the server's programs: that of the one on PATH, else where Debian puts them.
func postgresPrograms(t *testing.T) string {
	t.Helper()
	if path, err := exec.LookPath("postgres"); err == nil {
		if program, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Dir(program)
		}
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err == nil && len(found) > 0 {
		return found[len(found)-1]
	}
	if os.Getenv("CI_REQUIRE") == "1" {
		t.Fatal("this test needs a PostgreSQL server: Debian's package postgresql")
	}
	t.Skip("this test needs a PostgreSQL server: Debian's package postgresql")
	return ""
}

// unprivileged answers how to run the server, which refuses to run as root: as the package's own user, or nobody.
func unprivileged(t *testing.T, data string) *syscall.SysProcAttr {
	t.Helper()
	if os.Geteuid() != 0 {
		return &syscall.SysProcAttr{}
	}
	for _, name := range []string{"postgres", "nobody"} {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		id, group := number(t, account.Uid), number(t, account.Gid)
		if err := os.Chown(data, int(id), int(group)); err != nil {
			t.Fatal(err)
		}
		return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: group}}
	}
	t.Fatal("PostgreSQL does not run as root, and there is no user postgres or nobody")
	return nil
}

func number(t *testing.T, text string) uint32 {
	t.Helper()
	id, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(id)
}

func freePort(t *testing.T) string {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_ = listener.Close() // the server is about to listen there
	return port
}

func (p *Postgres) command(ctx context.Context, program string, arguments ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, filepath.Join(p.folder, program), arguments...)
	command.SysProcAttr, command.Dir = p.as, "/"
	return command
}

func (p *Postgres) run(t *testing.T, program string, arguments ...string) {
	t.Helper()
	if out, err := p.command(t.Context(), program, arguments...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// await asks until the server takes connections, or has ended.
func (p *Postgres) await(t *testing.T, ended <-chan struct{}) bool {
	t.Helper()
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	deadline := time.After(Patience)
	for {
		select {
		case <-ended:
			return false
		case <-look.C:
			if p.command(t.Context(), "pg_isready", "-h", "127.0.0.1", "-p", p.port).Run() == nil {
				return true
			}
		case <-deadline:
			t.Fatalf("PostgreSQL takes no connections after %s", Patience)
		}
	}
}

// Block is the configuration of the pg backend with a fresh database.
func (p *Postgres) Block(t *testing.T, database string) string {
	t.Helper()
	return fmt.Sprintf("terraform {\n  backend \"pg\" {\n    conn_str = %q\n  }\n}\n", p.Connection(t, database))
}

// Connection makes a fresh database and answers what leads to it: the backend's locks are those of a whole database, and two
// that begin in one at the same time get in each other's way.
func (p *Postgres) Connection(t *testing.T, database string) string {
	t.Helper()
	p.run(t, "createdb", "-h", "127.0.0.1", "-p", p.port, "-U", "postgres", database)
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%s/%s?sslmode=disable", p.port, database)
}
