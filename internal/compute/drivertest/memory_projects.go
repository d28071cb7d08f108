// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"cmp"
	"context"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// memoryProjects are the projects of a Memory.
var memoryProjects = []driver.Object{{ID: "project-1", Name: "main", Default: true}, {ID: "project-2", Name: "shop"}, {ID: "project-3", Name: "blog"}}

// ProjectID is Project.
func (m *Memory) ProjectID() string { return m.Project }

// AssignProject moves a machine at once.
func (m *Memory) AssignProject(_ context.Context, machineID, projectID string) error {
	return m.change("AssignProject", machineID, func(own *memoryMachine) { own.project = projectID })
}

// ProjectMachines answers the machines that were put into a project; those that were put nowhere are in the default one.
func (m *Memory) ProjectMachines(_ context.Context, projectID string) ([]string, error) {
	if err := m.enter("ProjectMachines", ""); err != nil {
		return nil, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	first := memoryProjects[0].ID
	var ids []string
	for id, own := range m.machines {
		if cmp.Or(own.project, first) == cmp.Or(projectID, first) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
