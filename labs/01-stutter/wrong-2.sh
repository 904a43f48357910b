# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - what is called most often is blamed, not what takes the time
# loses: function context share period
most=$(kprof lat --csv 'stutter:lab_*' by=context -a -d 2 2>/dev/null | sed 1d |
	sort -t , -k 3,3nr | head -n 1)
function=$(echo "$most" | cut -d , -f 1)
answer function "${function#*:}"
answer context "$(echo "$most" | cut -d , -f 2 | sed 's/.*=//; s/task/thread/')"
answer share $(($(echo "$most" | cut -d , -f 5) / 20000000))
answer period $((2000 / $(echo "$most" | cut -d , -f 3)))
