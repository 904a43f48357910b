// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_checker.c - the labs' checker: what a token decides, answers, seals, predicates
 */
#include <math.h>

#include "unit.h"

#include "../../../labs/lib/answers.c"
#include "../../../labs/lib/truth.c"

/* The first lines of the reference's test vectors: key 00 to 0f, data 00, 01, ... */
static void test_hash(void)
{
	const u64 key0 = 0x0706050403020100, key1 = 0x0f0e0d0c0b0a0908;
	u8 data[15];
	size_t i;

	for (i = 0; i < sizeof(data); i++)
		data[i] = i;
	CHECK_INT(derive_hash(key0, key1, data, 0), 0x726fdb47dd0e0e31);
	CHECK_INT(derive_hash(key0, key1, data, 8), 0x93f5f5799a932462);
	CHECK_INT(derive_hash(key0, key1, data, 15), 0xa129ca6149be45e5);
}

/* Every value of a range comes, none outside of it, and names are independent. */
static void test_range(void)
{
	int seen[5] = { 0 }, same = 0;
	u64 token;
	u32 value;

	for (token = 1; token <= 1000; token++) {
		value = derive_range(token, "value", 10, 50, 10);
		CHECK(value >= 10 && value <= 50 && value % 10 == 0);
		if (value >= 10 && value <= 50)
			seen[value / 10 - 1]++;
		same += value == derive_range(token, "other", 10, 50, 10);
	}
	for (value = 0; value < 5; value++)
		CHECK(seen[value] > 140 && seen[value] < 260);
	CHECK(same > 140 && same < 260);
}

static void test_answers(void)
{
	struct answers a;
	int line;

	CHECK_INT(answers_parse(&a, "# x\n\n one = 1\t\ntwo=a b=c\r\none=2\nempty=\n", &line), 0);
	CHECK_INT(a.nr, 3);
	CHECK_STR(answers_get(&a, "one"), "2");
	CHECK_STR(answers_get(&a, "two"), "a b=c");
	CHECK(!answers_get(&a, "empty"));
	CHECK(!answers_get(&a, "three"));

	CHECK_INT(answers_parse(&a, "\xef\xbb\xbf# x\r\none=1\r\n", &line), 0);
	CHECK_STR(answers_get(&a, "one"), "1");
	CHECK_INT(answers_parse(&a, "\xef\xbb\xbfone=1\n", &line), 0);
	CHECK_STR(answers_get(&a, "one"), "1");

	CHECK_INT(answers_parse(&a, "One=1\nTWO=2\ntwo=3\nGuess.one=4\n", &line), 0);
	CHECK_INT(a.nr, 3);
	CHECK_STR(answers_get(&a, "one"), "1");
	CHECK_STR(answers_get(&a, "Two"), "3");
	CHECK_STR(answers_get(&a, "guess.one"), "4");

	CHECK(answers_parse(&a, "one=1\ntwo\n", &line));
	CHECK_INT(line, 2);
	CHECK(answers_parse(&a, "=1", &line));
}

/* What does not fit is refused, not cut off. */
static void test_long_answers(void)
{
	static char text[100 * ANSWERS_LENGTH];
	struct answers a;
	int line, i, len = 0;

	memset(text, 'x', 2 * ANSWERS_LENGTH);
	memcpy(text, "one=", 4);
	CHECK(answers_parse(&a, text, &line));
	text[4 + ANSWERS_LENGTH] = '\0';
	CHECK(answers_parse(&a, text, &line));
	text[4 + ANSWERS_LENGTH - 1] = '\0';
	CHECK_INT(answers_parse(&a, text, &line), 0);

	for (i = 0; i <= ANSWERS_MAX; i++)
		len += sprintf(text + len, "key%d=1\n", i);
	CHECK(answers_parse(&a, text, &line));
	CHECK_INT(line, ANSWERS_MAX + 1);
}

