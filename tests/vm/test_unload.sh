#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_unload - the module goes, whoever is inside of a watched call, and nobody sees it
# vm: --bin perl
# timeout: 900
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

insmod $MODULES/kprof_known.ko
insmod $MODULES/kprof_hostile.ko
if ! has_trampoline; then
	rmmod kprof_known kprof_hostile
	skip_all "this kernel has no trampoline"
fi

hostile() { echo "$2" >"/sys/module/kprof_hostile/parameters/$1"; }

# Of these names, those that are functions here, separated by commas.
functions() {
	tr -s ' \t' '\n' | awk '
		NR == FNR { if ($2 ~ /[tT]/) is_function[$3]; next }
		$1 in is_function' /proc/kallsyms - | paste -sd , -
}

is_free() { [ "$(cat /sys/module/kprof/refcnt)" = 0 ]; }

state() { awk '$1 == "State:" { print $2 }' "/proc/$1/status"; }

# in_state LETTER PID...: they all get there, in a while
in_state() {
	_letter=$1
	shift
	for _pid; do
		_turns=0
		while [ "$(state "$_pid")" != "$_letter" ] && [ $_turns -lt 300 ]; do
			_turns=$((_turns + 1))
			usleep 100000
		done
	done
}

plan 41

case $(uname -m) in
x86_64) call=__x64_sys ;;
aarch64) call=__arm64_sys ;;
esac

# beside SECONDS: unload beside a matrix of system calls that sleep for so long. Fails where that
# time was over before the module had gone.
beside() {
	insmod /kprof/kprof.ko record=0 target="$(functions <<-END
		${call}_nanosleep ${call}_poll ${call}_ppoll ${call}_select ${call}_pselect6
		${call}_epoll_wait ${call}_epoll_pwait ${call}_semtimedop ${call}_io_getevents
		${call}_rt_sigtimedwait ${call}_futex ${call}_recvfrom ${call}_read
		vfs_read pipe_read anon_pipe_read inotify_read
		schedule_timeout do_nanosleep hrtimer_nanosleep schedule_hrtimeout_range futex_wait
		do_epoll_wait ep_poll unix_stream_recvmsg sock_recvmsg read_events do_semtimedop
		get_signal known_called known_sleeper known_eight
		END
	)"
	before=$(uptime_ms)
	perl /kprof/tests/sleepers.pl "$1" >/tmp/said &
	eventually grep -q PIDS /tmp/said
	pids=$(sed -n 's/^PIDS //p' /tmp/said)
	in_state S $pids
	known sleep 20000 &	# uninterruptible
	sleep 1000 &
	stopped=$!
	in_state S $stopped
	kill -STOP $stopped
	in_state T $stopped
	mkdir -p /tmp/cgroup
	mount -t cgroup2 none /tmp/cgroup
	mkdir /tmp/cgroup/frozen
	sleep 1000 &
	frozen=$!
	in_state S $frozen
	echo $frozen >/tmp/cgroup/frozen/cgroup.procs
	echo 1 >/tmp/cgroup/frozen/cgroup.freeze
	inside=$(awk -F ': ' '$1 ~ /\.inside$/ { n += $2 } END { print n }' $KPROF/stats)
	said=$(timeout 60 rmmod kprof 2>&1; echo $?)
	lines=$(wc -l </tmp/said)
	[ $(($(uptime_ms) - before)) -lt $((1000 * $1)) ]
}

# let_go: those that would not end by themselves
let_go() {
	kill -KILL $stopped $frozen
	echo 0 >/tmp/cgroup/frozen/cgroup.freeze
	wait
	rmdir /tmp/cgroup/frozen
	umount /tmp/cgroup
}

for seconds in 25 75 225; do
	! beside $seconds || break
	[ $seconds = 225 ] || let_go
done
between "$inside" 15 200 "many are inside of a watched call, or of two"
is "$said" 0 "the module can be unloaded"
is "$lines" 1 "and wakes none of those that sleep"
is "$(state $stopped)" T "nor the one that is stopped"
kill -CONT $stopped
echo 0 >/tmp/cgroup/frozen/cgroup.freeze
for name in known_called known_eight known_loop; do	# others take its place in memory
	insmod /kprof/kprof.ko target=$name
	rmmod kprof
done
turns=0
while [ "$(wc -l </tmp/said)" -lt 12 ] && [ $turns -lt $((seconds + 60)) ]; do
	turns=$((turns + 1))
	sleep 1
