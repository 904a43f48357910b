// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_inlined.c - what a recording says was inlined into user code
 */
#include <string.h>

#include "symbols/inlined.h"
#include "unit.h"

static int parse(struct inlined *in, const char *lines)
{
	struct buf text = { 0 };

	*in = (struct inlined){ 0 };
	buf_add(&text, lines, strlen(lines));
	return inlined_parse(in, &text);
}

static void test_order(void)
{
	const struct inlined_frame *frame;
	struct inlined in;
	size_t nr;

	CHECK_INT(parse(&in, "20 7\t/usr/b.c\tinner\n20 9\t\touter\n20 0\t\t\n10 3\tc.c\t\n"), 0);
	frame = inlined_find(&in, 0x20, &nr);
	CHECK_INT(nr, 3);
	CHECK_STR(frame[0].name, "inner");
	CHECK_STR(frame[0].file, "/usr/b.c");
	CHECK_INT(frame[0].line, 7);
	CHECK_STR(frame[1].name, "outer");
	CHECK(!frame[1].file);
	CHECK_STR(frame[2].name, "");
	frame = inlined_find(&in, 0x10, &nr);
	CHECK_INT(nr, 1);
	CHECK_INT(frame->line, 3);
	CHECK(!inlined_find(&in, 0x11, &nr));
	CHECK_INT(nr, 0);
	CHECK(!inlined_find(&in, 0x21, &nr));
	inlined_free(&in);
	CHECK_INT(parse(&in, ""), 0);
	CHECK(!inlined_find(&in, 0, &nr));
	inlined_free(&in);
}

static void test_damaged(void)
{
	static const char *const texts[] = {
		"x 1\t\t\n", "1\t\t\n", "1 \t\t\n", "1 1\t\n", "1 1x\t\t\n", "1 4294967296\t\t\n",
		"\n", "1 1\tfile", "1 -1\t\t\n",
	};
	struct inlined in;
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		CHECK_INT(parse(&in, texts[i]), -1);
		inlined_free(&in);
	}
}

static void add_levels(struct buf *text, int nr)
{
	while (nr--)
		buf_printf(text, "5 1\t\tf\n6 1\t\tf\n");
}

/* As many functions at each place as there may be; and one more at one of them. */
static void test_depth(void)
{
	struct buf text = { 0 };
	struct inlined in = { 0 };
	size_t nr;

	add_levels(&text, INLINED_DEPTH + 1);
	CHECK_INT(inlined_parse(&in, &text), 0);
	inlined_find(&in, 6, &nr);
	CHECK_INT(nr, INLINED_DEPTH + 1);
	inlined_free(&in);
	add_levels(&text, INLINED_DEPTH + 1);
	buf_printf(&text, "6 1\t\tf\n");
	CHECK_INT(inlined_parse(&in, &text), -1);
	inlined_free(&in);
}

static void test_print(void)
{
	struct buf text = { 0 };

	inlined_print(&text, &(struct inlined_frame){ 0x1f, "a\tb\nc", "d\te\n", 4294967295u });
	inlined_print(&text, &(struct inlined_frame){ 1, "", NULL, 0 });
	CHECK_STR(text.data, "1f 4294967295\td?e?\ta?b?c\n1 0\t\t\n");
	buf_free(&text);
}

static const struct unit_test tests[] = {
	{ "a place has its functions, in their order", test_order },
	{ "malformed lines are refused", test_damaged },
	{ "a place is in no more functions than may be", test_depth },
	{ "what would end a field is replaced", test_print },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
