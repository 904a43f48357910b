# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - the one that writes most, and most often, is blamed
# loses: process
answer process "$(kprof lat vfs_write by=comm --comm amber,birch,cedar -d 1 --csv | tr -d '"' |
	sed 1d | sort -t , -k 3,3nr | sed -n '1s/.*comm=\([a-z]*\),.*/\1/p')"
