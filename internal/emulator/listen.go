// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Addresses are where to listen, as host:port. Empty ones are 127.0.0.1:0; the host must be loopback.
type Addresses struct {
	Hetzner      string
	DigitalOcean string
	Proxmox      string
	Control      string
}

// Listen begins to serve and fills in the endpoints. Close ends it; ctx is for opening the sockets only.
func (e *Emulator) Listen(ctx context.Context, addresses Addresses) error {
	for _, place := range []struct {
		vendor  *Vendor
		address string
	}{{e.Hetzner, addresses.Hetzner}, {e.DigitalOcean, addresses.DigitalOcean}, {e.Proxmox, addresses.Proxmox}} {
		address, err := e.serve(ctx, place.address, place.vendor.Handler(), place.vendor.certificate)
		if err != nil {
			e.Close()
			return err
		}
		place.vendor.at(address)
	}
	address, err := e.serve(ctx, addresses.Control, e.ControlHandler(), nil)
	if err != nil {
		e.Close()
		return err
	}
	e.Control = "http://" + address
	return nil
}

// at notes where the vendor listens.
func (v *Vendor) at(address string) {
	scheme := "http://"
	if v.certificate != nil {
		scheme = "https://"
	}
	v.Endpoint = scheme + address + v.path
}

func (e *Emulator) serve(ctx context.Context, address string, handler http.Handler, certificate *tls.Certificate) (string, error) {
	if address == "" {
		address = "127.0.0.1:0"
	}
	if err := checkLoopback(address); err != nil {
		return "", err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ErrorLog: quiet}
	if certificate != nil {
		listener = tls.NewListener(listener, tlsConfig(certificate))
	}
	e.servers = append(e.servers, server)
	go func() {
		_ = server.Serve(listener) // always ends with ErrServerClosed, when Close is called
	}()
	return listener.Addr().String(), nil
}

// checkLoopback refuses addresses that other machines could reach.
func checkLoopback(address string) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return fmt.Errorf("address %q: %w", address, err)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return fmt.Errorf("address %q is not loopback: the emulator serves this machine only", address)
	}
	return nil
}

// Close drops what faults hold and stops serving.
func (e *Emulator) Close() {
	e.faults.Remove("")
	for _, server := range e.servers {
		_ = server.Close() // the listeners are closed whatever it says
	}
	e.servers = nil
}
