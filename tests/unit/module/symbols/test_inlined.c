// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_inlined.c - places of inlined functions are those of the index, and whatever in an index
 * is damaged or makes no sense is refused, and breaks nothing
 */
#include <stdlib.h>

#include "unit.h"
#include "symbols/inlined.c"

#define FLIPS	30000
#define ROOM	4096

/* An index in the making; the next part begins where the last one ends. */
static union {
	struct kprof_index_header header;
	u8 byte[ROOM];
} made __attribute__((aligned(8)));

static const char strings[] = "\0forty\0once\0zero\0.text\0host\0other";

enum { FORTY = 1, ONCE = 7, ZERO = 12, TEXT = 17, HOST = 23, OTHER = 28 };

static void add_part(u32 id, const void *data, u32 size)
{
	struct kprof_index_part *part = &made.header.part[id];

	part->offset = made.header.size;
	part->size = size;
	memcpy(made.byte + part->offset, data, size);
	made.header.size += (size + 7) & ~7U;
}

static void seal(void)
{
	made.header.crc = 0;
	made.header.crc = ~crc32_le(~0U, made.byte, made.header.size);
}

/*
 * "once" is inlined into "other" at 4; "forty" into "host" at 8 and, inside of "once", which has
 * no entry there, at 20, and into "other" at 6; "zero" nowhere. What is left, and where: see
 * @exits.
 */
static void make(void)
{
	static const u32 files[] = { 0 };
	static const struct kprof_index_name names[] = { { FORTY, 0 }, { ONCE, 3 }, { ZERO, 5 } };
	static const struct kprof_index_section sections[] = { { 0, 400, TEXT } };
	static const struct kprof_index_host hosts[] = {
		{ 16, 64, HOST, 0, KPROF_INDEX_NONE }, { 100, 50, OTHER, 26, KPROF_INDEX_NONE },
	};
	static const u8 places[] = { 2, 0, 1, 1, 1, 0 };
	/*
	 * "forty" in "host" is left at 12, and for "other" at 10 of that, where one comes
	 * otherwise, too; in "other" for "host" at 30.
	 */
	static const u8 inlines[48] = {
		3,
		0, 0, 3, 8, (0 + 1) << 3 | 1, 0, 1, 8, 4,
		0, 1, 2, 0, 2, 16, 8,
		1, 0, 3, 20, 3, 0, 3, 20, 2,
		[26] = 2,
		0, 1, 3, 4, 1, 0, 4, 4, 8,
		1, 0, 3, 6, (4 + 1) << 3 | 5, 0, 5, 6, 2,
	};
	static const u8 exits[] = { 2, 12 << 2, 0xf9, 0x02, 1, 0xd6, 0x01 };

	memset(&made, 0, sizeof(made));
	made.header = (struct kprof_index_header) {
		.magic = KPROF_INDEX_MAGIC, .version = KPROF_INDEX_VERSION,
		.size = sizeof(made.header), .build_id_size = 20, .owner = "vmlinux",
	};
	add_part(KPROF_INDEX_STRINGS, strings, sizeof(strings));
	add_part(KPROF_INDEX_FILES, files, sizeof(files));
	add_part(KPROF_INDEX_NAMES, names, sizeof(names));
	add_part(KPROF_INDEX_SECTIONS, sections, sizeof(sections));
	add_part(KPROF_INDEX_HOSTS, hosts, sizeof(hosts));
	add_part(KPROF_INDEX_PLACES, places, sizeof(places));
	add_part(KPROF_INDEX_INLINES, inlines, sizeof(inlines));
	add_part(KPROF_INDEX_LINES, "", 0);
	add_part(KPROF_INDEX_EXITS, exits, sizeof(exits));
	seal();
}

static char seen[256];

static int note(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		void *data)
{
	u32 *nr = data;

	if (++*nr < 8)
		snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%.16s+%u ",
			 object->string + place->host->name, place->entry);
	return 0;
}

static const char *places_of(const struct kprof_inlined *object, const char *name, int expected)
{
	u32 nr = 0;

	*seen = '\0';
	CHECK_INT(kprof_inlined_each(object, name, note, &nr), expected);
	return seen;
}

static void test_places(void)
{
	struct kprof_inlined object;
	const char *why;

	make();
	CHECK_INT(kprof_inlined_check(&object, &made, made.header.size, &why), 0);
	CHECK_STR(places_of(&object, "forty", 0), "host+8 host+20 other+6 ");
	CHECK_STR(places_of(&object, "once", 0), "other+4 ");
	CHECK_STR(places_of(&object, "zero", -ENOENT), "");
	CHECK_STR(places_of(&object, "none", -ENOENT), "");
	CHECK_STR(places_of(&object, "", -ENOENT), "");
	CHECK(kprof_inlined_host(&object, "other") == &object.host[1]);
	CHECK(!kprof_inlined_host(&object, "forty"));
	CHECK(kprof_inlined_section(&object, &object.host[0]) == object.section);
}

