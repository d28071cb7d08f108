// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// memory is what the driver keeps for as long as the process lives. Nothing durable is in it: without it everything is
// looked up once more.
type memory struct {
	mutex sync.Mutex
	// nodes is where machines were last seen, names what this process has called them.
	nodes map[int]string
	names map[int]string
	// clones are those under way: the VMID, and what is known of it.
	clones map[int]clone
	// tasks is when a task was first seen under way.
	tasks map[string]time.Time
	// reinstalls are the machines that are being put up afresh.
	reinstalls map[int]*reinstall
	// uploaded are the ISO images that this process has uploaded, by volume, with the hash of their content.
	uploaded map[string][32]byte
	// templates are where templates were last seen, by VMID.
	templates map[string]row
	// warnings are those that nobody has heard yet, by machine id; told are those that everybody has.
	warnings map[string][]string
	told     map[string]bool
	// agentless says that the token may not ask guest agents.
	agentless bool
}

// clone is a clone that this process has begun.
type clone struct {
	key   string
	upid  string
	since time.Time
}

// reinstall is what a machine keeps when it is put up afresh.
type reinstall struct {
	// cloned is set once the old machine is gone and the new clone has begun.
	cloned bool
	record record
	labels map[string]string
	// kept are the network cards, the CPU type and what else the new clone takes over from the old machine's config.
	kept    map[string]string
	diskGiB float64
}

// over answers the fresh clone as it will be once it has taken over what is kept; nil: it takes over nothing.
func (r *reinstall) over(found vm) vm {
	if r == nil {
		return found
	}
	config := maps.Clone(found.config)
	maps.Copy(config, r.kept)
	found.config = config
	return found
}

func newMemory() *memory {
	return &memory{
		nodes: map[int]string{}, names: map[int]string{}, clones: map[int]clone{}, tasks: map[string]time.Time{},
		reinstalls: map[int]*reinstall{}, uploaded: map[string][32]byte{}, templates: map[string]row{}, warnings: map[string][]string{}, told: map[string]bool{},
	}
}

func (m *memory) node(vmid int) (string, bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	node, known := m.nodes[vmid]
	return node, known
}

func (m *memory) setNode(vmid int, node string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.nodes[vmid] = node
}

// forget drops what is known of where a machine is.
func (m *memory) forget(vmid int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.nodes, vmid)
}

func (m *memory) setName(vmid int, name string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.names[vmid] = name
}

// named says whether this process has given a machine this name, which lists may not show yet.
func (m *memory) named(vmid int, name string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.names[vmid] == name
}

// underWay answers how many clones hold a place. What has been under way for longer than a task may take holds none.
func (m *memory) underWay(longest time.Duration) int {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.countClones(longest)
}

func (m *memory) countClones(longest time.Duration) int {
	under := 0
	for _, own := range m.clones {
		if time.Since(own.since) < longest {
			under++
		}
	}
	return under
}

// reserve takes one of the places that clones have at a time; false: all are taken, or the VMID is by another key.
func (m *memory) reserve(vmid int, key string, limit int, longest time.Duration) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	other, under := m.clones[vmid]
	if m.countClones(longest) >= limit || under && other.key != key && time.Since(other.since) < longest {
		return false
	}
	m.clones[vmid] = clone{key: key, since: time.Now()}
	return true
}

func (m *memory) cloning(vmid int, upid string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	own := m.clones[vmid]
	own.upid = upid
	m.clones[vmid] = own
}

func (m *memory) release(vmid int) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.clones, vmid)
}

// others says whether a VMID is being cloned into by this process under another key.
func (m *memory) others(vmid int, key string) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	own, under := m.clones[vmid]
	return under && own.key != key
}

// watched answers since when a task has been under way.
func (m *memory) watched(upid string) time.Time {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	since, known := m.tasks[upid]
	if !known {
		since = time.Now()
		m.tasks[upid] = since
	}
	return since
}

// ended drops a task, and the place that it held if it was a clone.
func (m *memory) ended(upid string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	delete(m.tasks, upid)
	for vmid, own := range m.clones {
		if own.upid == upid {
			delete(m.clones, vmid)
		}
	}
}

func (m *memory) reinstalling(vmid int) *reinstall {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.reinstalls[vmid]
}

func (m *memory) setReinstall(vmid int, own *reinstall) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if own == nil {
		delete(m.reinstalls, vmid)
		return
	}
	m.reinstalls[vmid] = own
}

func (m *memory) hasUploaded(volume string, content [32]byte) bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.uploaded[volume] == content
}

func (m *memory) setUploaded(volume string, content [32]byte) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.uploaded[volume] = content
}

func (m *memory) template(vmid string) (row, bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	template, known := m.templates[vmid]
	return template, known
}

func (m *memory) setTemplates(templates []row) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	for _, template := range templates {
		m.templates[strconv.Itoa(template.VMID.int())] = template
	}
}

// warn keeps a warning about a machine, or (empty id) about the account, the latter once in a process.
func (m *memory) warn(id, text string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if id == "" && m.told[text] || slices.Contains(m.warnings[id], text) {
		return
	}
	m.told[text] = m.told[text] || id == ""
	m.warnings[id] = append(m.warnings[id], text)
}

func (m *memory) takeWarnings(id string) []string {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	texts := m.warnings[id]
	delete(m.warnings, id)
	return texts
}

func (m *memory) refusesAgent() bool {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.agentless
}

func (m *memory) setRefusesAgent() {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.agentless = true
}

// Warnings answers what came up about a machine, or about the account itself.
func (c *cloud) Warnings(id string) []string { return c.memory.takeWarnings(id) }

var _ driver.Warn = (*cloud)(nil)
