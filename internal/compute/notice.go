// Copyright (c) The terraform-provider-bettercompute authors
// SPDX-License-Identifier: MPL-2.0

package compute

import "fmt"

// Notice is something that the user should know although nothing has failed. It becomes a warning.
type Notice struct {
	Summary string
	Detail  string
	// Field is the argument that it belongs to; empty: none.
	Field string
}

// anotherStates says of an object that a state holds that another one has taken it.
func anotherStates(noun string, other claimed) Notice {
	return Notice{
		Summary: "The " + noun + " belongs to another state",
		Detail: fmt.Sprintf("%s bears this resource's key and another state's claim: %s. It is kept here, and nothing here changes it. Take it out of one of the two states.",
			capital(other.object), other.whose()),
	}
}

// noLongerOurs says why a state drops an object that is there.
func noLongerOurs(noun, held string, other claimed) Notice {
	return Notice{
		Summary: "The " + noun + " is no longer this resource's",
		Detail: fmt.Sprintf("%s now shows: %s. It is dropped from the state and left alone at the vendor.",
			capital(held), other.whose()),
	}
}

// gone says why a state drops an object that is not there.
func (a *Account) gone(noun, held string) Notice {
	return Notice{
		Summary: "The " + noun + " is gone",
		Detail:  fmt.Sprintf("%s is not there any more; %s knows nothing of it. It is dropped from the state.", capital(held), a.title()),
	}
}
