# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-2.sh - it says shuffle, so it is the shuffle, unless it is; and the other cache
# loses: which cause
case $(answered cause) in
shuffle) answer cause constructor ;;
*) answer cause shuffle ;;
esac
case $(answered which) in
lab_amber) answer which lab_birch ;;
*) answer which lab_amber ;;
esac
