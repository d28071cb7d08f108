// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const endpoint = "https://api.example.com/v1"

// vendor is a RoundTripper in memory; answer is called with the number of the request, counted from 1.
type vendor struct {
	mu       sync.Mutex
	requests []*http.Request
	bodies   []string
	times    []time.Time
	answer   func(n int, request *http.Request) (*http.Response, error)
}

func (v *vendor) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		body, _ = io.ReadAll(request.Body)
	}
	v.mu.Lock()
	v.requests = append(v.requests, request)
	v.bodies = append(v.bodies, string(body))
	v.times = append(v.times, time.Now())
	n := len(v.requests)
	v.mu.Unlock()
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	return v.answer(n, request)
}

func (v *vendor) count() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.requests)
}

// answer makes a response; headers are names and values in turn.
func answer(status int, body string, headers ...string) *http.Response {
	response := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
	response.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(headers); i += 2 {
		response.Header.Set(headers[i], headers[i+1])
	}
	return response
}

func fixed(token string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) { return token, nil }
}

// open builds a client on a vendor as Hetzner's driver does.
func open(t *testing.T, v *vendor, change func(*Options)) *http.Client {
	t.Helper()
	options := Options{
		Vendor: "example", Endpoint: endpoint, Version: "1.2.3", Base: v, Token: fixed("planted-token"), MaxRetries: 3,
		RepeatWrites: true, Refill: time.Second, RequestIDHeader: "X-Correlation-Id",
	}
	if change != nil {
		change(&options)
	}
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// do sends one request and answers its status, 0 when there was no answer.
func do(ctx context.Context, client *http.Client, method, body string) (int, error) {
	request, err := http.NewRequestWithContext(ctx, method, endpoint+"/servers", strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}

// brokenBody ends before its time.
type brokenBody struct{}

func (brokenBody) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
func (brokenBody) Close() error             { return nil }

// failures are ways in which a request can fail. The last request of each series succeeds, if it is ever made.
var failures = map[string]func() (*http.Response, error){
	"connection refused": func() (*http.Response, error) {
		return nil, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}
	},
	"connection reset": func() (*http.Response, error) {
		return nil, &net.OpError{Op: "read", Err: syscall.ECONNRESET}
	},
	"answer broken off": func() (*http.Response, error) {
		response := answer(200, "")
		response.Body = brokenBody{}
		return response, nil
	},
	"429": func() (*http.Response, error) { return answer(429, "{}"), nil },
	"409": func() (*http.Response, error) { return answer(409, "{}"), nil },
	"423": func() (*http.Response, error) { return answer(423, "{}"), nil },
	"500": func() (*http.Response, error) { return answer(500, "{}"), nil },
	"502": func() (*http.Response, error) { return answer(502, "{}"), nil },
	"503": func() (*http.Response, error) { return answer(503, "{}"), nil },
	"504": func() (*http.Response, error) { return answer(504, "{}"), nil },
}

func TestWhatIsRepeated(t *testing.T) {
	reads, writes, none := []string{"GET", "HEAD"}, []string{"PUT", "DELETE"}, []string{}
	all := []string{"GET", "HEAD", "PUT", "DELETE", "POST", "PATCH"}
	repeated := map[string][]string{
		"connection refused": all, "connection reset": reads, "answer broken off": reads, "429": all,
		"409": none, "423": none, "500": none, "502": reads, "503": reads, "504": reads,
	}
	for failure, methods := range repeated {
		for _, method := range all {
			for _, repeatWrites := range []bool{false, true} {
				want := contains(methods, method) || repeatWrites && contains(methods, "GET") && contains(writes, method)
				synctest.Test(t, func(t *testing.T) {
					v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
						if n == 1 {
							return failures[failure]()
						}
						return answer(200, "{}"), nil
					}}
					client := open(t, v, func(o *Options) { o.RepeatWrites = repeatWrites })
					status, err := do(t.Context(), client, method, "body")
					if want != (v.count() == 2) || want && (err != nil || status != 200) {
						t.Errorf("%s, %s, writes %t: %d requests, status %d, error %v", failure, method, repeatWrites, v.count(), status, err)
					}
					if want && v.bodies[1] != "body" {
						t.Errorf("%s, %s: the repeat has the body %q", failure, method, v.bodies[1])
					}
				})
			}
		}
	}
}

func contains(list []string, text string) bool {
	return strings.Contains(" "+strings.Join(list, " ")+" ", " "+text+" ")
}

func TestRepeatsEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return answer(502, "{}"), nil }}
		status, err := do(t.Context(), open(t, v, nil), "GET", "")
		if err != nil || status != 502 || v.count() != 4 {
			t.Errorf("status %d, error %v after %d requests, want the last 502 after 1 request and 3 repeats", status, err, v.count())
		}
		if gap := v.times[3].Sub(v.times[2]); gap < 3*time.Second || gap > 4*time.Second {
			t.Errorf("the third wait is %s, want 3 to 4 s", gap)
		}
	})
}

func TestErrorsSayWhetherTheRequestWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for failure, wantNotSent := range map[string]bool{"connection refused": true, "connection reset": false, "answer broken off": false} {
			v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return failures[failure]() }}
			_, err := do(t.Context(), open(t, v, nil), "POST", "")
			_, notSent := errors.AsType[*NotSentError](err)
			if err == nil || notSent != wantNotSent {
				t.Errorf("%s: error %v, not sent %t", failure, err, notSent)
			}
		}
		v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
			if n == 1 {
				return failures["connection reset"]()
			}
			return failures["connection refused"]()
		}}
		_, err := do(t.Context(), open(t, v, nil), "DELETE", "")
		if _, notSent := errors.AsType[*NotSentError](err); err == nil || notSent {
			t.Errorf("reset and then refused: error %v counts as not sent", err)
		}
	})
}

func TestTheTokenIsResolvedForEveryAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
			if n == 1 {
				return answer(503, "{}"), nil
			}
			return answer(200, "{}"), nil
		}}
		client := open(t, v, func(o *Options) {
			o.Token = func(context.Context) (string, error) {
				calls++
				if calls == 3 {
					return "", errors.New("the variable is not set")
				}
				return strings.Repeat("t", calls), nil
			}
		})
		if _, err := do(t.Context(), client, "GET", ""); err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{"Bearer t", "Bearer tt"} {
			if got := v.requests[i].Header.Get("Authorization"); got != want {
				t.Errorf("request %d has the authorization %q, want %q", i+1, got, want)
			}
			if got := v.requests[i].Header.Get("User-Agent"); got != "terraform-provider-bettercompute/1.2.3" {
				t.Errorf("User-Agent %q", got)
			}
		}
		_, err := do(t.Context(), client, "GET", "")
		if _, notSent := errors.AsType[*NotSentError](err); !notSent || !strings.Contains(err.Error(), "the variable is not set") || v.count() != 2 {
			t.Errorf("unresolvable token: error %v after %d requests", err, v.count())
		}
	})
}

func TestCancelEndsTheWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return answer(429, "{}", "Retry-After", "300"), nil }}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(10*time.Second, cancel)
		started := time.Now()
		_, err := do(ctx, open(t, v, nil), "POST", "")
		if _, notSent := errors.AsType[*NotSentError](err); !errors.Is(err, context.Canceled) || !notSent {
			t.Errorf("error %v, not sent %t", err, notSent)
		}
		if took := time.Since(started); took != 10*time.Second {
			t.Errorf("the cancel took effect after %s", took)
		}
	})
}

func TestBodiesAreBounded(t *testing.T) {
	v := &vendor{answer: func(int, *http.Request) (*http.Response, error) {
		response := answer(200, "")
		response.Body = io.NopCloser(io.LimitReader(zeros{}, MaxBody+2))
		return response, nil
	}}
	_, err := do(t.Context(), open(t, v, nil), "GET", "")
	if !errors.Is(err, ErrBodyTooLarge) || v.count() != 1 {
		t.Errorf("error %v after %d requests", err, v.count())
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestRedirects(t *testing.T) {
	tests := map[string]struct {
		method, location string
		requests         int
		message          string
	}{
		"read on the same host":  {method: "GET", location: endpoint + "/v2", requests: 2},
		"read to another host":   {method: "GET", location: "https://evil.example.com/", requests: 1, message: "redirects to another host"},
		"read to plain http":     {method: "GET", location: "http://api.example.com/v1", requests: 1, message: "redirects to another host"},
		"write on the same host": {method: "POST", location: endpoint + "/v2", requests: 1, message: "redirects a write"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
				if n == 1 {
					return answer(302, "", "Location", test.location), nil
				}
				return answer(200, "{}"), nil
			}}
			_, err := do(t.Context(), open(t, v, nil), test.method, "")
			if v.count() != test.requests {
				t.Errorf("%d requests, want %d", v.count(), test.requests)
			}
			if (err == nil) != (test.message == "") || err != nil && !strings.Contains(err.Error(), test.message) {
				t.Errorf("error %v, want %q", err, test.message)
			}
		})
	}
}

func TestTheTokenStaysWithTheEndpoint(t *testing.T) {
	v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return answer(200, "{}"), nil }}
	response, err := open(t, v, nil).Get("https://other.example.com/v1")
	if err == nil {
		response.Body.Close()
	}
	if err == nil || v.count() != 0 {
		t.Errorf("a request to another host: error %v, %d requests", err, v.count())
	}
}

func TestCheckEndpoint(t *testing.T) {
	tests := map[string]string{
		"https://api.hetzner.cloud/v1":    "",
		"http://127.0.0.1:8080/v1":        "",
		"http://localhost/v1":             "",
		"http://[::1]:80/":                "",
		"http://api.hetzner.cloud/v1":     "must start with https://",
		"http://127.0.0.1.example.com/":   "must start with https://",
		"ftp://127.0.0.1/":                "must start with https://",
		"api.hetzner.cloud/v1":            "must be a URL",
		"https://":                        "must be a URL",
		"https://:443/":                   "must be a URL",
		"https://a b/":                    "must be a URL",
		"https://planted@api.example.com": "user name or password",
		"https://api.example.com/?x=1":    "query or a fragment",
		"https://api.example.com/#x":      "query or a fragment",
	}
	for text, want := range tests {
		err := CheckEndpoint(text)
		if (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "planted")) {
			t.Errorf("%s: error %v, want %q", text, err, want)
		}
		if _, err := New(Options{Endpoint: text}); (err == nil) != (want == "") {
			t.Errorf("%s: New answers %v", text, err)
		}
	}
}
