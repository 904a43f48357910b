// SPDX-License-Identifier: GPL-2.0-only
/*
 * pack.c - a recording out of a folder: each file in it is a section
 *
 * usage: pack FOLDER RECORDING
 *
 * What is text in a recording is the file itself. What is binary has a line for each:
 *
 *	tasks	ID TGID COMM, where \n is a line end
 *	stacks	ID whole|cut|partial|user ADDRESS...	leaf first, hexadecimal; of user, places
 *	ring	CPU SOURCE TASK STACK PID WEIGHT [WORD]...
 *		CPU along COUNT...			of the sample in the line before
 *		CPU row NUMBER				of the call in the line before
 *	build_id	HEX				of the kernel, as its notes have it
 *
 * WORD: call, more, user, idle, softirq, hardirq, nmi, @NANOSECONDS (time), +STACK (a user stack);
 * late, and stolen or handlers: of a sample before, so many nanoseconds of its weight.
 * Lines of another CPU begin another section.
 * With a file "cut" the recording has no end; of "damaged_bytes" one byte is missing.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "data/data.h"

static const char *const texts[DATA_NR_TYPES] = {
	[DATA_META] = "meta", [DATA_MODULES] = "modules", [DATA_STATS_BEFORE] = "stats_before",
	[DATA_STATS] = "stats", [DATA_LATENCY] = "latency", [DATA_BUCKETS] = "buckets",
	[DATA_TARGETS] = "targets", [DATA_CONFIG] = "config", [DATA_SOURCES] = "sources",
	[DATA_MITIGATIONS] = "mitigations", [DATA_FUNCTIONS] = "functions",
	[DATA_SYMBOLS] = "symbols", [DATA_FILES] = "files", [DATA_CODE] = "code",
	[DATA_BYTES] = "bytes", [DATA_CGROUPS] = "task_cgroups",
	[DATA_INLINED] = "inlined",
};

static const char *folder;

static char *next_word(char **line)
{
	return strtok_r(NULL, " \t", line);
}

static uint64_t number(char **line, int base)
{
	const char *word = next_word(line);

	if (!word) {
		fprintf(stderr, "pack: %s: a line is too short\n", folder);
		exit(1);
	}
	return strtoull(word, NULL, base);
}

static void add_task(struct buf *out, char *line)
{
	char *rest;
	struct kprof_task task = { .id = atoi(strtok_r(line, " ", &rest)) };
	char *end;

	task.tgid = number(&rest, 10);
	end = strstr(rest, "\\n");
	if (end) {
		*end = '\n';
		memmove(end + 1, end + 2, strlen(end + 2) + 1);
	}
	strncpy(task.comm, rest, sizeof(task.comm) - 1);
	buf_add(out, &task, sizeof(task));
}

static void add_stack(struct buf *out, char *line)
{
	char *rest, *word;
	struct kprof_stack stack = { .id = atoi(strtok_r(line, " ", &rest)) };
	uint64_t ip[64];

	word = next_word(&rest);
	stack.flags = !word ? 0 : !strcmp(word, "cut") ? KPROF_STACK_CUT :
		      !strcmp(word, "partial") ? KPROF_STACK_PARTIAL :
		      !strcmp(word, "user") ? KPROF_STACK_USER : 0;
	while (stack.nr < 64 && (word = next_word(&rest)))
		ip[stack.nr++] = strtoull(word, NULL, 16);
	buf_add(out, &stack, sizeof(stack));
	buf_add(out, ip, stack.nr * sizeof(*ip));
}

static void add_build_id(struct buf *out, char *line)
{
	uint32_t note[] = { 4, strlen(line) / 2, 3 /* NT_GNU_BUILD_ID */ };
	char digits[3] = "", byte;

	buf_add(out, note, sizeof(note));
	buf_add(out, "GNU", 4);
	for (; line[0] && line[1]; line += 2) {
		memcpy(digits, line, 2);
		byte = (char)strtoul(digits, NULL, 16);
		buf_add(out, &byte, 1);
	}
}

static uint32_t info_of(const char *word)
{
	static const struct {
		const char *word;
		uint32_t info;
	} known[] = {
		{ "call", KPROF_REC_CALL << KPROF_INFO_KIND_SHIFT },
		{ "more", KPROF_INFO_MORE },
		{ "user", KPROF_INFO_USER }, { "idle", KPROF_INFO_IDLE },
		{ "softirq", KPROF_CTX_SOFTIRQ << KPROF_INFO_CTX_SHIFT },
		{ "hardirq", KPROF_CTX_HARDIRQ << KPROF_INFO_CTX_SHIFT },
		{ "nmi", KPROF_CTX_NMI << KPROF_INFO_CTX_SHIFT },
		{ "late", KPROF_REC_LATE << KPROF_INFO_KIND_SHIFT },
		{ "stolen", KPROF_CAUSE_STOLEN << KPROF_INFO_CAUSE_SHIFT },
		{ "handlers", KPROF_CAUSE_HANDLERS << KPROF_INFO_CAUSE_SHIFT },
	};
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(known[i].word, word))
			return known[i].info;
	fprintf(stderr, "pack: %s: ring: '%s' is no word of a record\n", folder, word);
	exit(1);
}

