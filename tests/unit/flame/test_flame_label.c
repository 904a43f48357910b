// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_flame_label.c - names become what XML can hold, whatever they are
 */
#include <stdlib.h>

#include "flame/flame.h"
#include "unit.h"

static void check_written(const char *text, bool ascii, const char *expected)
{
	char *got;
	size_t len;
	FILE *out = open_memstream(&got, &len);

	flame_text_write(text, ascii, out);
	fclose(out);
	CHECK_STR(got, expected);
	free(got);
}

static void test_escape(void)
{
	check_written("a<b>&\"c'", false, "a&lt;b&gt;&amp;&quot;c'");
	check_written("\001\033\t\n\177", false, "\ufffd\ufffd \ufffd\ufffd");
	check_written("", false, "");
}

static void test_utf8(void)
{
	check_written("\u00fc\u20ac\U0001f525", false, "\u00fc\u20ac\U0001f525");
	check_written("\u00fc\u20ac\U0001f525", true, "&#xfc;&#x20ac;&#x1f525;");
	check_written("\u07ff\u0800\uffdc\U00010000\U0010fffd", false,
		      "\u07ff\u0800\uffdc\U00010000\U0010fffd");
}

/* Cut off, overlong, surrogate, beyond Unicode, not a character, a stray byte. */
static void test_no_utf8(void)
{
	check_written("\xc3", true, "&#xfffd;");
	check_written("\xe2\x82", true, "&#xfffd;&#xfffd;");
	check_written("\xc0\x80x", true, "&#xfffd;&#xfffd;x");
	check_written("\xed\xa0\x80", true, "&#xfffd;&#xfffd;&#xfffd;");
	check_written("\xf4\x90\x80\x80", true, "&#xfffd;&#xfffd;&#xfffd;&#xfffd;");
	check_written("\xef\xbf\xbf", true, "&#xfffd;");
	check_written("\xff\x80", true, "&#xfffd;&#xfffd;");
	check_written("\xc2\x85", true, "&#xfffd;");
	/* Right to left, and back. */
	check_written("a\u202eb\u2066", true, "a&#xfffd;b&#xfffd;");
}

static void test_annotation(void)
{
	struct flame_label label = { 0 };

	flame_label_set(&label, "read_[k]");
	CHECK_INT(label.annotation, 'k');
	CHECK_INT(label.nr, 8);
	flame_label_set(&label, "read_[x]");
	CHECK_INT(label.annotation, 0);
	flame_label_set(&label, "_[i]");
	CHECK_INT(label.annotation, 'i');
	flame_label_set(&label, "[k]");
	CHECK_INT(label.annotation, 0);
	free(label.c);
}

static const struct unit_test tests[] = {
	{ "what XML gives a meaning", test_escape },
	{ "UTF-8", test_utf8 },
	{ "what is no UTF-8", test_no_utf8 },
	{ "annotations", test_annotation },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
