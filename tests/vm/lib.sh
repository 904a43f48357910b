# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# lib.sh - what a test in the guest says its results with (KTAP)
#
#	#!/bin/sh
#	# what this tests
#	# vm: --bin trace-cmd		(options for scripts/vm, where it needs some)
#	# timeout: 600			(seconds, where 300 is not enough)
#	. /kprof/tests/lib.sh
#	plan 2
#	is "$(cat /proc/sys/kernel/ostype)" Linux "the kernel is Linux"
#	between "$(nproc)" 1 8 "as many CPUs as we gave it"
#
# A test that ends before its plan is fulfilled has failed. The kernel log is
# looked at after each script by run-guest, not here.

# shellcheck disable=SC2034 # the tests use them
KPROF=/sys/kernel/debug/kprof
MODULES=/kprof/modules

_points=0

# plan N: so many points will follow; once, first.
plan() { echo "    1..$1"; }

# diag TEXT: lines that explain the point just made.
diag() { printf '%s\n' "$*" | sed 's/^/    # /'; }

ok() {
	_points=$((_points + 1))
	echo "    ok $_points - $1"
}

not_ok() {
	_points=$((_points + 1))
	echo "    not ok $_points - $1"
}

# skip DESCRIPTION REASON
skip() {
	_points=$((_points + 1))
	echo "    ok $_points - $1 # SKIP $2"
}

# skip_all REASON: instead of plan; ends the script.
skip_all() {
	echo "    1..0 # SKIP $1"
	exit 0
}

# is VALUE EXPECTED DESCRIPTION
is() {
	if [ "$1" = "$2" ]; then
		ok "$3"
	else
		not_ok "$3"
		diag "got:      $1"
		diag "expected: $2"
	fi
}

# between VALUE LOW HIGH DESCRIPTION: integers, the bounds are inside
between() {
	if [ "$1" -ge "$2" ] 2>/dev/null && [ "$1" -le "$3" ]; then
		ok "$4"
	else
		not_ok "$4"
		diag "got:      $1"
		diag "expected: from $2 to $3"
	fi
}

# succeeds DESCRIPTION COMMAND...: its output becomes diagnostics if it does not
succeeds() {
	_what=$1
	shift
	_said=$("$@" 2>&1)
	_status=$?
	if [ $_status = 0 ]; then
		ok "$_what"
	else
		not_ok "$_what"
		diag "'$*' ended with status $_status"
		[ -z "$_said" ] || diag "$_said"
	fi
}

# matches TEXT PATTERN DESCRIPTION: a line of the text matches (grep -E)
matches() {
	if printf '%s\n' "$1" | grep -qE -e "$2"; then
		ok "$3"
	else
		not_ok "$3"
		diag "no line matches: $2"
		diag "in: $1"
	fi
}
