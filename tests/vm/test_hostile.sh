#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_hostile - a kernel in which something has gone wrong: watched functions that oops, and
# an ftrace that has switched itself off
# alone
# leaves: kprof
# provokes x86_64: BUG: kernel NULL pointer dereference, address: 0000000000000008
# provokes x86_64: Oops: 0002 \[#[0-9]+\]
# provokes aarch64: Oops: 0000000096000[0-9a-f]+ \[#[0-9]+\]
# provokes: the kernel is tainted: D:died
# provokes x86_64: WARNING: (CPU: [0-9]+ PID: [0-9]+ at )?arch/x86/kernel/ftrace.c:[0-9]+ (at )?ftrace_verify_code\+
# provokes: WARNING: (CPU: [0-9]+ PID: [0-9]+ at )?kernel/trace/ftrace.c:[0-9]+ (at )?ftrace_(bug|shutdown[a-z0-9.]*)\+
# provokes: the kernel is tainted: W:warned
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

insmod $MODULES/kprof_known.ko
insmod $MODULES/kprof_hostile.ko
echo 0 >/proc/sys/kernel/panic_on_oops

hostile() { echo "$2" >"/sys/module/kprof_hostile/parameters/$1"; }

plan 25

# What oopses never returns; with hits(), functions of a task's end look for calls around them.
for targets in "hostile_outer;hostile_oops;known_called" \
	"hostile_outer by=hits(exit_signals);hostile_oops;known_called" \
	"hostile_outer by=hits(exit_signals)"; do
	insmod /kprof/kprof.ko record=0 "target=$targets"
	hostile oops 3
	is "$(stat hostile_outer.abandoned)" 3 \
		"calls that end in an oops are abandoned: $targets"
	is "$(stat hostile_outer.fired) $(stat hostile_outer.inside) $(latency hostile_outer calls)" \
		"3 0 $(echo "$targets" | grep -q hits || echo 0)" \
		"they have no latency, and nobody is inside"
	is "$(unbalanced <$KPROF/stats)" "" "all are accounted for"
	if [ -n "$(stat known_called.fired)" ]; then
		known call 100
		is "$(latency known_called calls)" $((100 * $(nproc))) "and others are watched on"
	fi
	echo 1 >$KPROF/reset
	is "$(stat hostile_outer.abandoned)" 0 "a reset forgets them"
	succeeds "and the module can be unloaded" timeout 60 rmmod kprof
done

# The idle task of a CPU that goes offline never returns from there, and is on no list.
cpu1() { echo "$1" >/sys/devices/system/cpu/cpu1/online; }
if [ "$(uname -m)" = x86_64 ]; then
	dead=native_play_dead
	insmod /kprof/kprof.ko record=0 "target=$dead,known_called"
	cpu1 0
	is "$(stat "$dead.inside")" 1 "a CPU goes offline inside of a watched call"
	cpu1 1
	cpu1 0
	is "$(stat "$dead.inside")" 2 "comes back from the top of its stack, and goes again"
	rmmod kprof
	matches "$(dmesg | grep kprof:)" "2 calls, such as of $dead, have yet to return" \
		"when the module is unloaded, it says whom it cannot let out"
	matches "$(dmesg | grep kprof:)" "the module's memory is left where it is" \
		"and stays in memory"
	cpu1 1
else
	for what in "a CPU goes offline inside of a watched call" "comes back, and goes again" \
		"the module says whom it cannot let out" "and stays in memory"; do
		skip "$what" "not tried on this architecture"
	done
fi

# ftrace meets what it does not expect, and takes no call out any more.
insmod /kprof/kprof.ko record=0 target=known_called,hostile_site
known call 100
hostile corrupt 1
echo 0 >$KPROF/enable
hostile corrupt 0
matches "$(dmesg | grep kprof:)" 'ftrace does not take the trampoline off its functions: error -19' \
	"where ftrace fails, that is said"
rmmod kprof 2>/dev/null
is $? 1 "and the module is held"
known call 100
is "$(latency known_called calls)" $((100 * $(nproc))) "functions go on calling it, and it lets them pass"
matches "$(echo 1 2>/dev/null >$KPROF/enable || cat $KPROF/error)" 'ftrace has switched itself off' \
	"watching again is refused with the reason"
rmmod kprof_hostile kprof_known
