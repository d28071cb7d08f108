// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package chaos

import "github.com/better-compute/terraform-provider-bettercompute/internal/provider/providertest"

// state is a CLI's state of the one resource.
type state struct {
	current, deposed providertest.State
	tainted          bool
}

// holds answers the vendor's ids of what is in the state.
func (w *workspace) holds() []string {
	var ids []string
	for _, kept := range []providertest.State{w.live.current, w.live.deposed} {
		if kept.There() {
			ids = append(ids, providertest.Text(w.t, kept.Value, w.on.id))
		}
	}
	return ids
}
