#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_points - points as targets: tracepoints, and places in functions, with keys: each
# passing in the row of its keys, exactly
# repeats
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

spans() { echo "$2" >"/sys/module/kprof_spans/parameters/$1"; }

# rows: context and calls of all rows
rows() { awk -F '\t' 'NR > 1 { printf "%s %s ", $2, $3 }' $KPROF/latency; }

# refused TARGET PATTERN: insmod refuses it, and says why
refused() {
	insmod /kprof/kprof.ko target="\"$1\"" 2>/dev/null && rmmod kprof
	matches "$(dmesg | grep 'kprof: ' | tail -n 1)" "$2" "refused: $1"
}

# processes N: so many processes are called "counted", and end
cp /bin/busybox /tmp/counted
processes() {
	left=$1
	while [ "$left" -gt 0 ]; do
		/tmp/counted 2>/dev/null	# no applet of busybox
		left=$((left - 1))
	done
}

plan 44
insmod $MODULES/kprof_spans.ko
point=$(sed -n 's/.* __traceiter_\(known_point[_tp]*\)\t.*/\1/p' /proc/kallsyms)
has_btf=$([ -e /sys/kernel/btf/vmlinux ] && echo 1 || echo 0)

# The kernel's own.
insmod /kprof/kprof.ko target='"tp:sched_process_exit by=comm if=comm==counted"'
processes 37
is "$(rows)" 'comm="counted" 37 ' "a tracepoint: each passing in the row of its key"
is "$(folded_total '^counted;')" 37 "and each is a sample"
is "$(grep -c '^counted;.*;do_exit [0-9]*$' $KPROF/folded)" "$(grep -c '^counted;' $KPROF/folded)" \
	"of which the leaf is the function that the tracepoint is in"
is "$(unbalanced <$KPROF/stats)" "" "the account adds up"
is "$(stat tp:sched_process_exit.recorded)" 37 "recorded is what the condition let pass"
is "$(cat $KPROF/targets)" "tp:sched_process_exit by=comm if=comm==counted	# times passed" \
	"targets shows it"
echo 'tp:sched_process_exec if=comm==a#b	# times' >>$KPROF/targets
is "$(grep -c '^tp:sched_process_exec if=comm==a#b	# times passed$' $KPROF/targets)" 1 "a text may have a #, and a comment is no part of it"
echo -tp:sched_process_exec >>$KPROF/targets
# With others at the same tracepoint the kernel calls it another way.
mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null
echo 1 >/sys/kernel/tracing/events/sched/sched_process_exit/enable
echo 1 >$KPROF/reset
processes 11
echo 0 >/sys/kernel/tracing/events/sched/sched_process_exit/enable
is "$(rows)" 'comm="counted" 11 ' "beside a trace event: each passing"
is "$(grep -c __traceiter $KPROF/folded)" 0 "whose way to both is not in the stack"
is "$(folded_total '^counted;') $(folded_total '^counted;.*;do_exit [0-9]*$')" "11 11" \
	"and the leaf is the same"
rmmod kprof
insmod /kprof/kprof.ko target='"tp:sched_process_exit by=caller,cpu,context,pid if=comm==counted"' \
	record=0 max_rows=65535
processes 5
is "$(awk -F '\t' 'NR > 1 && $2 ~ /^caller=do_exit\+0x[0-9a-f]+,cpu=[01],context=task,pid=[0-9]+$/ { n += $3 }
	END { print n }' $KPROF/latency)" 5 "by caller, CPU, context and process, without samples"
is "$(stat ring.offered) $(stat tp:sched_process_exit.recorded)" "0 5" "which are accounted for"
rmmod kprof

