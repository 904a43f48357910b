// SPDX-License-Identifier: GPL-2.0-only
/*
 * turns_formula.c - formulas for the turns of a loop: what they give, and as text
 */
#include <inttypes.h>

#include "explain/turns.h"

/* --- what they give; sums wrap around, as those of the kernel do --- */

static int64_t quotient(int64_t a, int64_t b, bool up)
{
	if (a <= 0 || b <= 0)
		return 0;
	return (uint64_t)a / b + (up && a % b);
}

int64_t turns_operand(const struct turns_formula *f, const int64_t *value)
{
	int64_t a = value[f->key[0]], b = f->pair == TURNS_ONE ? 0 : value[f->key[1]];

	switch (f->pair) {
	case TURNS_DIFFERENCE:
		return (uint64_t)a - b;
	case TURNS_SUM:
		return (uint64_t)a + b;
	case TURNS_PRODUCT:
		return (uint64_t)a * b;
	case TURNS_LESSER:
		return a < b ? a : b;
	case TURNS_QUOTIENT:
	case TURNS_QUOTIENT_UP:
		return quotient(a, b, f->pair == TURNS_QUOTIENT_UP);
	default:
		return a;
	}
}

static int64_t apply(const struct turns_formula *f, int64_t x)
{
	switch (f->form) {
	case TURNS_MASK:
		return x & f->by;
	case TURNS_SHIFT:
		return (uint64_t)x >> f->by;
	case TURNS_SHIFT_UP:
		return quotient(x, 1LL << f->by, true);
	case TURNS_DIVIDE:
	case TURNS_DIVIDE_UP:
		return quotient(x, f->by, f->form == TURNS_DIVIDE_UP);
	case TURNS_MULTIPLY:
		return (uint64_t)x * f->by;
	case TURNS_AT_MOST:
		return x < (int64_t)f->by ? x : (int64_t)f->by;
	case TURNS_BITS:
		return x ? 64 - __builtin_clzll(x) : 0;
	case TURNS_BITS_SET:
		return __builtin_popcountll(x);
	case TURNS_FIRST_BIT:
		return x ? __builtin_ctzll(x) : 0;
	case TURNS_FIELD:
		return ((uint64_t)x >> f->by) & f->mask;
	default:
		return x;
	}
}

uint64_t turns_of(const struct turns_formula *f, const int64_t *value)
{
	int64_t y = (uint64_t)apply(f, turns_operand(f, value)) + f->plus;

	return y > 0 ? y : 0;
}

/* --- as text --- */

static void print_operand(const struct turns_formula *f, const char *a, const char *b,
			  struct buf *out)
{
	static const char *const text[TURNS_NR_PAIRS] = {
		[TURNS_ONE] = "%s", [TURNS_DIFFERENCE] = "%s - %s", [TURNS_SUM] = "%s + %s",
		[TURNS_PRODUCT] = "%s * %s", [TURNS_LESSER] = "min(%s, %s)",
		[TURNS_QUOTIENT] = "%s / %s", [TURNS_QUOTIENT_UP] = "DIV_ROUND_UP(%s, %s)",
	};
	const char *at;
	bool second = false;

	for (at = text[f->pair]; *at; at++) {
		if (*at != '%') {
			buf_add(out, at, 1);
			continue;
		}
		buf_printf(out, "%s", second ? b : a);
		second = true;
		at++;
	}
}

/* Would the next operator take a part of it only, without parentheses around it? */
static bool is_sum(const struct turns_formula *f)
{
	return f->pair == TURNS_DIFFERENCE || f->pair == TURNS_SUM;
}

static void print_form(const struct turns_formula *f, const char *x, struct buf *out)
{
	const char *l = is_sum(f) ? "(" : "", *r = is_sum(f) ? ")" : "";
	const char *open = f->plus ? "(" : "", *close = f->plus ? ")" : "";

	switch (f->form) {
	case TURNS_MASK:
		buf_printf(out, "%s%s%s%s & 0x%" PRIx64 "%s", open, l, x, r, f->by, close);
		break;
	case TURNS_SHIFT:
		buf_printf(out, "%s%s%s%s >> %" PRIu64 "%s", open, l, x, r, f->by, close);
		break;
	case TURNS_SHIFT_UP:
		buf_printf(out, "DIV_ROUND_UP(%s, %" PRIu64 ")", x, UINT64_C(1) << f->by);
		break;
	case TURNS_DIVIDE:
		buf_printf(out, "%s%s%s / %" PRIu64, l, x, r, f->by);
		break;
	case TURNS_DIVIDE_UP:
		buf_printf(out, "DIV_ROUND_UP(%s, %" PRIu64 ")", x, f->by);
		break;
	case TURNS_MULTIPLY:
		buf_printf(out, "%s%s%s * %" PRIu64, l, x, r, f->by);
		break;
	case TURNS_AT_MOST:
		buf_printf(out, "min(%s, %" PRIu64 ")", x, f->by);
		break;
	case TURNS_BITS:
		buf_printf(out, "fls64(%s)", x);
		break;
	case TURNS_BITS_SET:
		buf_printf(out, "hweight64(%s)", x);
		break;
	case TURNS_FIRST_BIT:
		buf_printf(out, "__ffs64(%s)", x);
		break;
	case TURNS_FIELD:
		buf_printf(out, "%s(%s%s%s >> %" PRIu64 ") & 0x%" PRIx64 "%s", open, l, x, r, f->by,
			   f->mask, close);
		break;
	default:
		buf_printf(out, "%s", x);
		break;
	}
}

void turns_print_formula(const struct turns_formula *f, const char *const *key, struct buf *out)
{
	struct buf x = { 0 };

	print_operand(f, key[f->key[0]], f->pair == TURNS_ONE ? "" : key[f->key[1]], &x);
	print_form(f, x.data, out);
	if (f->plus)
		buf_printf(out, " %c %" PRId64, f->plus < 0 ? '-' : '+',
			   f->plus < 0 ? -f->plus : f->plus);
	buf_free(&x);
}

/* --- how simple they are --- */

/* A mask of as many bits as a C type has is likelier than others, and the wider one than these. */
static int cost_of_mask(uint64_t mask)
{
	int bits = __builtin_popcountll(mask);

	return bits == 32 ? 20 : bits == 16 ? 21 : bits == 8 ? 22 : 30 + 64 - bits;
}

int turns_cost(const struct turns_formula *f)
{
	static const int form[TURNS_NR_FORMS] = {
		[TURNS_SHIFT] = 25, [TURNS_SHIFT_UP] = 26, [TURNS_DIVIDE] = 40,
		[TURNS_DIVIDE_UP] = 41, [TURNS_MULTIPLY] = 40, [TURNS_AT_MOST] = 30,
		[TURNS_BITS] = 35, [TURNS_BITS_SET] = 36, [TURNS_FIRST_BIT] = 37,
		[TURNS_FIELD] = 45,
	};
	int cost = f->form == TURNS_MASK ? cost_of_mask(f->by) : form[f->form];

	if (f->form == TURNS_FIELD)
		cost += cost_of_mask(f->mask) - 20;
	if (f->pair != TURNS_ONE)
		cost += 40;
	return cost + 5 * (f->plus < 0 ? -f->plus : f->plus);
}
