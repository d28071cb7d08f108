// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package digitalocean

import (
	"context"
	"slices"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// Mark adds the tags that are missing, and then takes off those that the given machine shows and that are not wanted.
func (c *cloud) Mark(ctx context.Context, machine driver.Machine, marks driver.Marks, labels map[string]string) (driver.Machine, error) {
	id, err := parseID(machine.ID)
	if err != nil {
		return machine, err
	}
	wanted, shown := tagsOf(marks, labels), append(tagsOf(machine.Marks, machine.Labels), claimTags(machine.OtherClaims)...)
	for _, tag := range wanted {
		if slices.Contains(shown, tag) {
			continue
		}
		if err := c.tag(ctx, tag, id); err != nil {
			return machine, err
		}
	}
	for _, tag := range shown {
		if slices.Contains(wanted, tag) {
			continue
		}
		if err := c.untag(ctx, tag, id); err != nil {
			return machine, err
		}
	}
	machine.Marks, machine.OtherClaims, machine.Labels = splitTags(wanted)
	return machine, nil
}

func claimTags(claims []string) []string {
	tags := make([]string, len(claims))
	for i, claim := range claims {
		tags[i] = tagClaim + claim
	}
	return tags
}

// Withdraw takes one claim off a droplet.
func (c *cloud) Withdraw(ctx context.Context, machineID, claim string) error {
	id, err := parseID(machineID)
	if err != nil {
		return err
	}
	return c.untag(ctx, tagClaim+claim, id)
}

// Intend makes the key's tag. Whether it was there is asked before: the answer to making a tag does not tell.
func (c *cloud) Intend(ctx context.Context, key string) (bool, error) {
	existed, err := c.tagExists(ctx, tagKey+key)
	if err != nil || existed {
		return existed, err
	}
	return false, c.makeTag(ctx, tagKey+key)
}

// TakeBack removes the key's tag where the vendor too says that nothing bears it.
func (c *cloud) TakeBack(ctx context.Context, key string) error {
	return c.dropTag(ctx, tagKey+key, true)
}

// Forget removes the tags of the key and of the claims where no droplet in rest bears them. The tags that machines share
// go with the last one, when the vendor too says that nothing bears them any more. Tags that are labels stay: somebody may
// have a firewall or a load balancer on them.
func (c *cloud) Forget(ctx context.Context, gone driver.Machine, rest []driver.Machine) error {
	borne := map[string]bool{}
	for _, other := range rest {
		for _, tag := range append(tagsOf(other.Marks, nil), claimTags(other.OtherClaims)...) {
			borne[tag] = true
		}
	}
	marks := gone.Marks
	marks.Creating, marks.Stopped = true, true
	for _, tag := range append(tagsOf(marks, nil), claimTags(gone.OtherClaims)...) {
		passing := tag == tagCreating || tag == tagStopped
		shared := tag == tagManaged || passing || tag == tagAccount+marks.Account
		if borne[tag] || passing && len(rest) > 0 {
			continue
		}
		if err := c.dropTag(ctx, tag, shared); err != nil {
			return err
		}
	}
	return nil
}

// dropTag removes a tag; a shared one only when the vendor shows nothing that bears it.
func (c *cloud) dropTag(ctx context.Context, tag string, shared bool) error {
	if shared {
		found, _, err := c.client.Tags.Get(ctx, tag)
		switch {
		case missing(c.failed(err)):
			return nil
		case err != nil:
			return c.failed(err)
		case found == nil || found.Resources == nil || found.Resources.Count > 0:
			return nil
		}
	}
	_, err := c.client.Tags.Delete(ctx, tag)
	if err := c.failed(err); err != nil && !missing(err) {
		return err
	}
	return nil
}