static void test_seal(void)
{
	const char *text = "guess.one=1\none=2\nguess.two=x\n", *missing;
	struct answers a;
	char sealed[256];
	int line;

	answers_parse(&a, text, &line);
	CHECK_INT(answers_seal(&a, 42, sealed, sizeof(sealed), &missing), 0);
	CHECK(!strncmp(sealed, "guess.one=1\nguess.two=x\nseal=", 29));
	CHECK(answers_is_sealed(sealed, 42));
	CHECK(!answers_is_sealed(sealed, 43));
	sprintf(sealed + strlen(sealed), "guess.one=2\n");
	CHECK(!answers_is_sealed(sealed, 42));
	*strstr(sealed, "guess.one=2") = '\0';
	CHECK(answers_is_sealed(sealed, 42));
	sealed[10] = '2';
	CHECK(!answers_is_sealed(sealed, 42));
	CHECK(!answers_is_sealed("guess.one=1\n", 42));

	answers_parse(&a, "one=1\nGUESS.One=1\n", &line);
	CHECK_INT(answers_seal(&a, 42, sealed, sizeof(sealed), &missing), 0);
	CHECK(answers_is_sealed(sealed, 42));

	answers_parse(&a, "guess.one=1\nguess.two=\n", &line);
	CHECK(answers_seal(&a, 42, sealed, sizeof(sealed), &missing));
	CHECK_STR(missing, "guess.two");
	answers_parse(&a, "one=1\n", &line);
	CHECK(answers_seal(&a, 42, sealed, sizeof(sealed), &missing));
}

/* A line as a lab's module writes it. */
static int write_line(char *to, u64 token, u64 salt, u64 one, u64 other)
{
	struct derive_ledger ledger = { .word = { salt } };

	derive_ledger_add(&ledger, token, one);
	derive_ledger_add(&ledger, token, other);
	return sprintf(to, "%016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n",
		       ledger.word[0], ledger.word[1], ledger.word[2],
		       derive_ledger_seal(&ledger, token));
}

#define WORD	17	/* bytes, of a line that write_line() has written */

static void test_ledger(void)
{
	struct truth_ledger ledger;
	char text[256];
	int line;

	write_line(text, 42, 1, 1000, 7);
	CHECK_INT(answers_ledger(&ledger, text, 42, &line), 0);
	CHECK_INT(ledger.nr, 2);
	CHECK_INT(ledger.number[0], 1000);
	CHECK_INT(ledger.number[1], 7);
	CHECK(!truth_is_long(&ledger));
	ledger.number[1] = 1000 + 2000000000ULL;
	CHECK(truth_is_long(&ledger));
	CHECK(!strstr(text, "1000"));
	CHECK_INT(answers_ledger(&ledger, "", 42, &line), 0);
	CHECK_INT(ledger.nr, 0);

	write_line(text + write_line(text, 42, 1, 1000, 7), 42, 2, 8, 9);
	CHECK_INT(answers_ledger(&ledger, text, 42, &line), 0);
	CHECK_INT(ledger.nr, 4);
	CHECK_INT(ledger.number[1], 7);
	CHECK_INT(ledger.number[2], 8);
}

static void test_ledger_no_line(void)
{
	static const char *const texts[] = {
		"123\n", "0123456789abcdef\n", "nothing of this kind\n", "\n", "\x20\n",
		"0123456789abcdef 0123456789abcdef\n", "0123456789abcdef 0123456789abcdef",
		"0123456789abcdef 0123456789abcdef 0123456789abcdef 0123456789abcdef\x20\n",
	};
	struct truth_ledger ledger;
	char text[512] = "";
	size_t i;
	int line;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		CHECK(answers_ledger(&ledger, texts[i], 42, &line));
	for (i = 0; i < DERIVE_LEDGER_MAX + 3; i++)
		strcat(text, "0123456789abcdef ");
	strcat(text, "0123456789abcdef\n");
	CHECK(answers_ledger(&ledger, text, 42, &line));
	text[write_line(text, 42, 1, 1000, 7) - 1] = '\0';
	CHECK(answers_ledger(&ledger, text, 42, &line));
}

/* Another number, salt or token, words in another order, some left out: the seal does not hold. */
static void test_ledger_changed(void)
{
	struct truth_ledger ledger;
	char text[256], other[256];
	int i, line, length;

	length = write_line(text, 42, 1, 1000, 7);
	CHECK(answers_ledger(&ledger, text, 43, &line));
	CHECK_INT(line, 1);
	for (i = 0; i < length; i += WORD) {
		write_line(text, 42, 1, 1000, 7);
		text[i + 3] = text[i + 3] == '0' ? '1' : '0';
		CHECK(answers_ledger(&ledger, text, 42, &line));

		write_line(text, 42, 1, 1000, 7);
		write_line(other, 42, 2, 1001, 8);
		memcpy(text + i, other + i, WORD);
		CHECK(answers_ledger(&ledger, text, 42, &line));

		write_line(text, 42, 1, 1000, 7);
		memmove(text + i, text + i + WORD, length - i - WORD + 1);
		CHECK(answers_ledger(&ledger, text, 42, &line));
	}
	write_line(text + length, 42, 2, 8, 9);
	write_line(text, 42, 1, 1000, 7);
	text[length] = 'x';
	CHECK(answers_ledger(&ledger, text, 42, &line));
	CHECK_INT(line, 2);
}

