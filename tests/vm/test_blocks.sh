#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_blocks - kprof blocks on functions of which it is known how often each part runs
# icount
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

work=/sys/module/kprof_blocks/parameters
cd /tmp || exit

# blocks FUNCTION PARAMETER VALUE [OPTION]...: what kprof blocks says of that work
blocks() {
	function=$1 parameter=$2 value=$3
	shift 3
	kprof blocks "$function" "$@" -- sh -c "echo $value >$work/$parameter" 2>&1
}

calls() { echo "$1" | sed -n 's/^# calls \([0-9]*\),.*/\1/p'; }
insns() { echo "$1" | sed -n 's/^# calls [0-9]*, instructions \([0-9]*\):.*/\1/p'; }

# rows TEXT: of the table of blocks, of each context, without that of inlined functions and loops
rows() { echo "$1" | awk '/^# % insns/ { is_block = / turns  block / } !/^#/ && is_block'; }

# loops TEXT: counts and turns of the heads of loops
loops() { rows "$1" | awk '$5 ~ /^[0-9.]+$/ { print $2, $5 }' | tr '\n' ' '; }

# costs TEXT: instructions that are fixed in a call and in a turn of each loop, the outer one first
costs() {
	echo "$1" | awk '
		/^# by inlined/ { is_nest = 1 }
		is_nest && !/^#/ { printf "%s%d", NR == first ? "" : " ", $4 }
		/^# % insns/ { first = NR + 1 }'
}

# with TEXT INSTRUCTION: the counts of the blocks that have it
with() {
	echo "$1" | awk -v text="$2" '
		/^# [0-9]+  / { count = $2 }
		index($0, text) { print count }'
}

# share "OFFSET N": of what kprof annotate says, percent of the samples that the N instructions from
# there on have
share() {
	awk -v offset="${1% *}" -v nr="${1#* }" '
		/^#/ { next }
		{ at = 0; for (i = 1; i <= NF && !at; i++) if ($i ~ /^\+0x/) at = i }
		!at { next }
		{ n = $1 == ">" ? at - 2 : at - 1; samples = n == 2 ? $(at - 1) : 0; all += samples }
		$at == offset { left = nr }
		left-- > 0 { block += samples }
		END { print all ? int(100 * block / all) : "no samples" }'
}

plan 55
insmod $MODULES/kprof_blocks.ko

