# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - a higher rate is taken for a better one; where there is no period, the usual one is given
# loses: honest
honest=$((8 * $(answered lies)))
[ $honest != 0 ] || honest=997
answer honest $honest
