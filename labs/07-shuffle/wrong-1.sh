# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - a call's price is taken for a slab's, and where there is none, the call's length
# loses: price
price=$(answered price)
[ "$price" -gt 50 ] || price=$(kprof lat slabs:lab_amber -a -d 1 --csv | awk -F , 'NR == 2 { print $8 }')
answer price $((price * $(answered slabs)))
