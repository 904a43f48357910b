# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
# In four seconds: what it takes to begin and to end is in both measurements, and not in the difference.
kprof lat 'sampler:lab_*' -a -d 2 --csv >short.csv
kprof lat 'sampler:lab_*' -a -d 6 --csv -o kprof.data >calls.csv
# of NAME COLUMN [FILE]: of the calls of lab_NAME
of() {
	awk -F , -v name="sampler:lab_$1" -v column="$2" '$1 == name { print $column }' "${3:-calls.csv}"
}
# grown NAME COLUMN
grown() { echo $(($(of "$1" "$2") - $(of "$1" "$2" short.csv))); }

for name in north south; do
	answer $name "$(awk -v ns="$(grown $name 5)" 'BEGIN { print ns / 4e7 }')"
done
# Work that is not always as long: there is no period.
if [ "$(of north 10)" -gt $(($(of north 9) * 11 / 10)) ]; then
	answer period 0
	answer lies 0
	answer honest 0
else
	# A whole number of calls in a second, by the usual time from one to the next: 249 and 250 a second
	# are four calls apart in four seconds, and measuring itself keeps the thread from more than those.
	kprof trace sampler:lab_north -a -d 2 --csv >turns.csv
	usual=$(awk -F , 'NR > 2 { print $1 - last } { last = $1 }' turns.csv | sort -n | awk '{ t[NR] = $1 } END { print t[int(NR / 2)] }')
	rate=$(awk -v t="$usual" 'BEGIN { printf "%d", 1 / t + 0.5 }')
	answer period "$(awk -v rate="$rate" 'BEGIN { print 1000 / rate }')"
	answer lies "$rate"
	answer honest 997
fi
