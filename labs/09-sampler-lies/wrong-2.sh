# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - a higher rate is taken for a better one
# loses: honest
answer honest $((8 * $(answered lies)))
