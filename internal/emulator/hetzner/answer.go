// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// object is a JSON object.
type object = map[string]any

// reply is a JSON answer; id is the object touched, for the journal.
func reply(status int, body object, id int64) core.Answer {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // bodies are made of plain values
	}
	answer := core.Answer{Status: status, Header: http.Header{}, Body: data}
	answer.Header.Set("Content-Type", "application/json; charset=utf-8")
	if id != 0 {
		answer.Object = text(id)
	}
	return answer
}

// noContent is the answer to a delete that starts no action.
func noContent(id int64) core.Answer {
	return core.Answer{Status: http.StatusNoContent, Header: http.Header{}, Object: text(id)}
}

// failure is the vendor's error envelope; details are null where there are none.
func failure(status int, code, message string, details object) core.Answer {
	body := object{"code": code, "message": message, "details": nil}
	if details != nil {
		body["details"] = details
	}
	return reply(status, object{"error": body}, 0)
}

// about names the object that an error concerns, for the journal.
func about(answer core.Answer, id int64) core.Answer {
	answer.Object = text(id)
	return answer
}

func notFound(what string) core.Answer {
	return failure(http.StatusNotFound, "not_found", what+" not found", nil)
}

// nameTaken: details name the fields, without messages (Hetzner API document, "uniqueness_error").
func taken(field, message string) core.Answer {
	return failure(http.StatusConflict, "uniqueness_error", message, object{"fields": []object{{"name": field}}})
}

func overLimit(name, message string) core.Answer {
	return failure(http.StatusForbidden, "resource_limit_exceeded", message,
		object{"limits": []object{{"name": name}}})
}

func locked(id int64) core.Answer {
	return about(failure(http.StatusLocked, "locked", "cannot perform operation because server is locked", nil), id)
}

// fieldError is one field of a 422.
type fieldError struct {
	field, message string
	whole          bool // the message stands for itself
}

// invalid is a 422 for one field that names the rule, such as "invalid input in field 'name': is too long".
func invalid(field, message string) core.Answer {
	return invalidFields([]fieldError{{field: field, message: message}})
}

func invalidFields(errors []fieldError) core.Answer {
	names, fields := make([]string, 0, len(errors)), make([]object, 0, len(errors))
	for _, e := range errors {
		names = append(names, "'"+e.field+"'")
		fields = append(fields, object{"name": e.field, "messages": []string{e.message}})
	}
	message := fmt.Sprintf("invalid input in fields %s", strings.Join(names, ", "))
	if len(errors) == 1 && errors[0].whole {
		message = errors[0].message
	} else if len(errors) == 1 {
		message = fmt.Sprintf("invalid input in field %s: %s", names[0], errors[0].message)
	}
	return failure(http.StatusUnprocessableEntity, "invalid_input", message, object{"fields": fields})
}

// Failure is the vendor's envelope for a status, for faults without a body of their own.
func (a *API) Failure(status int) core.Answer {
	code, found := codeOf[status]
	if !found {
		code = "unknown_error"
	}
	answer := failure(status, code, strings.ToLower(http.StatusText(status)), nil)
	a.complete(&answer, nil)
	return answer
}

// codeOf: Hetzner API document, table "Errors"; of several codes for one status the transient one.
var codeOf = map[int]string{
	400: "json_error", 401: "unauthorized", 403: "forbidden", 404: "not_found", 405: "method_not_allowed",
	409: "conflict", 410: "deprecated_api_endpoint", 412: "resource_unavailable", 422: "invalid_input", 423: "locked",
	429: "rate_limit_exceeded", 500: "server_error", 502: "bad_gateway", 503: "unavailable", 504: "timeout",
}

// complete puts on what every answer bears.
func (a *API) complete(answer *core.Answer, limits http.Header) {
	answer.RequestID = core.RandomText("0123456789abcdef", 16)
	answer.Header.Set("X-Correlation-Id", answer.RequestID)
	answer.Header.Set("Access-Control-Allow-Origin", "*")
	answer.Header.Set("Access-Control-Expose-Headers", "Link,X-Correlation-ID")
	for name, values := range limits {
		answer.Header[name] = values
	}
}
