#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_percentiles - of calls of four well-known lengths, columns and drawing are right
# icount
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# column NAME: of the only target
column() { latency known_sleeper "$1"; }

# expected PER_CENT: that percentile, from the bucket in which the call of its rank is: as far
# into it as the call is among the bucket's
expected() {
	awk -F '\t' -v calls="$(column calls)" -v percent="$1" \
		-v least="$(column min_ns)" -v most="$(column max_ns)" '
		NR > 1 && (sum += $5) >= (rank = calls * percent / 100) {
			ns = $3 + int(($4 - $3) * (rank - sum + $5) / $5)
			printf "%d\n", (ns < least ? least : ns > most ? most : ns)
			exit
		}' $KPROF/buckets
}

plan 17
insmod $MODULES/kprof_known.ko
insmod /kprof/kprof.ko target=known_sleeper
# Of a hundred calls, sixty are short, thirty-five ten times as long, four ten times that, and
# one is the longest. However late a sleeper wakes up, none sleeps for less.
for _ in $(seq 60); do known sleep 0; done
for _ in $(seq 35); do known sleep 40; done
for _ in $(seq 4); do known sleep 400; done
known sleep 2000
echo 0 >$KPROF/enable

is "$(column calls)" 100 "a hundred calls"
for percent in 50 90 99; do
	is "$(column p${percent}_ns)" "$(expected $percent)" "p$percent is what follows from the buckets"
done
between "$(column p50_ns)" 1 39999999 "the median is a short one"
between "$(column p90_ns)" 40000000 399999999 "p90 is one that is longer"
between "$(column p99_ns)" 400000000 1999999999 "p99 is one that is longer still"
between "$(column max_ns)" 2000000000 200000000000 "the longest is the longest"
between "$(column min_ns)" 1 "$(column p50_ns)" "the shortest is none of them"
between "$(column total_ns)" $((35 * 40000000 + 4 * 400000000 + 2000000000)) 200000000000 \
	"the total is all of them"
is "$(column avg_ns)" $(($(column total_ns) / 100)) "avg_ns is the mean"
is "$(column self_ns)" "$(column total_ns)" "self_ns is the total, as nothing is watched inside"
is "$(sed -n 2p $KPROF/buckets | awk -F '\t' -v ns="$(column min_ns)" '{ print ($3 <= ns && ns < $4) }')" 1 \
	"the first bucket has the shortest"
is "$(tail -n 1 $KPROF/buckets | awk -F '\t' -v ns="$(column max_ns)" '{ print ($3 <= ns && ns < $4) }')" 1 \
	"and the last the longest"
# A power of two has four buckets; lines are "[LOW, HIGH) CALLS |@@@".
is "$(awk -F '\t' 'NR > 1 { low = 1; while (2 * low <= $3) low *= 2; n[low] += $5 }
	END { for (low in n) printf "%d %d\n", low, n[low] }' $KPROF/buckets | sort -n)" \
	"$(sed -n 's/^\[\([0-9]*\), [0-9]*) *\([0-9]*\) .*/\1 \2/p' $KPROF/histogram | grep -v ' 0$')" \
	"the drawing has the same numbers"
is "$(awk '/^\[/ { n = gsub(/@/, ""); if (n > most) most = n } END { print most }' $KPROF/histogram)" 40 \
	"and its longest bar the whole width"
rmmod kprof

insmod /kprof/kprof.ko target=known_sleeper clock=mono
known sleep 300
between "$(column min_ns)" 300000000 200000000000 "by the kernel's clock, no sleep is too short, either"
rmmod kprof
rmmod kprof_known
