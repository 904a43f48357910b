#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_callers - tables of waits, faults, locks and memory with the functions of the program
# timeout: 300
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

[ -e /sys/kernel/btf/vmlinux ] || skip_all "this kernel has no BTF: presets need it"
bare=/kprof/programs/bare
cd /tmp || exit

# The stack of a function that bare works in, from main on.
way='main \[bare\];bare_thread \[bare\];bare_back \[bare\];bare_aligned \[bare\];bare_alloca \[bare\];bare_pushes \[bare\];'

# table VERB ARGUMENT...: its CSV is in said
table() { kprof "$@" >said 2>errors || cat errors; }

# sum COLUMN FUNCTION [PATTERN]: of the rows whose stack leads through the program to it, and on
sum() {
	STACK=";$way$2 \[bare\]$3" awk -F , -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i }
		NR > 1 && $0 ~ ENVIRON["STACK"] { n += $at }
		END { print n + 0 }' said
}

plan 21

insmod /kprof/kprof.ko enable=0
insmod $MODULES/kprof_spans.ko
table offcpu -g --csv --state sleep -- $bare sleeps 5
is "$(sum count bare_sleeps)" 20 "each sleep of a program without frame pointers has its functions"
between "$(sum seconds bare_sleeps | awk '{ print int($1 * 1000) }')" 150 60000 "and its time"
matches "$(cat said)" 'bare_sleeps \[bare\];([^;]*nanosleep \[libc[^;]*\];)+[^[]*do_nanosleep' \
	"the functions of the kernel stand behind those of the program"
kprof offcpu -g --state sleep -- $bare sleeps 1 >said 2>&1
is "$(awk '/bare_pushes/ && last ~ /bare_sleeps/ { n++ } { last = $0 } END { print n + 0 }' said)" 1 \
	"in the table the innermost function is the first"
kprof offcpu -g --json --state sleep -- $bare sleeps 1 >said 2>&1
matches "$(cat said)" '"stack": \[.*"bare_pushes \[bare\]", *"bare_sleeps \[bare\]"' "in JSON the last"
table syscalls -g --csv -- $bare sleeps 5
is "$(sum calls bare_sleeps)" 20 "each system call has them"
table faults -g --csv -- $bare touches 5
between "$(sum faults bare_touches)" 320 340 "each page fault"
table mem -g --csv -d 3 -- $bare keeps 5
between "$(sum objects bare_keeps '.*;alloc_pipe_info')" 40 1000 \
	"and memory that is still allocated"
mkfifo pipe
while read -r _; do :; done <>pipe &
reader=$!
# Of the shell that reads alone: the program sleeps there, too, and is woken.
table wakeup -g --csv -a --comm sh -- $bare writes 3 pipe
kill $reader
wait $reader
between "$(sum wakeups bare_writes)" 1 12 "a wakeup has the functions of the waker"
table locks -g --csv --min 20ms -- $bare writes 1 /sys/module/kprof_spans/parameters/hold
between "$(sum contended bare_writes)" 1 4 "each wait for a lock"
status=0
kprof locks -g --holders --csv --min 20ms -a -- $bare writes 1 /sys/module/kprof_spans/parameters/hold >said 2>errors || status=$?
is "$status $(grep -c 'spans_release' said)" "0 1" "the holder is a thread of the kernel, which has no program"

# taken OPTION: how many user stacks the module has taken while rows of a program come
has_row() { grep -q 'comm="bare"' $KPROF/latency; }
taken() {
	kprof offcpu "$1" --state sleep -- $bare sleeps 1000 >said 2>&1 &
	eventually has_row >/dev/null
	stat user.taken
	kill $!
	wait $!
}
between "$(taken -g)" 1 100000 "for --callers stacks of programs are taken"
is "$(taken --stacks)" 0 "and not without"
is "$(cat $KPROF/stacks)" kernel "the module is as it was"

# --- the key ---

refused() { ! echo "$1" >"$2" 2>/dev/null; }
echo "do_nanosleep by=comm,ustack" >$KPROF/targets
succeeds "the module refuses to start where it is to take no user stacks" refused 1 $KPROF/enable
matches "$(cat $KPROF/error)" 'do_nanosleep has the key ustack: give stacks=user or stacks=both' "and says what would be right"
echo both >$KPROF/stacks
echo none >$KPROF/event
echo 1 >$KPROF/enable
$bare sleeps 1
echo 0 >$KPROF/enable
matches "$(grep 'comm="bare"' $KPROF/latency | head -n 1)" 'comm="bare",ustack="([^;"]*;)*[^;"]*/libc[^;"]*\+0x[0-9a-f]+"' \
	"a row has its places in files"
succeeds "no condition compares it" refused "vfs_read if=ustack==1" $KPROF/targets
matches "$(cat $KPROF/error)" 'expected a key with a number or a text before this' "which the module says"
rmmod kprof_spans

# --- what is refused ---

is "$(kprof offcpu -g -o data -- true 2>&1 >/dev/null | grep -c 'leave out --callers')" 1 "no recording has names of these"
is "$(kprof syscalls -g --offcpu -- true 2>&1 >/dev/null | grep -c -e --callers)" 1 "nor a system call beside its waits"
rmmod kprof
