// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// inventory is what GET /inventory of the emulators' control answers: vendor, kind, objects.
type inventory map[string]map[string][]struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// readInventory asks the control at this address what there is at every emulated vendor.
func readInventory(ctx context.Context, control string) (inventory, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, control+"/inventory", http.NoBody)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("GET /inventory: %s", response.Status)
	}
	var all inventory
	if err := json.NewDecoder(response.Body).Decode(&all); err != nil {
		return nil, fmt.Errorf("GET /inventory: %w", err)
	}
	return all, nil
}

// without names the objects that are in i and not in earlier, each as "vendor kind id name".
func (i inventory) without(earlier inventory) []string {
	known := map[string]bool{}
	for _, name := range earlier.names() {
		known[name] = true
	}
	var added []string
	for _, name := range i.names() {
		if !known[name] {
			added = append(added, name)
		}
	}
	return added
}

func (i inventory) names() []string {
	var names []string
	for vendor, kinds := range i {
		for kind, objects := range kinds {
			for _, object := range objects {
				names = append(names, fmt.Sprintf("%s %s %s %s", vendor, kind, object.ID, object.Name))
			}
		}
	}
	return names
}
