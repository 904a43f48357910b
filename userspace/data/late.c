// SPDX-License-Identifier: GPL-2.0-only
/*
 * late.c - which samples came late: as soon as interrupts were turned on
 */
#include <stdlib.h>
#include <string.h>

#include "data/late.h"
#include "lib/mem.h"

/* Counters of the processor may raise an NMI, which nothing holds back. */
static bool is_of_interrupts(const struct data *d)
{
	char *event = data_meta(d, "event");
	bool is = !strcmp(event, "timer") || !strcmp(event, "cpu-clock") ||
		  !strcmp(event, "task-clock");

	free(event);
	return is;
}

void late_open(struct late *l, const struct data *d)
{
	char *machine;

	if (!is_of_interrupts(d))
		return;
	machine = data_meta(d, "machine");
	l->machine = code_machine_of(machine);
	free(machine);
	if (!l->machine)
		return;
	l->state = l->machine->open();
	if (!l->state)
		return;
	kept_code_open(&l->code, d);
	l->is_read = mem_zalloc(l->code.nr, sizeof(*l->is_read));
}

void late_close(struct late *l)
{
	if (l->state)
		l->machine->close(l->state);
	kept_code_close(&l->code);
	free(l->is_read);
	strtab_free(&l->openings);
	*l = (struct late){ 0 };
}

static void note(uint64_t addr, void *arg)
{
	struct late *l = arg;

	strtab_add(&l->openings, (const char *)&addr, sizeof(addr));
}

static void read_function(struct late *l, const struct kept_function *f)
{
	struct buf bytes = { 0 };

	l->is_read[f - l->code.function] = true;
	kept_code_add(f, f->size, &bytes);
	code_each_opening(l->machine, l->state, (const uint8_t *)bytes.data, bytes.len, f->start,
			  note, l);
	buf_free(&bytes);
}

bool late_is_opening(struct late *l, uint64_t addr)
{
	const struct kept_function *f = kept_code_find(&l->code, addr);

	if (!f)
		return false;
	if (!l->is_read[f - l->code.function])
		read_function(l, f);
	return strtab_find(&l->openings, (const char *)&addr, sizeof(addr)) != STRTAB_NONE;
}
