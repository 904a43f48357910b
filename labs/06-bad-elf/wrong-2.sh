# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - every SIGSEGV is taken for one of a page fault
# loses: sender
other=$(echo one two | sed "s/ *$(answered guilty) *//")
sender=$(kprof lat 'force_sig*' by=caller --csv -- /bin/sh -c "./$other; true" 2>/dev/null |
	sed -n '2s/,.*//p')
answer sender "${sender:-none}"
