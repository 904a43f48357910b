# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - objects are counted where slabs are asked for, and the other way round
# loses: slabs objects
objects=$(answered objects)
answer objects "$(answered slabs)"
answer slabs "$objects"
