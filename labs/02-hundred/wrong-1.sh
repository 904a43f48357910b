# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - the shell's own call is counted, too
# loses: number
answer number "$(kprof lat kernel_clone --csv -- /bin/sh -c 'hundred; true' |
	sed -n 2p | cut -d , -f 3)"
