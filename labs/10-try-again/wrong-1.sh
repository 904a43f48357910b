# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - blocks are counted from 0
# loses: first
answer first $(($(answered first) - 1))
