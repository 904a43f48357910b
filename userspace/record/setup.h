/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * setup.h - settings of the module for a while: what was there is put back
 */
#ifndef KPROF_SETUP_H
#define KPROF_SETUP_H

#include <stdbool.h>

struct setup_saved {
	const char *file;
	char *value;
};

struct setup {
	bool loaded;		/* by us: unloading puts everything back */
	struct setup_saved saved[16];
	int nr_saved;
};

/*
 * Load the module if it is not there, and stop it. 0 or, after a message,
 * EXIT_ERROR; then, too, setup_end() undoes what was done.
 */
int setup_begin(struct setup *c, const char *module, const char *parameters);

/* Change a control file; @file must outlive @c. */
int setup_set(struct setup *c, const char *file, const char *value);

/*
 * Replace the list of targets; patterns become what they match. With @skip_missing what
 * cannot be watched is left out, with a line, as it is of a pattern.
 */
int setup_set_targets(struct setup *c, const char *const *target, int nr,
		      bool skip_missing);

/* Put everything back; every file of the module must be closed by now. */
int setup_end(struct setup *c);

#endif /* KPROF_SETUP_H */
