# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-1.sh - the program that dies in user mode is taken for the bad one
# loses: guilty
answer guilty "$(echo one two | sed "s/ *$(answered guilty) *//")"
