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
#include "user/recorded.h"

/* Where no function is known, the symbol is one byte. */
static bool is_function(const struct symbol *sym)
{
	return sym->size > 1 && sym->size <= KEEP_CODE_FUNCTION;
}

static bool read_code(const struct user_files *files, const struct symbol *sym, struct buf *bytes)
{
	uint32_t id = KPROF_USER_FILE(sym->start);
	int fd = id < files->nr ? files->file[id].fd : -1;

	bytes->len = 0;
	if (fd < 0 || !user_file_is_64(fd))
		return false;
	buf_reserve(bytes, sym->size);
	if (pread(fd, bytes->data, sym->size, KPROF_USER_OFFSET(sym->start)) != (ssize_t)sym->size)
		return false;
	bytes->len = sym->size;
	return true;
}

void keep_user_write(const struct user_files *files, const struct buf *addresses,
		     const struct buf *names, struct data_writer *out)
{
	const uint64_t *addr = (const void *)addresses->data;
	struct buf text = { 0 }, bytes = { 0 }, lines = { 0 };
	struct symtab code = { 0 };
	size_t i, total = 0;
	bool *done;

	buf_add(&text, names->data ? names->data : "", names->len);
	if (symtab_parse_code(&code, &text))
		code.nr = 0;
	done = mem_zalloc(code.nr + 1, sizeof(*done));
	for (i = 0; i < addresses->len / sizeof(*addr); i++) {
		const struct symbol *sym = frames_is_place(addr[i]) ?
			symtab_find(&code, addr[i]) : NULL;

		if (!sym || done[sym - code.sym])
			continue;
		done[sym - code.sym] = true;
		if (!is_function(sym) || total + sym->size > KEEP_CODE_MAX ||
		    !read_code(files, sym, &bytes))
			continue;
		total += sym->size;
		keep_code_line(&lines, sym->start, &bytes);
	}
	if (lines.len)
		data_write(out, DATA_BYTES, 0, lines.data, lines.len, true);
	free(done);
	symtab_free(&code);
	buf_free(&text);
	buf_free(&bytes);
	buf_free(&lines);
}
