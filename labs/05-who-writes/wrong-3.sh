# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - an offset in bytes is taken for a sector, and all requests for the places
# loses: first repeat
answer first $(($(answered first) * 512))
answer repeat "$(awk '{ n += $3 } END { print n }' requests)"
