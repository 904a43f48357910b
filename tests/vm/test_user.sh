#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_user - user stacks of programs whose stacks are known
# vm: --load overlay
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

user=/kprof/programs/user
cd /tmp || exit

# record OPTIONS COMMAND...: in data; OPTIONS have -U or -g
record() {
	options=$1
	shift
	# shellcheck disable=SC2086 # several words
	kprof record -q -F 499 $options -o data -- "$@" 2>said || cat said
}

# share PATTERN [BY]: per cent of the samples whose line matches, of those that match BY
share() {
	kprof fold --samples data | awk -v pattern="$1" -v by="${2:-.}" '
		$0 ~ by { all += $NF }
		$0 ~ by && $0 ~ pattern { n += $NF }
		END { print all ? int(100 * n / all + 0.5) : "none" }'
}

has_32() { [ -x /kprof/programs/narrow ] && /kprof/programs/narrow; }

plan 61

# --- the module alone ---

# Here and below: programs that take a tenth of a second are too short for a period that is doubled
# where the machine stood still in the timer.
insmod /kprof/kprof.ko stacks=both freq=499 max_cpu=100 comm=user
$user share 1500
$user enter 3000
echo 0 >$KPROF/enable
is "$(cat $KPROF/stacks)" both "stacks=both"
between "$(folded_total "^user;.*${user}[+]0x[0-9a-f]+;${user}[+]0x[0-9a-f]+;${user}[+]0x[0-9a-f]+ ")" 20 100000 \
	"folded has places in the program"
between "$(folded_total "${user}[+]0x[0-9a-f]+;[^/]*_[[]k];[^/]* ")" 5 100000 \
	"and the kernel's functions behind them"
is "$(folded_total '[[]user]')" 0 "no sample is [user]"
is "$(grep -c " file .* $user\$" $KPROF/file_table)" 1 "file_table has the program once"
id=$(awk -v path="$user" '$9 == path { print $8 }' $KPROF/file_table)
is "${#id} $(head -c 4096 $user | od -An -v -tx1 | tr -d ' \n' | grep -c "$id")" "40 1" \
	"with its build id"
between "$(stat user.taken)" 20 100000 "stacks are counted"
if [ "$(uname -m)" = x86_64 ]; then
	between "$(stat user.partial)" 1 100000 "those that lead to no root, too"
else
	skip "those that lead to no root, too" "all do: frames of the root are marked on arm64"
fi
is "$(unbalanced <$KPROF/stats)" "" "every sample is accounted for"
echo kernel >$KPROF/stacks
echo 1 >$KPROF/reset
is "$(cat $KPROF/file_table)" "" "a reset forgets files"
echo 1 >$KPROF/enable
$user share 500
echo 0 >$KPROF/enable
between "$(folded_total '^user;[[]user] ')" 1 100000 "with stacks=kernel user time is [user]"
rmmod kprof

# --- files that cannot be read ---

# Where rules are of use, a sample gives all files of its process a line, so that their rules are made.
insmod /kprof/kprof.ko stacks=both freq=99 rules_kb=0
$user ring >mapped &
ring=$!
# Newer kernels refuse to map one with code: then the program has ended.
has_ended() { ! grep -q '^State:[[:space:]]*[^Z]' /proc/$ring/status 2>/dev/null; }
has_come() { [ -s mapped ] || has_ended; }
eventually has_come >/dev/null
if ! has_ended; then
	is "$(cat mapped)" mapped "a process that maps a socket goes on"
else
	skip "a process that maps a socket goes on" "this kernel lets none be mapped with code"
fi
(echo 0 >$KPROF/enable && echo >stopped) &
stop=$!
succeeds "and keeps nobody from stopping" eventually test -s stopped
is "$(grep -c ' socket:' $KPROF/file_table)" 0 "what it maps, and no sample meets, has no line"
kill $ring 2>/dev/null
wait $ring $stop 2>/dev/null
rmmod kprof

