// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package hetzner

import (
	"net/http"

	"github.com/better-compute/terraform-provider-bettercompute/internal/emulator/core"
)

// announcement is where the vendor says that /datacenters is gone.
const announcement = "https://docs.hetzner.cloud/changelog#2026-06-02-datacenters-deprecated"

func (a *API) addRoutes() {
	a.route("GET /servers", listServers)
	a.route("POST /servers", createServer)
	a.route("GET /servers/{id}", withServer(getServer))
	a.route("PUT /servers/{id}", withServer(updateServer))
	a.route("DELETE /servers/{id}", withServer(deleteServer))
	a.addServerActions()
	a.addServerOptions()

	a.route("GET /actions", listActions)
	a.route("GET /actions/{action}", getAction)

	a.route("GET /server_types", listServerTypes)
	a.route("GET /server_types/{id}", getServerType)
	a.route("GET /locations", listLocations)
	a.route("GET /locations/{id}", getLocation)
	a.route("GET /images", listImages)
	a.route("GET /images/{id}", getImage)
	a.route("GET /pricing", getPricing)
	a.route("GET /datacenters", datacentersGone)
	a.route("GET /datacenters/{id}", datacentersGone)

	a.route("GET /ssh_keys", listSSHKeys)
	a.route("POST /ssh_keys", createSSHKey)
	a.route("GET /ssh_keys/{id}", withSSHKey(getSSHKey))
	a.route("PUT /ssh_keys/{id}", withSSHKey(updateSSHKey))
	a.route("DELETE /ssh_keys/{id}", withSSHKey(deleteSSHKey))

	a.addFloatingIPs()
	a.addCertificates()
	a.addPrimaryIPs()
	a.addNetworks()
	a.addFirewalls()
	a.addPlacementGroups()
}

func (a *API) addServerActions() {
	a.routeActions("servers", "server")
	a.route("GET /servers/{id}/actions", withServer(listActionsOfServer))
	a.route("GET /servers/{id}/actions/{action}", withServer(getActionOfServer))

	a.route("POST /servers/{id}/actions/poweron", withServer(powerOn))
	a.route("POST /servers/{id}/actions/poweroff", withServer(powerOff))
	a.route("POST /servers/{id}/actions/shutdown", withServer(shutdown))
	a.route("POST /servers/{id}/actions/reboot", withServer(reboot))
	a.route("POST /servers/{id}/actions/reset", withServer(reset))
	a.route("POST /servers/{id}/actions/rebuild", withServer(rebuild))
	a.route("POST /servers/{id}/actions/change_type", withServer(changeType))
	a.route("POST /servers/{id}/actions/change_protection", withServer(changeProtection))
}

// datacentersGone: removed on 1 October 2026 (Hetzner API document, tag "Data Centers").
func datacentersGone(*call) core.Answer {
	return failure(http.StatusGone, "deprecated_api_endpoint", "this API endpoint has been removed",
		map[string]any{"announcement": announcement})
}
