// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package emulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
)

// maxControlBody is the largest body that control reads, in bytes.
const maxControlBody = 1 << 20

// ControlHandler serves the control API: journal, inventory, faults, settings, reset. It never waits for vendor
// traffic, and none of it counts against limits or shows in the journal.
func (e *Emulator) ControlHandler() http.Handler {
	mux := http.NewServeMux()
	routes := map[string]func(*http.Request) (any, error){
		"GET /journal":                           e.getJournal,
		"DELETE /journal":                        e.deleteJournal,
		"GET /inventory":                         e.getInventory,
		"POST /inventory/{vendor}/{kind}":        e.postInventory,
		"PATCH /inventory/{vendor}/{kind}/{id}":  e.patchInventory,
		"DELETE /inventory/{vendor}/{kind}/{id}": e.deleteInventory,
		"GET /inventory/{vendor}/{kind}/{id}":    e.getBytes,
		"GET /faults":                            e.getFaults,
		"POST /faults":                           e.postFault,
		"DELETE /faults":                         e.deleteFaults,
		"DELETE /faults/{id}":                    e.deleteFault,
		"GET /settings":                          e.getSettings,
		"POST /settings":                         e.postSettings,
		"POST /reset":                            e.postReset,
	}
	for pattern, handle := range routes {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { answerControl(w, r, handle) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeControl(w, http.StatusNotFound, failed(fmt.Errorf("control has no %s %s", r.Method, r.URL.Path)))
	})
	return mux
}

func answerControl(w http.ResponseWriter, r *http.Request, handle func(*http.Request) (any, error)) {
	r.Body = http.MaxBytesReader(w, r.Body, maxControlBody)
	body, err := handle(r)
	if err != nil {
		writeControl(w, http.StatusBadRequest, failed(err))
		return
	}
	if content, isFile := body.([]byte); isFile {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write(content) // fails only for a client that has left
		return
	}
	writeControl(w, http.StatusOK, body)
}

func failed(err error) map[string]string { return map[string]string{"error": err.Error()} }

func writeControl(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // fails only for a client that has left
}

// done is the answer where there is nothing to say.
var done = struct{}{}

func (e *Emulator) getJournal(r *http.Request) (any, error) {
	query := r.URL.Query()
	var since int64
	if given := query.Get("since"); given != "" {
		number, err := strconv.ParseInt(given, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("since: %q is no number", given)
		}
		since = number
	}
	return e.journal.Entries(query.Get("vendor"), since), nil
}

func (e *Emulator) deleteJournal(*http.Request) (any, error) {
	e.journal.Clear()
	return done, nil
}

func (e *Emulator) getInventory(*http.Request) (any, error) { return e.Inventory(), nil }

func (e *Emulator) postInventory(r *http.Request) (any, error) {
	fields, err := readFields(r)
	if err != nil {
		return nil, err
	}
	return e.plant(r.PathValue("vendor"), r.PathValue("kind"), fields)
}

func (e *Emulator) patchInventory(r *http.Request) (any, error) {
	fields, err := readFields(r)
	if err != nil {
		return nil, err
	}
	return e.patch(r.PathValue("vendor"), r.PathValue("kind"), r.PathValue("id"), fields)
}

func (e *Emulator) deleteInventory(r *http.Request) (any, error) {
	return done, e.Vanish(r.PathValue("vendor"), r.PathValue("kind"), r.PathValue("id"))
}

func (e *Emulator) getBytes(r *http.Request) (any, error) {
	return e.Bytes(r.PathValue("vendor"), r.PathValue("kind"), r.PathValue("id"))
}

func (e *Emulator) getFaults(*http.Request) (any, error) { return e.Faults(), nil }

func (e *Emulator) postFault(r *http.Request) (any, error) {
	var fault Fault
	if err := readStrict(r, &fault); err != nil {
		return nil, err
	}
	id, err := e.AddFault(fault)
	return map[string]string{"id": id}, err
}

func (e *Emulator) deleteFaults(*http.Request) (any, error) {
	e.RemoveFault("")
	return done, nil
}

func (e *Emulator) deleteFault(r *http.Request) (any, error) {
	if !e.RemoveFault(r.PathValue("id")) {
		return nil, fmt.Errorf("there is no fault %s", r.PathValue("id"))
	}
	return done, nil
}

func (e *Emulator) getSettings(*http.Request) (any, error) { return e.settings.Explain() }

func (e *Emulator) postSettings(r *http.Request) (any, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	if err := e.settings.Merge(body); err != nil {
		return nil, err
	}
	return e.settings.Explain()
}

func (e *Emulator) postReset(*http.Request) (any, error) {
	e.Reset()
	return done, nil
}

func readFields(r *http.Request) (map[string]json.RawMessage, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	return decodeFields(body)
}

// readStrict reads one JSON value; unknown fields are errors.
func readStrict(r *http.Request, into any) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	if decoder.More() {
		return errors.New("more than one JSON value")
	}
	return nil
}
