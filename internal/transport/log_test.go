// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package transport

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-log/tflogtest"
)

func TestTheLogHoldsNoSecrets(t *testing.T) {
	request := `{"name":"web-1","user_data":"#cloud-config\nplanted: user-data","labels":{"team":"shop"},"nested":[{"private_key":"planted-key","public_key":"ssh-ed25519 planted-public"}],"token":null}`
	response := `{"server":{"id":42},"root_password":"planted-password","error":{"message":"bad planted-key and planted-token","details":{"access_token":"planted-x"}}}`
	v := &vendor{answer: func(n int, _ *http.Request) (*http.Response, error) {
		switch n {
		case 1:
			return answer(201, response, "X-Correlation-Id", "0123456789abcdef", "Set-Cookie", "planted-cookie"), nil
		case 2:
			return answer(200, "<html>planted-token planted-page</html>", "Content-Type", "text/html"), nil
		}
		return nil, errors.New("lost while sending planted-token")
	}}
	client := open(t, v, func(o *Options) { o.MaxRetries = 0 })
	var log bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &log)
	for range 3 {
		request, err := http.NewRequestWithContext(ctx, "POST", endpoint+"/servers?name=web-1&token=planted-query&x=planted-token", strings.NewReader(request))
		if err != nil {
			t.Fatal(err)
		}
		if response, err := client.Do(request); err == nil {
			response.Body.Close()
		}
	}
	text := log.String()
	if strings.Contains(text, "planted") {
		t.Errorf("the log has a planted value:\n%s", text)
	}
	for _, want := range []string{
		`"path":"/v1/servers"`, "name=web-1", `"status":201`, `"request_id":"0123456789abcdef"`, `\"name\":\"web-1\"`, `\"team\":\"shop\"`,
		`\"id\":42`, "bytes of \\\"text/html\\\"", `"error":"lost while sending ***"`, `"method":"POST"`, `\"token\":null`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the log lacks %s:\n%s", want, text)
		}
	}
}

func TestBodiesAreLoggedAtTraceOnly(t *testing.T) {
	v := &vendor{answer: func(int, *http.Request) (*http.Response, error) { return answer(200, `{"server":{"id":42}}`), nil }}
	var log bytes.Buffer
	ctx := tflogtest.RootLogger(t.Context(), &log)
	if _, err := do(ctx, open(t, v, nil), "POST", `{"name":"web-1"}`); err != nil {
		t.Fatal(err)
	}
	lines, err := tflogtest.MultilineJSONDecode(&log)
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != 2 {
		t.Fatalf("%d lines, want one for the exchange and one for its bodies", len(lines))
	}
	for _, line := range lines {
		_, bodies := line["response"]
		if trace := line["@level"] == "trace"; bodies != trace {
			t.Errorf("level %v, bodies there: %t", line["@level"], bodies)
		}
	}
}

func TestLongBodiesAreCut(t *testing.T) {
	text := newMask("planted-token", nil).body("application/json", []byte(`"`+strings.Repeat("x", 3*longestText)+`"`))
	if len(text) > longestText+100 || !strings.Contains(text, "bytes)") {
		t.Errorf("%d characters are left", len(text))
	}
}
