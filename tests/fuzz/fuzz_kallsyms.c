// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_kallsyms.c - kallsyms, the list of what cannot be probed, and a pattern, as list reads them
 *
 * Lines "%%" keep the three apart.
 */
#include <stdio.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_part part[3];
	char pattern[64];
	const char *args[] = { "--kallsyms", NULL, "--blacklist", NULL, NULL, NULL, NULL };

	fuzz_split(data, size, part, 3);
	args[1] = fuzz_file(0, part[0].data, part[0].size);
	args[3] = fuzz_file(1, part[1].data, part[1].size);
	snprintf(pattern, sizeof(pattern), "%.*s", (int)part[2].size, part[2].data);
	if (size % 3 == 1)
		args[4] = size & 1 ? "--modules" : "--blacklisted";
	if (*pattern && *pattern != '-')
		args[4 + !!args[4]] = pattern;
	fuzz_verb(&verb_list, FUZZ_TEXT, size, args);
	return 0;
}