# --- where a place has no room for the offset ---

if [ "$(uname -m)" = x86_64 ]; then
	insmod /kprof/kprof.ko stacks=user freq=499 max_cpu=100 comm=user
	$user far
	echo 0 >$KPROF/enable
	between "$(folded_total ';[[]user][+]0x7[0-9a-f]{11} ')" 10 100000 \
		"what is mapped from an offset of 49 bits is of no file"
	is "$(grep -c 'memfd:far' $KPROF/file_table)" 0 "and has no line"
	rmmod kprof
else
	skip "what is mapped from an offset of 49 bits is of no file" "that program is for x86-64"
	skip "and has no line" "that program is for x86-64"
fi

# --- a process that goes on without its first thread ---

$user led 1000000 &
led=$!
eventually grep -q '^State:[[:space:]]*Z' /proc/$led/status >/dev/null
insmod /kprof/kprof.ko stacks=user freq=499 comm=user
has_samples() { [ "$(folded_total "${user}[+]0x[0-9a-f]+ ")" -ge 20 ]; }
eventually has_samples >/dev/null
echo 0 >$KPROF/enable
kill $led
wait $led 2>/dev/null
is "$(stat user.not_taken_fresh)" 0 "mappings are known where the first thread has ended"
between "$(folded_total "${user}[+]0x[0-9a-f]+ ")" 20 1000000 "and its stacks lead there"
rmmod kprof

# --- names ---

insmod /kprof/kprof.ko enable=0 max_cpu=100
record -U $user share 3000
between "$(share ';main;user_share;user_three;user_spin ')" 35 65 "half of the time where it is"
between "$(share ';main;user_share;user_one;user_spin ')" 12 38 "a quarter where that is"
between "$(share ';main;user_share;user_two;user_spin ')" 12 38 "and where that is"
between "$(share '^user;[^[]*;main;user_share;user_' user_spin)" 99 100 "each of these has all of its callers"
kprof annotate user:user_spin data >annotated 2>&1
is "$(sed -n 's/^# code: //p' annotated)" "kept in the recording" "a recording keeps the code of programs, too"
between "$(awk '$1 == ">" && / \+0x/ { n += $3 } END { print n + 0 }' annotated)" 20 100000 \
	"whose instructions have the samples"

record -g $user enter 8000
between "$(share ';user_enter;.*;vfs_write' vfs_write)" 99 100 \
	"the kernel's functions are on top of those that called them"
kprof fold --annotations --delimited data >folded
between "$(grep -c ';user_enter;.*;-;[^;]*_\[k\];.*vfs_write_\[k\]' folded)" 1 10000 \
	"with a frame between and a mark behind, where asked for"
# The rows alone: below them, a comment proposes "kprof lat" with names of functions at its end.
kprof report data 2>/dev/null | grep -v '^#' >report
is "$(grep -c 'vfs_write$' report)" 1 "the report has both: the kernel's"
is "$(grep -c ' user_enter \[user\]$' report)" 1 "and the program's"

# --- processes that are gone ---

record -U $user children 150
between "$(share '[[]unknown] |[[]user]|[+]0x|;0x' '^exe;')" 0 0 "nothing of short lives is an address"
between "$(share ';user_child;user_spin ' '^exe;.*;user_spin')" 99 100 "and what they did has its name"

# --- other kinds of code ---

mkdir -p /usr/lib/debug/kprof/programs
mv /kprof/programs/libshared.so.debug /usr/lib/debug/kprof/programs/
record -U /kprof/programs/shared 4000
between "$(share ';main;shared_work;shared_hidden ' shared_work)" 30 70 \
	"a stripped library has names, by its debug file elsewhere"
between "$(share ';main;shared_work;shared_back;shared_spin ' shared_work)" 30 70 "and so has what it calls back"
rm -r /usr/lib/debug/kprof
record -U /kprof/programs/shared 2000
between "$(share ';main;(shared_work|[[]libshared.so]);[[]libshared.so] ' 'main;')" 30 70 \
	"without, it is the file"
