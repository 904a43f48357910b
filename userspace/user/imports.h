/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * imports.h - the functions that a program calls in its libraries, and where they are
 */
#ifndef KPROF_USER_IMPORTS_H
#define KPROF_USER_IMPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/arena.h"

#define USER_IMPORTS_MAX	65536	/* the rest is left out */

/**
 * struct user_import - a function that a program imports
 * @name:	its name
 * @path:	the library that has it; NULL: none was found
 * @id:		which file that was: see file_id_add()
 * @offset:	where it is in that file
 * @is_chosen:	it only says which of several functions a program gets (IFUNC)
 * @is_old:	it is of an old version, which new programs do not get
 */
struct user_import {
	const char *name, *path, *id;
	uint64_t offset;
	bool is_chosen, is_old;
};

/* Zero-initialise. */
struct user_imports {
	struct user_import *item;
	size_t nr, room;
	struct arena texts;
};

/*
 * Read the imports of a program, sorted by name, and look for them where the dynamic linker does:
 * in the libraries that it needs, and in those that these need. Nothing is executed. Returns
 * false if the file is no ELF file of this machine.
 */
bool user_imports_read(struct user_imports *m, const char *path);
void user_imports_free(struct user_imports *m);

#endif /* KPROF_USER_IMPORTS_H */
