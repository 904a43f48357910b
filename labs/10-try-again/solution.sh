# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# solution.sh - how the answers are found

blocks=$(try-again /tmp/copy | awk '{ print $1 }')
answer missing $((blocks * 4096 - $(wc -c </tmp/copy)))

# A line for each call of the reader's own loop: number of the block, result. Its buffers are
# 4096 bytes apart; the reads of libraries and of the token are elsewhere.
kprof lat vfs_read by='$arg2:x64,$arg3,$retval:s32' --max-rows 2048 --csv -o kprof.data \
	-- try-again /tmp/copy >calls.csv
tr -d '"' <calls.csv | sed -n 's/.*$arg2:x64=0x\([0-9a-f]*\),$arg3=409[56],$retval:s32=\([-0-9]*\),\([0-9]*\),.*/\1 \2 \3/p' |
	sort >calls
base=0x$(sed -n '1s/ .*//p' calls)
while read -r address result calls; do
	echo $(((0x$address - base) / 4096 + 1)) "$result" "$calls"
done <calls >blocks

failed=$(awk '$2 < 0 { print $1 }' blocks)
errors=$(echo "$failed" | wc -l)
first=$(echo "$failed" | head -n 1)
answer errors "$errors"
answer first "$first"
answer every $(($(echo "$failed" | sed -n 2p) - first))
# Blocks of which one call failed and another one did not.
retries=$(awk '$2 < 0 { failed[$1] = 1 } $2 > 0 && failed[$1] { n++ } END { print n + 0 }' blocks)
answer retries "$retries"
