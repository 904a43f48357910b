# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - the largest requests are looked at, whoever issues them
# loses: bytes first
kprof lat tp:block_rq_issue 'by=+0x2c($arg1):u32,+0x30($arg1):u64' -a -d 3 --max-rows 2048 --csv |
	tr -d '"' | sed -n 's/.*u32=\([0-9]*\),.*u64=\([0-9]*\),.*/\1 \2/p' | sort -n >all
answer bytes "$(tail -n 1 all | cut -d ' ' -f 1)"
answer first "$(tail -n 1 all | cut -d ' ' -f 2)"
