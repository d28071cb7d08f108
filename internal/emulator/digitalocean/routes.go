// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

func (a *API) addRoutes() {
	a.route("GET /v2/account", getAccount)
	a.route("GET /v2/account/keys", listKeys)
	a.route("POST /v2/account/keys", createKey)
	a.route("GET /v2/account/keys/{key}", withKey(getKey))
	a.route("PUT /v2/account/keys/{key}", withKey(updateKey))
	a.route("DELETE /v2/account/keys/{key}", withKey(deleteKey))

	a.route("GET /v2/sizes", listSizes)
	a.route("GET /v2/regions", listRegions)
	a.route("GET /v2/images", listImages)
	a.route("GET /v2/images/{image}", getImage)
	a.route("DELETE /v2/images/{image}", deleteImage)

	a.route("GET /v2/actions", listActions)
	a.route("GET /v2/actions/{action}", getAction)

	a.addDroplets()
	a.addAddresses()
	a.addCertificates()
	a.addProjects()

	a.route("GET /v2/tags", listTags)
	a.route("POST /v2/tags", createTag)
	a.route("GET /v2/tags/{tag}", withTag(getTag))
	a.route("DELETE /v2/tags/{tag}", withTag(deleteTag))
	a.route("POST /v2/tags/{tag}/resources", withTag(tagResources))
	a.route("DELETE /v2/tags/{tag}/resources", withTag(untagResources))
}

func (a *API) addDroplets() {
	a.route("GET /v2/droplets", listDroplets)
	a.route("POST /v2/droplets", createDroplet)
	a.route("DELETE /v2/droplets", deleteByTag)
	a.route("POST /v2/droplets/actions", actByTag)
	a.route("GET /v2/droplets/{droplet}", withDroplet(getDroplet))
	a.route("DELETE /v2/droplets/{droplet}", withDroplet(deleteDroplet))
	a.route("GET /v2/droplets/{droplet}/actions", withDroplet(listActionsOfDroplet))
	a.route("POST /v2/droplets/{droplet}/actions", withDroplet(actOnDroplet))
	a.route("GET /v2/droplets/{droplet}/actions/{action}", withDroplet(getActionOfDroplet))
	a.route("GET /v2/droplets/{droplet}/snapshots", withDroplet(listSnapshots))
}
