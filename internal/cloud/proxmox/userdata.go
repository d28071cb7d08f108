// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package proxmox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/failure"
	"github.com/better-compute/terraform-provider-bettercompute/internal/cloud/proxmox/nocloud"
	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// userData is how a machine gets its user data: as a volume to attach, as snippets to name, or (neither) not at all.
type userData struct {
	volume string
	custom string
}

// provideUserData brings user data to where the machine can have it. While an upload is under way its operation is the
// answer, and the next call finds it done.
func (c *cloud) provideUserData(ctx context.Context, spec driver.Spec, found vm) (userData, []driver.Operation, error) {
	if len(spec.UserData) == 0 || spec.KeysOnly {
		return userData{}, nil, nil
	}
	seed := nocloud.Seed{InstanceID: found.config.uuid(), HostName: spec.Name, UserData: spec.UserData}
	if c.snippets != nil {
		return c.writeSnippets(ctx, spec.Marks.Key, seed)
	}
	for _, card := range found.config.nics() {
		seed.MACs = append(seed.MACs, card.mac)
	}
	return c.uploadSeed(ctx, spec.Marks.Key, seed, found)
}

// snippetNames are the files of a machine with the key.
func snippetNames(key string) (user, meta string) { return key + "-user.yaml", key + "-meta.yaml" }

// writeSnippets gives user data and the host name: with user data of its own the vendor's is not used at all.
func (c *cloud) writeSnippets(ctx context.Context, key string, seed nocloud.Seed) (userData, []driver.Operation, error) {
	user, meta := snippetNames(key)
	for name, data := range map[string][]byte{user: seed.UserData, meta: seed.MetaData()} {
		if err := c.snippets.Write(ctx, name, data); err != nil {
			return userData{}, nil, &snippetError{err: err}
		}
	}
	return userData{custom: fmt.Sprintf("user=%s:snippets/%s,meta=%s:snippets/%s", c.snippetStorage, user, c.snippetStorage, meta)}, nil, nil
}

// snippetError is a snippet that could not be written or removed.
type snippetError struct{ err error }

func (e *snippetError) Error() string { return "the account's snippets: " + e.err.Error() }
func (e *snippetError) Unwrap() error { return e.err }

// seedPrefix begins the names of our ISO images.
const seedPrefix = "better-compute-"

func seedName(key string) string { return seedPrefix + key + ".iso" }

func (c *cloud) uploadSeed(ctx context.Context, key string, seed nocloud.Seed, found vm) (userData, []driver.Operation, error) {
	storage, err := c.isoStorageOf(ctx, found.node)
	if err != nil {
		return userData{}, nil, err
	}
	volume := storage + ":iso/" + seedName(key)
	created := found.record().created
	if created.IsZero() {
		created = time.Now()
	}
	image, err := seed.Image(created)
	if err != nil {
		return userData{}, nil, &failure.Input{Field: "user_data", Message: err.Error()}
	}
	content := sha256.Sum256(image)
	if c.memory.hasUploaded(volume, content) {
		return userData{volume: volume}, nil, nil
	}
	var upid string
	path := fmt.Sprintf("/nodes/%s/storage/%s/upload", url.PathEscape(found.node), url.PathEscape(storage))
	if err := c.client.upload(ctx, path, url.Values{"content": {"iso"}}, seedName(key), image, &upid); err != nil {
		return userData{}, nil, err
	}
	c.memory.setUploaded(volume, content)
	return userData{volume: volume}, operationsOf(upid, found.vmid), nil
}

// storage is a storage as a node has it (GET /nodes/{node}/storage).
type storage struct {
	Name    string  `json:"storage"`
	Content string  `json:"content"`
	Enabled *number `json:"enabled"`
	Active  *number `json:"active"`
}

func (s storage) takesISO() bool {
	return slices.Contains(strings.Split(s.Content, ","), "iso") &&
		(s.Enabled == nil || *s.Enabled != 0) && (s.Active == nil || *s.Active != 0)
}

