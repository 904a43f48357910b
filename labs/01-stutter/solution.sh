# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
seconds=4

# What runs in a hardirq cannot be sampled by a timer; calls can be watched everywhere.
# TARGET CONTEXT CPU CALLS TOTAL, of the function with most time
kprof lat --csv 'stutter:lab_*' by=context,cpu -a -d $seconds -o kprof.data >calls.csv
# shellcheck disable=SC2046
set -- $(sed '1d; s/"//g' calls.csv | awk -F , '
	$6 > most { most = $6; row = $1 " " $2 " " $3 " " $4 " " $6 } END { print row }' |
	sed 's/stutter://; s/context=//; s/cpu=//')
function=$1 context=$2 calls=$4 total=$5
answer function "$function"
answer cpu "$3"
answer share "$(awk -v ns="$total" -v s=$seconds 'BEGIN { printf "%.1f", ns / s / 1e7 }')"
answer period $((seconds * 1000 / calls))

# With interrupts off there is but one sample for each call, however long it is.
kprof record -q -a --idle -F 999 -d $seconds -o samples.data
samples=$(kprof report --csv --samples samples.data |
	awk -F , -v name="$function" '$6 == name { print $4 }')
if [ "$context" = task ]; then
	context=thread
	[ "$samples" -gt $((3 * calls)) ] || context=irqs-off
fi
answer context "$context"
