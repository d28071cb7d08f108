#!/bin/sh
# Copyright (c) The terraform-provider-bettercompute authors
# SPDX-License-Identifier: MPL-2.0
#
# Runs the tests once on each CLI that is there: terraform from PATH, and OpenTofu from .bin/ or PATH.
#
#   test.sh all          every test on the first CLI, those that drive a CLI on the others too
#   test.sh acceptance   only those that drive a CLI, on each
#   test.sh oldest       those of the resources and the examples, on CLIs without write-only arguments; see oldest.sh
#   test.sh bench        the benchmarks, on the first CLI
#   test.sh promises     what the README promises and neither chaos nor bench measures, on the first CLI
#
# CI_REQUIRE=1 makes the race detector, and everything else that may be missing, a must.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
what=$1

# Nothing of the caller's may leak into the tests, least of all a token of a real account.
unset PROXMOX_TOKEN PROXMOX_VE_ENDPOINT PROXMOX_VE_API_TOKEN
unset DIGITALOCEAN_TOKEN DIGITALOCEAN_ACCESS_TOKEN DIGITALOCEAN_API_URL
unset HCLOUD_TOKEN HCLOUD_ENDPOINT BETTERCOMPUTE_LIVE_HCLOUD_TOKEN BETTERCOMPUTE_LIVE_DIGITALOCEAN_TOKEN BETTERCOMPUTE_TENANT_ID BETTERCOMPUTE_OWNER
unset VAULT_ADDR VAULT_NAMESPACE VAULT_TOKEN VAULT_CACERT
unset TF_ACC_PROVIDER_HOST TF_ACC_PROVIDER_NAMESPACE TF_ACC_TERRAFORM_VERSION
unset TF_REATTACH_PROVIDERS TF_WORKSPACE TF_DATA_DIR TF_CLI_ARGS TF_LOG TF_PLUGIN_CACHE_DIR

mkdir -p .bin
echo "# No settings: keeps those of the person who runs the tests out of them." >.bin/cli-config.tfrc
export TF_CLI_CONFIG_FILE="$root/.bin/cli-config.tfrc"
export CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1 TF_ACC=1

# The race detector needs cgo and the C compiler that cgo would call.
if [ "$(go env CGO_ENABLED)" = 1 ] && command -v "$(go env CC | cut -d' ' -f1)" >/dev/null; then
	race=-race
elif [ "${CI_REQUIRE:-}" = 1 ]; then
	echo "the race detector is required here and needs a C compiler" >&2
	exit 1
else
	race=
	echo "no C compiler, or CGO_ENABLED is 0: the tests run without the race detector" >&2
fi

terraform=$(command -v terraform || true)
if [ -n "${TOFU:-}" ]; then tofu=$TOFU
elif [ -x .bin/tofu ]; then tofu="$root/.bin/tofu"; else tofu=$(command -v tofu || true); fi
if [ -z "$terraform$tofu" ]; then tofu=$(tools/cli.sh); fi

# on_cli CLI ARGUMENTS: go test with that CLI and no other.
on_cli() {
	cli=$1
	shift
	echo "== $cli" >&2
	export TF_ACC_TERRAFORM_PATH="$cli" BETTERCOMPUTE_TEST_CLIS="$cli"
	case $(basename "$cli") in
	tofu*) export TF_ACC_PROVIDER_HOST=registry.opentofu.org ;;
	*) unset TF_ACC_PROVIDER_HOST ;;
	esac
	go test -timeout 30m "$@"
}

# packages PATTERN: those with a file that mentions it.
packages() {
	files=$(grep -rlE "$1" --include='*.go' .) || { echo "no file mentions $1" >&2; exit 1; }
	echo "$files" | xargs -n1 dirname | sort -u
}

