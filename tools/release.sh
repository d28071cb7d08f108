#!/bin/sh
# Copyright (c) The terraform-provider-bettercompute authors
# SPDX-License-Identifier: MPL-2.0
#
# A release as a registry would get it, without publishing it: every archive, the checksums with their signature, the
# manifest and the bills of materials. Then the archive of this platform is used as a user would: init from a mirror,
# apply, an empty plan and destroy, on the emulators that are in it. Needs gpg; the key is made for this and thrown away.
# It is made from the last commit, in a clone, and stays in dist/ to be looked at.
#
#   release.sh GORELEASER CLI
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
goreleaser=$1
cli=$2

test -z "$(git status --porcelain)" || { echo "a release is made from a commit: commit your changes first" >&2; exit 1; }
command -v gpg >/dev/null || { echo "gpg is needed to sign the checksums" >&2; exit 1; }
work=$(mktemp -d)
trap 'gpgconf --kill all 2>/dev/null || true; rm -rf "$work"' EXIT

# The path of gpg-agent's socket may have 107 bytes, so the folder's name is short.
export GNUPGHOME="$work/gnupg"
mkdir -m 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'release check <release-check@example.com>' rsa3072 sign 1d
GPG_FINGERPRINT=$(gpg --batch --with-colons --list-secret-keys | awk -F: '$1 == "fpr" { print $10; exit }')
export GPG_FINGERPRINT

git clone --quiet . "$work/source"
(cd "$work/source" && "$goreleaser" check && "$goreleaser" release --snapshot --clean)
rm -rf dist
mv "$work/source/dist" dist

go run ./internal/release archives dist
go run ./internal/release licences dist/*.cdx.json
for signature in dist/*_SHA256SUMS.sig; do
	gpg --batch --quiet --verify "$signature" "${signature%.sig}"
done

# The flags of .goreleaser.yml are those of make build, and neither the folder that it is built in nor what was compiled
# before is in the binary: it is built once more elsewhere, with an empty cache.
version=$(sed -n 's/.*"version":"\([^"]*\)".*/\1/p' dist/metadata.json)
go run ./internal/release mirror dist "$work/mirror"
GOCACHE="$work/cache" make -s build VERSION="$version" BIN="$work/build"
cmp "$work/build/terraform-provider-bettercompute" "$work/mirror/terraform-provider-bettercompute"
echo "the binary of this platform is, byte by byte, the one that make build makes in another folder with an empty cache"

"$work/mirror/terraform-provider-bettercompute" emulator -- go run ./examples/demo/run -cli "$cli" -mirror "$work/mirror"
echo "release check: passed"
