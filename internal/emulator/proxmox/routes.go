// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

// addRoutes lists what the emulator knows, each with its permission and parameters (the vendor's register_method).
func (a *API) addRoutes() {
	a.route("GET /version", anyone, nil, getVersion)
	a.route("GET /access/permissions", anyone, []param{text("path"), text("userid")}, getPermissions)
	a.addClusterRoutes()
	a.addNodeRoutes()
	a.addMachineRoutes()
	a.addPowerRoutes()
	a.addStorageRoutes()
	a.addPoolRoutes()
	a.addSDNRoutes()
	a.addFirewallRoutes()
}

func (a *API) addClusterRoutes() {
	a.route("GET /cluster/resources", anyone, []param{choice("type", "vm", "storage", "node", "sdn")}, listResources)
	a.route("GET /cluster/nextid", anyone, []param{vmidParam("vmid")}, getNextID)
	a.route("GET /cluster/tasks", anyone, nil, listClusterTasks)
	a.route("GET /cluster/status", every("/", "Sys.Audit"), nil, getClusterStatus)
}

func (a *API) addNodeRoutes() {
	audit := every("/nodes/{node}", "Sys.Audit")
	a.route("GET /nodes", anyone, nil, listNodes)
	a.route("GET /nodes/{node}", anyone, nil, nodeIndex)
	a.route("GET /nodes/{node}/status", audit, nil, getNodeStatus)
	a.route("GET /nodes/{node}/version", anyone, nil, getVersion)
	a.route("GET /nodes/{node}/capabilities/qemu/cpu", anyone, nil, listCPUTypes)
	a.route("GET /nodes/{node}/network", anyone, []param{choice("type", networkTypes...)}, listNetwork)
	a.route("GET /nodes/{node}/tasks", anyone, []param{
		number("start", 0, 1<<40), number("limit", 0, 1<<40), text("userfilter"), text("typefilter"), vmidParam("vmid"), flag("errors"),
		choice("source", "archive", "active", "all"), number("since", 0, 1<<40), number("until", 0, 1<<40), text("statusfilter"),
	}, listTasks)
	a.route("GET /nodes/{node}/tasks/{upid}/status", anyone, nil, withTask(getTaskStatus))
	a.route("GET /nodes/{node}/tasks/{upid}/log", anyone, []param{number("start", 0, 1<<40), number("limit", 0, 1<<40)}, withTask(getTaskLog))
	a.route("DELETE /nodes/{node}/tasks/{upid}", anyone, nil, withTask(stopTask))
}

func (a *API) addMachineRoutes() {
	const path = "/nodes/{node}/qemu/{vmid}"
	audit := every("/vms/{vmid}", "VM.Audit")
	a.route("GET /nodes/{node}/qemu", anyone, []param{flag("full")}, listMachines)
	a.route("POST /nodes/{node}/qemu", mayCreate, createParams, createMachine)
	a.route("GET "+path, audit, nil, withMachine(machineIndex))
	a.route("DELETE "+path, every("/vms/{vmid}", "VM.Allocate"), []param{flag("purge"), flag("destroy-unreferenced-disks"), flag("skiplock")}, withMachine(destroyMachine))
	a.route("GET "+path+"/config", audit, []param{flag("current"), text("snapshot")}, withMachine(getConfig))
	a.route("PUT "+path+"/config", oneOf("/vms/{vmid}", configRights...), updateParams, withMachine(afterLock(putConfig)))
	a.route("POST "+path+"/config", oneOf("/vms/{vmid}", configRights...), updateParams, withMachine(postConfig))
	a.route("GET "+path+"/pending", audit, nil, withMachine(getPending))
	a.route("PUT "+path+"/resize", every("/vms/{vmid}", "VM.Config.Disk"), resizeParams(), resizeDisk)
	a.route("POST "+path+"/clone", mayClone, cloneParams(), withMachineOr(notOnNode, cloneMachine))
	a.route("POST "+path+"/template", every("/vms/{vmid}", "VM.Allocate"), []param{text("disk")}, withMachine(convertToTemplate))
	a.route("GET "+path+"/snapshot", audit, nil, withMachine(listSnapshots))
	a.route("GET "+path+"/cloudinit", audit, nil, withMachine(getCloudInit))
	a.route("PUT "+path+"/cloudinit", every("/vms/{vmid}", "VM.Config.Cloudinit"), nil, withMachine(putCloudInit))
	a.route("GET "+path+"/cloudinit/dump", audit, []param{must(choice("type", "user", "network", "meta"))}, withMachine(dumpCloudInit))
	a.route("GET "+path+"/agent/network-get-interfaces", mayAskAgent, nil, withMachine(askAgent(agentInterfaces)))
	a.route("GET "+path+"/agent/get-host-name", mayAskAgent, nil, withMachine(askAgent(agentHostName)))
	a.route("GET "+path+"/agent/get-osinfo", mayAskAgent, nil, withMachine(askAgent(agentSystem)))
	a.route("GET "+path+"/agent/info", mayAskAgent, nil, withMachine(askAgent(agentInfo)))
	a.route("POST "+path+"/agent/ping", mayAskAgent, nil, withMachine(askAgent(agentPing)))
}

