# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - the outermost function that fails is named, not the innermost
# loses: function
answer function bprm_execve
