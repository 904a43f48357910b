# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - the errors are taken to be spread over all blocks
# loses: every
answer every $(($(cut -d ' ' -f 1 blocks | sort -u | wc -l) / $(answered errors)))
