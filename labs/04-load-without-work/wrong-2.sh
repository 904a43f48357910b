# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - shares of a recording without the idle task
# loses: idle
kprof record -q -a -F 999 -d 1 -o busy.data
answer idle "$(kprof report --csv --sort comm busy.data |
	awk -F , '$6 == "lab" { print 100 - $3 }')"
