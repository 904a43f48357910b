/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - what the token decides in this lab; shared by the module and its truth
 */
#ifndef SAMPLER_PARAMS_H
#define SAMPLER_PARAMS_H

#include "../lib/derive.h"

struct sampler_params {
	u32 period_ms;		/* on average, if it is not regular */
	u32 regular;
	u32 percent[2];		/* of the period, by the first and by the second function */
};

/* Each period is that of a rate somebody would choose: 50, 100, 125, 200 or 250 Hz. */
static inline void sampler_params(struct sampler_params *p, u64 token)
{
	static const u32 periods[] = { 4, 5, 8, 10, 20 };

	p->period_ms = periods[derive_pick(token, "period", sizeof(periods) / sizeof(*periods))];
	p->regular = derive_pick(token, "regular", 3);
	p->percent[0] = derive_range(token, "first", 8, 40, 1);
	p->percent[1] = derive_range(token, "second", 8, 40, 1);
}

/* How long a period is: always the same, or anything from half to one and a half of it. */
static inline u64 sampler_period_ns(const struct sampler_params *p, u64 token, u64 turn)
{
	u64 ns = p->period_ms * 1000000ULL;

	if (p->regular)
		return ns;
	return ns / 2 + ns / 1024 * (derive_hash(token, 3, &turn, sizeof(turn)) & 1023);
}

#endif /* SAMPLER_PARAMS_H */
