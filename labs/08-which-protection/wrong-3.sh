# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# wrong-3.sh - what the distribution has by default is named, or, where it is that, another one
# loses: call protection function
case $(answered protection) in
hardened_usercopy) answer protection init_on_free; answer call lab_cedar; answer function memset ;;
*) answer protection hardened_usercopy; answer call lab_birch; answer function __check_object_size ;;
esac
