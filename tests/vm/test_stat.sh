#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_stat - kprof stat: counts where an instruction is a nanosecond, so that they are known
# icount
# any kernel
. /kprof/tests/lib.sh

TURNS=/sys/module/kprof_known/parameters/turns

# value EVENT OPTION...: what was counted of an event
value() {
	event=$1
	shift
	kprof stat -e "$event" -x ';' -o - "$@" | awk -F ';' -v name="${event%%,*}" '$3 == name { print $1 }'
}

# status COMMAND...: what it ends with
status() {
	"$@" >/dev/null 2>&1
	echo $?
}

# turning N: instructions of the kernel for so many turns, of two instructions each
turning() { value instructions:k -- sh -c "echo $1 >$TURNS"; }

# user N: instructions of user mode for so many rounds, each of the same work
user() { value instructions:u -- awk "BEGIN { for (i = 0; i < $1; i++) n += i }"; }

plan 37
insmod $MODULES/kprof_known.ko

# What every machine has. A million turns take two milliseconds.
said=$(kprof stat -- sh -c "echo 1000000 >$TURNS" 2>&1)
matches "$said" "^ Performance counter stats for 'sh -c echo 1000000 >$TURNS':$" "a heading"
matches "$said" '^ +[1-9][0-9.]* msec task-clock +# +0\.[0-9]{3} CPUs utilized' "processor time"
matches "$said" '^ +[1-9][0-9]* +page-faults +# ' "page faults"
matches "$said" '^ +<not supported> +branch-misses$' "what the machine lacks is not supported"
matches "$said" '^ +0\.[0-9]{9} seconds time elapsed$' "the time that passed"
matches "$said" '^ +0\.[0-9]{9} seconds sys$' "and that spent in the kernel"
value=$(value task-clock -- sh -c "sh -c 'echo 100000000 >$TURNS'; true")
case $(uname -r) in	# the shells' own part
*-debug|*-kcsan) most=400 ;;
*) most=210 ;;
esac
between "${value%.*}" 200 $most "what a command starts is counted with it"
value=$(value context-switches -- sh -c 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.01; done')
between "$value" 20 200 "ten times asleep, twenty times switched"
value=$(value cpu-clock -a -C 0 -d 0.3)
between "${value%.*}" 300 315 "the whole system, for as long as was asked"
while :; do :; done &
spinner=$!
value=$(value task-clock -p $spinner -d 0.3)
kill $spinner
between "${value%.*}" 270 310 "a process that runs already"
said=$(kprof stat -r 3 -- true 2>&1)
matches "$said" "for 'true' \(3 runs\):$" "several runs"
matches "$said" ' page-faults .* \( \+- +[0-9]+\.[0-9]{2}% \)$' "and how far they differ"
is "$(kprof stat --csv -e page-faults,cs -o - -- true | sed 's/^[0-9]*,,\([a-z-]*\),.*/\1/' | tr '\n' ' ')" \
	"value,unit,event,running_ns,running_percent,metric,metric_unit,error_percent page-faults cs " \
	"CSV has a line for each event"
matches "$(kprof stat --json -e page-faults -o - -- true)" \
	'^    \{"event": "page-faults", "supported": true, "value": [1-9][0-9]*, ' "so has JSON"

[ -d /sys/kernel/tracing/events ] || mount -t tracefs none /sys/kernel/tracing
is "$(value sched:sched_process_fork -- sh -c '(:); (:); (:); :')" 3 "a tracepoint: three children"
is "$(kprof stat --csv -e 'sched:sched_process_[ef]*' -o - -- true | cut -d , -f 3 | sed 1d | tr '\n' ' ')" \
	"sched:sched_process_exec sched:sched_process_exit sched:sched_process_fork sched:sched_process_free " \
	"all that a pattern matches"

# A group: modes behind it are those of each. One file for each event is more than 16.
is "$(kprof stat --csv -e '{minor-faults,cs}:u,major-faults' -o - -- true | cut -d , -f 3 | sed 1d | tr '\n' ' ')" \
	"minor-faults:u cs:u major-faults " "the events of a group"
between "$(kprof stat -x ' ' -e '{cs,page-faults}' -o - -- true | awk '$2 == "page-faults" { print $1 }')" 10 1000 \
	"they are counted"
is "$(ulimit -Sn 16 && kprof stat -r 2 -e 'sched:*' -o /dev/null -- sh -c 'ulimit -Sn' | tr '\n' ' ')" "16 16 " \
	"more events than files may be open, and the command's limit is what it was"

# What is refused.
matches "$(kprof stat -e '{cs,cycles' -- true 2>&1)" "--event: '\{cs,cycles' is no group; give \{EVENT," "half a group"
is "$(status kprof stat -e '{cs:u,cs}:k' -- true)" 2 "an event with modes in a group with modes"
is "$(status kprof stat -e cylces -- true)" 2 "a name that is no event"
is "$(status kprof stat -p 1 -- true)" 2 "a process and a command"
is "$(status kprof stat -r 2 -d 1)" 2 "nothing to repeat"
is "$(kprof stat -p 4000000 2>&1)" "kprof stat: --pid: no process 4000000 in this PID namespace" \
	"a process that is not there"
matches "$(kprof stat -e cache-misses -- true 2>&1)" \
	'can count none of these events; it has: task-clock, ' "an event the machine lacks, with those it has"
is "$(status kprof stat -e cache-misses -- true)" 1 "if it is the only one"

# What takes counters.
said=$(kprof stat -e cycles -- true 2>&1)
if [ $? != 0 ] && echo "$said" | grep -q 'can count none of these events'; then
	for point in "instructions are exact in the kernel" "by the name that the PMU has for them, too" "and in user mode" "the kernel is left out there" "cycles" \
		"events that take turns are scaled" "an event that has no turn is a loss" \
		"without a group, some have other turns" "those of a group have their turns together" \
		"a group that is too large is refused"; do
		skip "$point" "this machine does not count them"
	done
	rmmod kprof_known
	exit
fi
# The timer's interrupts are the kernel's instructions, too: one in a thousand.
between $(($(turning 200000000) - $(turning 100000000))) 199800000 200400000 \
	"instructions are exact in the kernel"
named() { value "$(cd /sys/bus/event_source/devices && echo armv8*)/inst_retired/k" -- sh -c "echo $1 >$TURNS"; }
between $(($(named 200000000) - $(named 100000000))) 199800000 200400000 \
	"by the name that the PMU has for them, too"
one=$(user 100000) two=$(user 200000) three=$(user 300000)
between $((three - 2 * two + one)) $(((one - two) / 1000)) $(((two - one) / 1000)) "and in user mode"
between "$(value instructions:u -- sh -c "echo 100000000 >$TURNS")" 1000 20000000 \
	"the kernel is left out there"
matches "$(kprof stat -e cycles,instructions -- sh -c "echo 1000000 >$TURNS" 2>&1)" \
	'instructions +# +1\.000 insn per cycle' "one instruction per cycle"
MANY=cycles,instructions,r3,r4,r5,r6,r8,r10,r11,r12,r13
many=$(kprof stat -e $MANY -x ' ' -o - -- sh -c "echo 100000000 >$TURNS")
between "$(echo "$many" | awk '$2 == "instructions" && $4 < 100 { printf "%.0f\n", $1 }')" 190000000 212000000 \
	"events that take turns are scaled"
is "$(status kprof stat -e $MANY -- true)" 3 "an event that has no turn is a loss"
# turns EVENTS: how many different times were counted of cycles and instructions
turns() {
	kprof stat -e "$1" -x ' ' -o - -- sh -c "echo 100000000 >$TURNS" |
		awk '$2 ~ /^(cycles|instructions|r13)$/ && !($3 in had) { had[$3]; n++ } END { print n }'
}
between "$(turns $MANY)" 2 3 "without a group, some have other turns"
is "$(turns '{cycles,instructions,r13},r3,r4,r5,r6,r8,r10,r11,r12')" 1 "those of a group have their turns together"
said=$(kprof stat -e "{$MANY}" -- true 2>&1)
is "$? $(echo "$said" | grep -c ': the machine cannot count it at the same time as all before it in its group')" "1 1" \
	"a group that is too large is refused"
rmmod kprof_known
