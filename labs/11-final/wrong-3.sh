# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - the usual suspects: the disk, or where that is right, the CPU
# loses: resource source cause
case $(answered resource) in
disk) answer resource cpu; answer source stat; answer cause 1 ;;
*) answer resource disk; answer source diskstats; answer cause 5 ;;
esac
