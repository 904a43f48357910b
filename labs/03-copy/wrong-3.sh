# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - the usual suspects: calls if it is faults, msync as in a well-known course
# loses: why sync
case $(answered why) in
calls) answer why faults ;;
*) answer why calls ;;
esac
case $(answered sync) in
address) answer sync right ;;
*) answer sync address ;;
esac