# promise NAME TESTS PACKAGES: runs the tests and prints how many cases of them passed; one that has none is broken.
promise() {
	name=$1 tests=$2
	shift 2
	out=$(mktemp)
	if ! on_cli "${terraform:-$tofu}" $race -v -run "$tests" "$@" >"$out" 2>&1; then
		cat "$out" >&2
		return 1
	fi
	# A case is a test that no other one is part of.
	cases=$(awk '$1 == "---" && $2 == "PASS:" { passed[$3]; whole = $3; while (sub("/[^/]*$", "", whole)) parts[whole] }
		END { for (one in passed) if (!(one in parts)) cases++; print cases + 0 }' "$out")
	skipped=$(grep -c '^ *--- SKIP' "$out" || true)
	rm -f "$out"
	echo "$name: $cases cases passed, 0 failed, $skipped skipped"
	test "$cases" -gt 0
}

# The framework for acceptance tests, our own variable, and the package that reads it for others.
drive_a_cli='hashicorp/terraform-plugin-testing|BETTERCOMPUTE_TEST_CLIS|internal/provider/providertest'

case $what in
bench)
	in=$(packages '^func Benchmark')
	on_cli "${terraform:-$tofu}" -run '^$' -bench . -benchtime 1x $in
	;;
all)
	on_cli "${terraform:-$tofu}" $race ./...
	if [ -n "$terraform" ] && [ -n "$tofu" ]; then
		in=$(packages "$drive_a_cli")
		# Left out are long tables that are gone through by protocol: no CLI takes part in them.
		on_cli "$tofu" $race -skip '^(TestEveryChangeOfEveryAttribute|TestEveryDriftIsAnswered|TestDriftOfAnOptionIsSeenAndRepaired|TestAnImportByEachKindOfId)$' $in
	fi
	;;
promises)
	promise "never somebody else's" '^(TestContractOnTheEmulator|TestTheSameConfigurationInASecondState)$' ./internal/cloud/... ./internal/acceptance
	promise 'the plan knows' '^(TestEveryRefusalOfThePlanInFull|TestArgumentsThatTheVendorWouldRefuseAreErrorsInThePlan)$' ./internal/provider ./internal/provider/instance
	promise 'no secret at rest' '^TestNo.*AtRest$' ./internal/acceptance
	;;
acceptance)
	in=$(packages "$drive_a_cli")
	for cli in $terraform $tofu; do
		on_cli "$cli" $race $in
	done
	;;
oldest)
	# Left out is what such a CLI cannot read: write-only arguments, and examples with an ephemeral variable.
	unknown='WriteOnly|Ephemeral|^TestAccASecret|^TestAccFiveSpellingsAreOneUpload$|^TestAccALoneCertificateDeletedByHandIsMadeAgain$|^TestAccRotationUnderALoadBalancer$'
	unknown="$unknown|^TestExamples\$/./resources/bettercompute_(certificate|instance|secret)\$"
	for cli in $terraform $tofu; do
		on_cli "$cli" -run '^TestAcc|^TestExamples$|^TestImportExamples$|^TestModules$|^TestTheGuide' -skip "$unknown" ./examples ./internal/provider/...
	done
	;;
chaos)
	# One case in EVERY, in the order of SEED; BUDGET for the CLIs, FOR for random lives; or the one CASE.
	export CHAOS_EVERY="${EVERY:-1}" CHAOS_CLI_BUDGET="${BUDGET:-15m}" CHAOS_FOR="${FOR:-2m}" CHAOS_SEED="${SEED:-$(date +%s)}" CHAOS_CASE="${CASE:-}"
	tests=.
	# What is asked for in part leaves the scenarios out, which plain tests play already.
	if [ "$CHAOS_EVERY" != 1 ]; then tests='^(TestEveryInterruption|TestEveryStrike|TestEveryField|TestStorms|TestRandom)$'; fi
	if [ -n "$CHAOS_CASE" ]; then tests='^(TestEveryInterruption|TestEveryStrike|TestEveryField|TestStorms)$'; fi
	out=$(mktemp)
	failed=
	BETTERCOMPUTE_TEST_CLIS=$(echo "$terraform:$tofu" | sed 's/^://; s/:$//')
	export BETTERCOMPUTE_TEST_CLIS
	go test -timeout 0 -parallel 4 -v -run "$tests" ./internal/acceptance/chaos >"$out" || failed=1
	grep -vE '^(=== |[[:space:]]*--- (PASS|SKIP))' "$out" || true
	rm -f "$out"
	[ -z "$failed" ]
	;;
*)
	echo "usage: $0 all|acceptance|oldest|bench|promises|chaos" >&2
	exit 2
	;;
esac
