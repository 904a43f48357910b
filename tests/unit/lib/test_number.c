// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_number.c - numbers and lists of CPUs in texts: what is one, and what does not fit
 */
#include <string.h>

#include "lib/cpus.h"
#include "lib/number.h"
#include "unit.h"

static void test_digits(void)
{
	const char *text = "12ab,";
	uint64_t value = 0;

	CHECK(number_take(&text, NUMBER_DECIMAL, &value) && value == 12 && !strcmp(text, "ab,"));
	CHECK(number_take(&text, NUMBER_HEX, &value) && value == 0xab && !strcmp(text, ","));
	CHECK(!number_take(&text, NUMBER_HEX, &value) && !strcmp(text, ","));
	CHECK(number_parse("18446744073709551615", NUMBER_DECIMAL, &value) && value == UINT64_MAX);
	CHECK(!number_parse("18446744073709551616", NUMBER_DECIMAL, &value));
	CHECK(number_parse("ffffffffffffffff", NUMBER_HEX, &value) && value == UINT64_MAX);
	CHECK(!number_parse("10000000000000000", NUMBER_HEX, &value));
	CHECK(!number_parse("", NUMBER_DECIMAL, &value));
	CHECK(!number_parse("-1", NUMBER_DECIMAL, &value));
	CHECK(!number_parse("1@", NUMBER_DECIMAL, &value));	/* below 'a', in ASCII */
	CHECK(!number_parse(" 1", NUMBER_DECIMAL, &value));
	CHECK(!number_parse("1 ", NUMBER_DECIMAL, &value));
	CHECK(number_up_to("10", 10) == 10 && number_up_to("11", 10) == -1);
	CHECK(number_up_to("1x", 10) == -1);
	CHECK_INT(number_or_0("5 ns"), 5);
}

static void test_signed(void)
{
	int64_t value = 0;

	CHECK(number_within("-5", -5, 7, &value) && value == -5);
	CHECK(number_within("7", -5, 7, &value) && value == 7);
	CHECK(!number_within("-6", -5, 7, &value));
	CHECK(!number_within("8", -5, 7, &value));
	CHECK(!number_within("--5", -5, 7, &value));
	CHECK(!number_within("-", -5, 7, &value));
	CHECK(!number_within("+5", -5, 7, &value));
	CHECK(!number_within("5 ", -5, 7, &value));
	CHECK(number_within("-9223372036854775808", INT64_MIN, INT64_MAX, &value));
	CHECK(value == INT64_MIN);
	CHECK(!number_within("-9223372036854775809", INT64_MIN, INT64_MAX, &value));
	CHECK(number_within("9223372036854775807", INT64_MIN, INT64_MAX, &value));
	CHECK(value == INT64_MAX);
	CHECK(!number_within("9223372036854775808", INT64_MIN, INT64_MAX, &value));
	/* What wraps around to a small number is none. */
	CHECK(!number_within("18446744073709551617", INT64_MIN, INT64_MAX, &value));
}

static void test_key(void)
{
	int64_t value = 0;

	CHECK(number_key("-14", &value) && value == -14);
	CHECK(number_key("4096", &value) && value == 4096);
	CHECK(number_key("0x1f", &value) && value == 0x1f);
	CHECK(number_key("0xffffffffffffffff", &value) && value == -1);
	CHECK(number_key("18446744073709551615", &value) && value == -1);
	CHECK(number_key("010", &value) && value == 10);
	CHECK(!number_key("0x", &value));
	CHECK(!number_key("0x10000000000000000", &value));
	CHECK(!number_key("18446744073709551616", &value));
	CHECK(!number_key("-0x1", &value));
	CHECK(!number_key("12k", &value));
	CHECK(!number_key("", &value));
}

static void test_real(void)
{
	const char *text = "2.5%";
	double value = 0;

	CHECK(number_take_real(&text, &value) && value == 2.5 && !strcmp(text, "%"));
	CHECK(number_real("-0.25", &value) && value == -0.25);
	CHECK(number_real("1e9", &value) && value == 1e9);
	CHECK(number_real(".5", &value) && value == 0.5);
	CHECK(!number_real("1e999", &value));
	CHECK(!number_real("inf", &value));
	CHECK(!number_real("-nan", &value));
	CHECK(!number_real("0x10", &value));
	CHECK(!number_real(" 1", &value));
	CHECK(!number_real("+1", &value));
	CHECK(!number_real("1s", &value));
	CHECK(!number_real("", &value));
	CHECK(!number_real(".", &value));
}

static void test_cpus(void)
{
	static const char *const wrong[] = {
		"", ",", "0,", ",0", "-1", "0-", "1-0", "0--1", "0 ", " 0", "0\n\n", "0x1", "a", "65536",
		"0-65536", "18446744073709551616", "0-18446744073709551617", NULL
	};
	static struct cpus set;
	int i;

	CHECK(cpus_parse(&set, "0-2,5,65535\n"));
	CHECK(cpus_has(&set, 0) && cpus_has(&set, 2) && cpus_has(&set, 5) && cpus_has(&set, 65535));
	CHECK(!cpus_has(&set, 3) && !cpus_has(&set, 64) && !cpus_has(&set, 65536));
	CHECK(cpus_parse(&set, "63,64") && cpus_has(&set, 63) && cpus_has(&set, 64));
	CHECK(!cpus_has(&set, 0) && !cpus_has(&set, 65));
	for (i = 0; wrong[i]; i++)
		unit_check(!cpus_parse(&set, wrong[i]), __FILE__, __LINE__, wrong[i]);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "digits end where they end, and fit into 64 bits", test_digits },
		{ "signed numbers keep to their range", test_signed },
		{ "values of keys are decimal or hexadecimal", test_key },
		{ "fractions are finite and decimal", test_real },
		{ "lists of CPUs", test_cpus },
		{ 0 }
	};

	return unit_run(tests);
}
