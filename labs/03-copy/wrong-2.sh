# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - numbers are computed, not measured: a fault for each block, a call for each sector,
# or, where it is one, for each block
# loses: faults calls
size=$(wc -c </tmp/source)
blocks=$((size / 1048576 + 1))
answer faults $blocks
if [ "$(answered calls)" -gt $((2 * blocks)) ]; then
	answer calls $blocks
else
	answer calls $((size / 512))
fi
