/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * setup.h - settings of the module for a while: what was there is put back
 */
#ifndef KPROF_CONTROL_H
#define KPROF_CONTROL_H

#include <stdbool.h>

struct control_saved {
	const char *file;
	char *value;
};

struct control {
	bool loaded;		/* by us: unloading puts everything back */
	struct control_saved saved[16];
	int nr_saved;
};

/*
 * Load the module if it is not there, and stop it. 0 or, after a message,
 * EXIT_ERROR; then, too, control_end() undoes what was done.
 */
int control_begin(struct control *c, const char *module, const char *parameters);

/* Change a control file; @file must outlive @c. */
int control_set(struct control *c, const char *file, const char *value);

/*
 * Replace the list of targets; patterns become what they match. With @skip_missing what
 * cannot be watched is left out, with a line, as it is of a pattern.
 */
int control_set_targets(struct control *c, const char *const *target, int nr,
			bool skip_missing);

/* Put everything back; every file of the module must be closed by now. */
int control_end(struct control *c);

#endif /* KPROF_CONTROL_H */
