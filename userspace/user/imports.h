/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * imports.h - the libraries that a program needs, and the functions that it calls there
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
	const char **file;	/* the program, its interpreter and its libraries, as found */
	size_t nr_files, files_room;
	struct arena texts;
};

/*
 * Read the imports of a program, sorted by name, and look for them where the dynamic linker does:
 * in the libraries that it needs, and in those that these need. Nothing is executed. Returns
 * false if the file is no ELF file of this machine.
 */
bool user_imports_read(struct user_imports *m, const char *path);

/*
 * Find the files alone, of those that need no answer of others. To look for them may take without
 * end, where a directory is one of a server that does not answer. Those that the program opens
 * while it runs (dlopen) are not among them.
 */
bool user_imports_files(struct user_imports *m, const char *path);
void user_imports_free(struct user_imports *m);

#endif /* KPROF_USER_IMPORTS_H */
