# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - the fast boot is taken for the one that has it
# loses: boot
case $(answered boot) in
1) answer boot 2 ;;
*) answer boot 1 ;;
esac
