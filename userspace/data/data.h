/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * data.h - the recording, kprof.data: its format, its writer and its reader
 *
 * A recording is a file header and a sequence of sections, written in one
 * pass. Each section has a size and a checksum, so a truncated file (the
 * machine crashed, the disk was full) is valid up to its last complete
 * section. A complete file ends with a section DATA_END.
 * Documentation/kprof.data.rst describes the format.
 */
#ifndef KPROF_DATA_H
#define KPROF_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kprof.h"
#include "lib/buf.h"
#include "lib/input.h"
#include "symbols/inlined.h"
#include "symbols/symtab.h"

#define DATA_MAGIC	"KPROFDAT"
#define DATA_VERSION	1
#define DATA_ORDER	0x01020304u	/* detects a file of the other byte order */

struct data_file_header {
	char magic[8];
	uint32_t order;		/* DATA_ORDER */
	uint32_t version;	/* DATA_VERSION */
	uint32_t abi;		/* KPROF_ABI_VERSION of the records and tables */
	uint32_t reserved[3];
};

enum data_section_type {
	DATA_META = 1,		/* text "name: value"; several are concatenated */
	DATA_RING,		/* struct kprof_record[], arg: the CPU */
	DATA_STACKS,		/* a sequence of struct kprof_stack; several are concatenated */
	DATA_TASKS,		/* struct kprof_task[]; several are concatenated */
	DATA_SOURCES,		/* text "ID NAME KIND"; the last section replaces earlier ones */
	DATA_SYMBOLS,		/* text "START SIZE NAME [MODULE]"; several are concatenated */
	DATA_MODULES,		/* text: /proc/modules */
	DATA_NOTES,		/* bytes: /sys/kernel/notes, has the build id */
	DATA_STATS_BEFORE,	/* text: the module's stats before the recording ... */
	DATA_STATS,		/* ... and after; the loss account is their difference */
	DATA_LATENCY,		/* text: the module's latency table at the end */
	DATA_END,		/* empty: the recording is complete */
	DATA_BUCKETS,		/* text: the buckets of the latency table */
	DATA_TARGETS,		/* text: the module's targets */
	DATA_CONFIG,		/* text: the configuration of the kernel */
	DATA_MITIGATIONS,	/* text "name: state" of hardware vulnerabilities */
	DATA_FUNCTIONS,		/* text "TYPE NAME [MODULE]": the functions that can be seen */
	DATA_FILES,		/* text: the module's file_table */
	DATA_CODE,		/* text "START SIZE<tab>FILE<tab>NAME": user code; concatenated */
	DATA_BYTES,		/* text "START HEX": code of functions sampled; concatenated */
	DATA_CGROUPS,		/* text "TASK PATH": the module's task_cgroups; concatenated */
	DATA_INLINED,		/* text "PLACE LINE<tab>FILE<tab>NAME": see symbols/inlined.h */
	DATA_NR_TYPES
};

struct data_section {
	uint32_t type;
	uint32_t arg;
	uint32_t flags;
	uint32_t crc;		/* zlib's crc32 of this header with crc 0, then of the payload */
	uint64_t size;		/* of the payload as stored, without the padding to 8 bytes */
	uint64_t raw_size;	/* of the uncompressed payload */
};

#define DATA_ZLIB	0x1u	/* flags: the payload is a zlib stream */

/* --- writing --- */

struct data_writer {
	int fd;
	int error;		/* errno of the first failure; nothing is written after it */
	uint64_t bytes;		/* written so far */
};

void data_write_header(struct data_writer *w, int fd);
void data_write(struct data_writer *w, enum data_section_type type, uint32_t arg,
		const void *payload, size_t size, bool compress);

/* --- reading --- */

struct data_task {
	uint32_t tgid;
	char comm[17];
	const char *cgroup;	/* NULL: not recorded */
};

struct data_source {
	char *name;
	bool is_target;
};

struct data_chunk {
	const struct kprof_record *rec;
	size_t nr;
	uint32_t cpu;
	size_t next;		/* index of the next chunk of the same CPU; 0: none */
};

