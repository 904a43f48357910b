// SPDX-License-Identifier: GPL-2.0-only
/*
 * fuzz_rules.c - rules of user stacks, as a reader may write them to the module, and a stack that
 * they are applied to
 *
 * Of most inputs the first bytes are the numbers of rules and rows, and a table with a right header
 * and ascending rows is made of the rest, so that changes are not refused at the door; the others
 * are taken as they are. The end of an input is the stack, too: a byte is a word, which is an
 * address of the stack or of code.
 */
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "user_stack.h"
#include "user/rules.c"
#include "user/step.c"

#define STEPS	128
#define PLACES	16	/* where a walk begins */

/* Take bytes from the front; zeroes where there are none left. */
static void take(struct fuzz_part *from, void *to, size_t size)
{
	size_t nr = size < from->size ? size : from->size;

	memset(to, 0, size);
	memcpy(to, from->data, nr);
	from->data += nr;
	from->size -= nr;
}

static size_t compose(struct fuzz_part from, struct kprof_rules_header **table)
{
	struct kprof_rules_header h = { .magic = KPROF_RULES_MAGIC, .file = 1 };
	struct kprof_rule *rule;
	u32 *row, at = 0, i;
	size_t size;
	u16 *number;
	u8 nr[2];

	take(&from, nr, sizeof(nr));
	h.nr_rules = nr[0];
	h.nr_rows = nr[1];
	size = sizeof(h) + nr[0] * sizeof(*rule) + nr[1] * (sizeof(*row) + sizeof(*number));
	*table = malloc(size);
	**table = h;
	rule = (struct kprof_rule *)(*table + 1);
	for (i = 0; i < nr[0]; i++) {
		take(&from, &rule[i], sizeof(*rule));
		rule[i].kind %= KPROF_NR_RULES;
		rule[i].zero = 0;
	}
	row = (u32 *)(rule + nr[0]);
	number = (u16 *)(row + nr[1]);
	for (i = 0; i < nr[1]; i++) {
		take(&from, &number[i], sizeof(*number));
		at += 1 + number[i] / 256;
		row[i] = at;
		number[i] %= nr[0] ? nr[0] : 1;
	}
	return size;
}

static const struct kprof_rule *find(const struct kprof_rules_header *table, u64 offset)
{
	const struct kprof_rule *rule = kprof_rules_find(table, offset);
	const struct kprof_rule *first = (const void *)(table + 1);

	if (rule && (rule < first || rule >= first + table->nr_rules))
		fuzz_fail("a rule that is not in the table", NULL, 0);
	if (rule != kprof_rules_find(table, offset))
		fuzz_fail("another rule is in the cache", NULL, 0);
	return rule;
}

/* Upwards, except out of a signal handler. */
static void walk(const struct kprof_rules_header *table, struct kprof_user_state at)
{
	const struct kprof_rule *rule;
	unsigned long floor;
	int i;

	for (i = 0; i < STEPS; i++) {
		floor = at.floor;
		rule = find(table, at.pc - !at.is_exact);
		if ((rule && kprof_step_is_possible(rule, &at) ?
		     kprof_step_by_rule(rule, &at) : kprof_step_by_frame(&at)) != KPROF_STEP_UP)
			break;
		if (!at.is_exact && at.floor < floor)
			fuzz_fail("a step leads down", NULL, 0);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_part rest = { (const char *)data, size };
	struct kprof_rules_header *table = NULL;
	size_t len, i;
	u64 place;

	if (!size)
		return 0;
	for (i = 0; i < ARRAY_SIZE(stack); i++) {
		u8 byte = i < size ? data[size - 1 - i] : 0;

		stack[i] = byte < 128 ? BASE + 4 * byte : byte - 128u;
	}
	rest.data++;
	rest.size--;
	if (*data & 3) {
		len = compose(rest, &table);
	} else {
		len = rest.size;
		table = malloc(len ? len : 1);
		memcpy(table, rest.data, len);
	}
	if (kprof_rules_accept(table, len)) {
		for (place = 0; place < PLACES; place++)
			walk(table, (struct kprof_user_state) {
				.pc = place * 9, .sp = BASE + place * 8, .fp = stack[place],
				.link = stack[PLACES - 1 - place],
				.word = *data & 4 ? 8 : 4, .is_exact = place & 1,
			});
		for (place = 0; place < 4; place++)
			find(table, U32_MAX - place * 0x7fffffffull);
	}
	if (odd_reads)
		fuzz_fail("a word is read that is not aligned", NULL, 0);
	kprof_rules_forget();
	free(table);
	return 0;
}
