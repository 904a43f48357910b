// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_opt.c - options: every type, both spellings, and what is refused how
 */
#include <stdlib.h>
#include <string.h>

#include "lib/opt.h"
#include "unit.h"

static bool flag;
static long number;
static double real;
static const char *string;
static struct opt_list list;
static int choice;
static int nr_operands;
static char **operands;

static const char *const choices[] = { "red", "green", NULL };

static const struct opt opts[] = {
	{ .letter = 'f', .name = "flag", .type = OPT_FLAG, .value = &flag, .help = "a flag" },
	{ .letter = 'n', .name = "number", .type = OPT_LONG, .value = &number, .arg = "N",
	  .min = -5, .max = 20000, .help = "a number" },
	{ .name = "real", .type = OPT_DOUBLE, .value = &real, .arg = "N", .max = 1, .help = "" },
	{ .letter = 's', .name = "string", .type = OPT_STRING, .value = &string, .arg = "TEXT",
	  .help = "two\nlines" },
	{ .letter = 't', .name = "target", .type = OPT_LIST, .value = &list, .arg = "T",
	  .of_target = true, .help = "a list" },
	{ .name = "strings", .type = OPT_FLAG, .value = &flag, .help = "another" },
	{ .name = "color", .type = OPT_CHOICE, .value = &choice, .arg = "C", .choices = choices,
	  .help = "a choice" },
	{ 0 }
};

static int run(int argc, char **argv)
{
	nr_operands = argc;
	operands = argv;
	return 42;
}

static struct verb verb = { .name = "test", .args = "[FILE]", .summary = "Test", .opts = opts,
			    .run = run };

/* Run the verb with the words of a line; what it says goes to @said, if given. */
static int parse(const char *line, char **said)
{
	static char words[256];
	static char *argv[16];
	FILE *err = stderr, *out = stdout;
	char *text = NULL, *rest = words;
	size_t len;
	int argc = 0, ret;

	flag = false;
	number = 0;
	choice = 0;
	real = 0;
	string = NULL;
	free(list.item);
	list = (struct opt_list) { 0 };
	nr_operands = -1;
	snprintf(words, sizeof(words), "test %s", line);
	while ((argv[argc] = strsep(&rest, " ")))
		if (*argv[argc])
			argc++;
	stdout = open_memstream(&text, &len);
	stderr = stdout;
	ret = opt_run_verb(&verb, argc, argv);
	fclose(stderr);
	stderr = err;
	stdout = out;
	if (said)
		*said = text;
	else
		free(text);
	return ret;
}

static void check_refused(const char *line, const char *expected)
{
	char *said;

	CHECK_INT(parse(line, &said), EXIT_USAGE);
	CHECK_STR(said, expected);
	CHECK_INT(nr_operands, -1);
	free(said);
}

static void test_types(void)
{
	CHECK_INT(parse("-f -n 7 --real 0.5 -s a --color green x y", NULL), 42);
	CHECK(flag && number == 7 && real == 0.5 && choice == 1);
	CHECK_STR(string, "a");
	CHECK_INT(nr_operands, 2);
	CHECK_STR(operands[1], "y");
	CHECK_INT(parse("--number=-5 --string=a --string=b x --flag", NULL), 42);
	CHECK(flag && number == -5);
	CHECK_STR(string, "b");
	CHECK_INT(nr_operands, 1);
	CHECK_INT(parse("-t a --target b -tc -- -f", NULL), 42);
	CHECK_INT(list.nr, 3);
	CHECK_STR(list.item[2], "c");
	CHECK(!flag);
	CHECK_STR(operands[0], "-f");
	CHECK_INT(parse("--num 3", NULL), 42);
	CHECK_INT(number, 3);
}

static void test_refused(void)
{
#define TRY	"Try 'kprof test --help'.\n"
	check_refused("-n 20001", "kprof test: --number: '20001' is not a whole number "
		      "from -5 to 20000\n" TRY);
	check_refused("-n 1x", "kprof test: --number: '1x' is not a whole number "
		      "from -5 to 20000\n" TRY);
	check_refused("-n 99999999999999999999", "kprof test: --number: "
		      "'99999999999999999999' is not a whole number from -5 to 20000\n" TRY);
	check_refused("--real nan", "kprof test: --real: 'nan' is not a number from 0 to 1\n" TRY);
	check_refused("--color blue", "kprof test: --color: 'blue' is not one of red green\n" TRY);
	check_refused("--flag=1", "kprof test: option '--flag=1' takes no value\n" TRY);
	check_refused("x --string", "kprof test: option '--string' needs a value\n" TRY);
	check_refused("-fs", "kprof test: option '-s' needs a value\n" TRY);
	check_refused("-fx", "kprof test: unknown option '-x'\n" TRY);
	check_refused("--flog", "kprof test: unknown option '--flog'; "
		      "did you mean '--flag'?\n" TRY);
}

