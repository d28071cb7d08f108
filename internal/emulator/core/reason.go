// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package core

import (
	"fmt"
	"net/http"
	"strconv"
)

// reasonWriter is a ResponseWriter that takes the reason phrase of the status line.
type reasonWriter interface{ WriteReason(reason string) }

// sendReason writes an answer with a reason phrase of the vendor's own. net/http's server has its own phrases and no
// way to change them, so over a socket the connection is taken over, written to and closed.
func sendReason(w http.ResponseWriter, answer Answer, withBody bool) {
	if !withBody {
		answer.Body = nil
	}
	if recorder, inMemory := w.(reasonWriter); inMemory {
		recorder.WriteReason(answer.Reason)
		for name, values := range answer.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(answer.Status)
		_, _ = w.Write(answer.Body) // memory never fails
		return
	}
	connection, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		drop() // only HTTP/2 cannot be taken over, and no listener of ours speaks it
	}
	defer connection.Close()
	header := answer.Header.Clone()
	if header == nil {
		header = http.Header{}
	}
	header.Set("Connection", "close")
	header.Set("Content-Length", strconv.Itoa(len(answer.Body)))
	fmt.Fprintf(buffered, "HTTP/1.1 %d %s\r\n", answer.Status, answer.Reason)
	_ = header.Write(buffered)
	fmt.Fprint(buffered, "\r\n")
	_, _ = buffered.Write(answer.Body)
	_ = buffered.Flush() // the client may have left; the journal says what was answered
}
