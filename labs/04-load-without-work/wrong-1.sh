# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - all threads of that name are counted
# loses: tasks
answer tasks "$(grep -lx lab /proc/[0-9]*/comm | wc -l)"
