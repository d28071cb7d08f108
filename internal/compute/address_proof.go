// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import (
	"context"

	"github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"
)

// leaveProof sees to it that an address which is released by hand later can be told from a token of another place. The
// operations of a create or an assign do; an address that has never been on a machine has had none, so that one is made for
// it. That is sent once in the life of an address, and nothing depends on it but a better answer later: its failure is none
// of the operation's.
func (a *Account) leaveProof(ctx context.Context, made *AddressMade) {
	prover, ok := a.driver.(driver.AddressProof)
	if !ok || made.Proof != "" && !ofToken(made.Proof) || ctx.Err() != nil {
		return
	}
	action := "leave a proof at " + objectOfAddress(made.Address)
	var operations []driver.Operation
	err := a.persist(ctx, action, "", func(ctx context.Context) error {
		var err error
		operations, err = prover.LeaveProof(ctx, made.Address)
		return err
	})
	a.addresses.wrote(made.Address.ID)
	if err != nil || a.await(ctx, operations, action, "") != nil {
		return
	}
	for _, operation := range operations {
		made.Proof = operation.Proof
	}
}
