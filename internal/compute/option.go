// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
	"github.com/better-compute/terraform-provider-bettercompute/internal/manifest"
)

// ResolveOptions answers options that were written in their canonical form, for a machine in a region: the ids of the
// vendor's objects in place of their names. INVALID_INPUT with the option as field and the nearest names where there is no
// such object. It reads only what has to be looked up, once for the account.
func (a *Account) ResolveOptions(ctx context.Context, written manifest.Values, region string) (manifest.Values, error) {
	resolved := manifest.Values{}
	for _, option := range a.settings.Kind.Options {
		value, there := written[option.Name]
		if !there {
			continue
		}
		canonical, err := a.resolveOption(ctx, option, value, region)
		if err != nil {
			return nil, err
		}
		resolved[option.Name] = canonical
	}
	return resolved, nil
}

func (a *Account) resolveOption(ctx context.Context, option driver.Option, value any, region string) (any, error) {
	switch value := value.(type) {
	case string:
		return a.resolveText(ctx, option, value, region)
	case []string:
		resolved := make([]string, 0, len(value))
		for _, text := range value {
			one, err := a.resolveText(ctx, option, text, region)
			if err != nil {
				return nil, err
			}
			resolved = append(resolved, one)
		}
		if option.Type == manifest.StringSet {
			slices.Sort(resolved)
			resolved = slices.Compact(resolved)
		}
		return resolved, nil
	}
	return value, nil
}

// resolveText answers the id of the object that a text names. An id goes before a name that is spelled alike.
func (a *Account) resolveText(ctx context.Context, option driver.Option, text, region string) (string, error) {
	if !option.Refers || text == "" {
		return text, nil
	}
	named := text
	if option.Part != nil {
		named = option.Part(text)
	}
	objects, found, err := a.objectsNamed(ctx, option, named, region)
	if err != nil {
		return "", err
	}
	fit := slices.DeleteFunc(slices.Clone(found), func(object driver.Object) bool { return object.Unfit != "" })
	switch {
	case len(found) == 0:
		return "", a.noObject(option.Name, named, objects)
	case len(fit) == 0:
		return "", a.unfitObject(option.Name, found[0], objects)
	case len(fit) > 1:
		return "", a.manyObjects(option.Name, named, fit)
	case option.Part != nil:
		return text, nil
	}
	return fit[0].ID, nil
}

// optionObjects answers what an option may name in a region, read once and not before a time. Projects are of no region.
func (a *Account) optionObjects(ctx context.Context, option driver.Option, region string, oldest time.Time) ([]driver.Object, error) {
	action := "look up what " + option.Name + " may name"
	if option.Project {
		region = ""
	}
	lister, err := capability[driver.Options](a, CapabilityOptions, action)
	if err != nil {
		return nil, err
	}
	objects, err := a.catalogue.objects.since(ctx, option.Name+"\x00"+region, oldest, func(ctx context.Context) ([]driver.Object, error) {
		return lister.Objects(ctx, option.Name, region)
	})
	return objects, a.explain(ctx, err, action, "")
}

func (a *Account) noObject(option, named string, objects []driver.Object) *Error {
	return a.fault(driver.InvalidInput, option, "find "+option+" "+named,
		fmt.Sprintf("%s shows this account nothing with the id or the name %q that %s could be.", a.title(), named, option),
		"Correct it, or make it first. "+nearestObjects(named, objects))
}

func (a *Account) unfitObject(option string, found driver.Object, objects []driver.Object) *Error {
	return a.fault(driver.InvalidInput, option, "use "+option+" "+describeObject(found),
		fmt.Sprintf("%s %s.", describeObject(found), found.Unfit),
		"Choose another one, or another region for the machine. "+nearestObjects(found.Name, objects))
}

func (a *Account) manyObjects(option, named string, found []driver.Object) *Error {
	ids := make([]string, len(found))
	for i, object := range found {
		ids[i] = object.ID
	}
	return a.fault(driver.InvalidInput, option, "find "+option+" "+named,
		fmt.Sprintf("%d of them have the name %q: %s.", len(found), named, strings.Join(ids, ", ")), "Write the id in place of the name.")
}

// nearestObjects is a sentence that names what can be used, the likest first.
func nearestObjects(named string, objects []driver.Object) string {
	fit := map[string]driver.Object{}
	for _, object := range objects {
		if object.Unfit == "" {
			fit[cmp.Or(object.Name, object.ID)] = object
		}
	}
	if len(fit) == 0 {
		return "There is none to choose from."
	}
	var shown []string
	for _, name := range nearest(named, slices.Collect(maps.Keys(fit))) {
		shown = append(shown, describeObject(fit[name]))
	}
	return "The nearest: " + strings.Join(shown, ", ") + "."
}

func describeObject(object driver.Object) string {
	if object.Name == "" || object.Name == object.ID {
		return object.ID
	}
	return object.Name + " (id " + object.ID + ")"
}

// ShownOptions answers a machine's options as a state is to have them: what the machine shows, in the spelling that the
// state has where it means the same. What the vendor does not tell stays as the state has it, but for a project that the
// machine is not in.
func (a *Account) ShownOptions(ctx context.Context, machine driver.Machine, state manifest.Values) (manifest.Values, error) {
	shown := manifest.Values{}
	for _, option := range a.settings.Kind.Options {
		own, written := state[option.Name]
		seen, told := machine.Options[option.Name]
		if !told || option.Silent() {
			stays, err := a.staysWritten(ctx, option, own, machine.ID)
			if err != nil {
				return nil, err
			}
			if stays {
				shown[option.Name] = own
			}
			continue
		}
		same, err := a.stillMeans(ctx, option, own, seen, machine.Region)
		if err != nil {
			return nil, err
		}
		if written && same {
			shown[option.Name] = own
			continue
		}
		shown[option.Name] = oneOf(option, seen)
	}
	return shown, nil
}

// staysWritten says whether a state keeps what it has of an option that the machine itself does not tell.
func (a *Account) staysWritten(ctx context.Context, option driver.Option, own any, machineID string) (bool, error) {
	if own == nil || !option.Project {
		return own != nil, nil
	}
	return a.stillInProject(ctx, own, machineID)
}

// stillMeans says whether a text in a state stands for what the machine shows. Names are looked up only where they have to
// be; one that nothing has any more stands for nothing.
func (a *Account) stillMeans(ctx context.Context, option driver.Option, own, seen any, region string) (bool, error) {
	if own == nil || sameOption(option, seen, own) {
		return own != nil, nil
	}
	canonical, err := a.resolveOption(ctx, option, own, region)
	if CodeOf(err) == driver.InvalidInput {
		return false, nil
	}
	return err == nil && sameOption(option, seen, canonical), err
}

// oneOf answers what is shown of an option that a machine can have several of: the first.
func oneOf(option driver.Option, seen any) any {
	several, ok := seen.([]string)
	if !ok || option.Type != manifest.String {
		return seen
	}
	if len(several) == 0 {
		return ""
	}
	return several[0]
}

// sameOption says whether a machine shows what is wanted of an option, both canonical.
func sameOption(option driver.Option, seen, wanted any) bool {
	several, isSeveral := seen.([]string)
	switch wanted := wanted.(type) {
	case string:
		if isSeveral {
			return slices.Contains(several, wanted) || wanted == "" && len(several) == 0
		}
		return seen == wanted
	case []string:
		if option.Type == manifest.StringSet {
			wanted = slices.Sorted(slices.Values(wanted))
		}
		return isSeveral && slices.Equal(several, wanted)
	}
	return seen == wanted
}
