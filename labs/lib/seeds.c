// SPDX-License-Identifier: GPL-2.0-only
/*
 * seeds.c - what is right for a seed, without a machine
 */
#include <stdio.h>

#include "truth.h"

void truth_of_seed(struct truth *t, const char *key, const char *lab, int seed)
{
	struct truth_ledger ledger = { 0 };
	char text[16];
	u64 token;

	snprintf(text, sizeof(text), "%d", seed);
	token = truth_token(key, lab, text);
	lab_model(token, &ledger);
	lab_truth(t, token, &ledger);
}
