#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_direct - the trampoline: arguments arrive, calls are counted, and it can go
# timeout: 900
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

insmod $MODULES/kprof_known.ko
if ! has_trampoline; then
	rmmod kprof_known
	skip_all "this kernel has no trampoline"
fi

# recursion PROBE DEPTH: the stacks of ten calls inside of each other
recursion() {
	insmod /kprof/kprof.ko target=known_recursive probe="$1" depth="$2"
	known recurse 10
	cat $KPROF/folded
	rmmod kprof
}

plan 40
for record in 0 1; do
	insmod /kprof/kprof.ko target=known_eight,known_fourteen record=$record
	succeeds "eight and fourteen arguments arrive, record=$record" known args 20000
	is "$(latency known_eight calls) $(latency known_fourteen calls)" "20000 20000" \
		"and every call is counted, record=$record"
	is "$(unbalanced <$KPROF/stats)" "" "and accounted for, record=$record"
	rmmod kprof
done

# What takes more of the stack than the trampoline copies gets none; nothing else is as safe.
many=known_fifteen,known_sixteen,known_thirty,known_variadic,known_large,known_structs
case $(uname -m) in
x86_64) fit="known_by_value known_fourteen known_structs " ;;
aarch64) fit="known_large known_structs " ;;	# by reference; on the stack nothing fits
esac
for record in 0 1; do
	insmod /kprof/kprof.ko target=known_by_value,known_fourteen,$many record=$record
	is "$(sed -n 's/\t.*by trampoline.*//p' $KPROF/targets | tr '\n' ' ')" "$fit" \
		"the trampoline is where arguments are known to fit, record=$record"
	succeeds "arguments arrive where they do not, too, record=$record" known many 5000
	is "$(awk -F '\t' 'NR > 1 && $1 != "known_fourteen" { print $3 + $4 }' $KPROF/latency | sort -u)" 5000 \
		"and every call is counted, record=$record"
	rmmod kprof
done

# Why another function has none is said where the results are.
insmod /kprof/kprof.ko target=known_variadic,schedule
matches "$(cat $KPROF/targets)" '^known_variadic.*by kretprobe: it takes any number of arguments' \
	"a variadic function has no trampoline"
matches "$(cat $KPROF/targets)" '^schedule.*by kretprobe: each task that waits is in it' \
	"nor has one in which tasks wait"
rmmod kprof
many=/sys/module/kprof_known/parameters/many
matches "$(kprof lat known_variadic -- sh -c "echo 10 >$many" 2>/dev/null)" \
	'^# no trampoline, which would cost less, for known_variadic: it takes any number of arg' \
	"kprof lat says so"

# The short way, the way with an argument, and the way with looks at the call.
for by in '' 'by=$arg2' 'by=hits(known_turn)'; do
	insmod /kprof/kprof.ko target=known_loop record=0 $by
	known loop 7,3000
	known loop 2,2000
	is "$(awk -F '\t' '$1 == "known_loop" { print $3 }' $KPROF/latency | sort -n | tr '\n' ' ')" \
		"$([ -n "$by" ] && echo '2000 3000 ' || echo '5000 ')" "exact calls with '$by'"
	rmmod kprof
done
insmod /kprof/kprof.ko target=known_called record=0
is "$(cat /sys/kernel/debug/kprobes/list)" "" "no kprobe is where the trampoline is"
known call 500000
is "$(latency known_called calls)" $((500000 * $(nproc))) "a million calls on all CPUs"
is "$(stat known_called.fired)" $((500000 * $(nproc))) "are all in stats"
echo 1 >$KPROF/reset
known call 1000
is "$(latency known_called calls)" $((1000 * $(nproc))) "a reset begins anew"
is "$(stat known_called.recorded)" $((1000 * $(nproc))) "in the account, too"
rmmod kprof

# Both kinds of probe see the same.
insmod /kprof/kprof.ko target=known_recursive,known_sleeper
known recurse 10
known sleep 50
is "$(grep '^.known_recursive.;' $KPROF/folded | grep -c ';do_recurse;known_recursive')" 10 \
	"stacks through the trampoline are whole"
is "$(grep -c kprof_ $KPROF/folded)" 0 "and do not show it"
is "$(latency known_recursive calls)" 10 "recursion ten deep is ten calls"
known recurse 60	# more than fit on the stack, if each has the trampoline on it
is "$(($(latency known_recursive calls) + $(latency known_recursive missed)))" 70 \
	"sixty deep, those for which the stack has no room are counted, too"
is "$(stat known_recursive.fired)" 70 "and are in the account"
rmmod kprof
for depth in 64 16; do
	is "$(recursion kretprobe $depth)" "$(recursion auto $depth)" \
		"a kretprobe shows the same stacks, depth=$depth"
done
between "$(recursion auto 16 | grep -c '\[cut\]')" 1 9 "of which some are too deep"

# Tasks that end inside.
insmod /kprof/kprof.ko target=known_ender,known_called
known exit 20
is "$(latency known_ender calls)" 0 "a function that is not left has no latency"
is "$(stat known_ender.fired)" $((20 * $(nproc))) "but its calls are known"
succeeds "and do not hold the module" timeout 60 rmmod kprof

# A call that waits, on unload. (The second name is that of 6.15 and later.)
pipe_read=$(awk '$3 ~ /^(pipe_read|anon_pipe_read)$/ { print $3; exit }' /proc/kallsyms)
insmod /kprof/kprof.ko "target=vfs_read,$pipe_read"
sleep 1000 | cat >/tmp/slept &
reader=$!
waits() { [ "$(stat "$pipe_read.inside")" -ge 1 ] && [ "$(cat /proc/$reader/comm)" = cat ] && blocked $reader; }
succeeds "a call waits" eventually waits
succeeds "a call that waits does not hold the module" timeout 60 rmmod kprof
between "$(pidof cat | wc -w)" 1 100 "and goes on waiting"
killall sleep cat 2>/dev/null

# What has no latency, and whose module goes.
insmod /kprof/kprof.ko target=do_exit min=1us 2>/dev/null && rmmod kprof
matches "$(dmesg | grep kprof: | tail -n 1)" 'target=do_exit: has no latency: it never returns' \
	"do_exit is refused with the reason"
insmod /kprof/kprof.ko target=known_called,vfs_write
rmmod kprof_known
matches "$(cat $KPROF/targets)" '^known_called.*module is gone' "a module's end is noticed"
echo x >/tmp/x
between "$(latency vfs_write calls)" 1 1000000 "and the other target goes on"
rmmod kprof