/* Two lines of the same numbers have no word in common, and what differs in them tells nothing. */
static void test_ledger_masked(void)
{
	char text[256], other[256];
	u64 word[2][4];
	int i;

	write_line(text, 42, 1, 0, 0);
	write_line(other, 42, 2, 1000, 7);
	for (i = 0; i < 4; i++) {
		word[0][i] = strtoull(text + WORD * i, NULL, 16);
		word[1][i] = strtoull(other + WORD * i, NULL, 16);
		CHECK(word[0][i] != word[1][i]);
	}
	CHECK((word[0][1] ^ word[1][1]) != 1000);
	CHECK((word[0][2] ^ word[1][2]) != 7);
}

static void test_words(void)
{
	struct truth t = { 0 };
	const struct truth_question *q = &t.question[0];

	truth_word(&t, "cpu", 10, "", "1 cpu1");
	CHECK(truth_holds(q, "1"));
	CHECK(truth_holds(q, "CPU1"));
	CHECK(!truth_holds(q, "cpu"));
	CHECK(!truth_holds(q, "1 cpu1"));
	CHECK(!truth_holds(q, ""));
	CHECK(!truth_holds(q, NULL));
}

/* As kprof, its stacks and ps print a name. */
static void test_words_as_printed(void)
{
	static const char *const right[] = {
		"lab_birch", "LAB_BIRCH", "stutter:lab_birch", "lab_birch [stutter]",
		"other:lab_birch",
		"lab_birch()", "lab_birch [stutter]()", "lab_birch+0x46d",
		"lab_birch+0x46d/0x500",
		"stutter:lab_birch+0x46d/0x500", "lab_birch+0x46d/0x500 [stutter]", "`lab_birch`",
		"'lab_birch'", "\"lab_birch\"", "`lab_birch()` [stutter]", "lab birch",
		"function=lab_birch", "lab_birch (pid 105)", "[lab_birch]",
	};
	static const char *const wrong[] = {
		"lab_amber", "stutter:lab_amber", "lab_birch:lab_amber", "lab_birch [lab_amber",
		"lab_birch lab_amber", "lab_birch, lab_amber", "lab_amber lab_birch",
		"lab_birch/lab_amber",
		"lab_birch (lab_amber)", "lab_amber (lab_birch)", "lab_birch (pid lab_amber)",
		"lab_birch or lab_amber", "lab_birch+lab_amber", "lab_birch+0x", "lab_birch+0x4/",
		"lab_birch+0x4 lab_amber", "lab_birch [lab_amber, lab_cedar]", "birch",
		"lab_birch2",
		"stutter:", "()", "[stutter]", "`", ":", "=", "lab_birch (", "(lab_birch)",
	};
	struct truth t = { 0 };
	size_t i;

	truth_word(&t, "function", 10, "", "lab_birch");
	for (i = 0; i < sizeof(right) / sizeof(*right); i++)
		CHECK(truth_holds(t.question, right[i]));
	for (i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		CHECK(!truth_holds(t.question, wrong[i]));
}

/* Parts of a word; system calls; one thing said twice; and numbers stay what they are. */
static void test_words_alike(void)
{
	static const char *const words[] = {
		"hardirq", "irqs-off", "1 cpu1", "msync 26 227", "-12 12 ENOMEM -ENOMEM",
		"1 01 stutter", "kworker"
	};
	static const struct {
		int question;
		const char *answer;
		bool right;
	} tries[] = {
		{ 0, "hard irq", true }, { 0, "hard-irq", true }, { 0, "Hard_IRQ", true },
		{ 0, "soft irq", false }, { 0, "hard irq soft irq", false },
		{ 0, "context=hardirq", true },
		{ 1, "irqs off", true }, { 1, "irqsoff", true }, { 1, "irqs on", false },
		{ 2, "CPU 1", true }, { 2, "cpu 1", true }, { 2, "cpu=1", true },
		{ 2, "cpu: 1", true },
		{ 2, "CPU 0", false }, { 2, "0 1", false }, { 2, "cpu 0 1", false },
		{ 2, "1 0", false },
		{ 3, "__x64_sys_msync", true }, { 3, "__arm64_sys_msync", true },
		{ 3, "__do_sys_msync+0x12/0x40", true }, { 3, "msync()", true },
		{ 3, "msync (26)", true },
		{ 3, "__x64_sys_fsync", false }, { 3, "msync (27)", false }, { 3, "2 6", false },
		{ 4, "ENOMEM (-12)", true }, { 4, "-12 (ENOMEM)", true },
		{ 4, "$retval=-12", true },
		{ 4, "ENOMEM (-22)", false }, { 4, "-12 (EINVAL)", false }, { 4, "1 2", false },
		{ 5, "0 1", false }, { 5, "01", true },
		{ 6, "kworker/0:1", true }, { 6, "[kworker/0:1-events]", true },
		{ 6, "comm=kworker/u4:2+lab", true }, { 6, "kworker/0:1 lab", false },
		{ 6, "kworker/", true }, { 6, "kworker2", false },
	};
	struct truth t = { 0 };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		truth_word(&t, "word", 10, "", words[i]);
	for (i = 0; i < sizeof(tries) / sizeof(*tries); i++)
		CHECK_INT(truth_holds(&t.question[tries[i].question], tries[i].answer),
			  tries[i].right);
}

/* Numbers with their units, as people and programs write them. */
static void test_units(void)
{
	static const struct {
		int question;
		const char *answer;
		bool right;
	} tries[] = {
		{ 0, "28.2 percent", true }, { 0, "28.2 per cent", true },
		{ 0, "28.2Percent", true },
		{ 0, "~28", true }, { 0, "~ 28 %", true }, { 0, "`28.2`", true },
		{ 0, "28 or 30", false },
		{ 0, "28 30", false }, { 0, "28 KiB", false }, { 0, "~~28", false },
		{ 0, "28-29", false },
		{ 1, "16 KiB", true }, { 1, "16K", true }, { 1, "16 kB", true },
		{ 1, "16384B", true },
		{ 1, "16384 bytes", true }, { 1, "16,384", true }, { 1, "16,384 B", true },
		{ 1, "16 MiB", false }, { 1, "16", false }, { 1, "16384 KiB", false },
		{ 2, "sector 369560", true }, { 2, "Sector 369,560", true },
		{ 2, "369560 sector", true },
		{ 2, "sectors 369560", false }, { 2, "sector", false },
		{ 2, "sector 369560 8", false },
		{ 3, "12 MiB", true }, { 3, "12M", true }, { 3, "12288 kB", true },
		{ 3, "12288", false },
		{ 4, "20 ms", true }, { 4, "20000 us", true }, { 4, "0.02 s", true },
		{ 4, "20 us", false }, { 4, "20 msec", true }, { 4, "20 milliseconds", true },
		{ 4, "20000 \u00b5s", true }, { 4, "0,020 s", true }, { 4, "20 minutes", false },
		{ 5, "0,390", true }, { 5, "0,39", true }, { 5, "390", false },
		{ 5, "-0,390", false },
		{ 6, "1,020", true }, { 6, "1020 threads", true },
		{ 6, "1020 Instructions", true },
		{ 6, "1020ns", true }, { 6, "1020 k", false }, { 6, "1020 kib", false },
		{ 6, "1020 or 1030", false }, { 6, "1020 x2000", false }, { 6, "threads", false },
	};
	struct truth t = { 0 };
	size_t i;

	truth_near(&t, "share", 20, "", 28.2, 0.5, "%");
	truth_near(&t, "bytes", 20, "", 16384, 0, "bytes");
	truth_near(&t, "first", 20, "", 369560, 0, "sector");
	truth_near(&t, "resident", 20, "", 12, 0, "MiB");
	truth_near(&t, "wait", 20, "", 20, 1, "ms");
	truth_near(&t, "locks", 20, "", 0.39, 0.01, "");
	truth_near(&t, "number", 20, "", 1020, 0, "");
	for (i = 0; i < sizeof(tries) / sizeof(*tries); i++)
		CHECK_INT(truth_holds(&t.question[tries[i].question], tries[i].answer),
			  tries[i].right);
}

static void test_between(void)
{
	struct truth t = { 0 };
	const struct truth_question *q = t.question;

	truth_between(&t, "share", 20, "", 17, 23, 3, "%");
	truth_between(&t, "share", 20, "", 23, 17, 3, "%");
	truth_between(&t, "share", 20, "", 17, 17, 3, "%");
	CHECK(truth_holds(&q[0], "14") && truth_holds(&q[0], "20 %") && truth_holds(&q[0], "26"));
	CHECK(!truth_holds(&q[0], "13.9") && !truth_holds(&q[0], "26.1"));
	CHECK(truth_holds(&q[1], "14") && truth_holds(&q[1], "26") && !truth_holds(&q[1], "26.1"));
	CHECK(truth_holds(&q[2], "14") && truth_holds(&q[2], "20") && !truth_holds(&q[2], "20.1"));
}

static void test_numbers(void)
{
	struct truth t = { 0 };
	const struct truth_question *q = t.question;
	char text[80];

	truth_near(&t, "share", 20, "", 30, 3, "%");
	truth_near(&t, "errors", 20, "", 17, 0, "");
	truth_factor(&t, "p50", 20, "", 20, 2, "ms");
	CHECK(truth_holds(&q[0], "30"));
	CHECK(truth_holds(&q[0], "27"));
	CHECK(truth_holds(&q[0], "33.0 %"));
	CHECK(!truth_holds(&q[0], "33.1%"));
	CHECK(!truth_holds(&q[0], "26.9"));
	CHECK(!truth_holds(&q[0], "30 ms"));
	CHECK(!truth_holds(&q[0], "about 30"));
	CHECK(!truth_holds(&q[0], "nan"));
	CHECK(truth_holds(&q[1], "17"));
	CHECK(!truth_holds(&q[1], "17.5"));
	CHECK(!truth_holds(&q[1], "-17"));
	CHECK(truth_holds(&q[2], "10ms"));
	CHECK(truth_holds(&q[2], "40 MS"));
	CHECK(!truth_holds(&q[2], "9.9"));
	CHECK(!truth_holds(&q[2], "41"));
	CHECK(!truth_holds(&q[2], "-20"));
	CHECK(truth_holds(&q[0], "30,5") && truth_holds(&q[0], "30,5 %"));
	CHECK(!truth_holds(&q[0], "30,500"));
	snprintf(text, sizeof(text), "30%77s", "%");
	CHECK(!truth_holds(&q[0], text));
	truth_near(&t, "count", 20, "", 1234567, 0, "");
	CHECK(truth_holds(&q[3], "1,234,567") && truth_holds(&q[3], "1,234,567.0"));
	CHECK(!truth_holds(&q[3], "1,234,56") && !truth_holds(&q[3], "1.234.567"));
	truth_near(&t, "unknown", 20, "", NAN, 3, "%");
	truth_factor(&t, "unknown", 20, "", NAN, 2, "");
	CHECK(!truth_holds(&q[4], "0"));
	CHECK(!truth_holds(&q[5], "0"));
}

static bool divides(double answer, double number)
{
	return answer > 0 && (int)number % (int)answer == 0;
}

static void test_functions(void)
{
	struct truth t = { 0 };
	const struct truth_question *q = &t.question[0];

	truth_test(&t, "divisor", 10, "", 12, divides, "Hz");
	CHECK(truth_holds(q, "4"));
	CHECK(truth_holds(q, "6 Hz"));
	CHECK(!truth_holds(q, "5"));
	CHECK(!truth_holds(q, "four"));
	CHECK(!truth_holds(q, "-1"));
}

static void test_seen(void)
{
	struct truth t = { 0 };

	truth_seen(&t, 10, "vfs_read pipe_read");
	CHECK(truth_holds(&t.question[0], "cat;ksys_read;vfs_read 3\n"));
	CHECK(truth_holds(&t.question[0], "pipe_read,-,4"));
	CHECK(!truth_holds(&t.question[0], "cat;kernel_vfs_read;vfs_readv 3\n"));
	CHECK(!truth_holds(&t.question[0], ""));
}

static void test_points(void)
{
	const struct truth_question q = { .points = 15 };

	CHECK_INT(truth_points(&q, 0), 15);
	CHECK_INT(truth_points(&q, 1), 12);
	CHECK_INT(truth_points(&q, 3), 6);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "the hash is SipHash-2-4", test_hash },
		{ "all of a range comes, and nothing else", test_range },
		{ "answers are read", test_answers },
		{ "answers that are too long are refused", test_long_answers },
		{ "guesses are sealed, and a change shows", test_seal },
		{ "a ledger is read", test_ledger },
		{ "what is no line of a ledger", test_ledger_no_line },
		{ "a ledger that was changed is none", test_ledger_changed },
		{ "a ledger says nothing beside another", test_ledger_masked },
		{ "words", test_words },
		{ "words as they are printed", test_words_as_printed },
		{ "words that are written in several ways", test_words_alike },
		{ "numbers and their units", test_units },
		{ "numbers, with a tolerance or within a factor", test_numbers },
		{ "numbers that come and go between two", test_between },
		{ "numbers that a function finds right", test_functions },
		{ "names in a recording", test_seen },
		{ "what hints cost", test_points },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
