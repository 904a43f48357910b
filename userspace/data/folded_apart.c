// SPDX-License-Identifier: GPL-2.0-only
/*
 * folded_apart.c - of a differential: its scale, and the stacks that one side only has
 *
 * A picture is as wide as the counts of the second side, so frames that only the first one has are
 * of no width. They can be put below a root of their own, as wide as they were.
 */
#include <stdlib.h>

#include "data/folded.h"
#include "lib/mem.h"

void folded_scale_before(struct folded *f, folded_count by)
{
	uint32_t i;

	for (i = 0; i < f->nr_nodes; i++)
		f->self[i].before *= by;
}

/* Step to a new root, and then along the names of the path to @node. Returns the depth. */
static size_t step_below(struct folded *f, const char *root, uint32_t node,
			 struct folded_frame **frame, size_t *room)
{
	size_t depth = 1, i;
	uint32_t at;

	for (at = node; at; at = f->node[at].parent)
		depth++;
	*frame = mem_grow(*frame, room, depth, sizeof(**frame));
	for (at = node, i = depth - 1; at; at = f->node[at].parent, i--) {
		const struct strtab_entry *name = &f->names.name[f->node[at].name];

		(*frame)[i] = (struct folded_frame){ .text = name->text, .len = name->len };
	}
	(*frame)[0] = folded_frame(root);
	for (i = 0; i < depth; i++)
		folded_step_to(f, i, &(*frame)[i]);
	return depth;
}

void folded_set_apart(struct folded *f, const char *root, struct folded_apart *apart)
{
	folded_count *total = folded_totals(f);
	struct folded_frame *frame = NULL;
	uint32_t i, nr = f->nr_nodes;
	size_t depth, room = 0;

	for (i = 1; i < nr; i++) {
		const folded_count count = f->self[i].before;

		if (total[i] > 0 || count <= FOLDED_PRINTED_AS_0)
			continue;
		apart->nr++;
		apart->count += count;
		if (!root)
			continue;
		f->self[i].before = 0;
		depth = step_below(f, root, i, &frame, &room);
		/* As wide as it was, and less by all of that. */
		folded_count_path(f, depth, &(struct folded_self){
			.before = 2 * count, .after = count,
		});
		apart->node = f->path[0];
	}
	free(frame);
	free(total);
}
