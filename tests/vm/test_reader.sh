#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_reader - kprof record and what reads recordings, as a user would use them
# any kernel
# sanitizers
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit

# account FILE SOURCE FIELD: a number of the loss account
account() {
	kprof report --json "$1" 2>/dev/null |
		sed -n "s/.*\"source\": \"$2\".*\"$3\": \([0-9]*\).*/\1/p" | head -n 1
}

# status COMMAND...: its exit status, and nothing else
status() { "$@" >/tmp/said 2>&1; echo $?; }

settings() {
	for file in enable event freq pid comm cpus idle own stacks depth ring_kb targets; do
		sed "s/^/$file /" $KPROF/$file
	done
}

# The kernel has no name for ftrace's trampolines when it prints an address; its
# list of symbols has. The module's file names no modules.
folded_sum() {
	sed 's/ \[[a-z0-9_]*\]\([; ]\)/\1/g; s/;__\(do\|x64\|arm64\)_sys_/;sys_/g; s/;ftrace_trampoline\([; ]\)/;?\1/; s/;0x[0-9a-f]*\([; ]\)/;?\1/' "$1" |
		awk -v file="$1" '{ n = $NF; sub(/ [0-9]*$/, ""); sum[$0] += n }
		     END { if (!NR) print "nothing in " file
			   for (stack in sum) printf "%s %.0f\n", stack, sum[stack] }' |
		LC_ALL=C sort | md5sum
}

wait_for_start() {
	while [ "$(cat $KPROF/enable 2>/dev/null)" != 1 ]; do sleep 0.1; done
}

echo_loop='i=0; while [ $i -lt 500 ]; do echo $i; i=$((i + 1)); done >/dev/null'

plan 33

is "$(status kprof check)" 0 "check finds nothing missing"
is "$(kprof list vfs_write 2>&1 | grep -cx vfs_write)" 1 "list has vfs_write"
matches "$(kprof list -b $UNPROBEABLE)" "^$UNPROBEABLE	no target" "list marks what cannot be probed"
is "$(status kprof list no_such_function)" 1 "list fails for what is no symbol"

# The timer, on a command that spins in the kernel; the module comes and goes.
is "$(status kprof record -F 499 -o timer.data -- dd if=/dev/zero of=/dev/null bs=4M count=400)" 0 \
	"record of a command succeeds"
is "$(lsmod | grep -c '^kprof ')" 0 "record unloads the module that it loaded"
is "$(account timer.data timer lost)" 0 "nothing is lost"
is "$(account timer.data timer fired)" \
	$(($(account timer.data timer filtered) + $(account timer.data timer captured))) \
	"fired = filtered + captured"
is "$(kprof fold --samples timer.data | awk '{ n += $NF } END { print n }')" \
	"$(account timer.data timer captured)" "folded counts add up to the samples"
matches "$(kprof fold timer.data)" '^dd;.*read_zero;' "the stacks are those of dd"
is "$(kprof fold timer.data | grep -vc '^dd;\|^kprof;')" 0 "and of nobody else"
# Of its own time little need be left: some kernels clear in a function that it calls.
matches "$(kprof report timer.data)" '% +([5-9][0-9]|100)\.[0-9]+% .* read_zero' \
	"report has half of the time in what clears memory"

# A function, called so often.
is "$(status kprof record -t vfs_write -o calls.data -- sh -c "$echo_loop")" 0 \
	"record of a function succeeds"
is "$(account calls.data vfs_write captured)" 500 "each call is in the recording"
matches "$(kprof report calls.data)" '^ +500 .* vfs_write$' "and in the table of latencies"

# Calls return in the context that they are made in.
kprof record -q -a -t run_timer_softirq -d 1 -o softirq.data
matches "$(kprof fold --ns --context softirq softirq.data)" ';run_timer_softirq [1-9]' \
	"a function of a softirq has its time there"
is "$(kprof fold --ns --context softirq softirq.data)" "$(kprof fold --ns softirq.data)" "all of it"

# What cannot be, said in the module's words; nothing is left behind.
is "$(status kprof record -t no_such_function -o bad.data -- true)" 1 "an unknown function fails"
matches "$(cat /tmp/said)" 'target=no_such_function: ' "with a line that names it"
is "$(status kprof record -o bad.data -- /no/such/command)" 127 "an unknown command fails"
is "$(ls bad.data 2>/dev/null; lsmod | grep '^kprof ')" "" "neither leaves a file or the module"
is "$(status kprof record -F 0 -- true)" 2 "a frequency of 0 is wrong usage"

# A module that was there keeps its settings, and both say the same of the profile.
insmod /kprof/kprof.ko target=vfs_read freq=50 comm=nobody
before=$(settings)
kprof record -q -a -F 999 --ring-kb 64 -d 1 -o other.data
is "$(settings)" "$before" "a module that was there gets its settings back"
echo 0 >$KPROF/enable
echo 1 >$KPROF/reset
is "$(status kprof record -q -a -t vfs_write -F 499 -o both.data -- sh -c "$echo_loop")" 0 \
	"record of timer and function at once succeeds"
kprof fold --samples both.data >folded.reader
is "$(folded_sum folded.reader)" "$(folded_sum $KPROF/folded)" "fold --samples prints what folded has"
# Time that a sample of a program came late by is in a row of its own here, and not in the module.
kprof fold --ns both.data | sed 's/;\[late\] /;[user] /' >folded.reader
is "$(folded_sum folded.reader)" "$(folded_sum $KPROF/folded_ns)" \
	"fold --ns prints what folded_ns has"

# Losses: a reader that sleeps while more is read than a small ring holds.
kprof record -a -t vfs_read --ring-kb 4 -o lost.data 2>said.lost &
recorder=$!
wait_for_start
kill -STOP $recorder
i=0
while [ $i -lt 2000 ]; do
	read -r _ </proc/uptime
	i=$((i + 1))
done
kill -CONT $recorder
kill -INT $recorder
wait $recorder
is $? 3 "lost records give exit status 3"
matches "$(cat said.lost)" 'records are lost; a larger --ring-kb' "and the option that helps"
is $(($(account lost.data vfs_read filtered) + $(account lost.data vfs_read captured) + \
      $(account lost.data vfs_read lost))) "$(account lost.data vfs_read fired)" \
	"fired = filtered + captured + lost"
is "$(status kprof fold lost.data)" 3 "fold says so, too"
rmmod kprof

# Cut off, as by a crash.
head -c $(($(wc -c <timer.data) - 64)) timer.data >cut.data
is "$(status kprof fold cut.data)" 3 "a recording cut off gives exit status 3"
matches "$(kprof fold cut.data 2>/dev/null)" '^dd;.*read_zero' "and shows what was written"

sleep 1000 &
sleeper=$!
kprof record -q -p $sleeper -o pid.data &
recorder=$!
wait_for_start
kill $sleeper
wait $recorder
is $? 0 "record -p ends with the process"
