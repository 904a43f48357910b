// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_text.c - texts and numbers in and out: escaped, JSON, CSV; sets of texts; inputs
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "lib/csv.h"
#include "lib/escape.h"
#include "lib/input.h"
#include "lib/json.h"
#include "lib/strtab.h"
#include "unit.h"

static void check_escaped(const char *text, size_t len, const char *expected)
{
	struct buf out = { 0 };

	escape_add(&out, text, len);
	CHECK_STR(out.data, expected);
	CHECK(escape_is_plain_text(out.data, out.len));
	CHECK_INT(escape_is_plain_text(text, len), !strcmp(text, expected) && strlen(text) == len);
	buf_free(&out);
}

static void test_escape(void)
{
	check_escaped("", 0, "");
	check_escaped("plain ~!", 8, "plain ~!");
	check_escaped("more than eight bytes of it", 27, "more than eight bytes of it");
	check_escaped("a\033[2Jb\r\n\tc\177", 11, "a\\x1b[2Jb\\x0d\\x0a\\x09c\\x7f");
	check_escaped("nul\0in it", 9, "nul\\x00in it");
	check_escaped("\u00fc\u20ac\U0001f525", 9, "\u00fc\u20ac\U0001f525");
	/* A control character of Latin-1, directions of writing, what is no character. */
	check_escaped("\xc2\x9b\u202e\u2067\u200f", 11, "\\u009b\\u202e\\u2067\\u200f");
	check_escaped("\xff\xc0\x80\xed\xa0\x80", 6, "\\xff\\xc0\\x80\\xed\\xa0\\x80");
	check_escaped("\xe2\x82", 2, "\\xe2\\x82");
	check_escaped("\U000e0041", 4, "\\U000e0041");
}

static char *json_of(void (*make)(struct json *j))
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct json j = json_begin(out);

	make(&j);
	json_end(&j);
	fclose(out);
	return text;
}

static void make_object(struct json *j)
{
	json_object(j, NULL, JSON_LINES);
	json_text(j, "utf8", "\u00fc\U0001f525");
	json_text(j, "evil", "\"\\\n\033\u202e\xff\U000e0041");
	json_text_or_number(j, "freq", "99");
	json_text_or_number(j, "not", "0x99");
	json_text_or_number(j, "long", "12345678901234567890");
	json_number(j, "real", 1.5, 2);
	json_number(j, "nan", NAN, 2);
	json_bool(j, "yes", true);
	json_null(j, "none");
	json_array(j, "list", JSON_LINE);
	json_u64(j, NULL, 1);
	json_u64(j, NULL, UINT64_MAX);
	json_close(j);
	json_array(j, "rows", JSON_LINES);
	json_object(j, NULL, JSON_LINE);
	json_text(j, "a", NULL);
	json_close(j);
	json_object(j, NULL, JSON_LINE);
}

static void test_json(void)
{
	char *text = json_of(make_object);

	CHECK_STR(text,
		  "{\n  \"utf8\": \"\u00fc\U0001f525\",\n"
		  "  \"evil\": \"\\\"\\\\\\u000a\\u001b\\u202e\\ufffd\\udb40\\udc41\",\n"
		  "  \"freq\": 99,\n  \"not\": \"0x99\",\n  \"long\": \"12345678901234567890\",\n"
		  "  \"real\": 1.50,\n  \"nan\": null,\n  \"yes\": true,\n  \"none\": null,\n"
		  "  \"list\": [1, 18446744073709551615],\n"
		  "  \"rows\": [\n    {\"a\": null},\n    {}\n  ]\n}\n");
	free(text);
}

static void test_csv(void)
{
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	struct csv c = csv_begin(out, NULL);

	csv_text(&c, "a \"b\", c");
	csv_text(&c, "line\nend");
	csv_empty(&c);
	csv_u64(&c, 7);
	csv_number(&c, 0.25, 1);
	csv_textf(&c, "%s;%d", "x", 1);
	csv_end_line(&c);
	c = csv_begin(out, ";");
	csv_text(&c, "a,b");
	csv_text(&c, "a;b");
	csv_end_line(&c);
	fclose(out);
	CHECK_STR(text, "\"a \"\"b\"\", c\",line\\x0aend,,7,0.2,x;1\na,b;\"a;b\"\n");
	free(text);
}

static void test_names(void)
{
	struct strtab n = { 0 };
	char text[32];
	int i, round;

	CHECK_INT(strtab_find(&n, "a", 1), STRTAB_NONE);
	for (round = 0; round < 2; round++)
		for (i = 0; i < 5000; i++)
			CHECK_INT(strtab_add(&n, text,
					     snprintf(text, sizeof(text), "name%d", i)), i);
	CHECK_INT(n.nr, 5000);
	CHECK_INT(strtab_find(&n, "name4999", 8), 4999);
	CHECK_INT(strtab_find(&n, "name4999", 7), 499);
	strtab_free(&n);
}

/* What is given to read(), whole, by @step bytes at a time. */
static void check_input(const char *bytes, size_t len, const char *expected, size_t step)
{
	int fd = memfd_create("input", 0), old = dup(STDIN_FILENO);
	struct buf text = { 0 };
	struct input in;
	ssize_t got = 1;

	CHECK(write(fd, bytes, len) == (ssize_t)len);
	lseek(fd, 0, SEEK_SET);
	dup2(fd, STDIN_FILENO);
	CHECK(!input_open(&in, "-"));
	CHECK(input_begins(&in, expected, 4));
	CHECK(!input_begins(&in, "none", 4));
	while (got > 0) {
		buf_reserve(&text, step);
		got = input_read(&in, text.data + text.len, step);
		text.len += got > 0 ? got : 0;
	}
	CHECK_INT(got, 0);
	CHECK_INT(input_read(&in, text.data, 0), 0);
	CHECK(text.len == strlen(expected) && !memcmp(text.data, expected, text.len));
	input_close(&in);
	buf_free(&text);
	dup2(old, STDIN_FILENO);
	close(old);
	close(fd);
}

static void test_input(void)
{
	static const char words[] = "some words that are longer than what can be looked at";
	unsigned char packed[256];
	z_stream z = { 0 };

	check_input(words, strlen(words), words, 1);
	check_input(words, strlen(words), words, 1000);
	deflateInit2(&z, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
	z.next_in = (unsigned char *)words;
	z.avail_in = strlen(words);
	z.next_out = packed;
	z.avail_out = sizeof(packed);
	CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
	check_input((char *)packed, z.total_out, words, 1);
	check_input((char *)packed, z.total_out, words, 1000);
	deflateEnd(&z);
}

static const struct unit_test tests[] = {
	{ "what must not be shown is escaped", test_escape },
	{ "JSON: UTF-8, numbers, layout", test_json },
	{ "CSV: quotation marks, separators", test_csv },
	{ "each name has its number", test_names },
	{ "an input, plain and compressed, by pieces", test_input },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
