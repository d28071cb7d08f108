#!/bin/sh
# Copyright (c) The terraform-provider-bettercompute authors
# SPDX-License-Identifier: MPL-2.0
#
# Runs acceptance tests on the oldest CLIs that the documentation names. Both are built from their Go modules into
# .bin/oldest, which takes about ten minutes the first time; to run tests is all that they are for. What needs write-only
# arguments or ephemeral values, which these CLIs do not know, is left out.
#
#   oldest.sh [TERRAFORM_VERSION OPENTOFU_VERSION]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
places="$root/.bin/oldest"

# build MODULE VERSION PACKAGE NAME: the module's own folder cannot be built in, so it is copied.
build() {
	binary="$places/$4-$2/$4"
	test -x "$binary" && return
	source=$(GOFLAGS=-mod=mod go mod download -json "github.com/$1@v$2" | sed -n 's/^[[:space:]]*"Dir": "\(.*\)",$/\1/p')
	work=$(mktemp -d)
	cp -R "$source/." "$work" && chmod -R u+w "$work"
	(cd "$work" && go build -buildvcs=false -ldflags "-X github.com/$1/version.dev=no" -o "$binary" "$3")
	rm -rf "$work"
}

terraform=${1:-1.8.5}
opentofu=${2:-1.8.11}
build hashicorp/terraform "$terraform" . terraform
build opentofu/opentofu "$opentofu" ./cmd/tofu tofu

PATH="$places/terraform-$terraform:$PATH" TOFU="$places/tofu-$opentofu/tofu" tools/test.sh oldest