for turns in 1 4 13 100; do
	said=$(blocks blocks_loop loop 7,$turns)
	is "$(calls "$said")" 7 "7 calls"
	is "$(loops "$said")" "$((7 * turns)) $turns.0 " "$turns turns in each"
	# What one turn in each call has cost says what any number of them does.
	[ $turns != 1 ] || costs=$(costs "$said")
	is "$(insns "$said")" $((7 * (${costs% *} + turns * ${costs#* }))) "instructions by what a call and a turn cost"
done
matches "$said" '^# checked: [1-9][0-9]* more counts?; all (are|is)' "counts are checked by others"

said=$(blocks blocks_nested nested 5,4,13)
is "$(calls "$said")" 5 "calls of a function with two loops"
is "$(loops "$said")" "20 4.0 260 13.0 " "the inner loop turns in each turn of the outer one"
# There may be more loops, which never turn: for an inner one without turns.
json=$(blocks blocks_nested nested 5,4,13 --json | grep '"depth"' | grep -v '"insns": 0,')
is "$(echo "$json" | sed 's/.*"count": \([0-9]*\).*/\1/' | tr '\n' ' ')" "5 20 260 " \
	"calls, turns, and turns within these"
is "$(echo "$json" | awk '{ sub(/.*"fixed": /, ""); sum += $0 } END { print sum }')" "$(insns "$said")" \
	"what is fixed in each of them adds up"
again=$(blocks blocks_nested nested 5,4,13 --every)
is "$(rows "$again")" "$(rows "$said")" \
	"the same when every block is counted"
matches "$again" '^# checked: [1-9][0-9]* more counts?; all (are|is)' "and these agree"

said=$(blocks blocks_ways ways 11 --instructions)
is "$(calls "$said")" 55 "calls of a switch"
for way in 0 1 2 3; do
	if has_capstone; then
		is "$(with "$said" "<blocks_way$way>")" 11 "its way $way"
	else
		skip "its way $way" "kprof was built without capstone"
	fi
done

said=$(blocks blocks_tail tail 20 --instructions)
is "$(calls "$said")" 20 "calls of a function that may end with a jump"
if has_capstone; then
	is "$(with "$said" "<blocks_tailed>")" 10 "a jump to another function"
else
	skip "a jump to another function" "kprof was built without capstone"
fi

said=$(blocks blocks_fault fault 3 --instructions)
is "$(calls "$said")" 3 "calls that meet a fault"
# As of this kernel's version, with what is built for it.
case $(uname -rm) in
6.1.*\ x86_64)
	matches "$said" '^# 3 times a fault or the like led where no jump does' "what the kernel does after a fault" ;;
*)
	skip "what the kernel does after a fault" "it continues where it was" ;;
esac

# By the task's name.
said=$(kprof blocks blocks_loop by=comm -- sh -c "
	printf one >/proc/\$\$/comm; echo 3,5 >$work/loop
	printf two >/proc/\$\$/comm; echo 2,9 >$work/loop" 2>&1)
is "$(loops "$said")" "18 9.0 15 5.0 " "counts by a key"
matches "$said" '^# comm="two"' "and whose they are"
said=$(kprof blocks blocks_loop by=comm if=comm==two -- sh -c "
	printf one >/proc/\$\$/comm; echo 3,5 >$work/loop
	printf two >/proc/\$\$/comm; echo 2,9 >$work/loop" 2>&1)
is "$(loops "$said")" "18 9.0 " "counts under a condition"

# The machine counts instructions: a nanosecond is one.
echo 20000 >$work/time
took=$(cat $work/time)
said=$(blocks blocks_loop loop 1,20000)
between "$(insns "$said")" $((took * 99 / 100)) $((took * 101 / 100)) "instructions of a call, which takes $took ns"

# A function of the kernel.
said=$(kprof blocks write_null -- dd if=/dev/zero of=/dev/null bs=1 count=500 2>&1)
is "$(calls "$said")" 500 "calls of a function of the kernel"
json=$(kprof blocks write_null --json -- dd if=/dev/zero of=/dev/null bs=1 count=500)
matches "$json" '"calls": 500,' "the same as JSON"

# kprof waits in poll() for the end.
matches "$(kprof blocks do_sys_poll -a --comm kprof -d 0.3 2>&1)" '^# left out: [1-9][0-9]* hits of kprof itself \(--own\)' \
	"what kprof itself does is left out and counted"
between "$(calls "$(kprof blocks do_sys_poll -a --comm kprof --own -d 0.3 2>&1)")" 1 100 "unless it is asked for"

# As a picture: a box for each block that ran, and two for where it is entered and left.
said=$(blocks blocks_loop loop 7,13 -o loop.svg)
is "$(grep -c 'class="box' loop.svg)" $(($(rows "$said" | wc -l) + 2)) "a picture has all blocks"
is "$(grep -c '>ran 91, 13.0 turns<' loop.svg)" 1 "and their counts"

# Two of them compared: the loop, and the branch back to its head.
blocks blocks_loop loop 7,4 --json >a.json
blocks blocks_loop loop 3,13 --json >b.json
is "$(kprof diff a.json b.json | awk '/^# by inlined/ { exit } !/^#/ { print $2, $3, $4 == $5 }' | tr '\n' ';')" "4.00 13.00 1;3.00 12.00 1;" \
	"what differs between two inputs"

# What is refused.
matches "$(kprof blocks blocks_lop -d 1 2>&1)" 'there is no function blocks_lop; close to it: kprof_blocks:blocks_loop' \
	"a name that is misspelt"
matches "$(kprof blocks load_elf_binary -d 1 2>&1)" 'several functions are named load_elf_binary; give one of: load_elf_binary@0x' \
	"a name of several functions"
kprof blocks blocks_loop 'by=$arg1' -d 1 >said 2>&1
is "$?" 2 "arguments are no keys"
matches "$(for name in do_int3 el1_dbg el1_brk64; do kprof blocks $name -d 1 2>&1; done)" 'cannot be watched|cannot be read' \
	"a function where the kernel allows no probes"
trace=/sys/kernel/tracing
[ -d $trace/events ] || mount -t tracefs none $trace
echo 'p:mine blocks_loop+8' >$trace/kprobe_events 2>/dev/null
echo 1 >$trace/events/kprobes/mine/enable
matches "$(blocks blocks_loop loop 1,1)" 'somebody else has a kprobe at blocks_loop\+0x8' \
	"a probe of somebody else"
echo 0 >$trace/events/kprobes/mine/enable
echo >$trace/kprobe_events

# left: what of kprof blocks is still there: the module, and probes on the functions it counted
left() { lsmod | grep '^kprof '; grep 'blocks_[lnwf]' /sys/kernel/debug/kprobes/list; }

is "$(left)" "" "nothing is left"

# A profile that is there stays.
insmod /kprof/kprof.ko target=blocks_tailed
said=$(blocks blocks_loop loop 1,4)
is "$(loops "$said")" "4 4.0 " "beside a module that is loaded"
is "$(cut -d ' ' -f 1 $KPROF/targets | cut -f 1)" blocks_tailed "which gets its targets back"
is "$(left | cut -d ' ' -f 1)" kprof "and keeps no probes of blocks"
rmmod kprof

# Where samples are: in the loop, which is a block that kprof blocks has found.
block=$(rows "$(blocks blocks_loop loop 1,1)" | awk '$5 ~ /^[0-9.]+$/ { print $6, $4 }')
kprof record -q -F 999 -o loop.data -- sh -c "echo 1,40000000 >$work/loop"
said=$(kprof annotate blocks_loop loop.data 2>&1)
matches "$said" '^# code: kept in the recording' "a recording keeps the code of what was sampled"
between "$(echo "$said" | share "$block")" 90 100 "samples of a loop are at its instructions"
live=$(kprof annotate blocks_loop -- sh -c "echo 1,40000000 >$work/loop" 2>&1)
between "$(echo "$live" | share "$block")" 90 100 "the same without a recording"
kprof record -q -t blocks_ways -o calls.data -- sh -c "echo 11 >$work/ways"
said=$(kprof annotate kprof_blocks:set_ways calls.data 2>&1)
matches "$said" '^# code: of the running kernel' "code that no sample was in"
is "$(echo "$said" | awk '!/^#/ && $2 ~ /^\+/ { print $1 }')" 55 "calls of a watched function, at what calls it"
rmmod kprof_blocks
matches "$(kprof annotate kprof_blocks:set_ways calls.data 2>&1)" '^# no instructions: the recording does not have' \
	"code of a module that is gone"
is "$(kprof annotate blocks_loop loop.data 2>&1 | grep -c '^# code: kept')" 1 "but not what is kept"
