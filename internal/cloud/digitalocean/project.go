// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/digitalocean/godo"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// dropletURN names a droplet among the resources of a project (DigitalOcean API document, Project Resources).
const dropletURN = "do:droplet:"

// projectField is the argument of the account's config, and the option of a machine.
const projectField = "project_id"

// ProjectID is the project of the account's config.
func (c *cloud) ProjectID() string { return c.project }

// projects answers the team's projects.
func (c *cloud) projects(ctx context.Context) ([]driver.Object, error) {
	found, err := pages(c, func(page *godo.ListOptions) ([]godo.Project, *godo.Response, error) {
		return c.client.Projects.List(ctx, page)
	}, func(project godo.Project) string { return project.ID })
	if err != nil {
		return nil, ofProjects(err)
	}
	objects := make([]driver.Object, len(found))
	for i, project := range found {
		objects[i] = driver.Object{ID: project.ID, Name: project.Name, Default: project.IsDefault}
	}
	return objects, nil
}

// AssignProject puts a droplet into a project: a create of a droplet takes none (DigitalOcean API document, POST
// /v2/droplets). Droplets that are ready at the same moment go in one call.
func (c *cloud) AssignProject(ctx context.Context, machineID, projectID string) error {
	answer, err := c.assigning.do(ctx, projectID, dropletURN+machineID, func(urns []string) projectAnswer { return c.assignAll(ctx, projectID, urns) })
	switch {
	case err != nil:
		return err
	case answer.err != nil:
		return answer.err
	}
	// What could not be found or reached is told for each by a word (the same, "Resource Status Codes").
	switch status := answer.statuses[dropletURN+machineID]; status {
	case "ok", "assigned", "already_assigned":
		return nil
	default:
		return fmt.Errorf("%s answered the assignment of droplet %s to project %s with status %q", c.host, machineID, projectID, status)
	}
}

// projectAnswer is what became of the droplets of one call.
type projectAnswer struct {
	statuses map[string]string
	err      error
}

func (c *cloud) assignAll(ctx context.Context, projectID string, urns []string) projectAnswer {
	resources := make([]any, len(urns))
	for i, urn := range urns {
		resources[i] = urn
	}
	found, _, err := c.client.Projects.AssignResources(ctx, projectID, resources...)
	if err := c.failed(err); err != nil {
		if missing(err) {
			return projectAnswer{err: &failure.Input{Field: projectField, Message: "DigitalOcean shows no project " + projectID}}
		}
		return projectAnswer{err: ofProjects(err)}
	}
	answer := projectAnswer{statuses: map[string]string{}}
	for _, resource := range found {
		answer.statuses[resource.URN] = resource.Status
	}
	return answer
}

// ProjectMachines answers the droplets of a project.
func (c *cloud) ProjectMachines(ctx context.Context, projectID string) ([]string, error) {
	found, err := pages(c, func(page *godo.ListOptions) ([]godo.ProjectResource, *godo.Response, error) {
		return c.client.Projects.ListResources(ctx, cmp.Or(projectID, godo.DefaultProject), page)
	}, func(resource godo.ProjectResource) string { return resource.URN })
	if err != nil {
		return nil, ofProjects(err)
	}
	found = slices.DeleteFunc(found, func(resource godo.ProjectResource) bool { return !strings.HasPrefix(resource.URN, dropletURN) })
	ids := make([]string, len(found))
	for i, resource := range found {
		ids[i] = strings.TrimPrefix(resource.URN, dropletURN)
	}
	return ids, nil
}

// ofProjects marks an error of a call about projects: a token may have every right but those.
func ofProjects(err error) error {
	answer, ok := errors.AsType[*requestError](err)
	if ok {
		answer.about = projectField
	}
	return err
}
