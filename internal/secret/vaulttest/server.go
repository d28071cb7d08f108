// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package vaulttest is a Vault server for tests: KV version 2 engines with their answers and refusals, as the Vault API
// documents them (KV secrets engine version 2, "Read secret version"; "/sys/internal/ui/mounts").
package vaulttest

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Token is accepted by every server.
const Token = "hvs.planted-vault-token-6f20c1" //nolint:gosec // it opens nothing but this server

// Server is a Vault server on loopback. All methods may be called at the same time.
type Server struct {
	// Address is its URL, CACertificate the PEM of its certificate; empty for a server without TLS.
	Address, CACertificate string

	mutex     sync.Mutex
	namespace string
	sealed    bool
	hidden    bool
	forbidden map[string]bool
	mounts    map[string]string
	secrets   map[string][]version
	requests  []string
}

// version is one version of a secret; fields are nil once it is deleted.
type version struct {
	fields            map[string]any
	created, deletion string
	destroyed         bool
}

// Start serves until the test ends.
func Start(t *testing.T) *Server {
	t.Helper()
	s := newServer()
	listening := httptest.NewServer(s)
	t.Cleanup(listening.Close)
	s.Address = listening.URL
	return s
}

// StartTLS is Start with a certificate that no system trusts.
func StartTLS(t *testing.T) *Server {
	t.Helper()
	s := newServer()
	listening := httptest.NewUnstartedServer(s)
	// A client that does not trust the certificate is nothing to be told about.
	listening.Config.ErrorLog = log.New(io.Discard, "", 0)
	listening.StartTLS()
	t.Cleanup(listening.Close)
	s.Address = listening.URL
	s.CACertificate = string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: listening.Certificate().Raw}))
	return s
}

func newServer() *Server {
	return &Server{forbidden: map[string]bool{}, mounts: map[string]string{"secret": "2"}, secrets: map[string][]version{}}
}

// Mount makes a KV engine of a version, "1" or "2"; secret, of version 2, is there from the start.
func (s *Server) Mount(name, version string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.mounts[name] = version
}

// Put writes a new version of the secret at MOUNT/PATH.
func (s *Server) Put(location string, fields map[string]any) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.secrets[location] = append(s.secrets[location], version{fields: fields, created: time.Now().UTC().Format(time.RFC3339Nano)})
}

// Delete deletes the newest version of a secret.
func (s *Server) Delete(location string) { s.end(location, false) }

// Destroy removes the data of the newest version for good.
func (s *Server) Destroy(location string) { s.end(location, true) }

func (s *Server) end(location string, destroyed bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	newest := &s.secrets[location][len(s.secrets[location])-1]
	newest.fields, newest.destroyed = nil, destroyed
	newest.deletion = time.Now().UTC().Format(time.RFC3339Nano)
}

// Seal makes the server refuse everything until it is unsealed.
func (s *Server) Seal(sealed bool) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.sealed = sealed
}

// Forbid takes the right to read a secret away from the token.
func (s *Server) Forbid(location string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.forbidden[location] = true
}

// HideMounts makes the server keep to itself which engines it has.
func (s *Server) HideMounts() {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.hidden = true
}

// InNamespace makes everything there visible in one namespace only.
func (s *Server) InNamespace(name string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.namespace = name
}

// Requests answers the paths asked for, in order.
func (s *Server) Requests() []string {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return append([]string{}, s.requests...)
}

// ServeHTTP answers as Vault does.
func (s *Server) ServeHTTP(writer http.ResponseWriter, request *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.requests = append(s.requests, request.URL.Path)
	path := strings.TrimPrefix(request.URL.Path, "/v1/")
	switch {
	case s.sealed:
		refuse(writer, http.StatusServiceUnavailable, "Vault is sealed")
	case request.Header.Get("X-Vault-Token") != Token:
		refuse(writer, http.StatusForbidden, "permission denied")
	case request.Header.Get("X-Vault-Namespace") != s.namespace:
		refuse(writer, http.StatusForbidden, "permission denied")
	case strings.HasPrefix(path, "sys/internal/ui/mounts/"):
		s.answerMount(writer, strings.TrimPrefix(path, "sys/internal/ui/mounts/"))
	default:
		s.answerSecret(writer, path)
	}
}

// mountOf answers the mount that a path is in: the longest whose name it begins with.
func (s *Server) mountOf(path string) string {
	longest := ""
	for name := range s.mounts {
		if strings.HasPrefix(path+"/", name+"/") && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

func (s *Server) answerMount(writer http.ResponseWriter, path string) {
	mount := s.mountOf(path)
	if mount == "" || s.hidden {
		refuse(writer, http.StatusForbidden, "preflight capability check returned 403, please ensure client's policies grant access to path \""+path+"/\"")
		return
	}
	answer(writer, http.StatusOK, map[string]any{"data": map[string]any{
		"type": "kv", "path": mount + "/", "options": map[string]any{"version": s.mounts[mount]},
	}})
}

func (s *Server) answerSecret(writer http.ResponseWriter, path string) {
	mount := s.mountOf(path)
	name, isData := strings.CutPrefix(strings.TrimPrefix(path, mount+"/"), "data/")
	versions := s.secrets[mount+"/"+name]
	switch {
	case mount == "":
		refuse(writer, http.StatusNotFound, "no handler for route \""+path+"\". route entry not found.")
	case s.forbidden[mount+"/"+name]:
		refuse(writer, http.StatusForbidden, "1 error occurred:\n\t* permission denied\n\n")
	case !isData || s.mounts[mount] != "2" || len(versions) == 0:
		refuse(writer, http.StatusNotFound)
	default:
		answerVersion(writer, len(versions), versions[len(versions)-1])
	}
}

func answerVersion(writer http.ResponseWriter, number int, newest version) {
	status := http.StatusOK
	if newest.fields == nil {
		status = http.StatusNotFound
	}
	metadata := map[string]any{
		"version": number, "created_time": newest.created, "deletion_time": newest.deletion, "destroyed": newest.destroyed, "custom_metadata": nil,
	}
	answer(writer, status, map[string]any{"data": map[string]any{"data": newest.fields, "metadata": metadata}})
}

func refuse(writer http.ResponseWriter, status int, words ...string) {
	answer(writer, status, map[string]any{"errors": append([]string{}, words...)})
}

func answer(writer http.ResponseWriter, status int, body any) {
	writer.Header().Set("Content-Type", "application/json")
	writer.WriteHeader(status)
	_ = json.NewEncoder(writer).Encode(body)
}
