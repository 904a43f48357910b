# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - how long a call takes is taken for how often one comes
# loses: period
length=$(kprof lat --csv "stutter:$(answered function)" -a -d 1 2>/dev/null |
	sed 1d | cut -d , -f 7)
answer period $((length / 1000000))
