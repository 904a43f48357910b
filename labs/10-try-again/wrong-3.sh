# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - a buffer that comes once is taken for a retry, and one that comes twice for none;
# errors are looked for under the number that the program gets, which the kernel's function
# knows nothing of
# loses: errors retries
answer retries $(($(answered errors) - $(answered retries)))
answer errors "$(awk '$2 == -4' blocks | wc -l)"
