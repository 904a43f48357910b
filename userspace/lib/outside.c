// SPDX-License-Identifier: GPL-2.0-only
/*
 * outside.c - where a list of keys is divided
 */
#include <string.h>

#include "lib/outside.h"

size_t outside_find(const char *text, const char *which)
{
	int depth = 0;
	size_t i;

	for (i = 0; text[i] && !strchr(" \t", text[i]); i++) {
		if (!depth && strchr(which, text[i]))
			return i;
		depth += (text[i] == '(') - (text[i] == ')');
	}
	return i;
}
