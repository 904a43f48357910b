# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - a share of the busy time is taken for one of all time
# loses: share
kprof record -q -a -F 999 -d 4 -o busy.data
answer share "$(kprof report --csv -C "$(answered cpu)" busy.data |
	awk -F , -v name="$(answered function)" '$6 == name { print $3 }')"