# The names that compilers of Rust and D give to functions, as their programmers wrote them.
record -U /kprof/programs/mangled 3000
names='crate::deep::generic::<i32>;<crate::list::List>::push;crate::main::{closure#0}'
names="$names;<crate::Thing as core::ops::function::Fn<A>>::call;std.stdio.File.spin(long)"
between "$(kprof fold --samples data | grep -cF ";main;$names ")" 1 9 "functions of Rust and D have readable names"
between "$(kprof report --json data | sed -n 's/.*"name": "std.stdio.File.spin(long)".*"self": \([0-9]*\).*/\1/p')" \
	1000000 1000000000000 "a report has them, too"
# A reader that is slow needs longer until it has the file open.
for times in "0.3 9000" "2 30000" "8 90000"; do
	cp $user removed
	record -U sh -c "./removed share ${times#* } & sleep ${times% *}; rm removed; wait"
	named=$(share ';user_share;user_(one|two|three);user_spin ' ';user_spin')
	[ "$named" -lt 95 ] 2>/dev/null || [ "$named" = none ] || break
done
between "$named" 95 100 "a program that was removed"
# What is mapped of an overlay, as containers have it, is the file below it on newer kernels.
mkdir layers overlay
mount -t tmpfs none layers
mkdir layers/low layers/up layers/work
cp $user layers/low
if mount -t overlay -o lowerdir=layers/low,upperdir=layers/up,workdir=layers/work none overlay; then
	record -U overlay/user share 3000
	between "$(share ';main;user_share;user_(one|two|three);user_spin ' ';user_spin|[[]user')" 95 100 \
		"a program on an overlay"
	umount overlay
else
	skip "a program on an overlay" "this kernel does not mount one"
fi
umount layers
if [ "$(uname -m)" = x86_64 ]; then
	record -U $user made
	between "$(share ';main;user_made;made by:.x1b.31m hand ' ';user_made')" 95 100 \
		"code that the program makes, from perf-PID.map, its name made harmless"
else
	skip "code that the program makes" "that program is for x86-64"
fi
if has_32; then
	record -U /kprof/programs/narrow
	between "$(share ';_start;narrow_middle;narrow_spin ' ';narrow_spin')" 95 100 "a program of 32 bits"
else
	skip "a program of 32 bits" "none runs here"
fi

# A handler returns to code of the C library or of the kernel that nothing calls.
record "-U --unwind fp" $user signal 8000
between "$(share ';main;([^;]*;)+user_handler;user_spin ' ';user_handler;user_spin ')" 99 100 \
	"by frame pointers out of a signal handler"
# Whether an address follows a call cannot be told where the code is not in memory.
record "-U --unwind fp" $user absent
between "$(share ';main;user_absent;user_absent[123];user_leave;user_spin ' ';user_leave;user_spin ')" 99 100 \
	"callers whose code is not in memory are kept"
between "$(stat user.unchecked)" 1 1000000 "and counted"
# Its return address is in a register, as its child returns on the same stack.
for unwind in auto fp; do
	record "-g --unwind $unwind" $user vfork 3000
	between "$(share ';main;user_vfork;[a-z_]*vfork;' '(;|__|libc_)vfork;(entry_|el0)')" 99 100 \
		"the callers of vfork, in which its parent waits: --unwind $unwind"
	between "$(share ';main;user_vfork;user_spin ' ';user_spin ')" 99 100 "and those of its child"
done

# --- when the memory of the next task is there already, and the task is not ---

