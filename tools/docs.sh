#!/bin/sh
# Copyright (c) The terraform-provider-bettercompute authors
# SPDX-License-Identifier: MPL-2.0
#
# Renders docs/ from the schema of the built provider, templates/ and examples/, without a network.
#
#   docs.sh write   replaces docs/
#   docs.sh check   leaves docs/ alone and fails where it differs
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
what=$1
cli=$(tools/cli.sh)
work=.bin/docs

rm -rf "$work"
mkdir -p "$work/configuration" "$work/rendered"

# The provider just built, for both registries' names; an override needs no init.
cat >"$work/cli-config.tfrc" <<END
provider_installation {
  dev_overrides {
    "registry.terraform.io/better-compute/bettercompute" = "$root/.bin"
    "registry.opentofu.org/better-compute/bettercompute" = "$root/.bin"
  }
  direct {}
}
END
cp examples/provider/provider.tf "$work/configuration/"
export TF_CLI_CONFIG_FILE="$root/$work/cli-config.tfrc" CHECKPOINT_DISABLE=1

# tfplugindocs looks the provider up under this one name.
"$cli" -chdir="$work/configuration" providers schema -json >"$work/schema.json"
sed 's#"registry\.[a-z.]*/better-compute/bettercompute":#"registry.terraform.io/hashicorp/bettercompute":#' \
	"$work/schema.json" >"$work/renamed.json"

# The guides that are written from the code. tfplugindocs reads them among the templates.
for page in errors vendors drift; do
	go run ./internal/provider/guides "$page" >"$work/$page.md"
	case $what in
	check) diff -u "templates/guides/$page.md" "$work/$page.md" || { echo "templates/guides is not what make generate writes" >&2; exit 1; } ;;
	*) cp "$work/$page.md" "templates/guides/$page.md" ;;
	esac
done

# tfplugindocs empties the folder that it renders into and leaves empty pages behind when it fails: not docs/ itself.
go tool -modfile=tools/go.mod tfplugindocs generate --provider-name bettercompute \
	--rendered-provider-name bettercompute --providers-schema "$work/renamed.json" --rendered-website-dir "$work/rendered"

case $what in
write)
	rm -rf docs
	cp -R "$work/rendered" docs
	go tool -modfile=tools/go.mod tfplugindocs validate --provider-name bettercompute --providers-schema "$work/renamed.json"
	;;
check)
	diff -ru docs "$work/rendered" || { echo "docs/ is not what make generate writes" >&2; exit 1; }
	;;
*)
	echo "usage: $0 write|check" >&2
	exit 2
	;;
esac
