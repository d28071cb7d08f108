// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// object is a JSON object.
type object = map[string]any

const hexDigits = "0123456789abcdef"

// reply is a JSON answer; id is the object touched, for the journal.
func reply(status int, body any, id string) core.Answer {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // bodies are made of plain values
	}
	answer := core.Answer{Status: status, Header: http.Header{}, Body: data, Object: id}
	answer.Header.Set("Content-Type", "application/json; charset=utf-8")
	return answer
}

// noContent is the answer to a delete. It names a type of content though it has none (DigitalOcean API document,
// no_content_with_content_type).
func noContent(id string) core.Answer {
	answer := core.Answer{Status: http.StatusNoContent, Header: http.Header{}, Object: id}
	answer.Header.Set("Content-Type", "application/json; charset=utf-8")
	return answer
}

// failure is the vendor's error: its id is the status's name (DigitalOcean API document, "HTTP Statuses").
func failure(status int, message string) core.Answer {
	return reply(status, object{"id": errorID(status), "message": message, "request_id": requestID()}, "")
}

// errorID: DigitalOcean API document, shared responses.
func errorID(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "bad_request"
	case http.StatusUnauthorized:
		return "unauthorized"
	case http.StatusForbidden:
		return "forbidden"
	case http.StatusNotFound:
		return "not_found"
	case http.StatusMethodNotAllowed:
		return "method_not_allowed"
	case http.StatusConflict:
		return "conflict"
	case http.StatusPreconditionFailed:
		return "precondition_failed"
	case http.StatusUnprocessableEntity:
		return "unprocessable_entity"
	case http.StatusTooManyRequests:
		return "too_many_requests"
	case http.StatusServiceUnavailable:
		return "service_unavailable"
	}
	return "server_error"
}

// messages are the vendor's own for a status, for faults without a body (DigitalOcean API document, shared responses;
// the 503 as issue 729 of terraform-provider-digitalocean quotes it).
var messages = map[int]string{
	400: "error parsing request body", 401: "Unable to authenticate you.",
	403: "You do not have access for the attempted action.", 404: "The resource you requested could not be found.",
	409: "The request could not be completed due to a conflict.", 422: "request payload validation failed",
	429: "API rate limit exceeded.", 500: "Unexpected server-side error",
	503: "Failed to forward the request you made, please try again.",
}

// Failure is the vendor's error for a status, for faults without a body of their own.
func (a *API) Failure(status int) core.Answer {
	message, known := messages[status]
	if !known {
		message = http.StatusText(status)
	}
	return a.complete(failure(status, message), nil)
}

func notFound() core.Answer { return failure(http.StatusNotFound, messages[http.StatusNotFound]) }

func unauthorized() core.Answer {
	return failure(http.StatusUnauthorized, messages[http.StatusUnauthorized])
}

// unprocessable is a 422.
func unprocessable(format string, values ...any) core.Answer {
	return failure(http.StatusUnprocessableEntity, fmt.Sprintf(format, values...))
}

// about names the object that an error concerns, for the journal.
func about(answer core.Answer, id string) core.Answer {
	answer.Object = id
	return answer
}

// complete puts on what every answer bears. An error's own request_id is the header's.
func (a *API) complete(answer core.Answer, limits http.Header) core.Answer {
	answer.RequestID = requestID()
	var body struct {
		RequestID string `json:"request_id"`
	}
	if !answer.OK() && json.Unmarshal(answer.Body, &body) == nil && body.RequestID != "" {
		answer.RequestID = body.RequestID
	}
	answer.Header.Set("X-Request-Id", answer.RequestID)
	for name, values := range limits {
		answer.Header[name] = values
	}
	return answer
}

// requestID is a UUID of version 4.
func requestID() string { return newUUID() }

func newUUID() string {
	digits := core.RandomText(hexDigits, 30)
	return fmt.Sprintf("%s-%s-4%s-%s%s-%s", digits[:8], digits[8:12], digits[12:15], core.RandomText("89ab", 1), digits[15:18], digits[18:30])
}

// ids count objects. They begin where the vendor's were in 2026; ids of actions do not fit a signed 32-bit number.
type ids struct {
	droplet, action, image, key, address, reserved int64
}

func firstIDs() ids {
	return ids{droplet: 540_112_007, action: 3_190_571_845, image: 214_900_310, key: 51_300_119, address: 0xff}
}

func take(counter *int64) int64 {
	*counter++
	return *counter
}

func text(id int64) string { return strconv.FormatInt(id, 10) }

// timestamp is a time as the vendor writes it.
func timestamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

func timestampOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return timestamp(t)
}
