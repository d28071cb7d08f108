// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package secret

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/hashicorp/go-cleanhttp"
	"github.com/hashicorp/vault/api"
)

// VaultOptions say where Vault is and how to get in.
type VaultOptions struct {
	// Address is the URL of the server, https or on loopback http.
	Address string
	// Namespace is one of Vault Enterprise or HCP Vault, or empty.
	Namespace string
	// Token answers the token; it is asked for each value.
	Token func(ctx context.Context) (string, error)
	// CACertificate is PEM that takes the place of the system's roots, or empty.
	CACertificate string
}

// Vault reads values from the KV version 2 engines of a Vault server. Its errors are of type *Error, or the context's.
type Vault struct {
	options VaultOptions
	config  *api.Config
	// mounts are the names of mounts by MOUNT/PATH.
	mounts sync.Map
}

// The longest that one value may take; how often an answer of 5xx or 429, or none, is asked for again within it, and after
// which wait at first.
const (
	vaultPatience = 20 * time.Second
	vaultRetries  = 2
	vaultWait     = 250 * time.Millisecond
)

// NewVault makes a client. It sends nothing.
func NewVault(options VaultOptions) (*Vault, error) {
	if err := CheckVaultAddress(options.Address); err != nil {
		return nil, err
	}
	roots, err := certificates(options.CACertificate)
	if err != nil {
		return nil, err
	}
	transport := cleanhttp.DefaultPooledTransport()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}
	return &Vault{options: options, config: &api.Config{
		Address: options.Address, Timeout: vaultPatience,
		MaxRetries: vaultRetries, MinRetryWait: vaultWait, MaxRetryWait: 2 * vaultWait,
		HttpClient: &http.Client{
			Transport: transport,
			// The API client follows one redirect of a standby server itself.
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}}, nil
}

// CheckVaultAddress says what is wrong with the address of a server, as a sentence without its subject.
func CheckVaultAddress(text string) error {
	address, err := url.Parse(text)
	switch {
	case err != nil || address.Host == "":
		return &Error{Message: "must be the URL of a Vault server, such as https://vault.example.com:8200"}
	case address.User != nil:
		return &Error{Message: "must not hold a user or password"}
	case address.Scheme != "https" && (address.Scheme != "http" || !isLoopback(address.Hostname())):
		return &Error{Message: "must begin with https://; plain http is for loopback addresses only, since the token goes with each request"}
	}
	return nil
}

func isLoopback(host string) bool {
	address := net.ParseIP(host)
	return host == "localhost" || address != nil && address.IsLoopback()
}

// certificates answers the roots in a PEM text; nil, the system's, for none.
func certificates(text string) (*x509.CertPool, error) {
	if text == "" {
		return nil, nil
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(text)) {
		return nil, &Error{Message: "must hold a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----"}
	}
	return roots, nil
}

// read answers the value of MOUNT/PATH#FIELD in its newest version.
func (v *Vault) read(ctx context.Context, name string) (string, error) {
	location, field, _ := strings.Cut(name, "#")
	client, err := v.client(ctx)
	if err != nil {
		return "", err
	}
	mount, err := v.mount(ctx, client, location)
	if err != nil {
		return "", err
	}
	path := strings.TrimPrefix(location, mount+"/")
	found, err := client.KVv2(mount).Get(ctx, path)
	if err != nil {
		return "", v.failure(ctx, mount+"/data/"+path, err)
	}
	if found.Data == nil {
		return "", &Error{Message: "its newest version in Vault " + deletion(found)}
	}
	value, there := found.Data[field]
	if !there {
		return "", &Error{Message: fmt.Sprintf("the secret %s in Vault has no field %s", location, field)}
	}
	text, ok := value.(string)
	if !ok {
		return "", &Error{Message: fmt.Sprintf("the field %s of the secret %s in Vault is no string", field, location)}
	}
	return text, nil
}

