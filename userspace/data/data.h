/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data.h - the recording, kprof.data: its format, its writer and its reader
 *
 * A recording is a file header and a row of sections, written in one pass.
 * Each section has a size and a checksum, so a file that was cut off (the
 * machine crashed, the disk was full) is good up to its last whole section;
 * a whole file ends in a section DATA_END. Documentation/kprof.data.rst has
 * the format in words.
 */
#ifndef KPROF_DATA_H
#define KPROF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/input.h"
#include "symbols/symtab.h"

#define DATA_MAGIC	"KPROFDAT"
#define DATA_VERSION	1
#define DATA_ORDER	0x01020304u	/* reads otherwise in the other byte order */

struct data_file_header {
	char magic[8];
	uint32_t order;		/* DATA_ORDER */
	uint32_t version;	/* DATA_VERSION */
	uint32_t abi;		/* KPROF_ABI_VERSION of the records and tables */
	uint32_t reserved[3];
};

enum data_section_type {
	DATA_META = 1,		/* text "name: value"; several add up */
	DATA_RING,		/* struct kprof_record[], arg: the CPU */
	DATA_STACKS,		/* struct kprof_stack, one after the other; several add up */
	DATA_TASKS,		/* struct kprof_task[]; several add up */
	DATA_SOURCES,		/* text "ID NAME KIND"; the last one counts */
	DATA_SYMBOLS,		/* text "START SIZE NAME [MODULE]"; several add up */
	DATA_MODULES,		/* text: /proc/modules */
	DATA_NOTES,		/* bytes: /sys/kernel/notes, has the build id */
	DATA_STATS_BEFORE,	/* text: the module's stats before and ... */
	DATA_STATS,		/* ... after; the difference is the loss account */
	DATA_LATENCY,		/* text: the module's latency table at the end */
	DATA_END,		/* empty: the recording is whole */
	DATA_BUCKETS,		/* text: the buckets of the latency table */
	DATA_TARGETS,		/* text: the module's targets */
	DATA_CONFIG,		/* text: how the kernel was configured */
	DATA_MITIGATIONS,	/* text "name: state" of hardware vulnerabilities */
	DATA_FUNCTIONS,		/* text "TYPE NAME [MODULE]": the functions that can be seen */
	DATA_FILES,		/* text: the module's file_table */
	DATA_CODE,		/* text "START SIZE<tab>FILE<tab>NAME": user code; several add up */
	DATA_NR_TYPES
};

struct data_section {
	uint32_t type;
	uint32_t arg;
	uint32_t flags;
	uint32_t crc;		/* zlib's crc32 of this header with crc 0, then of the payload */
	uint64_t size;		/* of the payload as stored; padded to 8 bytes */
	uint64_t raw_size;	/* of the payload once uncompressed */
};

#define DATA_ZLIB	0x1u	/* flags: the payload is a zlib stream */

/* --- writing --- */

struct data_writer {
	int fd;
	int error;		/* the first errno; after it nothing is written */
	uint64_t bytes;		/* written so far */
};

void data_write_header(struct data_writer *w, int fd);
void data_write(struct data_writer *w, enum data_section_type type, uint32_t arg,
		const void *payload, size_t size, bool compress);

/* --- reading --- */

struct data_task {
	uint32_t tgid;
	char comm[17];
};

struct data_source {
	char *name;
	bool is_target;
};

struct data_chunk {
	const struct kprof_record *rec;
	size_t nr;
	uint32_t cpu;
	size_t next;		/* chunk of the same CPU; 0: none */
};

struct data {
	char error[256];	/* why data_open() failed */
	bool whole;		/* the end is there */
	uint64_t good;		/* bytes up to the end of the last whole section */
	struct buf *payload;	/* of the sections that are used where they are */
	size_t nr_payloads;
	struct data_chunk *chunk;
	size_t nr_chunks;
	uint64_t nr_records;
	const struct kprof_stack **stack;	/* by id; NULL where there is none */
	uint32_t nr_stacks;
	struct data_task *task;			/* by id */
	uint32_t nr_tasks;
	struct data_source *source;		/* by id; name NULL where there is none */
	uint32_t nr_sources;
	struct symtab symbols;
	struct symtab code;			/* the same of user code, by place */
	struct frames *frames;			/* private to frames.c */
	struct buf text[DATA_NR_TYPES];		/* the sections of text, uncompressed */
	size_t chunk_room, stack_room, task_room, payload_room;	/* private, as what follows */
	uint64_t bytes, inflated;	/* read, and uncompressed, so far */
	size_t *last_chunk;	/* by CPU: its last chunk, counted from 1 */
	size_t nr_cpus, cpu_room;
};

/*
 * Read a recording; -1 with d->error set. Close it in both cases. What is in it is held
 * in memory, so there are limits; no recording of this program comes near them.
 */
#define DATA_SIZE_MAX	(4ull << 30)	/* bytes, uncompressed if the file as a whole was */
#define DATA_TEXT_MAX	(256ull << 20)	/* bytes of sections that are compressed, in all */
#define DATA_DEPTH_MAX	1024		/* frames of a stack */

int data_read(struct data *d, struct input *in);
/* The same from a file ("-": standard input). */
int data_open(struct data *d, const char *path);
/* The same from memory, whose contents are taken over. */
int data_parse(struct data *d, struct buf *file);
void data_close(struct data *d);

/* Fill d->source from d->text[DATA_SOURCES], which is cut into words by it. */
int data_parse_sources(struct data *d);

/* A record that is no event, but says more of the one before it. */
static inline bool data_is_addition(const struct kprof_record *rec)
{
	return KPROF_INFO_KIND(rec->info) == KPROF_REC_ALONG ||
	       KPROF_INFO_KIND(rec->info) == KPROF_REC_ROW;
}

/* What other counters have counted up to record @i of a chunk; NULL: nothing is known. */
const struct kprof_along *data_along(const struct data *d, const struct data_chunk *chunk,
				     size_t i);

/* The row of "latency" that the call was counted in whose end is record @i; KPROF_ID_NONE: none. */
uint32_t data_row(const struct data *d, const struct data_chunk *chunk, size_t i);

/* The value of the last "name: value" line, up to its end of line; false: not there. */
bool data_text_value(const struct buf *text, const char *name, struct buf *value);
/* A line of META; "" where it is missing. Free the result. */
char *data_meta(const struct data *d, const char *name);
/* From the start of sampling to its end, 0 where the recording does not say. */
uint64_t data_duration_ns(const struct data *d);

#endif /* KPROF_DATA_H */
