// SPDX-License-Identifier: GPL-2.0-only
/*
 * jitdump.c - the functions in a jit-PID.dump, which a process writes for code that it generates
 *
 * A process writes a record for each function that it makes, and may later put another one in the
 * same place. So the functions are laid over each other, the last one on top.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/hash.h"
#include "lib/mem.h"
#include "user/jitdump.h"
#include "user/layers.h"

#define MAGIC		0x4a695444u
#define VERSION		1

/* All numbers are in the byte order of the machine. */
struct header {
	uint32_t magic, version;
	uint32_t size;		/* of the header */
	uint32_t machine, pad, pid;
	uint64_t time, flags;
};

enum { LOAD, MOVE };

struct prefix {
	uint32_t id;
	uint32_t size;		/* of the record, this included */
	uint64_t time;
};

/* LOAD; behind it are the name, with its NUL, and the code. */
struct load {
	uint32_t pid, tid;
	uint64_t vma, addr, size, index;
};

struct move {
	uint32_t pid, tid;
	uint64_t vma, old_addr, addr, size, index;
};

/* What a function is called, by its number in the file. */
struct named {
	uint64_t index;
	const char *name;
};

struct jitdump {
	FILE *in;
	struct layers layers;
	struct named *named;
	size_t nr_named, named_room;
	struct hash table;	/* of named */
	struct arena *names;	/* of what is read */
	size_t bytes;		/* of names */
};

/* --- records --- */

static struct named *find(const struct jitdump *j, uint64_t index)
{
	uint32_t i;

	if (!j->nr_named)
		return NULL;
	hash_each(i, &j->table, hash_number(index, 0))
		if (j->named[hash_at(&j->table, i)].index == index)
			return &j->named[hash_at(&j->table, i)];
	return NULL;
}

static void add_name(struct jitdump *j, uint64_t index, const char *name)
{
	struct named *known = find(j, index);
	size_t i;

	if (known) {
		known->name = name;
		return;
	}
	j->named = mem_grow(j->named, &j->named_room, j->nr_named + 1, sizeof(*j->named));
	if (hash_grow(&j->table, j->nr_named + 1))
		for (i = 0; i < j->nr_named; i++)
			hash_put(&j->table, hash_number(j->named[i].index, 0), i);
	hash_put(&j->table, hash_number(index, 0), j->nr_named);
	j->named[j->nr_named++] = (struct named){ index, name };
}

static void add_code(struct jitdump *j, uint64_t addr, uint64_t size, const char *name)
{
	layers_add(&j->layers, addr, size, name, strlen(name));
}

/* The name ends at its NUL, or with the record, of which @left bytes are left. */
static bool read_load(struct jitdump *j, size_t left)
{
	char name[JITDUMP_NAME_MAX];
	struct load load;
	size_t len = 0;
	const char *kept;
	int c = 0;

	if (left < sizeof(load) || fread(&load, sizeof(load), 1, j->in) != 1)
		return false;
	for (left -= sizeof(load); left && len < sizeof(name); left--) {
		c = getc(j->in);
		if (c == EOF)
			return false;
		if (!c)
			break;
		name[len++] = c;
	}
	if (!len || j->bytes + len > JITDUMP_NAMES_MAX)
		return j->bytes + len <= JITDUMP_NAMES_MAX;
	j->bytes += len;
	kept = arena_copy(j->names, name, len);
	add_name(j, load.index, kept);
	add_code(j, load.addr, load.size, kept);
	return true;
}

static bool read_move(struct jitdump *j, size_t left)
{
	const struct named *named;
	struct move move;

	if (left < sizeof(move) || fread(&move, sizeof(move), 1, j->in) != 1)
		return false;
	named = find(j, move.index);
	if (named)
		add_code(j, move.addr, move.size, named->name);
	return true;
}

static void read_records(struct jitdump *j)
{
	struct prefix prefix;
	bool good = true;
	size_t nr;
	off_t at;

	for (nr = 0; good && nr < JITDUMP_RECORDS_MAX; nr++) {
		at = ftello(j->in);
		if (at < 0 || fread(&prefix, sizeof(prefix), 1, j->in) != 1 ||
		    prefix.size < sizeof(prefix))
			return;
		if (prefix.id == LOAD)
			good = read_load(j, prefix.size - sizeof(prefix));
		else if (prefix.id == MOVE)
			good = read_move(j, prefix.size - sizeof(prefix));
		if (fseeko(j->in, at + prefix.size, SEEK_SET))
			return;
	}
}

void user_jitdump_read(struct user_functions *f, FILE *in)
{
	struct jitdump j = { .in = in, .names = &f->names };
	struct header header;

	if (fread(&header, sizeof(header), 1, in) == 1 && header.magic == MAGIC &&
	    header.version == VERSION && header.size >= sizeof(header) &&
	    !fseeko(in, header.size, SEEK_SET))
		read_records(&j);
	layers_show(&j.layers, f);
	free(j.named);
	hash_free(&j.table);
}