// isoStorages answers the storages of a node that may take ISO images, read once for each node.
func (c *cloud) isoStorages(ctx context.Context, node string) ([]storage, error) {
	c.kept.mutex.Lock()
	if c.kept.isos[node] == nil {
		c.kept.isos[node] = &driver.Kept[[]storage]{}
	}
	own := c.kept.isos[node]
	c.kept.mutex.Unlock()
	return own.Get(ctx, func(ctx context.Context) ([]storage, error) {
		var storages []storage
		err := c.client.get(ctx, "/nodes/"+url.PathEscape(node)+"/storage", url.Values{"content": {"iso"}}, &storages)
		return storages, err
	})
}

// isoStorageOf answers the storage of a node that ISO images go to.
func (c *cloud) isoStorageOf(ctx context.Context, node string) (string, error) {
	found, err := c.isoStorages(ctx, node)
	if err != nil {
		return "", err
	}
	storages := slices.Clone(found)
	slices.SortFunc(storages, func(a, b storage) int { return strings.Compare(a.Name, b.Name) })
	for _, one := range storages {
		if one.takesISO() && (c.isoStorage == "" || c.isoStorage == one.Name) {
			return one.Name, nil
		}
	}
	what := "no storage that takes ISO images"
	if c.isoStorage != "" {
		what = "no storage " + c.isoStorage + " that takes ISO images"
	}
	return "", &unsupportedUserData{
		message: fmt.Sprintf("node %s has %s and that the token may see (Datastore.Audit), and the account has no snippets: there is no way to give user data to its machines", node, what),
		next:    fmt.Sprintf("Storages of the node that take ISO images: %s. Name one of them as the account's iso_storage, let a storage take ISO images, set snippets in the account, or leave the argument out.", namesOfISO(storages)),
	}
}

func namesOfISO(storages []storage) string {
	var names []string
	for _, one := range storages {
		if one.takesISO() {
			names = append(names, one.Name)
		}
	}
	return cmp.Or(strings.Join(names, ", "), "none")
}

// unsupportedUserData says that an account has no way for user data, and what would be one.
type unsupportedUserData struct{ message, next string }

func (e *unsupportedUserData) Error() string { return e.message }

// CheckUserData answers nil where a machine made from the template could be given user data.
func (c *cloud) CheckUserData(ctx context.Context, imageID string) error {
	if c.snippets != nil {
		return nil
	}
	template, err := c.template(ctx, imageID)
	if err != nil {
		return err
	}
	_, err = c.isoStorageOf(ctx, c.nodeFor(template))
	return err
}

// isSeed says whether a drive holds an ISO image of ours, for this key.
func isSeed(value, key string) bool {
	volume, _, _ := strings.Cut(value, ",")
	return strings.HasSuffix(volume, ":iso/"+seedName(key))
}

// removeUserData removes what a machine's user data was kept in.
func (c *cloud) removeUserData(ctx context.Context, found vm, key string) ([]driver.Operation, error) {
	var operations []driver.Operation
	for _, drive := range found.config.drives(func(value string) bool { return isSeed(value, key) }) {
		volume, _, _ := strings.Cut(found.config[drive], ",")
		storage, _, _ := strings.Cut(volume, ":")
		var upid string
		path := fmt.Sprintf("/nodes/%s/storage/%s/content/%s", url.PathEscape(found.node), url.PathEscape(storage), url.PathEscape(volume))
		if err := c.client.delete(ctx, path, nil, &upid); err != nil && !isGoneVolume(err) {
			return nil, err
		}
		c.memory.setUploaded(volume, [sha256.Size]byte{})
		operations = append(operations, operationsOf(upid, found.vmid)...)
	}
	if c.snippets == nil || !strings.Contains(found.config["cicustom"], key) {
		return operations, nil
	}
	user, meta := snippetNames(key)
	for _, name := range []string{user, meta} {
		if err := c.snippets.Remove(ctx, name); err != nil {
			return operations, &snippetError{err: err}
		}
	}
	return operations, nil
}

// isGoneVolume says whether the removal of a volume failed because it is not there.
func isGoneVolume(err error) bool {
	answer, ok := errors.AsType[*answerError](err)
	return ok && answer.volumeMissing()
}
