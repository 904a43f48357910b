# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - shares by samples that all come at the same moment, or, where none do, without idle time
# loses: north south
rate=$(answered lies) idle=--idle
[ "$rate" != 0 ] || rate=997 idle=
# shellcheck disable=SC2086
kprof record -q -a $idle -F "$rate" -d 2 -o samples.data
for name in north south; do
	answer $name "$(kprof report --csv samples.data |
		awk -F , -v name="lab_$name" '$6 == name { share = $3 } END { print share + 0 }')"
done