done
matches "$(cat /tmp/said)" 'epoll_wait ok' "they sleep on for as long as they were to"
is "$(grep -v -e PIDS -e ' ok$' /tmp/said)" "" "and see nothing of it: no call has another result"
is "$(grep -c ' ok$' /tmp/said)" 11 "all of them"
kill $stopped
wait $stopped
is $? $((128 + 15)) "the one that was stopped ends as it should"
kill $frozen
wait $frozen
is $? $((128 + 15)) "so does the one that was frozen"
wait
rmdir /tmp/cgroup/frozen
umount /tmp/cgroup

# The main function of a thread of the kernel.
insmod /kprof/kprof.ko record=0 target=hostile_main,known_called
hostile thread 1
lives() { [ "$(stat hostile_main.inside)" = 1 ]; }
eventually lives >/dev/null
is "$(stat hostile_main.inside)" 1 "a thread's main function is inside as long as it lives"
succeeds "the module can be unloaded all the same" timeout 60 rmmod kprof
matches "$(dmesg | grep kprof: | tail -n 3)" 'kprof: 1 call, such as of hostile_main, returns without' \
	"and says so"
hostile thread 0
ok "the thread ends"

# rmmod itself is inside.
insmod /kprof/kprof.ko record=0 target=${call}_delete_module,known_called
succeeds "rmmod inside of a watched call" timeout 60 rmmod kprof

# To be off is an option that others have, not while kprof needs ftrace.
enabled=/proc/sys/kernel/ftrace_enabled
echo 0 >$enabled
insmod /kprof/kprof.ko target=known_called 2>/dev/null
matches "$(dmesg | grep kprof: | tail -n 3)" 'ftrace is off, so that no call would be seen; write 1' \
	"with ftrace off, watching is refused with the reason"
echo 1 >$enabled
insmod /kprof/kprof.ko record=0 target=known_called
echo 0 >$enabled 2>/dev/null
is "$(cat $enabled)" 1 "and ftrace cannot be switched off while something is watched"
known call 100
is "$(latency known_called calls)" $((100 * $(nproc))) "so that every call is seen"
echo >$KPROF/targets
succeeds "it can when nothing is" sh -c "echo 0 >$enabled && echo 1 >$enabled"
echo 0 >$KPROF/enable
echo both >$KPROF/stacks
echo 1 >$KPROF/enable
echo 0 >$enabled 2>/dev/null
is "$(cat $enabled)" 1 "nor can it while user stacks are taken, for which a kprobe is there"
echo 0 >$KPROF/enable
echo 0 >$enabled
echo 1 >$KPROF/enable 2>/dev/null
matches "$(cat $KPROF/enable) $(cat $KPROF/error)" '^0 .*ftrace is off' "with ftrace off, they are not"
echo 1 >$enabled
succeeds "but are again with ftrace on" sh -c "echo 1 >$KPROF/enable"
echo known_called >$KPROF/targets
rmmod kprof
succeeds "and when the module has gone" sh -c "echo 0 >$enabled && echo 1 >$enabled"

# A kprobe at ftrace's call that is armed while ftrace is off leaves marks that kill ftrace later.
insmod /kprof/kprof.ko
echo 0 >$enabled
for one in known_called known_called+0x0; do
	matches "$(echo $one 2>/dev/null >$KPROF/targets || cat $KPROF/error)" 'ftrace is off' \
		"with ftrace off, $one is refused while samples are taken"
done
echo 1 >$enabled
echo known_called+0x0 >$KPROF/targets
known call 100
is "$(stat known_called+0x0.recorded)" $((100 * $(nproc))) "with ftrace on again it is watched"
rmmod kprof
insmod /kprof/kprof.ko record=0 target=known_called
known call 100
is "$(latency known_called calls)" $((100 * $(nproc))) "and ftrace is alive"
rmmod kprof

# A live patch comes, is there already, and goes.
insmod /kprof/kprof.ko record=0 target=known_called,known_loop
if insmod $MODULES/kprof_patch.ko 2>/dev/null; then
	known call 100
	is "$(stat direct.patched)" $((100 * $(nproc))) \
		"a live patch comes to a watched function: its calls are counted"
	is "$(latency known_called calls)" 0 "and not seen"
else
	skip "its calls are not seen" "this kernel has no live patches"
	skip "a live patch comes to a watched function" "this kernel has none"
