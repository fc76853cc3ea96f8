#!/usr/bin/env bash
# Runs `duet check` in a job of CI: annotations on standard output, SARIF into a file if it is
# asked for, and the exit code as the job wants it.
#
#   FILES, OPTIONS    words
#   SINCE, SHARD      as --since and --shard, if not empty
#   SARIF=FILE        where findings are written
#   FAIL_ON           refuted or unproven
set -uo pipefail

read -r -a files <<<"${FILES:-}"
read -r -a options <<<"${OPTIONS:-}"
[ "${#files[@]}" -gt 0 ] || { echo "::error::no files are named"; exit 4; }
[ -z "${SINCE:-}" ] || options+=("--since=$SINCE")
[ -z "${SHARD:-}" ] || options+=("--shard=$SHARD")

format=human
[ -z "${GITHUB_ACTIONS:-}" ] || format=github
# Answers of solvers are kept between the two runs, so that the second takes little.
cache="$(mktemp -d)"
trap 'rm -rf "$cache"' EXIT
options+=("--query-cache=$cache")
duet check "${files[@]}" "${options[@]}" --format="$format"
code=$?
if [ -n "${SARIF:-}" ]; then
    # The pages of rules are beside the action.
    if [ -n "${GITHUB_ACTION_REPOSITORY:-}" ]; then
        pages="${GITHUB_SERVER_URL:-https://github.com}/$GITHUB_ACTION_REPOSITORY"
        options+=("--help-uri=$pages/blob/${GITHUB_ACTION_REF:-main}/docs/rules/")
    fi
    duet check "${files[@]}" "${options[@]}" --format=sarif >"$SARIF"
fi
[ -z "${GITHUB_OUTPUT:-}" ] || echo "exit-code=$code" >>"$GITHUB_OUTPUT"
case "${FAIL_ON:-unproven}:$code" in
*:0) exit 0 ;;
refuted:2) exit 0 ;;
*) exit "$code" ;;
esac
