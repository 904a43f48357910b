# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
seconds=4

# time_of FUNCTION: per cent of the time of the CPU $cpu, or of all of them if that is empty
time_of() {
	kprof report --csv ${cpu:+-C "$cpu"} |
		awk -F , -v name="$1" '$6 == name { print $3 }'
}

# of_calls FUNCTION KEYS: a row of kprof lat: context, calls
of_calls() {
	kprof lat --csv "stutter:$1" "by=$2" -a -d $seconds 2>/dev/null | sed 1d |
		sed 's/"\([^",]*\),\([^",]*\)"/\1 \2/' | awk -F , '{ print $2, $3 }'
}

kprof record -q -a --idle -F 999 -d $seconds
cpu=
function=$(kprof report --csv | awk -F , '
	$7 == "stutter" && $6 ~ /^lab_/ && $2 > most { most = $2; name = $6 } END { print name }')
answer function "$function"

# context=softirq cpu=1 CALLS
# shellcheck disable=SC2046
set -- $(of_calls "$function" context,cpu)
context=${1#context=} cpu=${2#cpu=} calls=$3
answer cpu "$cpu"
answer share "$(time_of "$function")"
answer period $((seconds * 1000 / calls))

# With interrupts off there is but one sample for each call, however long it is.
samples=$(kprof report --csv --samples |
	awk -F , -v name="$function" '$6 == name { print $4 }')
case $context in
task)
	context=thread
	[ "$samples" -gt $((3 * calls)) ] || context=irqs-off ;;
esac
answer context "$context"
