# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - the time that all waits took together
# loses: wait
answer wait "$(kprof lat "$(answered function)" --comm lab -d 1 --csv |
	awk -F , 'NR == 2 { print $5 / 1000000 }')"
