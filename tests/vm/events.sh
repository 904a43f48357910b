# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# events.sh - each line of kprof io beside the event that the kernel has of that request
#
# To be sourced after lib.sh. $KPROF_READER is kprof, if not that of the PATH.

TRACING=/sys/kernel/tracing

# io_beside_events COMMAND...: what "kprof io --each" has and the kernel's events have not, or the
# other way round. Other requests may end before COMMAND begins and after it has ended, in view of
# the one and not of the other: each line has an event, and each event of COMMAND's time a line. Where
# the kernel flushes the disk after a request it has a second event, of no sector: no line. The lines
# are left in /tmp/lines as TYPE SECTOR BYTES, and COMMAND's status is that of this.
io_beside_events() {
	[ -d $TRACING/events ] || mount -t tracefs none $TRACING
	echo >$TRACING/trace
	echo 1 >$TRACING/events/block/block_rq_complete/enable
	# shellcheck disable=SC2016 # the inner shell expands it
	"${KPROF_READER:-kprof}" io --each --csv -a -- sh -c 'echo begin >"$0/trace_marker"; "$@"; status=$?
		echo end >"$0/trace_marker"; exit $status' $TRACING "$@" >/tmp/each 2>/tmp/errors
	_status=$?
	echo 0 >$TRACING/events/block/block_rq_complete/enable
	awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at["type"], $at["block"], $at["bytes"] }' /tmp/each | sort >/tmp/lines
	# "..: block_rq_complete: DEVICE TYPE (COMMAND) SECTOR + SECTORS ...", between the marks as "1 ..."
	sed -n -e 's/.*tracing_mark_write: \(begin\|end\).*/\1/p' \
		-e 's/.*: block_rq_complete: [0-9,]* \([A-Z]*\) ([^)]*) \([0-9]*\) + \([0-9]*\) .*/\1 \2 \3/p' \
		$TRACING/trace |
		awk '
			/^begin/ { on = 1; next }
			/^end/ { on = 0; next }
			!$3 && $1 !~ /^F/ && $2 in ended { next }
			{ ended[$2]; print on + 0, $1, $2, $3 * 512 }' >/tmp/events
	awk '
		FNR == NR { all[$2 " " $3 " " $4]++; meant[$2 " " $3 " " $4] += $1; next }
		{ lines[$0]++ }
		END {
			for (one in lines)
				if (lines[one] > all[one])
					print "no event: " one
			for (one in meant)
				if (meant[one] > lines[one])
					print "no line: " one
		}' /tmp/events /tmp/lines
	return $_status
}
