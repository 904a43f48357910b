// SPDX-License-Identifier: GPL-2.0-only
/*
 * keep_user.c - the code of functions of programs that were sampled, for the recording
 */
#include <stdlib.h>
#include <unistd.h>

#include "data/frames.h"
#include "lib/mem.h"
#include "record/keep_code.h"
#include "record/keep_user.h"
#include "user/build_id.h"

/* What one file may take of the room for all. */
struct share {
	size_t wanted, room;	/* bytes */
};

struct keep_user {
	const struct user_files *files;
	struct symtab code;
	bool *noted;		/* by index of the symbol */
	struct share *share;	/* by number of the file */
};

/* The function at an address, if its code may be kept. Where none is known, it is of one byte. */
static const struct symbol *find(const struct keep_user *k, uint64_t addr)
{
	const struct symbol *sym = frames_is_place(addr) ? symtab_find(&k->code, addr) : NULL;
	uint32_t id = sym ? KPROF_USER_FILE(sym->start) : 0;

	return sym && sym->size > 1 && sym->size <= KEEP_CODE_FUNCTION && id < k->files->nr &&
	       k->files->file[id].fd >= 0 ? sym : NULL;
}

static bool read_code(const struct keep_user *k, const struct symbol *sym, struct buf *bytes)
{
	int fd = k->files->file[KPROF_USER_FILE(sym->start)].fd;

	bytes->len = 0;
	if (!user_file_is_64(fd))
		return false;
	buf_reserve(bytes, sym->size);
	if (pread(fd, bytes->data, sym->size, KPROF_USER_OFFSET(sym->start)) != (ssize_t)sym->size)
		return false;
	bytes->len = sym->size;
	return true;
}

static int by_wanted(const void *va, const void *vb)
{
	const struct share *a = *(struct share *const *)va, *b = *(struct share *const *)vb;

	return a->wanted < b->wanted ? -1 : a->wanted > b->wanted;
}

/*
 * Files that want little get it, the others the same share of what is left: a program with large
 * functions leaves room for the others.
 */
static void divide(struct keep_user *k)
{
	struct share **all = mem_zalloc(k->files->nr + 1, sizeof(*all));
	size_t left = KEEP_CODE_MAX, nr = 0, i;

	for (i = 0; i < k->files->nr; i++)
		if (k->share[i].wanted)
			all[nr++] = &k->share[i];
	qsort(all, nr, sizeof(*all), by_wanted);
	for (i = 0; i < nr; i++) {
		size_t even = left / (nr - i);

		all[i]->room = all[i]->wanted < even ? all[i]->wanted : even;
		left -= all[i]->room;
	}
	free(all);
}

/* The functions that samples were taken in, each once. */
static void note(struct keep_user *k, const uint64_t *addr, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct symbol *sym = find(k, addr[i]);

		if (!sym || k->noted[sym - k->code.sym])
			continue;
		k->noted[sym - k->code.sym] = true;
		k->share[KPROF_USER_FILE(sym->start)].wanted += sym->size;
	}
}

static void keep(struct keep_user *k, const uint64_t *addr, size_t nr, struct buf *lines)
{
	struct buf bytes = { 0 };
	struct share *share;
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct symbol *sym = find(k, addr[i]);

		if (!sym || !k->noted[sym - k->code.sym])
			continue;
		k->noted[sym - k->code.sym] = false;
		share = &k->share[KPROF_USER_FILE(sym->start)];
		if (sym->size > share->room || !read_code(k, sym, &bytes))
			continue;
		share->room -= sym->size;
		keep_code_line(lines, sym->start, &bytes);
	}
	buf_free(&bytes);
}

void keep_user_write(const struct user_files *files, const struct buf *addresses,
		     const struct buf *names, struct data_writer *out)
{
	const uint64_t *addr = (const void *)addresses->data;
	size_t nr = addresses->len / sizeof(*addr);
	struct keep_user k = { .files = files };
	struct buf text = { 0 }, lines = { 0 };

	buf_add(&text, names->data ? names->data : "", names->len);
	if (symtab_parse_code(&k.code, &text))
		k.code.nr = 0;
	k.noted = mem_zalloc(k.code.nr + 1, sizeof(*k.noted));
	k.share = mem_zalloc(files->nr + 1, sizeof(*k.share));
	note(&k, addr, nr);
	divide(&k);
	keep(&k, addr, nr, &lines);
	if (lines.len)
		data_write(out, DATA_BYTES, 0, lines.data, lines.len, true);
	free(k.noted);
	free(k.share);
	symtab_free(&k.code);
	buf_free(&text);
	buf_free(&lines);
}