static int note_exits(const struct kprof_inlined *object, const struct kprof_inlined_place *place,
		      void *data)
{
	struct kprof_inlined_exit exit[KPROF_INLINED_EXITS];
	u32 nr = kprof_inlined_exits(object, place, exit), i;

	CHECK(!data && nr <= KPROF_INLINED_EXITS);
	for (i = 0; i < nr; i++) {
		CHECK(exit[i].at < exit[i].host->size);
		if (strlen(seen) < sizeof(seen) / 2)
			snprintf(seen + strlen(seen), sizeof(seen) - strlen(seen), "%.16s+%u%s ",
				 object->string + exit[i].host->name, exit[i].at,
				 exit[i].is_shared ? "s" : "");
	}
	strncat(seen, place->seen & KPROF_INDEX_DOUBTFUL ? "? " :
		      place->seen & KPROF_INDEX_BYPASSED ? "~ " : "; ", 3);
	return strlen(seen) > sizeof(seen) / 2;
}

static void test_exits(void)
{
	struct kprof_inlined object;
	const char *why;

	make();
	CHECK_INT(kprof_inlined_check(&object, &made, made.header.size, &why), 0);
	*seen = '\0';
	CHECK_INT(kprof_inlined_each(&object, "forty", note_exits, NULL), 0);
	CHECK_STR(seen, "host+12 other+10s ; ? host+30 ~ ");
}

static const char *refusal(size_t size)
{
	struct kprof_inlined object;
	const char *why = "";

	CHECK_INT(kprof_inlined_check(&object, &made, size, &why), -EINVAL);
	return why;
}

static void test_refusals(void)
{
	struct kprof_index_name *name;

	make();
	CHECK_STR(refusal(20), "cut off: too short for a header");
	CHECK_STR(refusal(made.header.size - 1), "cut off: shorter than its header says");
	made.byte[ROOM - 1] = 1;	/* behind it, which is another object's */
	made.byte[made.header.size - 1]++;
	CHECK_STR(refusal(ROOM), "damaged: the checksum is wrong");
	make();
	made.header.version++;
	CHECK_STR(refusal(ROOM), "of another version of the format; make it anew with `kprof index`");
	make();
	made.header.magic[0]++;
	CHECK_STR(refusal(ROOM), "not an index: it does not begin with KPROFIDX");
	make();
	made.header.part[KPROF_INDEX_HOSTS].size = ROOM;
	seal();
	CHECK_STR(refusal(ROOM), "damaged: what the header says cannot be");
	make();
	name = (void *)(made.byte + made.header.part[KPROF_INDEX_NAMES].offset);
	name->text = ZERO;
	seal();
	CHECK_STR(refusal(ROOM), "damaged: a table is out of order");
}

/* Whatever it finds it finds inside: the sanitizers look on. */
static void look_through(size_t size)
{
	static const char * const names[] = { "forty", "once", "zero", "", "host" };
	u32 entered = 0, i;
	struct kprof_inlined object;
	const char *why;

	if (kprof_inlined_check(&object, &made, size, &why))
		return;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		*seen = '\0';
		kprof_inlined_each(&object, names[i], note, &entered);
		*seen = '\0';
		kprof_inlined_each(&object, names[i], note_exits, NULL);
		kprof_inlined_host(&object, names[i]);
	}
	for (i = 0; i < object.nr_hosts; i++)
		kprof_inlined_section(&object, &object.host[i]);
	CHECK(entered < ROOM * ROOM);
}

/* Bits flipped anywhere, with the checksum made right again. */
static void test_garbage(void)
{
	u32 size, i, flips;

	srandom(17);
	for (i = 0; i < FLIPS; i++) {
		make();
		size = made.header.size;
		for (flips = 1 + random() % 4; flips; flips--)
			made.byte[8 + random() % (size - 8)] ^= 1 << random() % 8;
		made.header.version = KPROF_INDEX_VERSION;
		if (made.header.size > size || made.header.size < sizeof(made.header))
			made.header.size = size;
		seal();
		look_through(made.header.size);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "the places of a function", test_places },
		{ "where they are left", test_exits },
		{ "what is refused", test_refusals },
		{ "garbage", test_garbage },
		{ 0 }
	};

	return unit_run(tests);
}
