# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - how long a call takes is taken for how often one comes
# loses: period
answer period "$(awk -F , '$1 ~ /lab_north/ { print $7 / 1000000 }' calls.csv)"
