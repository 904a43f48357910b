// SPDX-License-Identifier: GPL-2.0-only
/*
 * gone_files.c - how many samples are in files that could not be opened
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/gone.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "record/gone_files.h"

#define IDS	(1u << KPROF_USTACK_BITS)
#define SAID	8	/* files that are named, with the reason */

/* An entry of a table that grows; NULL if there can be none with this id. */
static uint32_t *at(uint32_t **table, size_t *nr, size_t *room, uint32_t id)
{
	if (id >= IDS)
		return NULL;
	*table = mem_grow(*table, room, id + 1ul, sizeof(**table));
	while (*nr <= id)
		(*table)[(*nr)++] = 0;
	return *table + id;
}

void gone_files_stack(struct gone_files *g, const struct kprof_stack *stack)
{
	uint32_t *file;

	if (!(stack->flags & KPROF_STACK_USER) || !stack->nr)
		return;
	file = at(&g->file, &g->nr_file, &g->file_room, stack->id);
	if (file)
		*file = KPROF_USER_FILE(stack->ip[0]);
}

void gone_files_records(struct gone_files *g, const struct kprof_record *rec, size_t nr)
{
	for (; nr--; rec++) {
		uint32_t id = KPROF_KEY_USTACK(rec->key);

		if (KPROF_INFO_KIND(rec->info) == KPROF_REC_SAMPLE && id >= KPROF_ID_FIRST)
			++*at(&g->samples, &g->nr_samples, &g->samples_room, id);
	}
}

/* Say of each of the first files why it could not be opened, if it is still there. */
static bool say_why(const struct user_file *file, uint64_t samples, size_t *said)
{
	const char *why = user_file_why(file);

	if (!why || *said == SAID)
		return false;
	++*said;
	msg_warn("cannot open %s: %s: %" PRIu64 " sample%s in it %s without names of functions",
		 file->path, why, samples, plural(samples), plural_are(samples));
	return true;
}

void gone_files_write(const struct gone_files *g, const struct user_files *files,
		      struct data_writer *out)
{
	uint64_t *of_file = mem_zalloc(files->nr + 1, sizeof(*of_file)), samples = 0;
	struct buf meta = { 0 };
	size_t id, nr = 0, said = 0, listed = 0;

	for (id = 0; id < g->nr_samples && id < g->nr_file; id++)
		if (user_files_is_gone(files, g->file[id]))
			of_file[g->file[id]] += g->samples[id];
	for (id = 0; id < files->nr; id++) {
		if (!of_file[id])
			continue;
		buf_printf(&meta, "%s%zu", listed++ ? " " : GONE_META ": ", id);
		if (say_why(&files->file[id], of_file[id], &said))
			continue;
		nr++;
		samples += of_file[id];
	}
	if (listed) {
		buf_printf(&meta, "\n");
		data_write(out, DATA_META, 0, meta.data, meta.len, true);
	}
	if (nr)
		msg_warn("%" PRIu64 " sample%s %s in %zu file%s that %s gone before %s could be "
			 "opened: functions there have no names", samples, plural(samples),
			 plural_are(samples), nr, plural(nr), nr == 1 ? "was" : "were",
			 nr == 1 ? "it" : "they");
	buf_free(&meta);
	free(of_file);
}

void gone_files_free(struct gone_files *g)
{
	free(g->samples);
	free(g->file);
}
