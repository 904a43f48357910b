# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - idle time is taken for use; of the memory, MiB are given, not per cent
# loses: cpu memory
answer cpu "$(awk -v busy="$(answered cpu)" 'BEGIN { print 100 - busy }')"
answer memory "$(awk '$1 == "MemTotal:" { all = $2 } $1 == "MemAvailable:" { free = $2 }
	END { print (all - free) / 1024 }' /proc/meminfo)"