static void add_along(struct buf *out, uint32_t cpu, char *rest)
{
	struct kprof_along along = { .info = KPROF_REC_ALONG << KPROF_INFO_KIND_SHIFT |
					     cpu << KPROF_INFO_CPU_SHIFT };
	char *word;

	while (along.nr < KPROF_MAX_ALONG && (word = next_word(&rest)))
		along.along[along.nr++] = strtoull(word, NULL, 10);
	buf_add(out, &along, sizeof(along));
}

static void add_row(struct buf *out, uint32_t cpu, char *rest)
{
	struct kprof_row row = { .info = KPROF_REC_ROW << KPROF_INFO_KIND_SHIFT |
					 cpu << KPROF_INFO_CPU_SHIFT };

	row.row = number(&rest, 10);
	buf_add(out, &row, sizeof(row));
}

static void add_record(struct buf *out, uint32_t cpu, uint64_t source, char *rest)
{
	struct kprof_record rec = { .info = cpu << KPROF_INFO_CPU_SHIFT };
	char *word;

	rec.key = source << KPROF_SOURCE_SHIFT;
	rec.key |= number(&rest, 10) << KPROF_TASK_SHIFT;
	rec.key |= number(&rest, 10);
	rec.pid = number(&rest, 10);
	rec.weight = number(&rest, 10);
	while ((word = next_word(&rest)))
		if (*word == '@')
			rec.time = strtoull(word + 1, NULL, 10);
		else if (*word == '+')
			rec.key |= strtoull(word + 1, NULL, 10) << KPROF_USTACK_SHIFT;
		else
			rec.info |= info_of(word);
	buf_add(out, &rec, sizeof(rec));
}

static bool read_text(struct buf *text, const char *name)
{
	struct buf path = { 0 };
	bool there;

	buf_printf(&path, "%s/%s", folder, name);
	there = !buf_read_file(text, path.data);
	buf_free(&path);
	return there;
}

static void write_table(struct data_writer *w, enum data_section_type type, const char *name,
			void (*add)(struct buf *out, char *line))
{
	struct buf text = { 0 }, out = { 0 };
	char *line, *rest;

	if (read_text(&text, name)) {
		for (line = strtok_r(text.data, "\n", &rest); line;
		     line = strtok_r(NULL, "\n", &rest))
			add(&out, line);
		data_write(w, type, 0, out.data, out.len, false);
	}
	buf_free(&text);
	buf_free(&out);
}

static void write_rings(struct data_writer *w)
{
	struct buf text = { 0 }, out = { 0 };
	char *line, *rest, *words, *word;
	uint32_t cpu, last = 0;

	if (!read_text(&text, "ring"))
		return;
	for (line = strtok_r(text.data, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		cpu = atoi(strtok_r(line, " ", &words));
		if (cpu != last && out.len) {
			data_write(w, DATA_RING, last, out.data, out.len, false);
			out.len = 0;
		}
		last = cpu;
		word = next_word(&words);
		if (word && !strcmp(word, "along"))
			add_along(&out, cpu, words);
		else if (word && !strcmp(word, "row"))
			add_row(&out, cpu, words);
		else
			add_record(&out, cpu, word ? atoi(word) : 0, words);
	}
	data_write(w, DATA_RING, last, out.data, out.len, false);
	buf_free(&text);
	buf_free(&out);
}

static void write_texts(struct data_writer *w)
{
	int type;

	for (type = 0; type < DATA_NR_TYPES; type++) {
		struct buf text = { 0 };

		if (texts[type] && read_text(&text, texts[type]))
			data_write(w, type, 0, text.data, text.len, true);
		buf_free(&text);
	}
}

/* A section that is compressed, and says that it is longer than it is; its checksum is right. */
static void write_damaged_bytes(struct data_writer *w)
{
	struct data_section s = { .type = 0 };
	struct buf text = { 0 }, packed = { 0 };
	off_t at = lseek(w->fd, 0, SEEK_CUR);

	if (!read_text(&text, "damaged_bytes"))
		return;
	data_write(w, DATA_BYTES, 0, text.data, text.len, true);
	if (pread(w->fd, &s, sizeof(s), at) != sizeof(s) || s.flags != DATA_ZLIB) {
		fprintf(stderr, "pack: %s: damaged_bytes are too few\n", folder);
		exit(1);
	}
	buf_reserve(&packed, s.size);
	s.raw_size++;
	s.crc = 0;
	if (pread(w->fd, packed.data, s.size, at + sizeof(s)) == (ssize_t)s.size)
		s.crc = crc32_z(crc32_z(0, (const void *)&s, sizeof(s)),
				(const void *)packed.data, s.size);
	if (pwrite(w->fd, &s, sizeof(s), at) != sizeof(s))
		exit(1);
	buf_free(&text);
	buf_free(&packed);
}

int main(int argc, char **argv)
{
	struct buf cut = { 0 };
	struct data_writer w;
	int fd = argc == 3 ? open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;

	if (fd < 0) {
		fputs("usage: pack FOLDER RECORDING\n", stderr);
		return 2;
	}
	folder = argv[1];
	data_write_header(&w, fd);
	write_table(&w, DATA_STACKS, "stacks", add_stack);
	write_table(&w, DATA_TASKS, "tasks", add_task);
	write_table(&w, DATA_NOTES, "build_id", add_build_id);
	write_texts(&w);
	write_damaged_bytes(&w);
	write_rings(&w);
	if (!read_text(&cut, "cut"))
		data_write(&w, DATA_END, 0, NULL, 0, false);
	buf_free(&cut);
	return close(fd) || w.error;
}
