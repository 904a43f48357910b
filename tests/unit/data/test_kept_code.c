// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_kept_code.c - the code that a recording has kept: found, repeated, damaged
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/kept_code.h"
#include "unit.h"

#define ZEROS	"0000000000000000000000000000000000000000000000000000000000000000"
#define FIRST	"1000 90c3" ZEROS "\n"	/* enough to be compressed */
#define SECOND	"2000 cccccc\n1000 0000\n3000 -\nno number\n"

/* Add a section; a damaged one should have a byte more than there is. */
static void add_section(struct data *d, const char *text, bool compressed, bool damaged)
{
	char path[] = "/tmp/kprof-kept.XXXXXX";
	struct data_writer w;
	struct data read;
	int fd = mkstemp(path);

	data_write_header(&w, fd);
	data_write(&w, DATA_BYTES, 0, text, strlen(text), compressed);
	data_write(&w, DATA_END, 0, NULL, 0, false);
	CHECK(!data_open(&read, path));
	CHECK(compressed == (((struct data_section *)read.code_sections.data)->flags == DATA_ZLIB));
	if (damaged)
		((struct data_section *)read.code_sections.data)->raw_size++;
	buf_add(&d->code_sections, read.code_sections.data, read.code_sections.len);
	data_close(&read);
	close(fd);
	unlink(path);
}

/* The bytes of the function at an address, in hexadecimal; "-" if it is not there. */
static const char *bytes_at(const struct kept_code *k, uint64_t addr)
{
	const struct kept_function *f = kept_code_find(k, addr);
	static char text[64];
	struct buf bytes = { 0 };
	size_t i;

	if (!f)
		return "-";
	kept_code_add(f, 2, &bytes);
	for (i = 0; i < bytes.len; i++)
		snprintf(text + 2 * i, 3, "%02x", (unsigned char)bytes.data[i]);
	buf_free(&bytes);
	return text;
}

static void test_sections(void)
{
	struct kept_code k = { 0 };
	struct data d = { 0 };

	add_section(&d, FIRST, true, false);
	add_section(&d, SECOND, false, false);
	CHECK_INT(kept_code_load(&d, "test"), 0);
	kept_code_open(&k, &d);
	CHECK_INT(k.nr, 2);
	CHECK_STR(bytes_at(&k, 0x1001), "90c3");
	CHECK_STR(bytes_at(&k, 0x1022), "-");
	CHECK_STR(bytes_at(&k, 0x2002), "cccc");
	CHECK_STR(bytes_at(&k, 0x3000), "-");
	kept_code_close(&k);
	data_close(&d);
}

static void test_damaged(void)
{
	struct data d = { 0 };

	add_section(&d, FIRST, true, false);
	add_section(&d, "2000 cc" ZEROS "\n", true, true);
	CHECK_INT(kept_code_load(&d, "test"), 1);
	data_close(&d);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "sections follow each other, the first of an address counts", test_sections },
		{ "what is damaged is an error", test_damaged },
		{ 0 }
	};

	return unit_run(tests);
}
