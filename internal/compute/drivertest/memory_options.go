// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package drivertest

import (
	"context"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// MemoryKind is a Memory as an account names it, with one option of every sort.
func MemoryKind() driver.Kind {
	common, field := driver.CommonOption, func(name string, kind manifest.Type) manifest.Field {
		return manifest.Field{Name: name, Type: kind, Doc: "An option of the vendor in memory."}
	}
	return driver.Kind{Manifest: MemoryManifest, Options: []driver.Option{
		common(driver.OptionPublicIPv4, driver.Option{Effect: driver.Restarts, Addresses: true}),
		common(driver.OptionBackups, driver.Option{Effect: driver.InPlace}),
		common(driver.OptionNetwork, driver.Option{Effect: driver.InPlace, Refers: true}),
		common(driver.OptionDeleteProtection, driver.Option{Effect: driver.InPlace}),
		{Field: field("firewall_ids", manifest.StringSet), Effect: driver.InPlace, Refers: true},
		{Field: field("rack", manifest.String), Effect: driver.Replaces},
		{Field: field("key_ids", manifest.StringSet), Effect: driver.Replaces, Refers: true, Hidden: true},
		{Field: field("project_id", manifest.String), Effect: driver.InPlace, Refers: true, Project: true},
		{Field: field("note", manifest.String), Effect: driver.InPlace, Local: true},
	}}
}

// memoryOrdered are the options that a Memory takes with the order; the others are set afterwards.
var memoryOrdered = []string{driver.OptionPublicIPv4, driver.OptionNetwork, "firewall_ids", "rack"}

// memoryOptions answers the options of a machine that was just ordered.
func memoryOptions(ordered manifest.Values) manifest.Values {
	options := manifest.Values{
		driver.OptionPublicIPv4: true, driver.OptionBackups: false, driver.OptionNetwork: []string{},
		driver.OptionDeleteProtection: false, "firewall_ids": []string{}, "rack": "rack-1",
	}
	for _, name := range memoryOrdered {
		if value, there := ordered[name]; there {
			options[name] = memoryShown(name, value)
		}
	}
	return options
}

// memoryShown is an option as a machine shows it: it can be in several networks.
func memoryShown(name string, value any) any {
	if text, ok := value.(string); ok && name == driver.OptionNetwork {
		if text == "" {
			return []string{}
		}
		return []string{text}
	}
	return value
}

// Objects answers two networks, one of which is not in the region "there", three firewalls, two keys and the projects.
func (m *Memory) Objects(_ context.Context, option, region string) ([]driver.Object, error) {
	if err := m.enter("Objects", ""); err != nil {
		return nil, err
	}
	objects := map[string][]driver.Object{
		driver.OptionNetwork: {{ID: "net-1", Name: "blue"}, {ID: "net-2", Name: "green"}},
		"firewall_ids":       {{ID: "fw-1", Name: "web"}, {ID: "fw-2", Name: "db"}, {ID: "fw-3", Name: "db"}},
		"key_ids":            {{ID: "key-1", Name: "alice"}, {ID: "key-2", Name: "bob"}},
		"project_id":         memoryProjects,
	}[option]
	if option == driver.OptionNetwork && region == "there" {
		objects[1].Unfit = "is only here"
	}
	return objects, nil
}

// Networks answers the two networks, of which one is only here.
func (m *Memory) Networks(context.Context) ([]driver.Network, error) {
	return []driver.Network{
		{ID: "net-1", Name: "blue", Everywhere: true, Ranges: []string{"10.0.0.0/16"}}, {ID: "net-2", Name: "green", Regions: []string{"here"}},
	}, m.enter("Networks", "")
}

// Firewalls answers the three firewalls, two of one name.
func (m *Memory) Firewalls(context.Context) ([]driver.Firewall, error) {
	return []driver.Firewall{{ID: "fw-1", Name: "web"}, {ID: "fw-2", Name: "db"}, {ID: "fw-3", Name: "db"}}, m.enter("Firewalls", "")
}

// SetOption takes one step: a machine leaves the network that it was in before it joins another one.
func (m *Memory) SetOption(_ context.Context, machine driver.Machine, setting driver.Setting) ([]driver.Operation, error) {
	var operations []driver.Operation
	err := m.change("SetOption", machine.ID, func(own *memoryMachine) {
		if next, left := memoryStep(own.Options[setting.Name], setting); left {
			own.Options = own.withOption(setting.Name, next)
			operations = append(operations, m.begin(own, "set "+setting.Name, own.State))
		}
	})
	return operations, err
}

// memoryStep answers what the next step makes of what is shown; left is false when nothing is left to do.
func memoryStep(seen any, setting driver.Setting) (next any, left bool) {
	networks, several := seen.([]string)
	if setting.Name != driver.OptionNetwork || !several {
		texts, isList := setting.Value.([]string)
		return setting.Value, isList && !slices.Equal(networks, texts) || !isList && seen != setting.Value
	}
	before, _ := setting.Before.(string)
	wanted, _ := setting.Value.(string)
	switch {
	case before != "" && before != wanted && slices.Contains(networks, before):
		return slices.DeleteFunc(slices.Clone(networks), func(network string) bool { return network == before }), true
	case wanted == "":
		return []string{}, len(networks) > 0
	}
	return slices.Sorted(slices.Values(append(slices.Clone(networks), wanted))), !slices.Contains(networks, wanted)
}

func (m *memoryMachine) withOption(name string, value any) manifest.Values {
	options := manifest.Values{}
	for other, own := range m.Options {
		options[other] = own
	}
	options[name] = value
	return options
}

// SetMachineOption changes an option behind everybody's back.
func (m *Memory) SetMachineOption(id, name string, value any) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.machines[id].Options = m.machines[id].withOption(name, memoryShown(name, value))
}

// SetReverseDNS changes the name of an address.
func (m *Memory) SetReverseDNS(_ context.Context, address driver.ReservedAddress, name string) ([]driver.Operation, error) {
	if err := m.enter("SetReverseDNS", address.ID); err != nil {
		return nil, err
	}
	m.mutex.Lock()
	own, there := m.addresses[address.ID]
	if there {
		own.ReverseDNS = name
	}
	m.mutex.Unlock()
	if !there {
		return nil, notFound(address.ID)
	}
	return nil, m.leave("SetReverseDNS", address.ID)
}