# Arguments, as BTF has them.
if [ "$has_btf" = 1 ]; then
	insmod /kprof/kprof.ko target='"tp:sched_process_exit($arg1) by=comm if=comm==counted;tp:sched_process_exec by=+0($arg1):x8 if=comm==counted"'
	processes 20
	is "$(awk -F '\t' '$1 ~ /exit/ { print $2, $3 }' $KPROF/latency)" 'comm="counted" 20' \
		"a point that is about its argument, a task"
	is "$(awk -F '\t' '$1 ~ /exec/ { n += $3 } END { print n }' $KPROF/latency)" 20 \
		"two tracepoints in one session"
	is "$(unbalanced <$KPROF/stats)" "" "both accounts add up"
	rmmod kprof
	insmod /kprof/kprof.ko target='"tp:sched_switch by=$arg1 if=$arg1>1"'
	sleep 1
	is "$(rows)" "" "an argument is as wide as its type: a bool is 0 or 1"
	rmmod kprof
	insmod /kprof/kprof.ko target='"tp:sched_switch by=bias=$arg1 as=mine"'
	is "$(grep -c '^mine\.fired: ' $KPROF/stats)" 1 "a name is found behind another one that ends like its option"
	rmmod kprof
	# A process is switched from for good once, and before that for other reasons, if at all.
	insmod /kprof/kprof.ko record=0 \
		target='"tp:sched_switch($arg2,state==dead) as=last by=state if=comm==counted;tp:sched_switch($arg2,state!=dead) as=others by=state if=comm==counted"'
	processes 20
	# The last one may still be on its way when the shell goes on.
	all_ended() { [ "$(stat last.recorded)" -ge 20 ]; }
	eventually all_ended >/dev/null
	is "$(awk -F '\t' '$1 == "last" { print $2, $3 } $1 == "others" && $2 ~ /dead/' $KPROF/latency)" \
		'state=dead 20' "a condition on the state"
	rmmod kprof
	refused 'tp:sched_process_fork by=$arg3' 'tp:sched_process_fork has 2 arguments'
	refused 'tp:sched_wakeup by=state' 'state is told at tp:sched_switch alone'
	two='tp:sched_wakeup|tp:irq_handler_entry..tp:sched_process_exit'
	refused "$two by=\$arg1" 'arg1: at tp:irq_handler_entry it has another type than at tp:sched_wakeup'
	insmod /kprof/kprof.ko target="\"$two as=two by=\$arg1:u32\"" 2>/dev/null
	matches "$(cat $KPROF/targets)" ' as=two by=[$]arg1:u32	# spans' "a type that is given is that of all points"
	rmmod kprof
else
	for what in subject two account bool name condition many state types type; do
		skip "arguments: $what" "this kernel has no BTF"
	done
fi
refused 'tp:no_such_point' 'no tracepoint tp:no_such_point'
refused 'tp:kprof:sample' "kprof's own"
refused 'tp:sched_process_exit min=1us' 'takes no time'
refused 'tp:sched_process_exit by=end(comm)' 'has no end'
refused 'vfs_read by=end($arg1)' 'only spans have that'
refused 'tp:sched_process_exit..timer:late' 'begins and ends where it is'
refused 'timer:late|tp:sched_process_exit' 'begins and ends where it is'
refused 'timer:late($arg1)' 'begins and ends where it is'
refused 'tp:sched_process_exit by=$retval' 'is no return of a function'
refused 'tp:sched_process_exit($arg1' 'expected'
refused 'tp:sched_process_exit(stack)' 'key that joins'
refused 'tp:sched_process_exit(shared)..tp:sched_process_free' 'shared is for where a span ends'

# A module's, which comes and goes.
insmod /kprof/kprof.ko target="\"tp:kprof_spans:$point;tp:sched_process_exec\""
spans pass 40
is "$(latency tp:kprof_spans:$point calls)" 40 "a module's tracepoint"
rmmod kprof_spans
matches "$(cat $KPROF/targets)" "^tp:kprof_spans:$point	# its module is gone" "whose module goes"
insmod $MODULES/kprof_spans.ko
spans pass 3
is "$(latency tp:kprof_spans:$point calls)" 40 "what was counted stays, and another is not it"
echo 0 >$KPROF/enable
echo "-tp:kprof_spans:$point" >>$KPROF/targets
echo 1 >$KPROF/reset
echo "tp:$point" >>$KPROF/targets
echo 1 >$KPROF/enable
spans pass 7
is "$(latency "tp:$point" calls)" 7 "the new one, added again"
rmmod kprof
refused "tp:$point by=\$arg1" 'no BTF tells what arguments'

# Functions.
insmod /kprof/kprof.ko target='"spans_end(errno($arg2)==5) by=$arg1 if=$arg1<9;spans_end%return by=errno($retval)"'
spans end 1,40
is "$(awk -F '\t' '$1 ~ /return/ { printf "%s %s ", $2, $3 }' $KPROF/latency)" \
	'errno($retval)=0 30 errno($retval)=5 10 ' "a function's return, by the number of the error"
is "$(awk -F '\t' '$1 ~ /errno/ { printf "%s %s ", $2, $3 }' $KPROF/latency)" \
	'$arg1=4 1 $arg1=8 1 ' "a function's entry, where a condition of the point holds"
is "$(stat 'spans_end(errno($arg2)==5).fired') $(stat 'spans_end(errno($arg2)==5).dropped_filter')" \
	"10 8" "of which the other passings are none"
is "$(unbalanced <$KPROF/stats)" "" "both accounts add up"
rmmod kprof
rmmod kprof_spans
is "$(lsmod | grep -c kprof)" 0 "nothing stays"