static void test_help(void)
{
	char *said;

	CHECK_INT(parse("--help", &said), EXIT_OK);
	CHECK_STR(said,
		  "Usage: kprof test [options] [FILE]\n\nTest.\n\nOptions:\n"
		  "  -f, --flag              a flag\n"
		  "  -n, --number N          a number\n"
		  "      --real N           \x20\n"
		  "  -s, --string TEXT       two\n"
		  "                          lines\n"
		  "  -t, --target T          a list\n"
		  "      --strings           another\n"
		  "      --color C           a choice\n"
		  "  -h, --help              show this text\n"
		  "\nIts manual: man kprof-test\n");
	CHECK_INT(nr_operands, -1);
	free(said);
}

/* The options of a command belong to it. */
static void test_command(void)
{
	verb.command = true;
	CHECK_INT(parse("-n 3 ls -f --color", NULL), 42);
	CHECK(!flag);
	CHECK_INT(nr_operands, 3);
	verb.command = false;
}

/* What belongs to a target may follow it as words; a command's own words stay as they are. */
static void test_of_target(void)
{
	CHECK_INT(parse("-t f by=comm min=1us -ft g file by=cpu", NULL), 42);
	CHECK_INT(list.nr, 2);
	CHECK_STR(list.item[0], "f by=comm min=1us");
	CHECK_STR(list.item[1], "g");
	CHECK_INT(nr_operands, 2);
	free((char *)list.item[0]);
	verb.command = true;
	CHECK_INT(parse("-t f by=comm ls -t x by=cpu", NULL), 42);
	CHECK_STR(list.item[0], "f by=comm");
	CHECK_INT(nr_operands, 4);
	CHECK_STR(operands[3], "by=cpu");
	free((char *)list.item[0]);
	CHECK_INT(parse("-t f -- by=comm", NULL), 42);
	CHECK_STR(list.item[0], "f");
	CHECK_INT(nr_operands, 1);
	verb.command = false;
}

static void test_nearest(void)
{
	char *said;

	CHECK_INT(parse("--nubmer 3", &said), EXIT_USAGE);
	CHECK(strstr(said, "did you mean '--number'?"));
	free(said);
	CHECK_INT(parse("--what", &said), EXIT_USAGE);
	CHECK(!strstr(said, "did you mean"));
	free(said);
	CHECK_INT(parse("--nubmer=3", &said), EXIT_USAGE);
	CHECK(strstr(said, "unknown option '--nubmer=3'; did you mean '--number'?"));
	free(said);
	/* The whole name of one is the beginning of another. */
	CHECK_INT(parse("--string a", NULL), 42);
	CHECK_STR(string, "a");
	check_refused("--str=a", "kprof test: ambiguous option '--str=a': it could be one of "
		      "--string, --strings\n" TRY);
}

/* As many options as there may ever be: the last one counts like the first. */
static void test_many(void)
{
	enum { MANY = 300 };
	static struct opt many[MANY + 1];
	static char name[MANY][16];
	char *said;
	int i;

	for (i = 0; i < MANY; i++) {
		snprintf(name[i], sizeof(name[i]), "o%03d", i);
		many[i] = (struct opt){ .name = name[i], .type = OPT_LONG, .value = &number,
					.max = 9, .help = "a number" };
	}
	many[MANY - 1].letter = 'z';
	verb.opts = many;
	CHECK_INT(parse("--o000 3", NULL), 42);
	CHECK_INT(number, 3);
	CHECK_INT(parse("--o299 4", NULL), 42);
	CHECK_INT(number, 4);
	CHECK_INT(parse("-z5 x", NULL), 42);
	CHECK_INT(number, 5);
	check_refused("--o29", "kprof test: ambiguous option '--o29': it could be one of --o290, "
		      "--o291, --o292, --o293, --o294, --o295, --o296, --o297, --o298, "
		      "--o299\n" TRY);
	CHECK_INT(parse("--version", &said), EXIT_OK);
	CHECK(!strncmp(said, "kprof ", 6));
	free(said);
	verb.opts = opts;
}

static const struct unit_test tests[] = {
	{ "every type, long and short", test_types },
	{ "what is refused, and how", test_refused },
	{ "help", test_help },
	{ "a command as operands", test_command },
	{ "options of a target as words", test_of_target },
	{ "the nearest name", test_nearest },
	{ "a great many options", test_many },
	{ 0 }
};

int main(void)
{
	return unit_run(tests);
}
