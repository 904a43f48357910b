#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_losses - each way to lose something happens, and is counted; a reset forgets it
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# Work of a known size; see modules/kprof_odd.c
odd() { echo "$2" >"/sys/module/kprof_odd/parameters/$1"; }

# What of stats should be 0 after a reset, and is not: all that counts, but for what has
# counted since load.
left_over() {
	awk -F ': ' '$2 != 0 && $1 !~ /^(abi|running|clock|clock\.tick_ns|memory\.taken|nest_table\.full|throttling|pid_namespace|probe\..*|.*\.(probe|slowdown|capacity|inside))$/' \
		$KPROF/stats
}

# ends SECTION: stop, look at the account, empty it, look again, and unload
ends() {
	echo 0 >$KPROF/enable
	is "$(unbalanced <$KPROF/stats)" "" "$1: fired = recorded + dropped"
	echo 1 >$KPROF/reset
	is "$(left_over)" "" "$1: a reset forgets it"
	rmmod kprof
}

plan 80
insmod $MODULES/kprof_known.ko
insmod $MODULES/kprof_odd.ko

# What a sample itself calls is watched, too.
insmod /kprof/kprof.ko target=odd_called freq=1999 max_cpu=100 enable=0
odd nested 1
echo 1 >$KPROF/enable
known spin 300
echo 0 >$KPROF/enable
odd nested 0
between "$(stat odd_called.dropped_nested)" 1 1000000 "a sample inside of a sample is dropped"
is "$(stat odd_called.dropped_nested)" "$(stat odd_called.fired)" "each of them"
is "$(stat odd_called.dropped_nested)" "$(stat timer.recorded)" "once for each sample around it"
is "$(latency odd_called calls)" 0 "and has no latency"
ends nested

# A probe at work, inside of which another one is.
insmod /kprof/kprof.ko target=odd_called probe=kretprobe
odd reentry 100
odd call 50
is "$(stat odd_called.dropped_reentry)" 100 "calls from inside of a probe are missed by a kretprobe"
is "$(stat odd_called.recorded)" 50 "and the others are not"
is "$(latency odd_called missed)" 100 "as latency says, too"
echo 1 >$KPROF/reset
echo -odd_called >>$KPROF/targets
echo odd_called >>$KPROF/targets
odd reentry 30
is "$(stat odd_called.dropped_reentry)" 30 "the kernel's own count restarts with another probe, and this one does not"
ends reentry

# More calls at once than there is room for.
insmod /kprof/kprof.ko target=odd_held probe=kretprobe maxactive=1
odd hold 5
is "$(stat odd_held.dropped_maxactive)" 4 "of five calls at once, four are too many for maxactive=1"
is "$(stat odd_held.recorded)" 1 "and one is not"
odd release 5
is "$(latency odd_held calls)" 1 "which has a latency"
echo 1 >$KPROF/reset
echo -odd_held >>$KPROF/targets
echo odd_held >>$KPROF/targets
odd hold 3
is "$(stat odd_held.dropped_maxactive)" 2 "those before a reset stay forgotten when the target is added again"
odd release 3
echo -odd_held >>$KPROF/targets
is "$(stat odd_held.dropped_maxactive)" 2 "those of a target that is removed stay"
echo odd_held >>$KPROF/targets
odd hold 2
is "$(stat odd_held.dropped_maxactive)" 3 "and go on when it is added again"
odd release 2
is "$(latency odd_held calls)" 2 "and so does its row"
ends maxactive

# Interrupts that do not know what they have interrupted.
insmod /kprof/kprof.ko freq=1999 max_cpu=100
odd noregs 30
between "$(stat timer.dropped_noregs)" 1 1000 "a sample without registers is dropped"
between "$(stat timer.overrun)" 10 1000000 "ticks that came too late are counted"
ends noregs

# Nothing to do.
insmod /kprof/kprof.ko freq=199
sleep 1
between "$(stat timer.dropped_idle)" 1 1000000 "the idle task is dropped"
ends idle

