#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_turns - kprof explain --turns: what determines the turns of loops of which that is known
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

work=/sys/module/kprof_blocks/parameters
cd /tmp || exit

# turns FUNCTION [KEYS] -- COMMAND: what is said of its loops, each in a line
turns() {
	kprof explain --turns "$@" >out 2>err
	echo "# status $?" >>out
	sed 's/^/# /' out err
	awk '/^loop at/ { if (NR > 1) print ""; next }
	     /^  / { sub(/^  /, ""); printf "%s; ", $0 }
	     /^#/ { printf "\n%s", $0 }' out >loops
}

plan 14
insmod $MODULES/kprof_blocks.ko

turns blocks_turns -- sh -c "echo 500 >$work/turns"
matches "$(grep -c '' loops)" '^[67]$' "all loops"
matches "$(cat loops)" 'turns = [(]of->order[.]x & 0xffff[)] - 1, 100 % of 500 calls' \
	"a member of a structure inside of what an argument points to, a part of its bits, less one"
matches "$(cat loops)" 'turns = DIV_ROUND_UP[(]of->end - of->start, 4096[)], 100 % of 500 calls' \
	"the difference of two, divided"
matches "$(cat loops)" 'turns = hweight64[(]of->mask[)], 100 % of 500 calls' "the bits that are set"
matches "$(cat loops)" '0 to 4 turns, [0-9.]* on average of 500 calls; unknown: of 7 keys that were tried' \
	"what no argument leads to is unknown"
matches "$(cat loops)" "kprof blocks" "and what a turn is is said"
matches "$(cat err)" 'round 1 of at most 8: turns of the loop at [+]0x[0-9a-f]*, blocks_turns.*, by 5 keys' \
	"rounds are announced"
is "$(lsmod | grep -c '^kprof ')" 0 "the module is not left behind"

turns blocks_loop turns 'if=turns>3' -- sh -c "for i in 1 3 4 5 13 100; do echo 20,\$i >$work/loop; done"
matches "$(cat loops)" '^4 to 100 turns, 30[.]5 on average of 80 calls; turns = turns, 100 % of 80 calls' \
	"a key that is given, of the calls for which a condition holds"

# --- of the kernel ---

what="shuffle_freelist, which is inlined there, turns for each object of a slab"
if grep -q ' allocate_slab$' /proc/kallsyms; then
	turns allocate_slab 's->oo.x,flags,node' -- sh -c 'i=0
		while [ $i -lt 200 ]; do mkdir /tmp/dir$i; : >/tmp/dir$i/file; i=$((i + 1)); done
		rm -r /tmp/dir*'
	# A kernel of 7.x may have no loop in it that turns for each object.
	case $(uname -r):$(cat loops) in
	7.*:'0 turns in each of '*) skip "$what" "this kernel does nothing for each object there" ;;
	*) matches "$(cat loops)" 'turns = [(]s->oo[.]x & 0xffff[)] - 1, ' "$what" ;;
	esac
else
	skip "$what" "allocate_slab is inlined itself in this kernel"
fi

# --- refused ---

refused() {
	what=$1 said=$2
	shift 2
	kprof explain --turns "$@" >out 2>&1
	matches "$? $(tr '\n' ' ' <out)" "$said" "$what"
}
refused "a function without loops" '^1 .*blocks_way0 has no loop' blocks_way0 -- true
refused "a key that is none" "^1 .*has no member 'nothing'" blocks_turns 'of->nothing' -- true
kprof lat -q blocks_loop by='$arg1' --output data -- sh -c "echo 1,1 >$work/loop" >/dev/null 2>&1
refused "a recording" '^2 .*--turns measures a function, not a recording' data
insmod /kprof/kprof.ko enable=0
refused "beside the module that is loaded" '^1 .*the module is loaded' blocks_loop -- true
rmmod kprof
rmmod kprof_blocks