struct data {
	char error[256];	/* why data_open() failed */
	bool whole;		/* the file has a DATA_END */
	uint64_t good;		/* bytes up to the end of the last complete section */
	struct buf *payload;	/* payloads that chunk and stack point into */
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
	bool *is_called;	/* private: see data_find_targets() */
	struct symtab symbols;
	struct symtab code;			/* symbols of user code, by place */
	struct inlined inlined;			/* what was inlined into it, and lines */
	struct frames *frames;			/* private to frames.c */
	struct regions *regions;		/* private to regions.c */
	struct marks *marks;			/* private to marks.c */
	struct buf text[DATA_NR_TYPES];		/* the text sections, uncompressed */
	struct buf code_sections;		/* DATA_BYTES, until kept_code_load() */
	/* Private from here on. */
	size_t chunk_room, stack_room, task_room, payload_room;
	uint64_t bytes;		/* read so far */
	uint64_t text_bytes, text_lines;	/* of text sections, so far; uncompressed */
	size_t *last_chunk;	/* by CPU: the last chunk of the CPU, counted from 1 */
	size_t nr_cpus, cpu_room;
};

/*
 * Read a recording. Returns -1 with d->error set on failure; call data_close() in both cases.
 * The contents are kept in memory, so there are limits. No recording that kprof makes comes
 * near them.
 */
#define DATA_SIZE_MAX	(4ull << 30)	/* bytes of the file, uncompressed if it is compressed */
#define DATA_SECTION_MAX	(1ull << 30)	/* bytes of a section; a ring has 64 MiB */
#define DATA_TEXT_MAX	(256ull << 20)	/* bytes of all text sections, uncompressed */
#define DATA_META_MAX	(16ull << 20)	/* bytes of DATA_META; a command may have 6 MiB */
#define DATA_LINES_MAX	2000000u	/* lines of all text sections but DATA_BUCKETS */
#define DATA_DEPTH_MAX	1024		/* frames of a stack */

/* What is said of other files. */
#define DATA_OF_NOBODY	"not a recording: it does not begin with " DATA_MAGIC
#define DATA_OF_TEXT \
	"a text, not a recording: those of stacks, such as perf script's, are for 'kprof flame', fold and diff"
#define DATA_OF_PERF	"a recording of perf, whose text is read: 'perf script -i FILE | kprof flame -'"

int data_read(struct data *d, struct input *in);
/* Does the input begin like a recording of perf? */
bool data_is_of_perf(struct input *in);
/* The same from a file ("-": standard input). */
int data_open(struct data *d, const char *path);
/* The same from memory. Takes over the contents of @file. */
int data_parse(struct data *d, struct buf *file);
void data_close(struct data *d);

/* Append the text of a section. Returns false, with the reason in @why, if it is damaged. */
#define DATA_WHY	128

bool data_section_text(const struct data_section *s, const void *payload, struct buf *text,
		       char why[DATA_WHY]);

/* Fill d->source from d->text[DATA_SOURCES], which is split in place. */
int data_parse_sources(struct data *d);

/* Without a list of sources, which comes last: tell targets by their calls. data_read() does. */
void data_find_targets(struct data *d);
bool data_is_target(const struct data *d, uint32_t source);

/* Has its list of sources a target? */
bool data_has_targets(const struct data *d);

/* Is this not an event of its own, but more data on a record before it? */
static inline bool data_is_addition(const struct kprof_record *rec)
{
	return KPROF_INFO_KIND(rec->info) != KPROF_REC_SAMPLE &&
	       KPROF_INFO_KIND(rec->info) != KPROF_REC_CALL;
}

/* The counts of the other counters at record @i of a chunk; NULL if there are none. */
const struct kprof_along *data_along(const struct data *d, const struct data_chunk *chunk,
				     size_t i);

/* The row of "latency" that counted the call that record @i ends; KPROF_ID_NONE: none. */
uint32_t data_row(const struct data *d, const struct data_chunk *chunk, size_t i);

/* The value of the last line "name: value". Returns false if there is no such line. */
bool data_text_value(const struct buf *text, const char *name, struct buf *value);
/* The same as a number; 0 if there is no such line, or no number. */
uint64_t data_text_number(const struct buf *text, const char *name);
/* The value of a line of DATA_META; "" if it is missing. Free the result. */
char *data_meta(const struct data *d, const char *name);
/* Duration of sampling; 0 if the recording does not tell. */
uint64_t data_duration_ns(const struct data *d);

#endif /* KPROF_DATA_H */