func deletion(found *api.KVSecret) string {
	if found.VersionMetadata == nil || found.VersionMetadata.Destroyed {
		return "is destroyed"
	}
	return fmt.Sprintf("(%d) was deleted at %s", found.VersionMetadata.Version, found.VersionMetadata.DeletionTime.Format(time.RFC3339))
}

// client answers a client with the token as it is now. The API client also reads variables of the environment: what they
// say about token and namespace is set anew, and TLS is our transport's.
func (v *Vault) client(ctx context.Context) (*api.Client, error) {
	token, err := v.options.Token(ctx)
	if failure, ok := errors.AsType[*Error](err); ok {
		return nil, &Error{NotConfigured: true, Denied: failure.Denied, Message: "the token for Vault is not there: " + failure.Message}
	}
	if err != nil {
		return nil, err
	}
	client, err := api.NewClient(v.config)
	if err != nil {
		return nil, unusable(fmt.Sprintf("the client for Vault cannot be made: %v", err))
	}
	client.SetToken(token)
	if v.options.Namespace == "" {
		client.ClearNamespace()
	} else {
		client.SetNamespace(v.options.Namespace)
	}
	return client, nil
}

// failure explains why nothing was read at a path. Vault's own words hold no values.
func (v *Vault) failure(ctx context.Context, path string, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, api.ErrSecretNotFound) {
		return &Error{Message: "there is no such secret in Vault at " + v.options.Address}
	}
	answer, ok := errors.AsType[*api.ResponseError](err)
	if !ok {
		return unusable(fmt.Sprintf("Vault at %s did not answer as Vault does: %v", v.options.Address, rootCause(err)))
	}
	words := cmp.Or(strings.Join(strings.Fields(strings.Join(answer.Errors, "; ")), " "), http.StatusText(answer.StatusCode))
	said := fmt.Sprintf("Vault at %s answered %d: %s", v.options.Address, answer.StatusCode, words)
	switch {
	case answer.RawError:
		return unusable(fmt.Sprintf("Vault at %s did not answer as Vault does: status %d", v.options.Address, answer.StatusCode))
	case answer.StatusCode == http.StatusForbidden:
		return &Error{Denied: true, Message: said + ". Its token must be valid, and have a policy with read on " + path}
	case answer.StatusCode == http.StatusServiceUnavailable:
		return unusable(said + ". A sealed Vault has to be unsealed by its operators")
	}
	return unusable(said)
}

// mount answers which part of MOUNT/PATH is the mount: its name may have several parts, and only the server knows. Whoever
// may read a secret of a mount may ask this (Vault API, "/sys/internal/ui/mounts"; Vault's own kv command asks it too).
// Where the server does not tell, it is the first part. What a mount is called does not change, so it is asked once.
func (v *Vault) mount(ctx context.Context, client *api.Client, location string) (string, error) {
	if known, there := v.mounts.Load(location); there {
		return known.(string), nil //nolint:forcetypeassert // nothing else is stored
	}
	first, _, _ := strings.Cut(location, "/")
	found, err := client.Logical().ReadWithContext(ctx, "sys/internal/ui/mounts/"+location)
	if answer, ok := errors.AsType[*api.ResponseError](err); ok && answer.StatusCode == http.StatusForbidden {
		return first, nil
	}
	if err != nil {
		return "", v.failure(ctx, location, err)
	}
	if found == nil {
		return first, nil
	}
	path, _ := found.Data["path"].(string)
	name := strings.Trim(path, "/")
	if !strings.HasPrefix(location, name+"/") || name == "" {
		return first, nil
	}
	options, _ := found.Data["options"].(map[string]any)
	if kind, _ := found.Data["type"].(string); kind != "kv" || options["version"] != "2" {
		return "", &Error{Message: fmt.Sprintf("the mount %s of Vault is no KV version 2 engine, and references take those only", name)}
	}
	v.mounts.Store(location, name)
	return name, nil
}

// rootCause leaves out the words with which every layer repeats the request.
func rootCause(err error) error {
	if failed, ok := errors.AsType[*url.Error](err); ok {
		return failed.Err
	}
	return err
}
