// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_json_read.c - reading JSON
 */
#include <stdlib.h>

#include "lib/json_read.h"
#include "lib/mem.h"
#include "unit.h"

/* On the heap, where the sanitizer sees what is read behind the end. */
static int read_text(struct json_tree *t, const char *text, char **copy, char error[256])
{
	size_t len = strlen(text) + 1;

	*copy = memcpy(mem_zalloc(len, 1), text, len);
	return json_tree_read(t, *copy, error);
}

static void test_values(void)
{
	static const char values[] =
		" {\"a\": [1, 2.5,\n3, [], {\"x\": null}], \"b\": \"text\",\"n\":18446744073709551615, "
		"\"a\": 7, \"o\": {\"p\": {\"q\": \"deep\"}}, \"t\": true, \"m\": -1 } ";
	struct json_tree t = { .nr = 0 };
	char error[256], *copy;
	const struct json_value *v, *list;
	uint64_t number;
	int i;

	CHECK_INT(read_text(&t, values, &copy, error), 0);
	v = t.value;
	CHECK_INT(v->nr, 7);
	list = json_get(v, "a");
	CHECK_INT(list->type, JSON_ARRAY);
	CHECK_INT(list->nr, 5);
	for (i = 0, v = NULL; (v = json_next(list, v)) != NULL; i++)
		CHECK_INT(v->type, i < 3 ? JSON_NUMBER : i == 3 ? JSON_ARRAY : JSON_OBJECT);
	CHECK_INT(i, 5);
	v = t.value;
	CHECK_STR(json_get_text(v, "b"), "text");
	CHECK_STR(json_get_text(json_get(json_get(v, "o"), "p"), "q"), "deep");
	CHECK(json_get_u64(v, "n", &number) && number == UINT64_MAX);
	CHECK(!json_get_u64(v, "m", &number) && !json_get_u64(v, "b", &number));
	CHECK(!json_get_text(v, "n") && !json_get_text(v, "none"));
	CHECK(!json_get_text(json_get(json_get(v, "none"), "p"), "q"));
	CHECK(!json_get(list, "x"));
	json_tree_free(&t);
	free(copy);
}

static void check_text(const char *json, const char *expected)
{
	struct json_tree t = { .nr = 0 };
	char error[256] = "", *copy;

	CHECK_INT(read_text(&t, json, &copy, error), 0);
	CHECK_STR(t.nr ? t.value->text : error, expected);
	json_tree_free(&t);
	free(copy);
}

static void test_texts(void)
{
	check_text("\"\"", "");
	check_text("\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "a\"\\/\b\f\n\r\tz");
	check_text("\"\\u0041\\u00e4\\u20ac\\ud83d\\ude00\"", "A\u00e4\u20ac\U0001f600");
}

static void check_bad(const char *json, const char *why)
{
	struct json_tree t = { .nr = 0 };
	char error[256] = "", *copy;

	CHECK_INT(read_text(&t, json, &copy, error), -1);
	CHECK_STR(error, why);
	json_tree_free(&t);
	free(copy);
}

static void test_bad(void)
{
	static const struct { const char *json, *why; } bad[] = {
		{ "", "line 1: no value" },
		{ "\n{", "line 2: no name of a member" },
		{ "[1 2]", "line 1: no comma between two values" },
		{ "[1", "line 1: no comma between two values" },
		{ "{\"a\" 1}", "line 1: no colon behind a name" },
		{ "{\"a\":}", "line 1: no value" },
		{ "\"a", "line 1: a text without an end" },
		{ "\"a\n\"", "line 1: a text without an end" },
		{ "\"\\", "line 1: an unknown escape in a text" },
		{ "\"\\x\"", "line 1: an unknown escape in a text" },
		{ "\"\\u12\"", "line 1: \\u without four digits" },
		{ "\"\\u", "line 1: \\u without four digits" },
		{ "\"\\u0000\"", "line 1: a NUL in a text" },
		{ "\"\\ud83d\"", "line 1: half a character" },
		{ "\"\\udc00\"", "line 1: half a character" },
		{ "\"\\ud83d\\u0041\"", "line 1: half a character" },
		{ "1 1", "line 1: something behind the end" },
		{ "nul", "line 1: no value" },
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		check_bad(bad[i].json, bad[i].why);
}

/* "[1,1,...": many values are refused before the end of the text, which has none. */
static void test_many(void)
{
	size_t nr, len;

	for (nr = JSON_READ_VALUES - 1; nr <= JSON_READ_VALUES; nr++) {
		struct json_tree t = { .nr = 0 };
		char *text = mem_zalloc(2 * nr + 2, 1), error[256] = "";

		text[0] = '[';
		for (len = 1; len <= 2 * nr; len += 2) {
			text[len] = '1';
			text[len + 1] = ',';
		}
		text[len - 1] = ']';
		CHECK_INT(json_tree_read(&t, text, error), nr < JSON_READ_VALUES ? 0 : -1);
		CHECK_STR(error, nr < JSON_READ_VALUES ? "" : "line 1: more values than 4194304");
		json_tree_free(&t);
		free(text);
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "values", test_values },
		{ "texts", test_texts },
		{ "what is no JSON", test_bad },
		{ "a number of values", test_many },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