func (a *API) addPowerRoutes() {
	const path = "/nodes/{node}/qemu/{vmid}/status"
	audit, manage := every("/vms/{vmid}", "VM.Audit"), every("/vms/{vmid}", "VM.PowerMgmt")
	timeout := number("timeout", 0, 1<<40)
	a.route("GET "+path, audit, nil, withMachine(statusIndex))
	a.route("GET "+path+"/current", audit, nil, withMachine(getStatus))
	a.route("POST "+path+"/start", manage, []param{timeout, text("machine"), flag("skiplock"), text("force-cpu")}, power("qmstart", noConfig, start))
	a.route("POST "+path+"/stop", manage, []param{timeout, flag("overrule-shutdown"), flag("keepActive"), flag("skiplock")}, stopMachine)
	a.route("POST "+path+"/shutdown", manage, []param{timeout, flag("forceStop"), flag("keepActive"), flag("skiplock")}, shutdownMachine)
	a.route("POST "+path+"/reset", manage, []param{flag("skiplock")}, withMachineOr(notOnNode, restart("qmreset")))
	a.route("POST "+path+"/reboot", manage, []param{timeout}, withMachineOr(notOnNode, restart("qmreboot")))
}

func (a *API) addStorageRoutes() {
	const path = "/nodes/{node}/storage"
	allocateSpace := every("/storage/{storage}", "Datastore.AllocateSpace")
	a.route("GET /storage", anyone, []param{text("type")}, listDefinitions)
	a.route("GET /storage/{storage}", every("/storage/{storage}", "Datastore.Allocate"), nil, withStorage(getDefinition))
	a.route("GET "+path, anyone, []param{text("content"), flag("enabled"), text("storage"), text("target"), flag("format")}, listStorages)
	a.route("GET "+path+"/{storage}/status", mayUseStorage, nil, withStorage(getStorageStatus))
	a.route("GET "+path+"/{storage}/content", mayUseStorage, []param{text("content"), vmidParam("vmid")}, withStorage(listContent))
	a.route("POST "+path+"/{storage}/content", allocateSpace, []param{
		must(text("filename")), must(vmidParam("vmid")), must(text("size")), choice("format", "raw", "qcow2", "subvol", "vmdk"),
	}, withStorage(allocate))
	a.route("POST "+path+"/{storage}/upload", every("/storage/{storage}", "Datastore.AllocateTemplate"), uploadParams(), withStorage(upload))
	a.route("GET "+path+"/{storage}/content/{volume...}", mayUseStorage, nil, withStorage(getVolume))
	a.route("DELETE "+path+"/{storage}/content/{volume...}", every("/storage/{storage}", "Datastore.Allocate"), []param{number("delay", 1, 30)}, withStorage(deleteVolume))
}

func (a *API) addPoolRoutes() {
	allocate := every("/pool/{poolid}", "Pool.Allocate")
	id := formatted("poolid", poolName)
	update := []param{text("comment"), text("vms"), text("storage"), flag("delete"), flag("allow-move")}
	a.route("GET /pools", anyone, []param{id, choice("type", "qemu", "lxc", "storage")}, listPools)
	a.route("POST /pools", allocate, []param{must(id), text("comment")}, createPool)
	a.route("PUT /pools", allocate, append(update, must(id)), withPool(updatePool))
	a.route("DELETE /pools", allocate, []param{must(id)}, withPool(deletePool))
	a.route("GET /pools/{poolid}", every("/pool/{poolid}", "Pool.Audit"), []param{choice("type", "qemu", "lxc", "storage")}, withPool(getPool))
	a.route("PUT /pools/{poolid}", allocate, update, withPool(updatePool))
	a.route("DELETE /pools/{poolid}", allocate, nil, withPool(deletePool))
}
