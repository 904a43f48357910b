# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# first.sh - what is measured in the first boot
kprof lat 'guards:lab_*' -a -d 3 --csv >first.csv
kprof lat shuffle_pick_tail -a -d 2 --csv >first-tail.csv
