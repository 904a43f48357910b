# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - all threads of the name that waits are counted, whatever they wait for
# loses: locks
answer locks "$(grep -lx lab /proc/[0-9]*/comm | wc -l)"