fi
rmmod kprof
if [ -d /sys/module/kprof_patch ]; then
	insmod /kprof/kprof.ko record=0 target=known_called,known_loop
	known call 100
	is "$(cat /sys/module/kprof_patch/parameters/calls)" $((200 * $(nproc))) \
		"and a patched function can be watched: the patch is what runs"
	echo 0 >/sys/kernel/livepatch/kprof_patch/enabled
	while [ -d /sys/kernel/livepatch/kprof_patch ]; do sleep 1; done
	echo 1 >$KPROF/reset
	known call 100
	is "$(latency known_called calls)" $((100 * $(nproc))) "when the patch has gone, it is seen"
	rmmod kprof kprof_patch
else
	skip "and a patched function can be watched" "this kernel has no live patches"
	skip "when the patch has gone, it is seen" "this kernel has no live patches"
fi

# Who runs inside of a watched call without a pause keeps the module, and is named. Where such a
# task lets nobody else run on its CPU, that is the one on which it was to be looked for.
taskset 2 insmod /kprof/kprof.ko record=0 target=hostile_spin
sleep 1
taskset 2 sh -c 'echo 600000 >/sys/module/kprof_hostile/parameters/spin' &
spinner=$!
is_found() { dmesg | grep -q 'kprof: in use until.* hostile_spin,'; }
eventually is_found >/dev/null
matches "$(dmesg | grep kprof: | tail -n 3)" \
	'kprof: in use until task [0-9]+, which runs inside of hostile_spin, sleeps or is in user mode' \
	"a task that runs inside of a call is found"
is "$(rmmod kprof 2>/dev/null; echo $?) $(awk '$1 == "kprof" { print $3 }' /proc/modules)" "1 1" \
	"and holds the module: it is in use"
is "$(stat hostile_spin.inside)" 1 "by a call that is still under way"
# It is let go whatever others do with kprof meanwhile: here one of them never ends.
waits_for_another() { [ "$(state "$1")" = D ]; }
mutex=$(awk '$3 == "kprof_mutex" { print "0x" $1 }' /proc/kallsyms)
if [ -n "$mutex" ]; then
	hostile mutex $mutex &	# as soon as the other one is no more in this module
	eventually waits_for_another $!
	kill $spinner
	wait
	succeeds "when that is over, the module is held no more, whoever has the mutex" \
		eventually is_free
	hostile mutex 0
else
	kill $spinner
	wait
	skip "the module is held no more, whoever has the mutex" "this kernel names no data"
fi
succeeds "and the module can be unloaded" eventually rmmod kprof

# Idle tasks are inside of do_idle() as long as others run, and are on no list.
if [ "$(functions <<-END
	do_idle
	END
)" = do_idle ]; then
	insmod /kprof/kprof.ko record=0 target=do_idle
	hogs=
	cpu=0
	while [ $cpu -lt "$(nproc)" ]; do
		taskset -c $cpu sh -c 'while :; do :; done' &
		hogs="$hogs $!"
		cpu=$((cpu + 1))
	done
	sleep 1
	succeeds "the module can be unloaded while nobody is idle" timeout 60 rmmod kprof
	insmod /kprof/kprof.ko target=known_called	# takes its place in memory
	rmmod kprof
	# shellcheck disable=SC2086 # one word a process
	kill $hogs
	wait
	sleep 1
	ok "and idle tasks return from where they were"
else
	skip "the module can be unloaded while nobody is idle" "do_idle is no function here"
	skip "and idle tasks return from where they were" "do_idle is no function here"
fi

# Detached first, calls under way are seen to their end.
insmod $MODULES/kprof_odd.ko
insmod /kprof/kprof.ko record=0 target=odd_held
echo 3 >/sys/module/kprof_odd/parameters/hold
kprof detach --timeout 0 >/tmp/said 2>&1
is "$? $(grep -c 'calls under way: odd_held 3' /tmp/said)" "1 1" \
	"kprof detach: whose calls are under way is said"
is "$(cat $KPROF/targets)" "" "nothing is watched any more"
kprof detach >/tmp/said 2>&1 &
detach=$!
eventually grep -q 'calls under way: odd_held 3' /tmp/said
echo 2 >/sys/module/kprof_odd/parameters/release
succeeds "kprof detach waits for them" eventually grep -q 'calls under way: odd_held 1' /tmp/said
echo 1 >/sys/module/kprof_odd/parameters/release
wait $detach
is "$? $(stat odd_held.inside) $(latency odd_held calls) $(stat odd_held.recorded)" "0 0 3 3" \
	"and all are seen to their end"
rmmod kprof
rmmod kprof_hostile kprof_known kprof_odd
