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

/* What stands around one text or two. */
struct around {
	const char *before, *between, *behind;	/* between: "": there is one only */
};

static void print_around(const struct around *t, const char *a, const char *b, struct buf *out)
{
	buf_printf(out, "%s%s%s%s%s", t->before, a, t->between, *t->between ? b : "", t->behind);
}

static const struct around pairs[TURNS_NR_PAIRS] = {
	[TURNS_ONE] = { "", "", "" }, [TURNS_DIFFERENCE] = { "", " - ", "" },
	[TURNS_SUM] = { "", " + ", "" }, [TURNS_PRODUCT] = { "", " * ", "" },
	[TURNS_LESSER] = { "min(", ", ", ")" }, [TURNS_QUOTIENT] = { "", " / ", "" },
	[TURNS_QUOTIENT_UP] = { "DIV_ROUND_UP(", ", ", ")" },
};

static const struct around forms[TURNS_NR_FORMS] = {
	[TURNS_AS_IS] = { "", "", "" }, [TURNS_MASK] = { "", " & ", "" },
	[TURNS_SHIFT] = { "", " >> ", "" }, [TURNS_SHIFT_UP] = { "DIV_ROUND_UP(", ", ", ")" },
	[TURNS_DIVIDE] = { "", " / ", "" }, [TURNS_DIVIDE_UP] = { "DIV_ROUND_UP(", ", ", ")" },
	[TURNS_MULTIPLY] = { "", " * ", "" }, [TURNS_AT_MOST] = { "min(", ", ", ")" },
	[TURNS_BITS] = { "fls64(", "", ")" }, [TURNS_BITS_SET] = { "hweight64(", "", ")" },
	[TURNS_FIRST_BIT] = { "__ffs64(", "", ")" }, [TURNS_FIELD] = { "(", " >> ", ")" },
};

static const struct around in_parentheses = { "(", "", ")" }, bare = { "", "", "" };

/* Would the form's operator take a part of the sum only, without parentheses around it? */
static bool is_sum_in_form(const struct turns_formula *f)
{
	bool is_sum = f->pair == TURNS_DIFFERENCE || f->pair == TURNS_SUM;
	bool is_operator = *forms[f->form].between && !*forms[f->form].before;

	return is_sum && (is_operator || f->form == TURNS_FIELD);
}

/* Would what is added be a part of the form's operand? */
static bool is_form_in_sum(const struct turns_formula *f)
{
	return f->plus &&
	       (f->form == TURNS_MASK || f->form == TURNS_SHIFT || f->form == TURNS_FIELD);
}

static void print_form(const struct turns_formula *f, const char *x, struct buf *out)
{
	struct buf number = { 0 };

	if (f->form == TURNS_MASK)
		buf_printf(&number, "0x%" PRIx64, f->by);
	else
		buf_printf(&number, "%" PRIu64,
			   f->form == TURNS_SHIFT_UP ? UINT64_C(1) << f->by : f->by);
	print_around(&forms[f->form], x, number.data, out);
	if (f->form == TURNS_FIELD)
		buf_printf(out, " & 0x%" PRIx64, f->mask);
	buf_free(&number);
}

void turns_print_formula(const struct turns_formula *f, const char *const *key, struct buf *out)
{
	struct buf pair = { 0 }, x = { 0 }, y = { 0 };

	print_around(&pairs[f->pair], key[f->key[0]], key[f->key[1]], &pair);
	print_around(is_sum_in_form(f) ? &in_parentheses : &bare, pair.data, "", &x);
	print_form(f, x.data, &y);
	print_around(is_form_in_sum(f) ? &in_parentheses : &bare, y.data, "", out);
	if (f->plus)
		buf_printf(out, " %c %" PRId64, f->plus < 0 ? '-' : '+',
			   f->plus < 0 ? -f->plus : f->plus);
	buf_free(&pair);
	buf_free(&x);
	buf_free(&y);
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
