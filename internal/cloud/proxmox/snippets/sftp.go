// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package snippets

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/pkg/sftp"
	"golang.org/x/crypto/ssh"
)

// patience bounds the way to the server and back.
const patience = 30 * time.Second

// SFTP is a folder on a server that speaks SFTP.
type SFTP struct {
	// Host is a name or address, Port its SSH port, User who logs in, Directory the folder's path on the server.
	Host      string
	Port      int
	User      string
	Directory string
	// KnownHost is the server's public key: a line of known_hosts, or the key alone. Another key is refused.
	KnownHost string
	// PrivateKey answers the key to log in with: PEM, or PEM in base64 on one line. It is asked each time and not kept.
	PrivateKey func(ctx context.Context) (string, error)
}

// Write writes the file beside its place and moves it there.
func (s SFTP) Write(ctx context.Context, name string, data []byte) error {
	return s.with(ctx, func(client *sftp.Client) error {
		temporary, target := path.Join(s.Directory, "."+name+".tmp"), path.Join(s.Directory, name)
		file, err := client.Create(temporary)
		if err != nil {
			return err
		}
		_, err = file.Write(data)
		err = errors.Join(err, file.Chmod(mode), file.Close())
		if err == nil {
			err = client.PosixRename(temporary, target)
		}
		if err != nil {
			return errors.Join(err, client.Remove(temporary))
		}
		return nil
	})
}

// Remove removes the file.
func (s SFTP) Remove(ctx context.Context, name string) error {
	return s.with(ctx, func(client *sftp.Client) error {
		err := client.Remove(path.Join(s.Directory, name))
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// with logs in for one piece of work. The connection ends with it, or with the context.
func (s SFTP) with(ctx context.Context, work func(*sftp.Client) error) error {
	ctx, done := context.WithTimeout(ctx, patience)
	defer done()
	connection, err := s.dial(ctx)
	if err != nil {
		return s.failed(ctx, err)
	}
	defer connection.Close()
	stop := context.AfterFunc(ctx, func() { connection.Close() })
	defer stop()
	client, err := sftp.NewClient(connection)
	if err != nil {
		return s.failed(ctx, err)
	}
	defer client.Close()
	if err := work(client); err != nil {
		return s.failed(ctx, fmt.Errorf("in %s: %w", s.Directory, err))
	}
	return nil
}

func (s SFTP) failed(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		err = ended
	}
	return fmt.Errorf("sftp://%s@%s: %w", s.User, s.address(), err)
}

func (s SFTP) address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

func (s SFTP) dial(ctx context.Context) (*ssh.Client, error) {
	known, err := ParseKnownHost(s.KnownHost)
	if err != nil {
		return nil, err
	}
	text, err := s.PrivateKey(ctx)
	if err != nil {
		return nil, err
	}
	signer, err := parsePrivateKey(text)
	if err != nil {
		return nil, err
	}
	var dialer net.Dialer
	raw, err := dialer.DialContext(ctx, "tcp", s.address())
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { raw.Close() })
	defer stop()
	connection, channels, requests, err := ssh.NewClientConn(raw, s.address(), &ssh.ClientConfig{
		User: s.User, Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)},
		HostKeyCallback: checkHostKey(known), HostKeyAlgorithms: algorithms(known.Type()),
	})
	if err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	return ssh.NewClient(connection, channels, requests), nil
}

// checkHostKey refuses any other key, and shows both.
func checkHostKey(known ssh.PublicKey) ssh.HostKeyCallback {
	fixed := ssh.FixedHostKey(known)
	return func(host string, remote net.Addr, key ssh.PublicKey) error {
		if fixed(host, remote, key) == nil {
			return nil
		}
		return fmt.Errorf("the server shows the host key %s, known_host is %s: nothing was sent; if the server was set up anew, correct known_host",
			ssh.FingerprintSHA256(key), ssh.FingerprintSHA256(known))
	}
}

// algorithms are those in which a server can prove a key of this type.
func algorithms(keyType string) []string {
	if keyType == ssh.KeyAlgoRSA {
		return []string{ssh.KeyAlgoRSASHA512, ssh.KeyAlgoRSASHA256}
	}
	return []string{keyType}
}

// ParseKnownHost reads a line of known_hosts, or a public key alone, such as the server's /etc/ssh/ssh_host_ed25519_key.pub.
func ParseKnownHost(text string) (ssh.PublicKey, error) {
	if key, _, _, rest, err := ssh.ParseAuthorizedKey([]byte(text)); err == nil && len(rest) == 0 {
		return key, nil
	}
	marker, _, key, _, _, err := ssh.ParseKnownHosts([]byte(text))
	if err != nil || marker != "" {
		return nil, errors.New("must be one line of known_hosts or one public host key, such as ssh-ed25519 AAAA")
	}
	return key, nil
}

// CheckPrivateKey answers what is wrong with a private key, and never repeats it.
func CheckPrivateKey(text string) error {
	_, err := parsePrivateKey(text)
	return err
}

// parsePrivateKey never repeats the text in its error.
func parsePrivateKey(text string) (ssh.Signer, error) {
	pem := []byte(text)
	if !strings.HasPrefix(text, "-----") {
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, errors.New("the private key is neither PEM nor PEM in base64 on one line (base64 -w0 FILE)")
		}
		pem = decoded
	}
	signer, err := ssh.ParsePrivateKey(pem)
	if err != nil {
		return nil, errors.New("the private key cannot be read: it must be an OpenSSH or PKCS key in PEM without a passphrase")
	}
	return signer, nil
}
