/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * setup.h - change settings of the module, and restore them
 */
#ifndef KPROF_SETUP_H
#define KPROF_SETUP_H

#include <stdbool.h>

struct setup_saved {
	const char *file;
	char *value;
};

struct setup {
	bool loaded;		/* loaded by kprof, so unloading it restores everything */
	struct setup_saved saved[24];	/* more than any verb sets */
	int nr_saved;
};

/*
 * Load the module if necessary, and stop it. Returns 0, or EXIT_ERROR after a message. Call
 * setup_end() in both cases.
 */
int setup_begin(struct setup *c, const char *module, const char *parameters);

/* Change a control file; @file must outlive @c. */
int setup_set(struct setup *c, const char *file, const char *value);
int setup_set_number(struct setup *c, const char *file, long value);

/*
 * Replace the list of targets; patterns are expanded. Functions that match a pattern, but cannot be
 * watched, are left out with a warning; with @skip_missing, so are functions given by name. With
 * the key "ustack", user stacks are taken.
 */
int setup_set_targets(struct setup *c, const char *const *target, int nr,
		      bool skip_missing);

/* Restore everything. All files of the module must be closed. */
int setup_end(struct setup *c);

#endif /* KPROF_SETUP_H */