[ "$(uname -m)" = x86_64 ] && switch=tp:tlb_flush || switch=fpsimd_thread_switch
kprof record -q -F 499 -g -t $switch -o data -- $user turns 2000 2>said || cat said
kprof fold --samples data | grep 'user_ping' >of_kind
kprof fold data | grep -E 'user_p[io]ng;.*user_p[io]ng' >switches
between "$(wc -l <of_kind)" 1 100000 "two processes are sampled that wake each other"
is "$(grep -E 'user_ping;.*user_pong|user_pong;.*user_ping' of_kind switches)" "" \
	"none has the frames of the other, also where the kernel goes from one to the other"
between "$(stat user.not_taken_unloaded)" 1000 1000000 "where their memory is not there, they have no stack, which is counted"

# --- what is no stack, and what is lost ---

rmmod kprof
insmod /kprof/kprof.ko stacks=user freq=499 max_cpu=100 enable=0
# The frame of a loop has its return address in main, as a function that calls nothing has in a register
# on arm64.
for kind in loop kernel unmapped odd down data list; do
	kprof record -q -F 499 -U --unwind fp -o data -- $user $kind 2>said || cat said
	kprof fold --samples data | grep 'user_with_frame [0-9]*$' >of_kind || echo "$kind: not seen"
	# Before its loop and behind it, the function has the frame pointer that is right.
	grep -vE -e "^user;\\[unknown\\];(main;){0,2}user_with_frame [0-9]+\$" \
		-e '^user;([a-z_]+;)*main;user_with_frame [12]$' of_kind
done >garbage
is "$(cat garbage)" "" "frame pointers that are none make no frames, nor do addresses of functions"
between "$(stat user.uncalled)" 1 1000000 "addresses that no call returns to are counted"
cp $user no-code
before=$(stat user.uncalled)
rules=$(cat $KPROF/rules_kb)
echo 0 >$KPROF/rules_kb
echo 1 >$KPROF/enable
$user mapped no-code
cp $KPROF/file_table table
echo 0 >$KPROF/enable
echo "$rules" >$KPROF/rules_kb
between "$(($(stat user.uncalled) - before))" 1 1000000 "also one in a file that is only mapped"
is "$(grep -c '/no-code' table)" 0 "and that file has no line"
matches "$(kprof report data)" '^# [0-9]+ of [0-9]+ user stacks .* end before the root, in .unknown.: compile with' \
	"a report says how many stacks end there, and what helps"
kprof record -F 499 -U --depth 3 --unwind fp -o data -- $user share 500 2>said
matches "$(cat said)" '^ *[0-9]+ of [0-9]+ user stacks .* deeper than 3 frames, and lack the callers .* --depth keeps up to 127' \
	"a recording, how many were deeper than is kept"

echo 3 >$KPROF/depth
echo 1 >$KPROF/enable
$user share 500
# Whether one is met on its way is chance.
is_met() { $user children 60; [ "$(stat user.not_taken_fresh)" != 0 ]; }
eventually is_met >/dev/null
echo 0 >$KPROF/enable
between "$(stat user.cut)" 1 100000 "stacks deeper than depth are marked"
between "$(stat user.not_taken_fresh)" 1 100000 "there is none on the way from fork or exec"
echo 1 >$KPROF/enable
[ "$(uname -m)" = x86_64 ] && $user maps
$user files 8300
is_met() { $user crowd 700; [ "$(stat user.not_taken_nobody)" != 0 ]; }
eventually is_met >/dev/null
echo 0 >$KPROF/enable
if [ "$(uname -m)" = x86_64 ]; then
	between "$(stat user.maps_left_out)" 1 1000000 "more mappings than are kept are counted"
	between "$(stat user.not_taken_unmapped)" 1 1000000 "so are samples there"
else
	skip "more mappings than are kept are counted" "that program is for x86-64"
	skip "so are samples there" "that program is for x86-64"
fi
# What children leave behind is the work of kernel threads.
between "$(stat user.not_taken_nobody)" 1 1000000 "and samples of kernel threads"
is "$(stat user.files_full)" 0 "files that no sample meets take no line"
rmmod kprof
