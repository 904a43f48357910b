/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.h - which samples came late: as soon as interrupts were turned on
 *
 * Where interrupts are off no tick is taken; it comes when they are turned on, and finds the
 * instruction after that. So a sample there stands for time before it, however short it was.
 */
#ifndef KPROF_LATE_H
#define KPROF_LATE_H

#include "code/decode.h"
#include "data/kept_code.h"
#include "lib/strtab.h"

/* Zero-initialise. */
struct late {
	/* Private. */
	const struct code_machine *machine;	/* NULL: nothing is known */
	void *state;
	struct kept_code code;
	bool *is_read;			/* by function of the code */
	struct strtab openings;		/* addresses in the functions that were looked at */
};

/*
 * For samples that interrupts take, of which a recording has kept the code, see kept_code_load().
 * Of others it is not known. Call late_close() in any case.
 */
void late_open(struct late *l, const struct data *d);
void late_close(struct late *l);

/* Is this address one where interrupts have just been turned on? */
bool late_is_opening(struct late *l, uint64_t addr);

#endif /* KPROF_LATE_H */
