#!/bin/sh
# Copyright (c) The terraform-provider-bettercompute authors
# SPDX-License-Identifier: MPL-2.0
#
# Prints the absolute path of the CLI to use: the one that was asked for, else terraform or tofu from PATH, else an
# OpenTofu of our own, which is built when it is not there yet.
#
#   cli.sh [NAME_OR_PATH]
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)

if [ -n "${1:-}" ]; then
	found=$(command -v "$1") || { echo "no program $1: CLI must name a terraform or tofu binary" >&2; exit 1; }
	case $found in
	/*) echo "$found" ;;
	*) echo "$PWD/$found" ;;
	esac
	exit 0
fi

command -v terraform || command -v tofu || {
	echo "neither terraform nor tofu on PATH: using OpenTofu from source" >&2
	make -s -C "$root" tofu >&2
	echo "$root/.bin/tofu"
}
