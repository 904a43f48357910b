# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - threads for processes, and processes for threads
# loses: kind function
case $(answered kind) in
threads) answer kind processes; answer function dup_mm ;;
*) answer kind threads; answer function dup_task_struct ;;
esac
