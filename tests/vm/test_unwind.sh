#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_unwind - what is remembered of the unwinder is what the unwinder says
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

plan 29
insmod $MODULES/kprof_known.ko
# without_callers: stacks of which nothing is known above a thunk
without_callers() { grep "^[^;]*;\(\[unknown\];\)\?$thunk" $KPROF/folded; }

# recalls VALUE MIN MAX DESCRIPTION: there is nothing to recall where stacks go by frame pointers
recalls() {
	if [ "$(uname -m)" = x86_64 ]; then between "$@"; else skip "$4" "no stack is recalled here"; fi
}

load & load &
# Both ways side by side, while modules come and go, and with them what is known of their addresses.
insmod /kprof/kprof.ko freq=5000 max_cpu=100 unwind=check idle=1
known spin 3000
for _ in 1 2 3; do
	rmmod kprof_known
	insmod $MODULES/kprof_known.ko
	known spin 300
done
# A busy machine may have let few samples be taken.
enough() { [ "$(stat unwind.cached)" -ge 5000 ] || { known spin 1000; return 1; }; }
eventually enough >/dev/null
echo 0 >$KPROF/enable
is "$(stat unwind.mismatch)" 0 "by timer: no stack differs"
between "$(stat unwind.cached)" 5000 100000000 "of the many that were compared"
# Of a deep stack, as a kernel with all its checkers has them, "check" keeps 32 frames.
is "$(awk -F ';' '/;\[cut\];/ && NF < 34' $KPROF/folded)" "" "none was cut short"
matches "$(cat $KPROF/folded)" '^known-spin/[01];ret_from_fork.*;kthread;spin_thread;known_half' \
	"a thread's stack is whole"
matches "$(cat $KPROF/folded)" ";$SYSCALL;.*$INTERRUPT" \
	"a stack through an interrupt is whole"
rmmod kprof

# Through functions whose return addresses kretprobes replaced, and int3 probes.
insmod /kprof/kprof.ko freq=5000 max_cpu=100 unwind=check target=known_recursive,known_called,vfs_read,kmem_cache_free,__schedule
known recurse 10
known call 20000
freed() { [ "$(stat kmem_cache_free.recorded)" -ge 100 ]; }
eventually freed >/dev/null
kill %1 %2
echo 0 >$KPROF/enable
is "$(stat unwind.mismatch)" 0 "through kretprobes: no stack differs"
between "$(stat kmem_cache_free.recorded)" 100 100000000 "of the many that were compared"
recalls "$(stat unwind.recalled)" 1000 100000000 "and of those that a CPU would have recalled"
# (An interrupt may come inside of a probe, where the kernel's unwinder is lost.)
is "$(grep -v ';asm_' $KPROF/folded | grep -c '^.kmem_cache_free.;.*\(rethook_trampoline\|\[unknown\]\|\[cut\]\)')" 0 \
	"and none ends in a trampoline"
is "$(grep '^.known_recursive.;' $KPROF/folded | grep -c ";$SYSCALL;.*;do_recurse;known_recursive")" 10 \
	"recursion is whole, down to the system call"
rmmod kprof

# What has been met is recalled; stacks of one depth and size, which come in turns, are told apart.
insmod /kprof/kprof.ko target=known_leaf
i=0
while [ $i -lt 250 ]; do
	known stacks 4
	i=$((i + 1))
done
echo 0 >$KPROF/enable
is "$(awk '/;known_leaf / { print $NF }' $KPROF/folded | tr '\n' ' ')" "250 250 250 250 " \
	"stacks of which one return address differs are told apart"
recalls "$(stat unwind.recalled)" 900 1000 "though nearly all are recalled"
is "$(($(stat unwind.recalled) + $(stat unwind.cached) + $(stat unwind.kernel)))" 1000 "each is taken in one way"
# After a reset, stacks have other numbers. These two differ in nothing but the function: what is
# written to a parameter is set through a pointer.
rmmod kprof
insmod /kprof/kprof.ko target=kprof_known:do_recurse,kprof_known:do_twice
i=0
while [ $i -lt 50 ]; do
	known recurse 1
	known twice 1
	i=$((i + 1))
done
echo >$KPROF/reset
known twice 1
known recurse 1
echo 0 >$KPROF/enable
is "$(awk '/;do_(recurse|twice) / { sub(/.*;/, ""); print }' $KPROF/folded | sort | tr '\n' ' ')" "do_recurse 1 do_twice 1 " \
	"after a reset nothing is recalled of before"
rmmod kprof

# A function that aligns its stack finds its caller by a pointer that it has kept.
for mode in cache check; do
	insmod /kprof/kprof.ko target=known_called unwind=$mode
	known align 1000
	echo 0 >$KPROF/enable
	is "$(folded_total ";$SYSCALL;.*;do_align;known_aligned;known_seven;known_called ")" 1000 \
		"unwind=$mode: stacks through a function that aligns its own"
	between "$(stat unwind.cached)" 900 1000 "and what is remembered leads over it"
	mismatch=$(stat unwind.mismatch)
	rmmod kprof
done
is "$mismatch" 0 "and no stack differs"

# Where indirect calls go through thunks, of which the kernel's unwinder has no rule: as the
# interrupted function, and below an interrupt's.
thunk='__x86_indirect_[a-z_]*thunk'
for mode in cache kernel check; do
	insmod /kprof/kprof.ko freq=2000 max_cpu=100 unwind=$mode
	known indirect 1000
	echo 0 >$KPROF/enable
	if [ "$(folded_total ";$thunk")" = 0 ]; then
		skip "unwind=$mode: thunks have callers" "no thunks here"
		skip "unwind=$mode: of all samples in them" "no thunks here"
	else
		between "$(folded_total "^known-pointer.*;kthread;indirect_thread;known_indirect;$thunk")" \
			20 1000000 "unwind=$mode: thunks have callers"
		is "$(without_callers)" "" \
			"unwind=$mode: of all samples in them"
	fi
	mismatch=$(stat unwind.mismatch)
	rmmod kprof
done
is "$mismatch" 0 "through thunks: no stack differs"

# A thread begins with an indirect call at the very bottom of its stack. What is seen there must
# not be taken for the end of all stacks that are interrupted in that thunk.
insmod $MODULES/kprof_odd.ko
insmod /kprof/kprof.ko freq=20000 max_cpu=100 unwind=cache
echo 3000 >/sys/module/kprof_odd/parameters/births
known indirect 500
echo 0 >$KPROF/enable
if [ "$(folded_total ";$thunk")" = 0 ]; then
	skip "where threads begin, thunks have callers, too" "no thunks here"
else
	is "$(without_callers)" "" "where threads begin, thunks have callers, too"
fi
rmmod kprof kprof_odd

# In NMI, too, what is seen of modules is kept.
if [ -e $MODULES/kprof_nmi.ko ]; then
	insmod $MODULES/kprof_nmi.ko
	insmod /kprof/kprof.ko target=called_by_nmi
	echo 1000 >/sys/module/kprof_nmi/parameters/nmi
	echo 0 >$KPROF/enable
	between "$(stat unwind.cached)" 900 1000 "stacks of an NMI through modules are soon known"
	is "$(folded_total ';make_nmi;[^;]*nmi;exc_nmi;.*;on_nmi;called_by_nmi ')" 1000 "and whole"
	rmmod kprof
	rmmod kprof_nmi
else
	skip "stacks of an NMI through modules are soon known" "this kernel has none"
	skip "and whole" "this kernel has none"
fi
rmmod kprof_known
