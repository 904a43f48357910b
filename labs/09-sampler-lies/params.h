/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef SAMPLER_PARAMS_H
#define SAMPLER_PARAMS_H

#include "../lib/derive.h"

#define SAMPLER_NS_PER_SEC	1000000000u

struct sampler_params {
	u32 rate;		/* turns in a second; on average, if they are not regular */
	u32 regular;
	u32 percent[2];		/* of a turn, by the first and by the second function */
};

/*
 * Each rate is one that somebody would sample at: round ones, and those next to them that profilers
 * have by default, because programs seldom have them. Almost as many seeds have none as have one: a
 * rate that is honest about each of these is no answer then.
 */
static inline void sampler_params(struct sampler_params *p, u64 token)
{
	static const u32 rates[] = { 50, 99, 100, 125, 199, 200, 249, 250 };

	p->rate = rates[derive_pick(token, "rate", sizeof(rates) / sizeof(*rates))];
	p->regular = derive_pick(token, "regular", 9) < 5;
	p->percent[0] = derive_range(token, "first", 8, 40, 1);
	p->percent[1] = derive_range(token, "second", 8, 40, 1);
}

/* How long a turn is: always the same, or anything from half to one and a half of it. */
static inline u64 sampler_period_ns(const struct sampler_params *p, u64 token, u64 turn)
{
	u64 ns = SAMPLER_NS_PER_SEC / p->rate;

	if (p->regular)
		return ns;
	return ns / 2 + ns / 1024 * (derive_hash(token, 3, &turn, sizeof(turn)) & 1023);
}

#endif /* SAMPLER_PARAMS_H */
