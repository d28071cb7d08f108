// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// project groups a team's resources. Every team has a default one, which takes what names no project.
type project struct {
	id          string
	name        string
	description string
	purpose     string
	environment string
	created     time.Time
	updated     time.Time
}

// The most characters of a project's texts (DigitalOcean API document, model project).
const (
	maxProjectName = 175
	maxProjectText = 255
)

// environments are the values of a project's environment (DigitalOcean API document, model project).
var environments = []string{"", "Development", "Staging", "Production"}

// purposes are stored as they are, any other one as "Other: " and its text (DigitalOcean API document, model project).
var purposes = []string{
	"Just trying out DigitalOcean", "Class project / Educational purposes", "Website or blog", "Web Application", "Service or API",
	"Mobile Application", "Machine learning / AI / Data processing", "IoT", "Operational / Developer tooling",
}

// newTeam is a team with nothing in it but its default project.
func newTeam(name string, who identity) *team {
	t := &team{name: name, identity: who, joined: map[string]joining{}}
	first := &project{
		id: t.vpc("default project"), name: name, description: "Update your project information under Settings",
		purpose: purposes[0], environment: "Development", created: who.since, updated: who.since,
	}
	t.projects, t.defaultProject = []*project{first}, first
	return t
}

// project finds a project by its id, or the default one by the word that stands for it in paths.
func (t *team) project(id string) *project {
	if id == "default" {
		return t.defaultProject
	}
	for _, p := range t.projects {
		if p.id == id {
			return p
		}
	}
	return nil
}

func (a *API) addProjects() {
	a.route("GET /v2/projects", listProjects)
	a.route("POST /v2/projects", createProject)
	a.route("GET /v2/projects/{project}", withProject(getProject))
	a.route("PUT /v2/projects/{project}", withProject(updateProject))
	a.route("PATCH /v2/projects/{project}", withProject(updateProject))
	a.route("DELETE /v2/projects/{project}", withProject(deleteProject))
	a.route("GET /v2/projects/{project}/resources", withProject(listProjectResources))
	a.route("POST /v2/projects/{project}/resources", withProject(assignResources))
}

// withProject finds the project of the path, by its id or as "default".
func withProject(handle func(*call, *project) core.Answer) func(*call) core.Answer {
	return func(c *call) core.Answer {
		found := c.team.project(c.Params["project"])
		if found == nil {
			return notFound()
		}
		return handle(c, found)
	}
}

// projectBody: DigitalOcean API document, model project.
func (c *call) projectBody(p *project) object {
	return object{
		"id": p.id, "owner_uuid": c.team.identity.team, "owner_id": ownerID, "name": p.name, "description": p.description,
		"purpose": p.purpose, "environment": p.environment, "is_default": p == c.team.defaultProject,
		"created_at": timestamp(p.created), "updated_at": timestamp(p.updated),
	}
}

// ownerID is the number of a team, which nothing else shows.
const ownerID = 258992

func listProjects(c *call) core.Answer {
	return c.replyList("projects", len(c.team.projects), func(i int) any { return c.projectBody(c.team.projects[i]) })
}

func getProject(c *call, p *project) core.Answer {
	return reply(http.StatusOK, object{"project": c.projectBody(p)}, p.id)
}

// createProject: name and purpose are required (DigitalOcean API document, POST /v2/projects).
func createProject(c *call) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return *wrong
	}
	made := project{id: newUUID(), created: c.now, updated: c.now}
	c.readProject(in, &made)
	if made.purpose == "" {
		in.refuse(unprocessable("purpose is required"))
	}
	if in.problem != nil {
		return *in.problem
	}
	c.team.projects = append(c.team.projects, &made)
	return reply(http.StatusCreated, object{"project": c.projectBody(&made)}, made.id)
}

// updateProject takes any of the fields; that PUT wants all of them is left to its clients.
func updateProject(c *call, p *project) core.Answer {
	in, wrong := c.fields()
	if wrong != nil {
		return about(*wrong, p.id)
	}
	next := *p
	c.readProject(in, &next)
	becomes := in.flag("is_default", p == c.team.defaultProject)
	if p == c.team.defaultProject && !becomes {
		in.refuse(unprocessable("is_default cannot be unset: make another project the default one"))
	}
	if in.problem != nil {
		return about(*in.problem, p.id)
	}
	next.updated = c.now
	*p = next
	if becomes {
		c.team.defaultProject = p
	}
	return getProject(c, p)
}

// readProject reads the fields that are there. Names are unique (DigitalOcean API document, model project; the status of
// the refusal is unverified).
func (c *call) readProject(in *fields, p *project) {
	in.read("name", &p.name, "a string")
	in.read("description", &p.description, "a string")
	in.read("purpose", &p.purpose, "a string")
	in.read("environment", &p.environment, "a string")
	if p.purpose != "" && !slices.Contains(purposes, p.purpose) && !strings.HasPrefix(p.purpose, "Other: ") {
		p.purpose = "Other: " + p.purpose
	}
	switch {
	case p.name == "":
		in.refuse(unprocessable("name is required"))
	case len(p.name) > maxProjectName, len(p.description) > maxProjectText, len(p.purpose) > maxProjectText:
		in.refuse(unprocessable("name, description or purpose is too long"))
	case !slices.Contains(environments, p.environment):
		in.refuse(unprocessable("environment must be one of Development, Staging, Production"))
	}
	for _, other := range c.team.projects {
		if other.name == p.name && other.id != p.id {
			in.refuse(failure(http.StatusConflict, "a project with this name already exists"))
		}
	}
}

// deleteProject: only an empty project goes (DigitalOcean API document, DELETE /v2/projects/{project_id}); the default one
// stays (unverified).
func deleteProject(c *call, p *project) core.Answer {
	if p == c.team.defaultProject || len(c.members(p)) > 0 {
		return about(failure(http.StatusPreconditionFailed, "cannot delete a project with resources. move or remove the resources first"), p.id)
	}
	c.team.projects = slices.DeleteFunc(c.team.projects, func(other *project) bool { return other == p })
	return noContent(p.id)
}
