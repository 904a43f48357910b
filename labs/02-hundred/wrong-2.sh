# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - all of them together
# loses: each
answer each "$(sed -n 2p calls.csv | tr -d '"' | sed 's/^[^=]*=0x//' | cut -d , -f 4)"
