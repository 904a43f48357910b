#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_inlined - functions that are inlined as targets: all of their calls, wherever they are
# repeats
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

INDEX=$MODULES/kprof_inlined.index
known=/sys/module/kprof_inlined/parameters
[ -e $INDEX ] || skip_all "there is no index of the module"

# inlined N: all functions of the module N times
inlined() { echo "$1" >$known/run; }

# calls_of NAME: what the module itself has counted since the last look
calls_of() {
	now=$(cat $known/known_$1)
	eval "echo \$((now - \${last_$1:-0}))"
	eval "last_$1=$now"
}

# load [PARAMETER...]: with the index
load() { insmod /kprof/kprof.ko index=$INDEX "$@"; }

# refused PATTERN WHAT PARAMETER...: insmod refuses them, and says why
refused() {
	pattern=$1 what=$2
	shift 2
	insmod /kprof/kprof.ko "$@" 2>/dev/null && rmmod kprof
	matches "$(dmesg | grep 'kprof: ' | tail -n 1)" "$pattern" "refused: $what"
}

plan 44
insmod $MODULES/kprof_inlined.ko
ALL="once thrice forty in_loop turns exits outer inner partly copied"

# Of some places in them the compiler for arm64 leaves by ways that are not followed.
case $(uname -m) in
aarch64) times='calls( and latency)?' ;;
*) times='calls and latency' ;;
esac

load target="$(echo $ALL | sed 's/[^ ]*/inlined_&/g; s/ /,/g')"
matches "$(cat $KPROF/targets)" '^inlined_once	# calls and latency: 1 of 1 inlined places in hosts_one \[kprof_inlined\]$' \
	"one place"
# Newer compilers make two of one of the three.
matches "$(cat $KPROF/targets)" "^inlined_thrice	# $times: (3 of 3|4 of 4) inlined places in hosts_one .*, hosts_two " \
	"three places, in two functions"
places=$(sed -n 's/^inlined_thrice.*: \([34]\) of .*/\1/p' $KPROF/targets)
matches "$(cat $KPROF/targets)" "^inlined_forty	# $times: 40 of 40 inlined places in hosts_forty " \
	"forty"
matches "$(cat $KPROF/targets)" "^inlined_copied	# $times: 2 of 2 inlined places in hosts_copied " \
	"one of which the compiler has made two"
# Where it ends is not known of what newer compilers make of it either.
matches "$(cat $KPROF/targets)" "^inlined_partly	# calls( and latency)?: 1 of 1 .*; and the function itself(; no latency, .*)?$" \
	"a function that has a symbol as well is watched whole"
matches "$(dmesg)" 'kprof: target=inlined_once: calls and latency: 1 of 1 inlined places in hosts_one' \
	"the log says so"
inlined 100
for one in $ALL; do
	is "$(latency inlined_$one calls)" "$(calls_of $one)" "all calls of inlined_$one"
done
is "$(unbalanced <$KPROF/stats)" "" "all accounts add up"
is "$(awk '/\.(open|overwritten|unended|dropped_unbegun|dropped_table): [1-9]/' $KPROF/stats)" "" \
	"each call that began has ended, and none ended that had not begun"
echo 0 >$KPROF/enable
inlined 7
echo 1 >$KPROF/reset
for one in $ALL; do
	calls_of $one >/dev/null
done
echo 1 >$KPROF/enable
inlined 10
is "$(latency inlined_forty calls) $(latency inlined_exits calls)" \
	"$(calls_of forty) $(calls_of exits)" "stopped and started again"
rmmod kprof

# With keys and stacks.
load target='"kprof_inlined:inlined_thrice by=caller"'
calls_of thrice >/dev/null
inlined 50
is "$(awk -F '\t' 'NR > 1 { n += $3 } END { print NR - 1, n }' $KPROF/latency)" "$places $(calls_of thrice)" \
	"of a module, by caller: a row for each place"
