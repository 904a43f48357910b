#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_memory - memory is for the CPUs that there are: taken when one comes, kept when it
# goes; and where there is none, nothing is lost in silence
# vm: --append possible_cpus=240
# alone
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

possible=$(awk -F '[-,]' '{ print $NF + 1 }' /sys/devices/system/cpu/possible)

cpu1() { echo "$1" >/sys/devices/system/cpu/cpu1/online; }

# Records in the ring of CPU 1, which is emptied; kprof is stopped.
records1() { wc -c <$KPROF/per_cpu/cpu1/ring | awk '{ print $1 / 32 }'; }

# allocator PATTERN: what gives such memory in this kernel.
allocator() { awk -v name="^($1)(_noprof)?\$" '$2 == "T" && $3 ~ name { print $3; exit }' /proc/kallsyms; }

PERCPU='__alloc_percpu|pcpu_alloc'	# from 6.10 on the latter, directly
starve() { insmod $MODULES/kprof_starve.ko function="$(allocator "$1")" ${2:+skip="$2"}; }
refused() { cat /sys/module/kprof_starve/parameters/refused; }

# What the kernel has given to all possible CPUs alike, in KiB.
percpu() { awk '$1 == "Percpu:" { print $2 }' /proc/meminfo; }

plan 36
insmod $MODULES/kprof_known.ko

before=$(percpu)
insmod /kprof/kprof.ko freq=999 target=known_called
if [ "$possible" -ge 200 ]; then
	between $(($(percpu) - before)) 0 $((48 * possible)) \
		"what is taken for each possible CPU, with a target, is 48 KiB at most"
else
	skip "what is taken for each possible CPU" "this kernel has $possible possible CPUs"
fi
rmmod kprof
insmod /kprof/kprof.ko freq=999
both=$(stat memory.taken)
rmmod kprof
if [ "$possible" -ge 200 ]; then
	between "$both" 1 33554432 "$possible possible CPUs, of which two are there, take 32 MiB at most"
else
	skip "memory of CPUs that are not there" "this kernel has $possible possible CPUs"
fi

# A CPU that was not there, comes, and goes.
cpu1 0
insmod /kprof/kprof.ko freq=999 target=known_called
one=$(stat memory.taken)
between "$((both - one))" 1000000 10000000 "a CPU that is not there takes no memory"
is "$(cat $KPROF/folded $KPROF/folded_ns $KPROF/latency $KPROF/stats >/dev/null && echo read)" \
	read "files can be read without it"
cpu1 1
is "$(stat memory.taken)" "$both" "it takes its memory when it comes"
known call 1000
known spin 300
echo 0 >$KPROF/enable
is "$(stat known_called.recorded) $(latency known_called calls)" "2000 2000" "and its calls count"
is "$(unbalanced <$KPROF/stats)" "" "accounts add up"
before=$(folded_total)
cpu1 0
is "$(stat memory.taken) $(folded_total)" "$both $before" "what it has counted stays when it goes"
between "$(records1)" 1000 1000000 "and so does its ring"
echo 64 >$KPROF/ring_kb
between "$((both - $(stat memory.taken)))" 1000000 10000000 \
	"a profile that is taken anew is for the CPUs that are there"
is "$(records1)" 0 "and another one's ring is empty"
cpu1 1
rmmod kprof

# A CPU comes, and there is no memory.
cpu1 0
insmod /kprof/kprof.ko freq=999 max_cpu=100 target=known_called by=cpu
one=$(stat memory.taken)
starve vzalloc_node
cpu1 1
between "$(refused)" 1 10 "there is no memory for a CPU that comes"
is "$(cat /sys/devices/system/cpu/cpu1/online)" 1 "it comes all the same"
matches "$(dmesg | grep kprof: | tail -n 3)" 'kprof: CPU 1: no memory for what it samples, [0-9]+ KiB: .*dropped_nomem' \
	"and the log says so"
known call 1000
known spin 300
is "$(stat known_called.recorded) $(stat known_called.dropped_nomem)" "1000 1000" \
	"its calls are dropped, and counted as such"
between "$(stat timer.dropped_nomem)" 10 100000 "so are its samples"
is "$(stat memory.taken)" "$one" "it has taken nothing"
is "$(unbalanced <$KPROF/stats)" "" "accounts add up"
is "$(awk -F '\t' '$1 == "known_called" { n += $3 } END { print n }' $KPROF/latency)" 1000 \
	"those of the other CPU have latencies"
