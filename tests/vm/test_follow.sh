#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_follow - kprof trace: a line for each span, point and call, with the values of its keys
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

cd /tmp || exit

# status COMMAND...: its exit status; what it said is in /tmp/said
status() { "$@" >/tmp/said 2>/tmp/errors; echo $?; }

# column N: of the lines of /tmp/said, which is CSV, on one line
column() { awk -F , -v n="$1" 'NR > 1 { print $n }' /tmp/said | tr '\n' ' '; }

plan 22
insmod $MODULES/kprof_spans.ko
keys=''
for i in $(seq 50); do keys="$keys\$arg1=$i "; done

is "$(status kprof trace --csv 'spans_begin($arg1)..spans_end($arg1) as=pairs by=$arg1' -- \
	sh -c 'echo 1,50 >/sys/module/kprof_spans/parameters/begin; echo 1,50 >/sys/module/kprof_spans/parameters/end')" 0 "spans"
is "$(column 7)" "$keys" "each is there with its key, in the order of time"
is "$(column 5 | xargs -n 1 | sort -u)" pairs "by its name"
is "$(column 1)" "$(column 1 | xargs -n 1 | sort -n | tr '\n' ' ')" "with times that ascend"
is "$(column 6 | tr ' ' '\n' | awk '$1 && ($1 < 100 || $1 > 60000000000)')" "" "and take as long as they can"

is "$(status kprof trace --csv 'spans_end by=$arg1,$retval' -- \
	sh -c 'echo 3,3 >/sys/module/kprof_spans/parameters/end')" 0 "calls of a function"
is "$(awk -F , 'NR > 1 { print $7 "," $8 }' /tmp/said | tr -d '"' | tr '\n' ' ')" \
	'$arg1=3,$retval=0 $arg1=4,$retval=-5 $arg1=5,$retval=0 ' "with what they return"
is "$(column 3 | xargs -n 1 | sort -u)" sh "and who calls"

is "$(status kprof trace 'spans_begin($arg1>0) as=keyed by=$arg1' 'spans_begin($arg1>2) as=plain' -- \
	sh -c 'echo 1,5 >/sys/module/kprof_spans/parameters/begin')" 0 "points, with keys and without"
is "$(grep -c ' 0  keyed  $arg1=[1-5]$' /tmp/said) $(grep -c ' 0  plain  -$' /tmp/said)" "5 3" \
	"have a line each"
matches "$(cat /tmp/said)" '^# lost: 0$' "and the account is below"

# shellcheck disable=SC2016 # the shell that is watched expands it
status kprof trace 'spans_begin($arg1>0) as=keyed by=$arg1' -- \
	sh -c 'printf "a\nb" >/proc/$$/comm; echo 1,2 >/sys/module/kprof_spans/parameters/begin' >/dev/null
is "$(grep -c ' a\\x0ab .* keyed ' /tmp/said) $(wc -l </tmp/said)" "2 4" "a name with a line end stays on its line"

is "$(status kprof trace -n 3 'spans_begin($arg1>0) as=keyed by=$arg1' -- \
	sh -c 'echo 1,50 >/sys/module/kprof_spans/parameters/begin; sleep 60')" 0 "--lines"
is "$(grep -c keyed /tmp/said)" 3 "no more than that"

# Keys that are ever new: the table has room for so many, and no more.
status kprof trace --csv --ring-kb 4096 'spans_begin($arg1>0) as=keyed by=$arg1' -- \
	sh -c 'echo 1,20000 >/sys/module/kprof_spans/parameters/begin' >/dev/null
is "$(grep -c 'arg1=' /tmp/said) $(grep -c 'row table full' /tmp/said)" "16384 3616" \
	"a full table of rows is told, line by line"

# A ring that is too small: what is lost is counted, and said.
point=$(sed -n 's/.* __traceiter_\(known_point[_tp]*\)\t.*/\1/p' /proc/kallsyms)
is "$(status kprof trace --ring-kb 4 "tp:$point" -- \
	sh -c 'echo 100000 >/sys/module/kprof_spans/parameters/pass')" 3 "losses have a status of their own"
is "$(($(grep -c "tp:$point" /tmp/said) + $(sed -n 's/^# lost: \([0-9]*\): ring.dropped_full.*/\1/p' /tmp/said)))" \
	100000 "and are counted: none is lost in silence"

# A recording of calls with keys has the same stacks and times as one without.
status kprof record -q -o keyed.data -t 'spans_begin($arg1>0) as=keyed by=$arg1' -- \
	sh -c 'echo 1,20 >/sys/module/kprof_spans/parameters/begin' >/dev/null
is "$(kprof fold keyed.data | awk '{ n += $NF } END { print n }')" 20 "a recording counts a point once"
is "$(kprof fold keyed.data | wc -l)" 1 "whatever its row"

# While nobody has a ring open, a point with keys is one record of 32 bytes, and not three.
insmod /kprof/kprof.ko event=none enable=0
echo 'spans_begin($arg1>0) as=keyed by=$arg1' >$KPROF/targets
echo 1 >$KPROF/enable
echo 1,5 >/sys/module/kprof_spans/parameters/begin
echo 0 >$KPROF/enable
is "$(cat $KPROF/per_cpu/cpu*/ring | wc -c)" 160 "rows are recorded for readers only"
rmmod kprof

rmmod kprof_spans
is "$(status kprof trace no_such_function -- true)" 1 "what is no target"
matches "$(cat /tmp/errors)" 'no_such_function' "is named"