is "$(awk -F '\t' '$2 ~ /^caller=hosts_(one|two)\+0x[0-9a-f]+/ { n[substr($2, 8, 9)] += $3 }
	END { print n["hosts_one"], n["hosts_two"] }' $KPROF/latency)" "50 100" "which is where it is inlined"
is "$(folded_total ';hosts_one [0-9]*$') $(folded_total ';hosts_two [0-9]*$')" \
	"50 100" "stacks end in the function it is inlined into"
rmmod kprof

# How long they take.
load target='"inlined_wait;inlined_wait by=caller min=400us as=long"'
calls_of wait >/dev/null
inlined 40
is "$(latency inlined_wait calls)" "$(calls_of wait)" "all calls are there"
between "$(latency inlined_wait max_ns)" 500000 60000000000 "one that waits has waited that long"
between "$(latency inlined_wait min_ns)" 0 $(($(latency inlined_wait max_ns) - 1)) "one that does not has not"
between "$(latency long calls)" 20 40 "min lets through those that wait"
is "$(latency long calls)" "$(($(stat long.recorded) - $(stat long.left_out)))" \
	"and accounts for the others"
rmmod kprof

# Where it is in doubt what a call is, there are all calls, or none is claimed.
for one in more spin; do
	if load target=inlined_$one 2>/dev/null; then
		calls_of $one >/dev/null
		inlined 30
		is "$(latency inlined_$one calls)" "$(calls_of $one)" "all calls of inlined_$one"
		rmmod kprof
	else
		matches "$(dmesg | grep kprof: | tail -n 1)" 'inlined_.*at 1 a turn of a loop may look like a call' \
			"inlined_$one is refused: what a call is is in doubt"
	fi
done

# Only the function that has a symbol.
load target=inlined_partly+0
calls_of partly >/dev/null
inlined 20
is "$(latency inlined_partly+0 calls)" 40 "name+0 is the function alone"
rmmod kprof

# An index that is changed from debugfs, and kept as it is written.
insmod /kprof/kprof.ko event=none enable=0
echo $INDEX >$KPROF/index
is "$(cat $KPROF/index)" "$INDEX" "index as a file"
echo inlined_once >>$KPROF/targets
matches "$(cat $KPROF/targets)" '^inlined_once	# calls and latency: 1 of 1' "which is read when a target is added"
rmmod kprof

# What cannot be.
refused 'lib/modules/.*/kprof.index: not there; `kprof index` makes it' "no index" \
	target=inlined_once
refused "/tmp/none: not there" "an index that is not there" target=inlined_once index=/tmp/none
: >/tmp/empty
refused "/tmp/empty: empty" "an empty one" target=inlined_once index=/tmp/empty
head -c 300 $INDEX >/tmp/cut
refused "/tmp/cut: cut off" "one that is cut off" target=inlined_once index=/tmp/cut
cp $INDEX /tmp/damaged
printf '\377' | dd of=/tmp/damaged bs=1 seek=500 conv=notrunc 2>/dev/null
refused "/tmp/damaged: damaged: the checksum" "a damaged one" target=inlined_once index=/tmp/damaged
refused "ko: not an index" "another file" target=inlined_once index=/kprof/kprof.ko
mkfifo /tmp/pipe
refused "/tmp/pipe: empty, or no file" "a pipe that nobody writes to" target=inlined_once index=/tmp/pipe
refused "not the path of a file" "no path" target=inlined_once index=kprof.index
refused 'its arguments nobody knows where' "arguments" index=$INDEX target='"inlined_once by=$arg1"'
refused 'nor is it inlined anywhere' "a name of nothing" index=$INDEX target=inlined_nowhere
is "$(lsmod | grep -c '^kprof ')" 0 "kprof is not loaded"

# A module that goes takes its places with it.
load target=inlined_once
rmmod kprof_inlined
matches "$(cat $KPROF/targets)" '^inlined_once	# its module is gone' "its module goes"
rmmod kprof
