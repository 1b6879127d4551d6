# shellcheck shell=bash
# ci/lib.sh: what the scripts of ci/ share: where they are, how they speak, how they get packages.
# Sourced, never run. Installs nothing that is already there.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
started=$SECONDS
# shellcheck disable=SC2034 # for the scripts that source this
jobs=$(nproc 2>/dev/null || echo 2)

# PoCL keeps compiled kernels here, so that a second build or run compiles none of them again.
export POCL_CACHE_DIR=${POCL_CACHE_DIR:-$root/build/pocl}
mkdir -p "$POCL_CACHE_DIR"

say() { printf '\n== %s\n' "$*"; }
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}
elapsed() {
    local seconds=$((SECONDS - started))
    printf '%d min %02d s' $((seconds / 60)) $((seconds % 60))
}

# Files of the project in this folder, tracked or about to be; all files where there is no git.
list_files() {
    git ls-files --cached --others --exclude-standard 2>/dev/null ||
        find . -path ./build -prune -o -path ./.git -prune -o -type f -printf '%P\n'
}

find_version() {
    sed -nE 's/^#define TALLY_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' include/tally/types.h | paste -sd .
}

# Runs a command as root, without asking.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -n "$@"; fi
}

# Installs those of the named Debian packages that are missing, without asking.
ensure_packages() {
    local package missing=()
    if ! command -v dpkg-query >/dev/null; then
        echo "This is no Debian system: what the build needs is expected to be installed already"
        echo "(on Debian 12: $*)."
        return
    fi
    for package in "$@"; do
        if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
            missing+=("$package")
        fi
    done
    if [ ${#missing[@]} -eq 0 ]; then
        return
    fi
    if ! as_root true 2>/dev/null; then
        die "packages are missing, and installing them needs root, or sudo without a password;" \
            "as root: apt-get install ${missing[*]}"
    fi
    say "Installing ${missing[*]}"
    mkdir -p build
    if ! { as_root apt-get update -q &&
        as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } \
        >build/apt.log 2>&1; then
        tail -n 20 build/apt.log >&2
        die "apt-get could not install ${missing[*]}"
    fi
}

# Runs a command with its output in a log, which is shown, without ninja's progress, if it fails.
quietly() {
    local log=$1
    shift
    if ! "$@" >"$log" 2>&1; then
        grep -vE '^\[[0-9]+/[0-9]+\] ' "$log" >&2 || true
        die "failed: $*"
    fi
}

# What a script ran, which its last line says.
passed=0
failed=0

# hold COMMAND...: a check that is none of ctest's. It counts as one.
hold() {
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# run_tests NAME BUILD "RING..." SELECTION...: runs the tests of a build that these options of ctest
# select, and counts what ran of the rings that they are of. All that are registered must run.
run_tests() {
    local name=$1 build=$2 rings=$3 registered ring tests checks others bad ran=0
    shift 3
    registered=$(ctest --test-dir "$build" -N "$@" | sed -n 's/^Total Tests: //p')
    ctest --test-dir "$build" --output-on-failure -j "$jobs" "$@" || true
    say "$name: what ran"
    while read -r ring tests checks others bad; do
        printf '%-11s %3d tests of ctest: %5d checks and %3d other tests passed, %d failed\n' \
            "$ring" "$tests" "$checks" "$others" "$bad"
        [ $((checks + others + bad)) -gt 0 ] || die "$name: no test of the ring $ring ran"
        ran=$((ran + tests))
        passed=$((passed + checks + others))
        failed=$((failed + bad))
    done < <(count_rings "$build/Testing/Temporary/LastTest.log" "$rings")
    [ "$ran" -eq "$registered" ] || die "$name: $registered tests are registered, but $ran ran"
}

# count_rings LOG RING...: what ctest's log says ran, a line "RING TESTS CHECKS OTHERS FAILED" for
# each ring. Suites of Check's and scripts of unittest's count as the checks that they report, every
# other test as one. A check that was skipped has failed, as has a test whose program was not built.
count_rings() {
    local log=$1
    shift
    awk -v rings="$*" '
        function close_test() {
            if (ring == "") return
            if (status == "passed" && !summary) others[ring]++
            if (status != "passed" && !bad_checks) failed[ring]++
            ring = ""
        }
        function report(run, bad) {
            summary = 1
            bad_checks += bad
            checks[ring] += run > bad ? run - bad : 0
            failed[ring] += bad
        }
        / Testing: / {
            close_test()
            ring = $3; sub(/\..*/, "", ring)
            status = ""; absent = 0; summary = 0; bad_checks = 0; unittests = 0
            tests[ring]++
        }
        /^[0-9]+%: Checks: [0-9]+, Failures: [0-9]+, Errors: [0-9]+$/ {
            gsub(/[^0-9 ]/, "")
            report($2, $3 + $4)
        }
        /^Ran [0-9]+ tests? in / { unittests = $2 }
        /^(OK|FAILED)( \(.*\))?$/ && unittests {
            bad = 0
            gsub(/[^0-9 ]/, "")
            for (i = 1; i <= NF; i++) bad += $i
            report(unittests, bad)
            unittests = 0
        }
        /^Command: ""/ { absent = 1 } # not built: ctest says "Test Passed." of it
        /^Test Pass(ed\.| Reason:)$/ && !absent { status = "passed" }
        END {
            close_test()
            n = split(rings, names, " ")
            for (i = 1; i <= n; i++) {
                r = names[i]
                print r, tests[r] + 0, checks[r] + 0, others[r] + 0, failed[r] + 0
            }
        }' "$log"
}
