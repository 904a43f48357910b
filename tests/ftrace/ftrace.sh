#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# ftrace.sh - inside the guest: the self tests of ftrace before, while and after kprof is active
#
# $TESTS are the patterns of tests to run. Run by tests/ftrace/run through run-guest, which
# looks at the kernel log.
# timeout: 100000
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

SELFTESTS=/kprof/selftests
RESULTS=/tmp/results
LIMIT=900	# seconds for a test

# Functions that the tests use themselves. On wake_up_process they put a direct call of their
# own, of which ftrace allows one, so that one is left to the kretprobe.
BY_TRAMPOLINE=vfs_read,vfs_open,kernel_clone,do_sys_openat2
BY_KRETPROBE=vfs_write,schedule,wake_up_process

# left_out: tests that do not run, with the reason
left_out() {
	cat <<-'END'
	00basic/basic2.tc: all it does is to choose each tracer, which most others do, too
	selftest/bashisms.tc: it reads the tests' sources
	END
}

# explained: tests that may differ while kprof is active, with the reason
explained() {
	cat <<-'END'
	END
}

# reason TABLE TEST: what the table has for the test, if anything
reason() { $1 | sed -n "s|^$2: ||p"; }

# is_chosen TEST: some pattern matches, and it is not left out
is_chosen() {
	for pattern in $TESTS; do
		# shellcheck disable=SC2254 # a pattern it is
		case $1 in
		$pattern) [ -z "$(reason left_out "$1")" ]; return ;;
		esac
	done
	return 1
}

# The chosen tests by their names below test.d. (Patterns are no file names: set -f.)
chosen() {
	set -f
	cd $SELFTESTS/test.d || exit
	find . -name '*.tc' | sed 's|^\./||' | sort | while read -r test; do
		is_chosen "$test" && echo "$test"
	done
}

# Results of one test, in the order of its runs: one for the whole of ftrace, and one in an
# instance if it is made for that. What a test that does not pass has said stays in /tmp/log.
results_of() {
	rm -rf /tmp/log
	timeout -s KILL $LIMIT dash $SELFTESTS/ftracetest --logdir /tmp/log \
		"$SELFTESTS/test.d/$1" </dev/null >/tmp/said 2>&1
	[ $? != 137 ] || echo "killed after $LIMIT seconds"
	sed -n 's/.*\t\[\([A-Z]*\)\]$/\1/p' /tmp/said | tr '\n' ' '
}

# The first time: there is nothing to compare with. What came to no end is never the same.
run_before() {
	for test in $CHOSEN; do
		mkdir -p "$RESULTS/$(dirname "$test")"
		now=$(results_of "$test")
		case $now in
		""|*killed*)
			diag "$(tail -n 15 /tmp/said)"
			now="a result" ;;
		esac
		echo "$now" >"$RESULTS/$test"
		diag "$test: $now"
	done
	between "$(grep -rlw PASS $RESULTS | wc -l)" 1 "$number" "there are tests that pass"
}

# again STATE: each test once more. What differs gets two more tries: some fail now and then
# on a slow machine.
again() {
	for test in $CHOSEN; do
		before=$(cat "$RESULTS/$test")
		for _ in 1 2 3; do
			now=$(results_of "$test")
			[ "$now" != "$before" ] || break
		done
		why=$(reason explained "$test")
		if [ "$now" != "$before" ] && [ -n "$why" ]; then
			skip "$test, $1" "$why"
			continue
		fi
		is "$now" "$before" "$test, $1"
		[ "$now" = "$before" ] || diag "$(tail -n 15 /tmp/log/*-log.* 2>/dev/null)"
	done
}

# Both kinds of probes and the timer are at work, also when the tests have had their way.
is_active() {
	for target in $(echo $BY_TRAMPOLINE $BY_KRETPROBE | tr , ' '); do
		echo 1 >$KPROF/reset
		dd if=/dev/zero of=/dev/null count=10 2>/dev/null
		(sleep 1) &
		wait
		between "$(latency "$target" calls)" 1 1000000000 "$target is watched, $1"
	done
	between "$(stat timer.recorded)" 1 1000000000 "samples are taken, $1"
	is "$(unbalanced <$KPROF/stats)" "" "every sample is accounted for, $1"
}

CHOSEN=$(chosen)
number=$(echo "$CHOSEN" | wc -w)
if [ "$number" = 0 ]; then
	skip_all "no test matches: $TESTS"
fi
plan $((2 * number + 24))
run_before
succeeds "kprof is loaded" insmod /kprof/kprof.ko freq=999 target=$BY_TRAMPOLINE enable=0
echo kretprobe >$KPROF/probe
succeeds "more functions, by kretprobe" sh -c "echo $BY_KRETPROBE >>$KPROF/targets"
echo 1 >$KPROF/enable
is "$(grep -c 'by trampoline' $KPROF/targets)" 4 "four are watched by trampoline"
is "$(grep -c 'by kretprobe' $KPROF/targets)" 3 "three by kretprobe"
is_active "before the tests"
again "while kprof is active"
is_active "after the tests"
succeeds "kprof is gone" rmmod kprof
again "after kprof"
