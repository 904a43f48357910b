// SPDX-License-Identifier: GPL-2.0-only
/*
 * gone.c - samples in files of programs that could not be opened
 *
 * They were gone before kprof record got to them: the functions in them have no names.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "data/gone.h"
#include "lib/mem.h"
#include "lib/number.h"

#define FILES	(KPROF_USER_FILE_MAX + 1)

/* Mark the files of a list of numbers. Returns false if there are none. */
static bool parse(const char *list, bool *is_gone)
{
	bool some = false;
	uint64_t id;

	while (number_take(&list, NUMBER_DECIMAL, &id)) {
		if (id < FILES) {
			is_gone[id] = true;
			some = true;
		}
		if (*list == ' ')
			list++;
	}
	return some;
}

/* The file that the innermost user function of a sample is in; 0: none. */
static uint32_t file_of(const struct data *d, const struct kprof_record *rec)
{
	uint32_t id = KPROF_KEY_USTACK(rec->key);

	if (KPROF_INFO_KIND(rec->info) != KPROF_REC_SAMPLE || id >= d->nr_stacks ||
	    !d->stack[id] || !d->stack[id]->nr)
		return 0;
	return KPROF_USER_FILE(d->stack[id]->ip[0]);
}

uint64_t gone_samples(const struct data *d)
{
	bool *is_gone = mem_zalloc(FILES, sizeof(*is_gone));
	char *list = data_meta(d, GONE_META);
	uint64_t samples = 0;
	size_t chunk, i;

	if (parse(list, is_gone))
		for (chunk = 0; chunk < d->nr_chunks; chunk++)
			for (i = 0; i < d->chunk[chunk].nr; i++)
				samples += is_gone[file_of(d, &d->chunk[chunk].rec[i])];
	free(list);
	free(is_gone);
	return samples;
}
