// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ledgers.c - lab 8: what the ledgers of two boots make right, and that one boot does not do
 */
#include <math.h>

#include "unit.h"

/* The library has these for labs that do not. */
#define lab_append	no_append
#define lab_model	no_model
#include "../../../labs/lib/truth.c"
#undef lab_append
#undef lab_model
#include "../../../labs/08-which-protection/truth.c"

#define TOKENS	200

static const struct truth_question *price_of(struct truth *t, u64 token,
					     const struct truth_ledger *ledger)
{
	int i;

	*t = (struct truth){ 0 };
	lab_truth(t, token, ledger);
	for (i = 0; i < t->nr && strcmp(t->question[i].name, "price"); i++)
		;
	CHECK(i < t->nr);
	return &t->question[i];
}

/* What the price is by the model, of either boot first. */
static void test_two_boots(void)
{
	const struct truth_question *q;
	struct truth_ledger ledger;
	struct which_params p;
	struct truth t;
	char answer[32];
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		which_params(&p, token);
		ledger = (struct truth_ledger){ 0 };
		lab_model(token, &ledger);
		q = price_of(&t, token, &ledger);
		snprintf(answer, sizeof(answer), "%.1f", q->number);
		CHECK(truth_holds(q, answer));
		CHECK((q->number > 0) == (p.protection != WHICH_NONE));
	}
}

/* A block's price can be hidden by a step of the clock, no other one. */
static void test_one_boot_twice(void)
{
	const size_t half = WHICH_CALLS * sizeof(u64);
	const struct truth_question *q;
	struct truth_ledger ledger;
	struct which_params p;
	struct truth t;
	u64 token;
	int boot;

	for (token = 1; token <= TOKENS; token++) {
		which_params(&p, token);
		if (p.protection == WHICH_NONE || p.protection == WHICH_SHUFFLE)
			continue;
		for (boot = 0; boot < 2; boot++) {
			ledger = (struct truth_ledger){ 0 };
			lab_model(token, &ledger);
			memcpy(ledger.number + WHICH_CALLS * !boot,
			       ledger.number + WHICH_CALLS * boot, half);
			q = price_of(&t, token, &ledger);
			CHECK(isnan(q->number));
			CHECK(!truth_holds(q, "0") && !truth_holds(q, "20"));
		}
	}
}

/* One boot's alone, or none */
static void test_half(void)
{
	struct truth_ledger ledger = { 0 };
	struct which_params p;
	struct truth t;
	u64 token;

	for (token = 1; token <= TOKENS; token++) {
		which_params(&p, token);
		lab_model(token, &ledger);
		ledger.nr = WHICH_CALLS;
		CHECK(isnan(price_of(&t, token, &ledger)->number) == (p.protection != WHICH_NONE));
		ledger.nr = 0;
		CHECK(isnan(price_of(&t, token, &ledger)->number) == (p.protection != WHICH_NONE));
	}
}

int main(void)
{
	static const struct unit_test tests[] = {
		{ "what two boots have counted is the price", test_two_boots },
		{ "one boot counted twice is none", test_one_boot_twice },
		{ "half a ledger is none", test_half },
		{ NULL, NULL }
	};

	return unit_run(tests);
}
