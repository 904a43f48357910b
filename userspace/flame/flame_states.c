// SPDX-License-Identifier: GPL-2.0-only
/*
 * flame_states.c - a colour for each state of a task, with a legend
 *
 * In stacks of "kprof record --wall" a frame such as [sleep] or [throttled:/limited] says what the
 * task did. All above it have its colour, up to the next one: where a task waits for another one,
 * the state of that one follows.
 */
#include <string.h>

#include "flame/flame.h"

static const struct {
	const char *name;
	enum flame_palette palette;
} states[FLAME_STATES] = {
	{ "running", PALETTE_GREEN }, { "interrupted", PALETTE_AQUA },
	{ "runnable", PALETTE_YELLOW }, { "throttled", PALETTE_ORANGE },
	{ "io", PALETTE_BLUE }, { "wait", PALETTE_RED }, { "sleep", PALETTE_PURPLE },
};

/* The state that a frame names; FLAME_STATES: none. */
static size_t state_of(const char *frame)
{
	size_t i, len;

	for (i = 0; *frame == '[' && i < FLAME_STATES; i++) {
		len = strlen(states[i].name);
		if (!strncmp(frame + 1, states[i].name, len) && strchr("]:", frame[len + 1]))
			return i;
	}
	return FLAME_STATES;
}

void flame_states_find(const struct folded *f, const struct flame_layout *l, uint8_t *of)
{
	uint32_t i;

	memset(of, FLAME_STATES, f->nr_nodes);
	/* Parents are first. */
	for (i = 0; i < l->nr; i++) {
		const struct folded_node *node = &f->node[l->frame[i].node];
		const char *name = f->names.name[node->name].text;
		size_t state = l->frame[i].node ? state_of(name) : FLAME_STATES;

		if (state < FLAME_STATES)
			of[l->frame[i].node] = state;
		/* "--" stands before the task that is waited for. */
		else if (l->frame[i].node && strcmp(name, "--"))
			of[l->frame[i].node] = of[node->parent];
	}
}

int flame_state_palette(size_t state)
{
	return state < FLAME_STATES ? (int)states[state].palette : PALETTE_WALL;
}

const char *flame_state_name(size_t state)
{
	return states[state].name;
}
