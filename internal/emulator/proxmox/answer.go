// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// object is a JSON object.
type object = map[string]any

// refusalTime is how long the vendor keeps a client with a wrong token waiting (AnyEvent.pm, "delay unauthorized").
const refusalTime = 3 * time.Second

// jsonAnswer is a body in the vendor's envelope.
func jsonAnswer(status int, body object) core.Answer {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // bodies are made of plain values
	}
	answer := core.Answer{Status: status, Header: http.Header{}, Body: data}
	answer.Header.Set("Content-Type", "application/json;charset=UTF-8")
	return answer
}

// reply is a success, always 200; void calls answer null (Formatter/Standard.pm).
func (c *call) reply(data any) core.Answer {
	answer := jsonAnswer(http.StatusOK, object{"data": data})
	answer.Object = c.in["vmid"]
	return answer
}

// failure is an error of the API: its text in the reason phrase and, since pve-http-server 5.2.0 of PVE 8.4, in the body.
func (a *API) failure(status int, text string) core.Answer { return a.failureWith(status, text, nil) }

func (a *API) failureWith(status int, text string, errors map[string]string) core.Answer {
	body := object{"data": nil}
	if a.since(8, 4) {
		body["message"] = text + "\n"
	}
	if len(errors) > 0 {
		body["errors"] = errors
	}
	answer := jsonAnswer(status, body)
	answer.Reason, _, _ = strings.Cut(text, "\n")
	return answer
}

// died is what the vendor answers for everything that went wrong in its code: 500 with the text (rest_handler).
func (c *call) died(text string) core.Answer {
	answer := c.api.failure(http.StatusInternalServerError, text)
	answer.Object = c.in["vmid"]
	return answer
}

// forbidden is 403; what names the path and the privileges, "" for a check of alternatives.
func (c *call) forbidden(what string) *core.Answer {
	text := permissionText(what)
	return new(c.api.failure(http.StatusForbidden, text))
}

func permissionText(what string) string {
	if what == "" {
		return "Permission check failed"
	}
	return "Permission check failed (" + what + ")"
}

// invalid is 400 with one text a parameter (JSONSchema.pm, validate).
func (c *call) invalid(errors map[string]string) core.Answer {
	answer := c.api.failureWith(http.StatusBadRequest, "Parameter verification failed.", errors)
	answer.Object = c.in["vmid"]
	return answer
}

// refused is an error of the HTTP server itself: no JSON, the text in the reason phrase alone (AnyEvent.pm, error).
func refused(status int, reason string) core.Answer {
	return core.Answer{Status: status, Reason: reason, Header: http.Header{}}
}

// unauthorized answers late and without a body. What is wrong with a token stays the vendor's secret.
func unauthorized(r *core.Request) core.Answer {
	reason := "Authentication failed!"
	if !strings.HasPrefix(r.Header.Get("Authorization"), "PVEAPIToken") {
		reason = "No ticket"
	}
	answer := refused(http.StatusUnauthorized, reason)
	answer.Wait = refusalTime
	return answer
}

// reasonOf: what the vendor says with the statuses that mean a node out of reach (AnyEvent.pm, proxy_request).
var reasonOf = map[int]string{
	http.StatusUnauthorized: "Authentication failed!", http.StatusForbidden: "Permission check failed",
	http.StatusBadRequest: "Parameter verification failed.", http.StatusInternalServerError: "got no worker upid",
	595: "No route to host", 596: "Connection timed out", 597: "Connection timed out", 599: "Too many redirections",
}

// Failure is the vendor's answer for a status, for faults without a body of their own.
func (a *API) Failure(status int) core.Answer {
	reason, own := reasonOf[status]
	if !own {
		reason = http.StatusText(status)
	}
	answer := refused(status, reason)
	if status != http.StatusUnauthorized && status < 595 {
		a.mutex.Lock()
		defer a.mutex.Unlock()
		answer = a.failure(status, reason)
	}
	a.complete(&answer)
	return answer
}

// complete puts on what every answer bears.
func (a *API) complete(answer *core.Answer) {
	answer.Header.Set("Server", "pve-api-daemon/3.0")
	answer.Header.Set("Cache-Control", "max-age=0")
	answer.Header.Set("Pragma", "no-cache")
	if answer.Status >= http.StatusBadRequest {
		answer.Header.Set("Connection", "close")
	}
}

// checkContent refuses bodies that the HTTP server does not take (AnyEvent.pm, authenticate_and_handle_request). Sizes
// are bytes; uploads have no limit but the storage's room.
func checkContent(r *core.Request) *core.Answer {
	const largest = 512 << 10
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	switch {
	case len(r.Body) == 0:
		return nil
	case r.Method == http.MethodGet || r.Method == http.MethodDelete:
		return new(refused(http.StatusNotImplemented, "Unexpected content for method '"+r.Method+"'"))
	case kind == "multipart/form-data":
		return nil
	case len(r.Body) > largest:
		return new(refused(http.StatusNotImplemented, "for data too large"))
	case kind != "" && kind != "application/x-www-form-urlencoded" && kind != "application/json":
		return new(refused(http.StatusVariantAlsoNegotiates, "upload 'Content-Type '"+kind+"' not implemented"))
	}
	return nil
}

// below gives the path below the prefix, decoded: the vendor decodes first and splits then, so an escaped slash is one,
// and empty parts do not count (pve-common RESTHandler.pm, find_handler).
func below(path string) (string, bool) {
	plain, err := url.PathUnescape(path)
	rest, found := strings.CutPrefix(plain, prefix+"/")
	if err != nil || !found {
		return "", false
	}
	parts := slices.DeleteFunc(strings.Split(rest, "/"), func(part string) bool { return part == "" })
	return "/" + strings.Join(parts, "/"), true
}

// since says whether the emulated release is this one or a later one.
func (a *API) since(major, minor int) bool {
	first, second, _ := strings.Cut(a.settings.Get().Release, ".")
	ours, _ := strconv.Atoi(first)
	second, _, _ = strings.Cut(second, ".")
	ourMinor, _ := strconv.Atoi(second)
	return ours > major || ours == major && ourMinor >= minor
}
