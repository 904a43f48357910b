# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found
seconds=4
kprof lat 'sampler:lab_*' -a -d $seconds --csv -o kprof.data >calls.csv
# of NAME COLUMN: of the calls of lab_NAME
of() { awk -F , -v name="sampler:lab_$1" -v column="$2" '$1 == name { print $column }' calls.csv; }
for name in north south; do
	answer $name "$(of $name 5 | awk -v s=$seconds '{ print $1 / s / 10000000 }')"
done
# A whole number of milliseconds; the measurement is longer than it says by a call or two.
period=$(of north 3 | awk -v s=$seconds '{ printf "%.0f", s * 1000 / $1 }')
answer period "$period"
answer lies $((1000 / period))
answer honest 997
