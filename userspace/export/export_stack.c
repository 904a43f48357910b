// SPDX-License-Identifier: GPL-2.0-only
/*
 * export_stack.c - the stack of a row as places whose functions can be looked up
 */
#include <string.h>

#include "data/data_fold.h"
#include "data/rooted.h"
#include "export/export_stack.h"
#include "lib/mem.h"

static void add(struct export_stack *s, uint64_t addr, const char *special)
{
	s->place = mem_grow(s->place, &s->room, s->nr + 1, sizeof(*s->place));
	s->place[s->nr++] = (struct export_place){ .addr = addr, .special = special };
}

static void add_part(struct export_stack *s, const struct data *d, const struct data_stack *part)
{
	const struct kprof_stack *stack = part->stack;
	uint32_t i;

	if (!stack) {
		add(s, 0, part->special);
		return;
	}
	/* A return address may already belong to the next function. */
	for (i = 0; i < stack->nr; i++)
		add(s, i ? stack->ip[i] - 1 : stack->ip[i], NULL);
	if (stack->flags & KPROF_STACK_CUT)
		add(s, 0, "[cut]");
	else if (stack->flags & KPROF_STACK_PARTIAL && !data_is_rooted(d, stack))
		add(s, 0, "[unknown]");
}

void export_stack_of(struct export_stack *s, const struct data *d, const struct tally_row *row)
{
	struct data_stack parts[DATA_ROW_STACKS];
	int nr = data_row_stacks(d, row, parts), i;

	s->nr = 0;
	for (i = 0; i < nr; i++)
		add_part(s, d, &parts[i]);
}

const struct frame *export_frames(const struct data *d, const struct export_place *place,
				  size_t *nr)
{
	static struct frame special;

	if (!place->special)
		return frames_at(d, place->addr, nr);
	special = (struct frame){
		.name = place->special, .function = place->special, .label = place->special,
		.label_len = strlen(place->special), .module = place->special, .is_user = true,
	};
	*nr = 1;
	return &special;
}
