#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# test_targets - targets come and go at random: rows with hits() are those of a small model
# timeout: 600
# any kernel
. /kprof/tests/lib.sh
. /kprof/tests/module.sh

# The model, for known_loop by=hits(X): which X, whether known_loop and which others are
# watched; whether there are rows of it since the last reset; and rows, "HITS CALLS" each.
X='' WATCHED='' LOOP=no ROWS=''
OTHERS='known_turn known_called known_leaf'

# random N: 0 to N - 1, in $chance
seed=90210
random() {
	seed=$(((seed * 1103515245 + 12345) & 0x7fffffff))
	chance=$(((seed >> 8) % $1))
}

# other: one of OTHERS, in $other
other() {
	random 3
	# shellcheck disable=SC2086 # words
	set -- $OTHERS
	shift $chance
	other=$1
}

is_watched() {
	case " $WATCHED " in *" $1 "*) return 0 ;; esac
	return 1
}

# attempt EXPECTED TEXT: write it to targets, which works (0) or not (1)
attempt() {
	status=1
	if echo "$2" 2>/dev/null >>$KPROF/targets; then
		status=0
	fi
	[ $status = "$1" ] || echo "'$2' ended with $status: $(cat $KPROF/error)"
}

add_loop() {
	other
	if [ $LOOP = yes ] || { [ -n "$ROWS" ] && [ "$X" != "$other" ]; }; then
		attempt 1 "known_loop by=hits($other)"
		return
	fi
	# Removed before a reset: it still has its old options, rows or not.
	if [ $LOOP = removed ] && [ "$X" != "$other" ]; then
		attempt 1 "known_loop by=hits($other)"
		return
	fi
	attempt 0 "known_loop by=hits($other)"
	X=$other LOOP=yes
	is_watched "$X" || WATCHED="$WATCHED $X"
}

remove_loop() {
	if [ $LOOP = yes ]; then
		attempt 0 -known_loop
		LOOP=removed
	else
		attempt 1 -known_loop
	fi
}

add_other() {
	other
	if is_watched "$other"; then
		attempt 1 "$other"
	else
		attempt 0 "$other"
		WATCHED="$WATCHED $other"
	fi
}

remove_other() {
	other
	if is_watched "$other"; then
		attempt 0 "-$other"
		WATCHED=$(echo "$WATCHED" | sed "s/ $other//")
	else
		attempt 1 "-$other"
	fi
}

reset() {
	echo >$KPROF/reset
	ROWS=''
	[ $LOOP = yes ] || LOOP=no
}

# Ten calls of so many turns each; and others, which are no hits of it.
work() {
	random 5
	turns=$((chance + 1)) hits=0
	known loop $turns,10
	known call 3
	[ $LOOP = yes ] || return
	if [ "$X" = known_turn ] && is_watched known_turn; then
		hits=$turns
	fi
	ROWS="$ROWS
$hits 10"
}

# Rows as they ought to be, and as they are.
expected() {
	echo "$ROWS" | awk 'NF { n[$1] += $2 } END { for (h in n) print h, n[h] }' | sort -n
}

found() {
	awk -F '\t' '$1 == "known_loop" && $2 ~ /^hits/ {
		sub(/.*=/, "", $2); n[$2] += $3
	} END { for (h in n) print h, n[h] }' $KPROF/latency | sort -n
}

step() {
	random 12
	case $chance in
	0|1) op=add_loop ;;
	2) op=remove_loop ;;
	3|4) op=add_other ;;
	5|6) op=remove_other ;;
	7|8) op=reset ;;
	*) op=work ;;
	esac
	$op
	[ "$(expected)" = "$(found)" ] || echo "after $op: $(found | tr '\n' ';'), expected $(expected | tr '\n' ';')"
	unbalanced <$KPROF/stats
}

plan 9
insmod $MODULES/kprof_known.ko
for probe in auto kretprobe; do
	X='' WATCHED='' LOOP=no ROWS=''
	insmod /kprof/kprof.ko event=none probe=$probe
	turn=0
	while [ $turn -lt 100 ]; do
		turn=$((turn + 1))
		step >/tmp/step
		sed "s/^/$turn: /" /tmp/step
	done >/tmp/said
	is "$(head -n 5 /tmp/said)" "" "probe=$probe: after each of a hundred steps all rows are right"
	is "$(unbalanced <$KPROF/stats)" "" "and accounts add up"
	rmmod kprof
done

# One that other probes are enabled after, and that had no keys before.
insmod /kprof/kprof.ko event=none record=0 probe=kretprobe target='known_recursive by=hits(known_loop)'
attempt 0 -known_loop
echo >$KPROF/reset
: >/tmp/looping
while [ -e /tmp/looping ]; do known loop 4,100; done &
attempt 0 'known_loop by=$arg2;vfs_read;vfs_write;vfs_open;vfs_unlink;vfs_mkdir'
known loop 4,1
rm /tmp/looping
wait
is "$(awk -F '\t' '$1 == "known_loop" { print $2 }' $KPROF/latency)" '$arg2=4' "keys are read from the first call on"
rmmod kprof
rmmod kprof_known

# What hits() names comes back with its own options, and so does what these name.
names() { sed 's/[ \t].*//' $KPROF/targets | sort | tr '\n' ' '; }
insmod /kprof/kprof.ko event=none enable=0
attempt 0 'vfs_write by=hits(vfs_read)'
attempt 0 -vfs_read
echo >$KPROF/reset
attempt 1 'vfs_read by=hits(vfs_read)'
attempt 1 'vfs_read by=hits(vfs_read)'
matches "$(cat $KPROF/error)" '^target=vfs_read: hits.. names the target itself' "hits() of itself is refused"
attempt 0 'vfs_read by=hits(vfs_write)'
true >$KPROF/targets
attempt 0 'vfs_read by=hits(vfs_write)'
is "$(names)" "vfs_read vfs_write " "two that count each other come back together"
true >$KPROF/targets
echo >$KPROF/reset
kprof list 'vfs_*' | cut -f 1 | head -n 50 >/tmp/links
is "$(wc -l </tmp/links)" 50 "a chain of fifty"
awk '{ printf "%s%s;", $1, before ? " by=hits(" before ")" : ""; before = $1 }' /tmp/links >/tmp/chain
attempt 0 "$(cat /tmp/chain)"
true >$KPROF/targets
attempt 0 "$(sed 's/;$//; s/.*;//' /tmp/chain)"
is "$(names)" "$(sort /tmp/links | tr '\n' ' ')" "comes back as a whole"
rmmod kprof
