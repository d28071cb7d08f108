// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator"
)

// project makes one and answers its id.
func (c cloud) project(name string) string {
	c.t.Helper()
	made := c.ask("POST", "/v2/projects", `{"name":"`+name+`","purpose":"Service or API","environment":"Production"}`)
	want(c.t, "create a project", made.status, 201)
	return fmt.Sprint(made.get("project", "id"))
}

// members are the urns of a project's resources.
func (c cloud) members(project string) string {
	c.t.Helper()
	return c.ask("GET", "/v2/projects/"+project+"/resources", "").values("resources", "urn")
}

func (c cloud) assign(project string, urns ...string) answer {
	c.t.Helper()
	return c.ask("POST", "/v2/projects/"+project+"/resources", `{"resources":["`+strings.Join(urns, `","`)+`"]}`)
}

func TestEveryTeamHasADefaultProject(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		first := c.ask("GET", "/v2/projects/default", "")
		id := fmt.Sprint(first.get("project", "id"))
		want(t, "is_default", first.get("project", "is_default"), true)
		want(t, "by id", c.ask("GET", "/v2/projects/"+id, "").get("project", "name"), first.get("project", "name"))
		foreign := c.askAs(c.DigitalOcean.Tokens["foreign"], "GET", "/v2/projects", "")
		if len(foreign.list("projects")) != 1 || foreign.values("projects", "id") == id {
			t.Errorf("the other team shows %v", foreign.body)
		}
		made := c.make()
		want(t, "a droplet is in it", c.members("default"), "do:droplet:"+strings.TrimPrefix(made, "/v2/droplets/")+" do:domain:example.com")
	})
}

func TestAProjectIsMadeChangedAndDeletedEmpty(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		shop := c.project("shop")
		want(t, "names are unique", c.ask("POST", "/v2/projects", `{"name":"shop","purpose":"IoT"}`).status, 409)
		want(t, "a purpose is required", c.ask("POST", "/v2/projects", `{"name":"blog"}`).status, 422)
		want(t, "another purpose", c.ask("PATCH", "/v2/projects/"+shop, `{"purpose":"ours"}`).get("project", "purpose"), "Other: ours")
		want(t, "becomes the default one", c.ask("PATCH", "/v2/projects/"+shop, `{"is_default":true}`).get("project", "is_default"), true)
		want(t, "the default one stays", c.ask("DELETE", "/v2/projects/"+shop, "").status, 412)
		blog := c.project("blog")
		want(t, "assign", c.assign(blog, "do:domain:example.com").status, 200)
		full := c.ask("DELETE", "/v2/projects/"+blog, "")
		want(t, "full", fmt.Sprintf("%d %v", full.status, full.body["id"]), "412 precondition_failed")
		c.assign("default", "do:domain:example.com")
		want(t, "empty", c.ask("DELETE", "/v2/projects/"+blog, "").status, 204)
		want(t, "gone", c.ask("GET", "/v2/projects/"+blog, "").status, 404)
	})
}

func TestResourcesGoIntoAProjectWithAStatusEach(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		shop, urn := c.project("shop"), "do:droplet:"+strings.TrimPrefix(c.make(), "/v2/droplets/")
		first := c.assign(shop, urn, "do:droplet:1")
		want(t, "first", first.values("resources", "status"), "assigned not_found")
		want(t, "again", c.assign(shop, urn).values("resources", "status"), "already_assigned")
		want(t, "together with another", c.assign(shop, "do:domain:example.com").values("resources", "status"), "assigned ok")
		want(t, "members", c.members(shop), urn+" do:domain:example.com")
		want(t, "out of the default one", c.members("default"), "")
		want(t, "no urn", c.assign(shop, "web").status, 400)
		want(t, "no project", c.assign("00000000-0000-4000-8000-000000000000", urn).status, 404)
	})
}

func TestAnAddressIsInTheProjectOfItsOrderOrItsDroplet(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		shop := c.project("shop")
		want(t, "unknown project", c.ask("POST", "/v2/reserved_ips", `{"region":"nyc3","project_id":"nobody"}`).status, 422)
		made := c.ask("POST", "/v2/reserved_ips", `{"region":"nyc3","project_id":"`+shop+`"}`)
		ip := fmt.Sprint(made.get("reserved_ip", "ip"))
		want(t, "its project", made.get("reserved_ip", "project_id"), shop)
		want(t, "members", c.members(shop), "do:floatingip:"+ip)
		droplet := strings.TrimPrefix(c.make(), "/v2/droplets/")
		c.act("/v2/reserved_ips/"+ip, `{"type":"assign","droplet_id":`+droplet+`}`)
		pass(time.Second)
		other := c.ask("GET", "/v2/projects/default", "").get("project", "id")
		want(t, "on a droplet", c.ask("GET", "/v2/reserved_ips/"+ip, "").get("reserved_ip", "project_id"), other)
		alone := c.assign(shop, "do:reservedip:"+ip)
		want(t, "alone", fmt.Sprintf("%d %s", alone.status, alone.message()), "412 Cannot move a Reserved IP with an associated Droplet. Move the Droplet instead")
		want(t, "with its droplet", c.assign(shop, "do:droplet:"+droplet).status, 200)
		want(t, "members with the droplet", c.members(shop), "do:droplet:"+droplet+" do:floatingip:"+ip)
	})
}

func TestATokenWithoutTheScopesOfProjectsSeesNone(t *testing.T) {
	inCloud(t, emulator.Options{}, func(c cloud) {
		token := c.DigitalOcean.Tokens["no_projects"]
		want(t, "projects", c.askAs(token, "GET", "/v2/projects", "").status, 403)
		want(t, "droplets", c.askAs(token, "GET", "/v2/droplets", "").status, 200)
		made := c.askAs(token, "POST", "/v2/reserved_ips", `{"region":"nyc3"}`)
		want(t, "an address shows no project", made.get("reserved_ip", "project_id"), "")
	})
}
