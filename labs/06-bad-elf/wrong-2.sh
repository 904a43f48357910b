# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - who kills one is taken for who kills two
# loses: sender
for sender in force_fatal_sig force_sig_fault; do
	[ -z "$(kprof lat $sender by=caller --csv -- /bin/sh -c "./one; true" 2>/dev/null | sed 1d)" ] ||
		answer sender $sender
done
