// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

// Package transport carries requests to a vendor: authorization, repeats, pacing and logging are the same for all of
// them. It starts no goroutine and keeps no connection besides those of http.Transport.
package transport

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"time"

	"golang.org/x/time/rate"
)

// Options describe the client of one account.
type Options struct {
	// Vendor is the kind's name, such as "hetzner-cloud". Endpoint is the URL below which all requests go; CheckEndpoint
	// accepts it.
	Vendor   string
	Endpoint string
	// Version is the provider's own, for the User-Agent; empty means "dev".
	Version string
	// Base carries the requests; nil means a network transport with TLS verified by the system's roots, or as TLS says.
	Base http.RoundTripper
	// TLS is how the network transport checks the vendor's certificate; nil: by the system's roots.
	TLS *tls.Config
	// Token answers the secret for the Authorization header. It is asked anew for every request and its answer is not kept.
	Token func(ctx context.Context) (string, error)
	// AuthorizationPrefix stands before the token; empty means "Bearer ".
	AuthorizationPrefix string
	// Waits answers the context that ends the pauses before a request is sent, from the request's own: a write may go on
	// for as long as it is on the wire and still not keep anybody waiting before that. nil: the request's own.
	Waits func(ctx context.Context) context.Context
	// MaxRetries bounds the repeats of one request; answers with status 429 do not count.
	MaxRetries int
	// RequestsPerSecond is a ceiling for this client; 0: none.
	RequestsPerSecond float64
	// RepeatWrites says that PUT and DELETE have the same effect when they are carried out twice, so that they are repeated
	// like GET.
	RepeatWrites bool
	// RepeatStatus are further statuses that are repeated like 502 to 504.
	RepeatStatus []int
	// Refill is how often the vendor's rate limit lets one more request through, where RateLimit-Reset names the moment at
	// which all of them are back. 0: RateLimit-Reset is the moment to wait for.
	Refill time.Duration
	// BurstShare is for vendors whose second limit counts the requests of a minute and has no headers of its own: which part
	// of the first one, RateLimit-Limit, it is. 0: there is none.
	BurstShare float64
	// RequestIDHeader is the response header with the vendor's id of a request.
	RequestIDHeader string
	// Pacing is shared by all clients of a process, so that those with the same vendor, endpoint and token wait together;
	// nil: this client's own.
	Pacing *Pacing
}

// New builds the client of one account. Its errors are those of CheckEndpoint.
func New(options Options) (*http.Client, error) {
	if err := CheckEndpoint(options.Endpoint); err != nil {
		return nil, err
	}
	endpoint, err := url.Parse(options.Endpoint)
	if err != nil {
		return nil, err
	}
	if options.Base == nil {
		options.Base = network(options.TLS)
	}
	if options.AuthorizationPrefix == "" {
		options.AuthorizationPrefix = "Bearer "
	}
	if options.Version == "" {
		options.Version = "dev"
	}
	if options.Pacing == nil {
		options.Pacing = NewPacing()
	}
	limit := rate.Inf
	if options.RequestsPerSecond > 0 {
		limit = rate.Limit(options.RequestsPerSecond)
	}
	account := &account{Options: options, endpoint: endpoint, limiter: rate.NewLimiter(limit, 1)}
	return &http.Client{Transport: account, CheckRedirect: checkRedirect}, nil
}

// account is the http.RoundTripper of a client.
type account struct {
	Options
	endpoint *url.URL
	limiter  *rate.Limiter
}

// CloseIdleConnections is what http.Client.CloseIdleConnections calls.
func (a *account) CloseIdleConnections() {
	if base, ok := a.Base.(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

// CheckEndpoint says what is wrong with the URL of a vendor's API, as a sentence without its subject that does not repeat
// the URL: it must be absolute, https (http only on this machine), without user, query and fragment.
func CheckEndpoint(text string) error {
	endpoint, err := url.Parse(text)
	switch {
	case err != nil || endpoint.Host == "" || endpoint.Hostname() == "":
		return errors.New("must be a URL such as https://api.example.com/v1")
	case endpoint.User != nil:
		return errors.New("must not contain a user name or password; the token has an argument of its own")
	case endpoint.RawQuery != "" || endpoint.ForceQuery || endpoint.Fragment != "":
		return errors.New("must not contain a query or a fragment")
	case endpoint.Scheme == "http" && !isLoopback(endpoint.Hostname()):
		return errors.New("must start with https://: over plain http the token would be readable on the way; http is for loopback addresses only")
	case endpoint.Scheme != "https" && endpoint.Scheme != "http":
		return errors.New("must start with https://")
	}
	return nil
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	address := net.ParseIP(host)
	return address != nil && address.IsLoopback()
}

// checkRedirect follows redirects of reads on the same host only: the token goes nowhere else, and a redirected write
// would turn into a read.
func checkRedirect(request *http.Request, via []*http.Request) error {
	first := via[0]
	switch {
	case first.Method != http.MethodGet && first.Method != http.MethodHead:
		return errors.New("the endpoint redirects a write, which is not followed; check the account's endpoint")
	case request.URL.Scheme != first.URL.Scheme || request.URL.Host != first.URL.Host:
		return errors.New("the endpoint redirects to another host, which is not followed; check the account's endpoint")
	case len(via) > 5:
		return errors.New("the endpoint redirects in circles; check the account's endpoint")
	}
	return nil
}

func network(trust *tls.Config) http.RoundTripper {
	if trust == nil {
		trust = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           dialer.DialContext,
		TLSClientConfig:       trust,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		IdleConnTimeout:       30 * time.Second,
		MaxIdleConnsPerHost:   8,
		ForceAttemptHTTP2:     true,
	}
}
