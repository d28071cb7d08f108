// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import "github.com/better-compute/terraform-provider-bettercompute/internal/compute/driver"

// CodeRow says for one code when it occurs, how one recovers and whether we repeat the request ourselves.
type CodeRow struct {
	Code driver.Code
	// Methods are the operations that it occurs in, in the words of the documentation.
	Methods []string
	When    string
	Recover string
	// Repeated says that the request is sent again inside the operation's timeout, and when.
	Repeated string
}

// Codes is the table of all codes, read by the advice in errors, the tests and the documentation.
var Codes = []CodeRow{
	{
		driver.InvalidInput, []string{"plan", "create", "update", "import"},
		"An argument is wrong for this vendor: its form, a value that does not exist there, or a reference that leads to nothing.",
		"Correct the argument that the error points at, or what it refers to.", "no",
	},
	{
		driver.InvalidConfig, []string{"plan", "create", "read", "update", "delete", "import"},
		"A client cannot be built from a valid config, or the store behind a reference cannot be used: not configured, damaged, sealed, out of reach.",
		"Correct the account, or the store that its references lead to.", "no",
	},
	{
		driver.InvalidState, []string{"plan", "create", "update", "delete"},
		"The object is in use or in a state that does not allow the change.",
		"Change what uses it or its state, then apply again.", "only while it is in use, inside the timeout",
	},
	{
		driver.NotFound, []string{"plan", "update", "import"},
		"The object is gone, or the account does not show it.",
		"Run plan again; for an import, check the id and the account.", "no",
	},
	{
		driver.Conflict, []string{"plan", "create", "update", "delete", "import"},
		"The object is somebody else's, its name is taken, or another apply won a race. Nothing was changed.",
		"Follow the error's next step: another name, a moved block, or the import block that it prints.",
		"only while another change of the same object is under way (reason busy), inside the timeout",
	},
	{
		driver.AccessDenied, []string{"plan", "create", "read", "update", "delete", "import"},
		"The vendor refuses the token, or the token may not do this; or a store refuses what is behind a reference.",
		"Check the secret behind the account's reference: the right project, and read and write access.", "no",
	},
	{
		driver.QuotaExceeded, []string{"plan", "create", "update"},
		"A limit of the vendor's account is reached.",
		"Ask the vendor for a higher limit, or remove what is no longer needed.", "no",
	},
	{
		driver.CapacityUnavailable, []string{"plan", "create", "update"},
		"The vendor has no room for this offer in this region now.",
		"Choose another offer or region, or try again later.", "no; with offer_ids or regions the next of them is tried",
	},
	{
		driver.RateLimited, []string{"plan", "create", "read", "update", "delete", "import"},
		"The vendor's request limit is used up, for everybody who shares it.",
		"Wait until the limit is free again, or raise the resource's timeouts.", "yes, as the vendor's headers ask, inside the timeout",
	},
	{
		driver.Unsupported, []string{"plan", "import"},
		"The vendor, or the account as it is set, has no such thing.",
		"Leave the argument out, or use an account of another kind.", "no",
	},
	{
		driver.Timeout, []string{"plan", "create", "read", "update", "delete", "import"},
		"The operation's own time has run out.",
		"Run the same command again; raise the resource's timeouts if the vendor is slow.", "no",
	},
	{
		driver.ProviderError, []string{"plan", "create", "read", "update", "delete", "import"},
		"The vendor failed, or is out of reach.",
		"Run the same command again; it looks first at what there is already.",
		"reads: up to max_retries; writes: only where a repeat cannot do harm",
	},
}

// advice answers the next step for a failure that nothing more is known about.
func advice(failure driver.Failure) string {
	switch failure.Reason {
	case driver.ReasonProtected:
		return "A protection is set on it at the vendor. It is never lifted from here: lift it there, then apply again."
	case driver.ReasonBusy:
		return "Another change of it is under way. Apply again when that has ended."
	case driver.ReasonInUse:
		return "Change or remove what uses it at the vendor, then apply again."
	case driver.ReasonNameTaken, driver.ReasonNotOwner, driver.ReasonDomainNotOwned, driver.ReasonPlaceTaken:
	}
	for _, row := range Codes {
		if row.Code == failure.Code {
			return row.Recover
		}
	}
	return ""
}