echo 0 >$KPROF/enable
is "$(records1)" 0 "its ring is empty"
rmmod kprof_starve
echo 1 >$KPROF/enable
is "$(stat memory.taken)" "$both" "a start finds memory where there is some again"
known call 1000
is "$(stat known_called.recorded) $(stat known_called.dropped_nomem)" "3000 1000" \
	"and its calls count from then on"
rmmod kprof

# A CPU comes while the profile is emptied over and over: what it has taken so far is nobody's
# to empty. (Much of it takes long to take.)
insmod /kprof/kprof.ko enable=0
while :; do
	echo 1 >$KPROF/reset
done &
for _ in 1 2 3; do
	cpu1 0
	echo 4 >$KPROF/ring_kb
	echo 65536 >$KPROF/ring_kb
	one=$(stat memory.taken)
	cpu1 1
done
kill $!
wait $!
between "$(($(stat memory.taken) - one))" 67108864 100000000 "a CPU comes during a reset"
is "$(records1)" 0 "and its ring is empty"
rmmod kprof

# A call takes no sample, but has a row: on a CPU without memory it is the target's own.
cpu1 0
insmod /kprof/kprof.ko target=known_called by=cpu record=0
starve vzalloc_node
cpu1 1
known call 1000
is "$(awk -F '\t' '$1 == "known_called" { n += $3 } END { print n }' $KPROF/latency)" 2000 \
	"without samples, no call is lost"
rmmod kprof_starve
rmmod kprof

# At load: nothing is left, and the log says what and how much.
starve vzalloc_node
matches "$(insmod /kprof/kprof.ko 2>&1)" 'Cannot allocate memory' "it does not load without memory"
matches "$(dmesg | grep kprof: | tail -n 3)" 'kprof: max_stacks=: no memory for .*: [0-9]+ KiB; give less' "and says why"
rmmod kprof_starve
starve "$PERCPU"
matches "$(insmod /kprof/kprof.ko 2>&1)" 'Cannot allocate memory' "nor without memory of each CPU"
rmmod kprof_starve

# Whatever it is that fails: all or nothing, but for what it costs to watch a call.
wrong=''
for skip in $(seq 0 6); do
	for what in vzalloc_node "$PERCPU"; do
		starve "$what" "$skip"
		if insmod /kprof/kprof.ko target=vfs_read 2>/dev/null; then
			[ "$(refused)" = 0 ] || ! grep -q '^probe.*cost_ns' $KPROF/stats ||
				wrong="$wrong loaded:$what:$skip"
			rmmod kprof || wrong="$wrong kept:$what:$skip"
		else
			[ "$(refused)" != 0 ] || wrong="$wrong failed:$what:$skip"
		fi
		rmmod kprof_starve
	done
done
is "$wrong" "" "it loads whole or not at all, whatever has failed"

# A size that the machine does not have is refused, and no process dies for it. (The kernel would
# rather kill one than fail an allocation; run-guest looks for that in the log.)
# fill KIB: so much is left available, until the file is removed. (A tmpfs would have a limit.)
mkdir -p /tmp/filler
mount -t ramfs none /tmp/filler
fill() {
	there=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo)
	dd if=/dev/zero of=/tmp/filler/file bs=1024k count=$(((there - $1) / 1024)) 2>/dev/null
}

insmod /kprof/kprof.ko enable=0
taken=$(stat memory.taken)
fill 98304
is "$( (echo 65536 >$KPROF/ring_kb) 2>&1 | grep -c 'Cannot allocate memory')" 1 \
	"rings for which there is no memory are refused"
matches "$(cat $KPROF/error)" '^ring_kb=65536: no memory for that, [0-9]+ KiB; give less$' "with the reason"
is "$(cat $KPROF/ring_kb) $(stat memory.taken)" "256 $taken" "and nothing has changed"
echo 1048576 >$KPROF/max_open
matches "$( (echo 'known_called..known_turn' >$KPROF/targets) 2>&1; cat $KPROF/error)" \
	'no memory for 1048576 open spans; give less of max_open' "so is a table of open spans"
rmmod kprof
matches "$(insmod /kprof/kprof.ko ring_kb=65536 2>&1)" 'Cannot allocate memory' "at load, too"
matches "$(kprof trace --ring-kb 65536 known_called -- true 2>&1)" 'ring_kb=65536: no memory for that' \
	"the reader says so"
is "$(grep -c '^kprof ' /proc/modules)" 0 "and the module is not left behind"
umount /tmp/filler
rmmod kprof_known
