// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_tally.c - adding up records, those too that were made to take long
 */
#include <stdlib.h>

#include "data/regions.h"
#include "data/tally.h"
#include "unit.h"

enum { TIMER = 1, REGIONS, NR_SOURCES };

#define NR	4096	/* regions, one after the other, with a sample in each */

static const uint32_t call_info = KPROF_REC_CALL << KPROF_INFO_KIND_SHIFT;

static void make_names(struct buf *latency)
{
	uint32_t i;

	buf_printf(latency, "target\tcontext\trow\n");
	for (i = 1; i <= NR; i++)
		buf_printf(latency, REGIONS_SOURCE "\tregion=\"r%u\"\t%u\n", i, KPROF_ID_FIRST + i);
}

/* Each region's number grows as the upper half of its sample's key shrinks. */
static void make_records(struct kprof_record *rec)
{
	uint32_t i;

	for (i = 1; i <= NR; i++) {
		struct kprof_row row = {
			.info = KPROF_REC_ROW << KPROF_INFO_KIND_SHIFT, .row = KPROF_ID_FIRST + i,
		};

		*rec++ = (struct kprof_record){
			.time = 10 * i + 5, .pid = 7, .weight = 1,
			.key = ((uint64_t)TIMER << KPROF_SOURCE_SHIFT) + ((uint64_t)(NR - i) << 32),
		};
		*rec++ = (struct kprof_record){
			.time = 10 * i + 9, .pid = 7, .weight = 9, .info = call_info,
			.key = (uint64_t)REGIONS << KPROF_SOURCE_SHIFT,
		};
		memcpy(rec++, &row, sizeof(row));
	}
}

/* The longest row of slots in use: so many may have to be looked at to find a key. */
static uint32_t longest(const struct hash *table)
{
	uint32_t i, now = 0, most = 0;

	for (i = 0; i <= table->mask; i++) {
		now = table->slot[i] == HASH_FREE ? 0 : now + 1;
		most = now > most ? now : most;
	}
	return most;
}

/* Whoever makes a recording chooses its keys and its regions. */
static void test_collisions(void)
{
	struct data_source source[NR_SOURCES] = {
		[TIMER] = { .name = "timer" },
		[REGIONS] = { .name = REGIONS_SOURCE, .is_target = true },
	};
	struct kprof_record *rec = calloc(3 * NR, sizeof(*rec));
	struct data_chunk chunk = { .rec = rec, .nr = 3 * NR };
	struct data d = {
		.chunk = &chunk, .nr_chunks = 1, .nr_records = 3 * NR,
		.source = source, .nr_sources = NR_SOURCES,
	};
	struct tally_query query = { .context = TALLY_ANY, .by_region = true, .source = "timer" };
	struct tally t;

	hash_secret[0] = 0x0123456789abcdefull;
	hash_secret[1] = 0xfedcba9876543210ull;
	make_names(&d.text[DATA_LATENCY]);
	make_records(rec);
	CHECK_INT(regions_open(&d, "made"), 0);
	CHECK_INT(regions_unknown(&d), 0);
	CHECK_INT(tally_make(&t, &d, &query), 0);
	CHECK_INT(t.nr, NR);
	CHECK_INT(t.row[NR - 1].region, NR);
	CHECK(longest(&t.table) < NR / 8);
	tally_free(&t);
	regions_close(&d);
	buf_free(&d.text[DATA_LATENCY]);
	free(rec);
}

static const struct unit_test tests[] = {
	{ "regions and keys that cancel each other are spread", test_collisions },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
