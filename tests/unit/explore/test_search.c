// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_search.c - values that reach the branches of made-up functions, and which tries are enough
 */
#include <stdlib.h>

#include "explore/search.h"
#include "unit.h"

/* What a function with these arguments reaches. */
typedef void reaches(const int64_t *value, struct features *reached);

/* Seven branches: at a number in the code, off by one, equal to another argument, and small. */
static void branches(const int64_t *value, struct features *reached)
{
	features_add(reached, 0);
	if (value[0] > 4096)
		features_add(reached, 1);
	if (value[0] == 31337)
		features_add(reached, 2);
	if (value[0] == 31338)
		features_add(reached, 3);
	if (value[0] == value[1] && value[0] > 10)
		features_add(reached, 4);
	if (value[1] == 500)
		features_add(reached, 200);
	/* Within reach only from a try that is kept. */
	if (value[0] > 4096 && value[1] > 490 && value[2] == 1)
		features_add(reached, 6);
}

/* Each value reaches something of its own, and the last of them all of it. */
static void one_is_enough(const int64_t *value, struct features *reached)
{
	int64_t i;

	for (i = value[0] == 9 ? 0 : value[0]; i <= value[0]; i++)
		features_add(reached, 100 * i);
}

static void run(struct search *s, const struct holes *h, reaches *function)
{
	static const int64_t constant[] = { 31337, 500, -1 };
	const int64_t *value;

	s->holes = h;
	search_begin(s, constant, sizeof(constant) / sizeof(*constant));
	while ((value = search_next(s)) != NULL) {
		struct features reached = { .nr_words = 0 };

		function(value, &reached);
		search_take(s, &reached, 0, false);
		CHECK(!reached.nr_words);
	}
}

static void parse(struct holes *h, char *const *command)
{
	char error[256];

	CHECK_INT(holes_parse(h, command, error), 0);
}

static void test_branches(void)
{
	static char *const command[] = { "{a:1..65536}", "{b:1..1000}", "{c:x,y,z}", NULL };
	uint64_t seed;

	for (seed = 0; seed < 20; seed++) {
		struct search s = { .seed = seed, .max_tries = 600 };
		struct holes h = { .nr = 0 };
		uint32_t i, k, nr;
		uint32_t *chosen;
		struct features all = { .nr_words = 0 };

		parse(&h, command);
		run(&s, &h, branches);
		CHECK_INT(s.nr, 600);
		CHECK(!s.is_complete);
		CHECK_INT(features_count(&s.reached), 7);
		CHECK(features_have(&s.reached, 200) && !features_have(&s.reached, 5));
		/* No values twice, and none outside of its hole. */
		for (i = 0; i < s.nr; i++) {
			const int64_t *v = s.tried[i].value;

			CHECK(v[0] >= 1 && v[0] <= 65536 && v[1] >= 1 && v[1] <= 1000);
			CHECK(v[2] >= 0 && v[2] <= 2);
			for (k = 0; k < i; k++)
				CHECK(memcmp(v, s.tried[k].value, 3 * sizeof(*v)));
		}
		/* 31337 and 31338 exclude each other: no one try reaches all. */
		chosen = search_cover(&s, &nr);
		CHECK(nr >= 2 && nr <= 5);
		for (i = 0; i < nr; i++)
			for (k = 0; k < 256; k++)
				if (features_have(&s.tried[chosen[i]].reached, k))
					features_add(&all, k);
		CHECK_INT(features_beyond(&s.reached, &all), 0);
		features_free(&all);
		free(chosen);
		search_free(&s);
		holes_free(&h);
	}
}

static void test_all_ways(void)
{
	static char *const command[] = { "{a:0..9}", NULL };
	struct search s = { .seed = 1, .max_tries = 10 };
	struct holes h = { .nr = 0 };
	uint32_t *chosen, nr;

	parse(&h, command);
	run(&s, &h, one_is_enough);
	CHECK_INT(s.nr, 10);
	CHECK(s.is_complete);
	CHECK_INT(features_count(&s.reached), 10);
	chosen = search_cover(&s, &nr);
	CHECK_INT(nr, 1);
	CHECK_INT(s.tried[chosen[0]].value[0], 9);
	free(chosen);
	search_free(&s);
	holes_free(&h);
}

static void test_seed(void)
{
	static char *const command[] = { "{a:-9223372036854775808..9223372036854775807}",
				   "{b:0..1000}", "{c:x,y}", NULL };
	struct search s[3] = {
		{ .seed = 1, .max_tries = 200 }, { .seed = 1, .max_tries = 200 },
		{ .seed = 2, .max_tries = 200 },
	};
	struct holes h = { .nr = 0 };
	bool differs = false;
	uint32_t i;

	parse(&h, command);
	for (i = 0; i < 3; i++) {
		run(&s[i], &h, branches);
		CHECK_INT(s[i].nr, 200);
	}
	for (i = 0; i < 200; i++) {
		CHECK(!memcmp(s[0].tried[i].value, s[1].tried[i].value, 3 * sizeof(int64_t)));
		differs |= memcmp(s[0].tried[i].value, s[2].tried[i].value, 3 * sizeof(int64_t));
	}
	CHECK(differs);
	for (i = 0; i < 3; i++)
		search_free(&s[i]);
	holes_free(&h);
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "branches are found, and few tries are enough", test_branches },
		{ "all ways are tried if there are not too many", test_all_ways },
		{ "the seed says which values", test_seed },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
