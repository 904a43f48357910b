# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - the price of a call, not of an object; where there is none, the whole call
# loses: price
price=$(answered price)
[ "$price" -gt 8 ] || price=$(awk -F , '$1 == "guards:lab_amber" { print $8 }' second.csv)
answer price $((price * 48))