# Filters: a process is all of its threads, and no other.
insmod /kprof/kprof.ko target=odd_called,odd_held enable=0
threads=$(sh -c 'echo $$ >'$KPROF'/pid; echo 1 >'$KPROF'/enable
	exec /kprof/programs/threads 3 /sys/module/kprof_odd/parameters/call 10' 2>&1)
odd call 7
is "$threads" "" "a process of several threads"
is "$(stat odd_called.recorded)" 30 "pid= of a process is that of its threads"
is "$(stat odd_called.dropped_filter)" 7 "and others are filtered"
odd hold 2
is "$(stat odd_held.dropped_filter)" 2 "threads of the kernel, too"
odd release 2
ends filter

# Names are patterns, of which most tell their first letter. The calls are those of this shell.
insmod /kprof/kprof.ko target=odd_called record=0 enable=0
said=
name=$(cat /proc/$$/comm)
for comm in "$name" 'nobody,?*' '[!~]*' "\\$name" "nobody,${name%?}" '~*' '[~]*'; do
	printf '%s\n' "$comm" >$KPROF/comm
	echo 1 >$KPROF/enable
	odd call 10
	echo 0 >$KPROF/enable
	said="$said $(stat odd_called.recorded)+$(stat odd_called.dropped_filter)"
	echo 1 >$KPROF/reset
done
is "$said" " 10+0 10+0 10+0 10+0 0+10 0+10 0+10" "comm= takes patterns, of a first letter or of any"
rmmod kprof

# Nor are those on CPUs that are not asked for.
insmod /kprof/kprof.ko target=known_called record=0 cpus=0
known call 10
is "$(stat known_called.recorded)+$(stat known_called.dropped_filter)" \
	"10+$(($(grep -c ^processor /proc/cpuinfo) * 10 - 10))" "cpus= lets calls on one CPU through"
ends cpus

# Nor are those of interest for which a condition does not hold.
insmod /kprof/kprof.ko target=odd_called record=0 if='$arg1<5'
odd call 20
is "$(stat odd_called.dropped_filter)" 15 "calls for which a condition does not hold are filtered"
is "$(stat odd_called.recorded)" 5 "and the others are not"
ends condition
insmod /kprof/kprof.ko target=odd_called record=0 if='$arg1:u32<5'
odd call 20
is "$(stat odd_called.recorded)+$(stat odd_called.dropped_filter)" 5+15 "those of numbers without a sign, too"
rmmod kprof

# What if= and min= leave out.
insmod /kprof/kprof.ko target=odd_called min=1000s record=0
odd call 20
is "$(stat odd_called.left_out)" 20 "calls that are too short are left out"
is "$(latency odd_called calls)" 0 "of the latencies"
ends left_out

# A ring that nobody reads. (All on one CPU: the other ring stays empty.)
insmod /kprof/kprof.ko target=odd_called ring_kb=4
taskset -p 1 $$ >/dev/null
odd call 1000
is "$(stat ring.offered)" 2000 "a record for each call and its return"
is "$(stat ring.dropped_full)" $((2000 - 128)) "of which those are dropped that the ring has no room for"
is "$(stat ring.unread)" 128 "and the others wait to be read"
ends ring

# More pairs of task and stack than a CPU has rows for.
insmod /kprof/kprof.ko target=known_leaf max_stacks=1024
for i in $(seq 10); do
	echo "task-$i" >/proc/$$/comm
	known stacks 256
done
between "$(stat known_leaf.count_table_full)" 512 2560 "what has no row of its own is counted"
is "$(folded_total '^.count table full. ')" "$(stat known_leaf.count_table_full)" "and has a name"
is "$(folded_total)" 2560 "so that folded adds up"
is "$(awk '{ n += $NF } END { print n }' $KPROF/folded_ns)" "$(latency known_leaf total_ns)" \
	"and folded_ns"
ends count_table

# A table holds as much after a reset as before, however often it was full.
insmod /kprof/kprof.ko target=known_leaf max_stacks=256
said=
for i in 1 2 3 4 5 6 7 8; do
	known stacks 240
	said="$said $(grep -c ';known_leaf ' $KPROF/folded)+$(grep -c 'table full' $KPROF/folded)"
	echo 1 >$KPROF/reset
done
is "$said" " 240+0 240+0 240+0 240+0 240+0 240+0 240+0 240+0" "a reset gives back all of a table"
rmmod kprof
taskset -p ff $$ >/dev/null

# More tasks inside of calls than a bucket of the table has room for: 4096 entries are too few
# for a little more than that, wherever they go.
insmod /kprof/kprof.ko target=odd_held,odd_called record=0
held=0
while [ "$(stat nest_table.full)" = 0 ] && [ $held -lt 4200 ]; do
	odd hold 300
	held=$((held + 300))
done
between "$(stat nest_table.full)" 1 300 "calls that find no room among those under way are counted"
is "$(stat odd_held.recorded)" $held "and are taken all the same"
odd release $held
is "$(latency odd_held calls)" $held "and have a latency"
ends nest_table

# The stack of a task, which the trampoline may take half of.
insmod /kprof/kprof.ko target=known_recursive
known recurse 60
if [ "$(stat known_recursive.probe | cut -c 1-6)" = direct ]; then
	between "$(stat known_recursive.dropped_stack)" 1 59 "calls deep on the stack are not watched"
else
	skip "calls deep on the stack are not watched" "this kernel has no trampoline"
fi
is "$(stat known_recursive.fired)" 60 "and all are known of"
ends stack

# The same stack, where the other probes need room for a sample; see modules/kprof_deep.c. Both
# stacks, a text that cannot be read, and a trace event are as much as a sample can take.
insmod $MODULES/kprof_deep.ko
deep=/sys/module/kprof_deep/parameters
point=$(sed -n 's/.* __traceiter_\(deep_point[_tp]*\)\t.*/\1/p' /proc/kallsyms)
size=$(cat $deep/size)
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
# passed WHAT TARGET NAME: WHAT is passed ever deeper on the stack
passed() {
	insmod /kprof/kprof.ko probe=kretprobe stacks=both target="\"$2\""
	echo 1 >/sys/kernel/tracing/events/kprof/enable
	echo 0 >$deep/used
	echo "$size" >$deep/unused
	for eighths in 5 4 3; do
		echo $((size * eighths / 8)) >$deep/"$1"
	done
	is "$(stat "$3.recorded") $(stat "$3.dropped_stack")" "3 0" "$1: taken where more than a quarter of the stack is left"
	between "$(cat $deep/used)" 256 $((size / 4 - 1)) "$1: a sample takes less than that"
	for sixteenths in 3 2; do
		echo $((size * sixteenths / 16)) >$deep/"$1"
	done
	is "$(stat "$3.recorded") $(stat "$3.dropped_stack")" "3 2" "$1: and not where less is left"
	between "$(cat $deep/unused)" 256 "$size" "$1: whose end nobody comes near"
	echo "# $1: $(cat $deep/used) of $size bytes were used, $(cat $deep/unused) were left"
	echo 0 >/sys/kernel/tracing/events/kprof/enable
	ends "deep $1"
}
passed pass "tp:$point by=comm,caller,stack" "tp:$point"
passed call "deep_called by=+0(\$arg1):string,comm,stack" deep_called
rmmod kprof_deep
rmmod kprof_odd
rmmod kprof_known
