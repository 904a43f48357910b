// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_data.c - recordings: written, read, folded, reported, cut off, damaged
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include "data/account.h"
#include "data/data.h"
#include "data/data_fold.h"
#include "report/report.h"
#include "report/report_print.h"
#include "report/report_events.h"
#include "unit.h"

enum { TIMER = 1, TARGET };
enum { CPU0, CPU1 };

/* Two functions of the kernel, one of a module; the last call of each ends it. */
static const char symtab_text[] =
	"ffffffff81000000 100 entry\n"
	"ffffffff81000100 100 do_work\n"
	"ffffffffc0000000 80 mod_func [mod]\n";

#define ENTRY	0xffffffff81000000ull
#define WORK	0xffffffff81000100ull
#define MOD	0xffffffffc0000000ull

static void add_stack(struct buf *b, uint32_t id, uint16_t flags, const uint64_t *ip, uint16_t nr)
{
	struct kprof_stack stack = { .id = id, .nr = nr, .flags = flags };

	buf_add(b, &stack, sizeof(stack));
	buf_add(b, ip, nr * sizeof(*ip));
}

static void add_task(struct buf *b, uint32_t id, const char *comm)
{
	struct kprof_task task = { .id = id, .tgid = 100 + id };

	strncpy(task.comm, comm, sizeof(task.comm) - 1);
	buf_add(b, &task, sizeof(task));
}

static struct kprof_record record(uint64_t source, uint64_t task, uint64_t stack,
				  uint32_t info, uint64_t weight)
{
	return (struct kprof_record){
		.weight = weight,
		.key = source << KPROF_SOURCE_SHIFT | task << KPROF_TASK_SHIFT | stack,
		.pid = 1000 + task,
		.info = info,
	};
}

#define CPU(n)		((uint32_t)(n) << KPROF_INFO_CPU_SHIFT)
#define SOFTIRQ		(KPROF_CTX_SOFTIRQ << KPROF_INFO_CTX_SHIFT)
#define CALL		(KPROF_REC_CALL << KPROF_INFO_KIND_SHIFT)
#define ALONG		(KPROF_REC_ALONG << KPROF_INFO_KIND_SHIFT)
#define ROW		(KPROF_REC_ROW << KPROF_INFO_KIND_SHIFT)

static void write_tables(struct data_writer *w)
{
	/* A return address that is the first of the next function belongs to its caller. */
	const uint64_t deep[] = { MOD + 0x10, WORK + 0x20, ENTRY + 0x100 };
	const uint64_t shallow[] = { WORK, ENTRY + 0x30 };
	const uint64_t nowhere[] = { 0xdead, ENTRY + 0x30 };
	struct buf stacks = { 0 }, tasks = { 0 };

	add_stack(&stacks, 2, 0, deep, 3);
	add_stack(&stacks, 3, KPROF_STACK_CUT, shallow, 2);
	add_stack(&stacks, 5, KPROF_STACK_PARTIAL, nowhere, 2);
	data_write(w, DATA_STACKS, 0, stacks.data, stacks.len, false);
	add_task(&tasks, 2, "sh");
	add_task(&tasks, 3, "a;b");
	data_write(w, DATA_TASKS, 0, tasks.data, tasks.len, false);
	data_write(w, DATA_SYMBOLS, 0, symtab_text, strlen(symtab_text), true);
	buf_free(&stacks);
	buf_free(&tasks);
}

static void write_text(struct data_writer *w, enum data_section_type type, const char *text)
{
	data_write(w, type, 0, text, strlen(text), true);
}

static struct buf make(void)
{
	const struct kprof_record cpu0[] = {
		record(TIMER, 2, 2, CPU(0), 10), record(TIMER, 2, 2, CPU(0) | SOFTIRQ, 10),
		record(TIMER, 2, 0, CPU(0) | KPROF_INFO_USER, 10),
		record(TARGET, 2, 3, CPU(0), 1), record(TARGET, 2, 3, CPU(0) | CALL, 300),
	};
	const struct kprof_record cpu1[] = {
		record(TIMER, 3, 5, CPU(1), 10), record(TIMER, 3, 1, CPU(1), 10),
		record(TIMER, 1, 9, CPU(1), 10),
		record(TARGET, 3, 3, CPU(1) | SOFTIRQ, 1),
		record(TARGET, 3, 3, CPU(1) | SOFTIRQ | CALL, 100),
	};
	struct data_writer w;
	struct buf file = { 0 };
	int fd = memfd_create("recording", 0);

	data_write_header(&w, fd);
	write_text(&w, DATA_META, "kernel: 6.1.0\nstart_ns: 5\n");
	data_write(&w, DATA_RING, CPU0, cpu0, sizeof(cpu0), false);
	write_tables(&w);
	data_write(&w, DATA_RING, CPU1, cpu1, sizeof(cpu1), false);
	write_text(&w, DATA_META, "end_ns: 25\n");
	write_text(&w, DATA_STATS_BEFORE, "timer.fired: 100\na:b+0x4.fired: 1\n");
	write_text(&w, DATA_STATS, "abi: 1\ntimer.fired: 110\ntimer.dropped_idle: 2\n"
		   "a:b+0x4.fired: 7\na:b+0x4.dropped_reentry: 3\nring.dropped_full: 3\n");
	write_text(&w, DATA_SOURCES, "1 timer timer\n2 a:b+0x4 target\n");
	data_write(&w, DATA_END, 0, NULL, 0, false);
	lseek(fd, 0, SEEK_SET);
	if (w.error || buf_read_fd(&file, fd))
		abort();
	close(fd);
	return file;
}

/* To the byte as large as it says, for the sanitizer to see a step beyond. */
static struct buf copy(const struct buf *from, size_t len)
{
	struct buf to = { .data = malloc(len), .len = len, .room = len };

	memcpy(to.data, from->data, len);
	return to;
}

static char *folded_text(const struct data *d, const struct data_fold_options *options)
{
	struct folded f;
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	folded_init(&f, FOLDED_MERGE);
	if (data_fold_tally(d, options, &f))
		fputs("no such source", out);
	else
		folded_write(&f, out);
	folded_free(&f);
	fclose(out);
	return text;
}

static void expect_fold(const struct data_fold_options *options, const char *expected)
{
	struct buf file = make();
	struct data d;
	char *text;

	CHECK(!data_parse(&d, &file));
	text = folded_text(&d, options);
	CHECK_STR(text, expected);
	free(text);
	data_close(&d);
}

static void test_read(void)
{
	struct buf file = make();
	struct data d;
	char *kernel;

	CHECK(!data_parse(&d, &file));
	CHECK(d.whole);
	CHECK_INT(d.nr_records, 10);
	CHECK_INT(d.nr_chunks, 2);
	CHECK_INT(d.chunk[1].cpu, CPU1);
	CHECK_INT(d.task[2].tgid, 102);
	CHECK_STR(d.source[TARGET].name, "a:b+0x4");
	CHECK(d.source[TARGET].is_target && !d.source[TIMER].is_target);
	kernel = data_meta(&d, "kernel");
	CHECK_STR(kernel, "6.1.0");
	free(kernel);
	kernel = data_meta(&d, "kern");
	CHECK_STR(kernel, "");
	free(kernel);
	data_close(&d);
}

static void test_fold(void)
{
	struct data_fold_options o = DATA_FOLD_DEFAULTS;
	static struct cpus cpus;

	o.count = DATA_COUNT_SAMPLES;
	expect_fold(&o,
		    "[a:b+0x4];a:b;[cut];entry;do_work 1\n"
		    "[a:b+0x4];sh;[cut];entry;do_work 1\n"
		    "[timer];[task table full];[stack not in recording] 1\n"
		    "[timer];a:b;[stack table full] 1\n"
		    "[timer];a:b;[unknown];entry;0xdead 1\n"
		    "[timer];sh;[user] 1\n"
		    "[timer];sh;entry;do_work;mod_func [mod] 2\n");
	o.count = DATA_COUNT_NS;
	o.query.source = "a:b+0x4";
	expect_fold(&o, "a:b;[cut];entry;do_work 100\nsh;[cut];entry;do_work 300\n");
	o.query.context = KPROF_CTX_SOFTIRQ;
	expect_fold(&o, "a:b;[cut];entry;do_work 100\n");
	o.query.context = TALLY_ANY;
	o.count = DATA_COUNT_SAMPLES;
	o.query.source = "timer";
	CHECK(cpus_parse(&cpus, "0,2-9"));
	o.query.cpus = &cpus;
	o.query.by_pid = true;
	expect_fold(&o, "sh-1002;[user] 1\nsh-1002;entry;do_work;mod_func [mod] 2\n");
	o.query.context = KPROF_CTX_SOFTIRQ;
	o.full_address = true;
	expect_fold(&o, "sh-1002;entry+0x100;do_work+0x20;mod_func+0x10 [mod] 1\n");
	o.query.source = "nothing";
	expect_fold(&o, "no such source");
}

static void test_account(void)
{
	struct buf file = make();
	struct account a;
	struct data d;

	CHECK(!data_parse(&d, &file));
	CHECK(account_of_data(&a, &d));
	CHECK_INT(a.nr, 2);
	CHECK_INT(a.row[0].fired, 10);
	CHECK_INT(a.row[0].filtered, 2);
	CHECK_INT(a.row[0].captured, 6);
	CHECK_INT(a.row[0].lost, 2);
	CHECK_INT(a.row[1].fired, 6);
	CHECK_INT(a.row[1].captured, 2);
	CHECK_INT(a.row[1].lost, 4);
	CHECK_INT(a.total.lost, 6);
	CHECK_INT(a.ring_dropped, 3);
	CHECK_INT(a.no_stack, 1);
	CHECK_STR(a.causes.data, "a:b+0x4.dropped_reentry 3, ring.dropped_full 3");
	account_free(&a);
	data_close(&d);
}

static const struct report_order by_sym = { .keys = { { REPORT_SYM }, 1 } };
static const struct report_order by_comm = { .keys = { { REPORT_COMM }, 1 } };
static const struct report_order by_comm_ns = { .keys = { { REPORT_COMM }, 1 }, .by_weight = true };

static const struct report_entry *entry(const struct report_table *t, const char *name)
{
	static const struct report_entry none;
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (!strcmp(t->entry[i].text[0], name))
			return &t->entry[i];
	return &none;
}

static void test_report(void)
{
	struct tally_query query = { .source = "timer", .context = TALLY_ANY };
	struct buf file = make();
	struct report_table t;
	struct tally tally;
	struct data d;

	CHECK(!data_parse(&d, &file));
	CHECK(!tally_make(&tally, &d, &query));
	report_table_make(&t, &d, &tally, &by_sym);
	CHECK_INT(t.total, 6);
	CHECK_STR(t.entry[0].text[0], "mod_func");
	CHECK_STR(t.entry[0].module, "mod");
	CHECK_INT(entry(&t, "mod_func")->self, 2);
	CHECK_INT(entry(&t, "entry")->self, 0);
	CHECK_INT(entry(&t, "entry")->children, 3);
	CHECK_INT(entry(&t, "[user]")->self, 1);
	report_table_free(&t);
	report_table_make(&t, &d, &tally, &by_comm_ns);
	CHECK_INT(t.total, 60);
	CHECK_INT(entry(&t, "sh")->self, 30);
	report_table_free(&t);
	tally_free(&tally);
	data_close(&d);
}

static void test_report_keys(void)
{
	struct report_order order = { .by_children = true };
	struct tally_query query = { .source = "timer", .context = TALLY_ANY };
	struct buf file = make();
	struct report_table t;
	struct tally tally;
	struct data d;

	CHECK(report_keys_parse(&order.keys, "comm,", "x"));
	CHECK(report_keys_parse(&order.keys, "sym,sym", "x"));
	CHECK(report_keys_parse(&order.keys, "symbols", "x"));
	CHECK(!report_keys_parse(&order.keys, "symbol,dso", "x"));
	CHECK(!report_keys_parse(&order.keys, "context,module", "x"));
	report_query(&query, &order.keys);
	CHECK(!data_parse(&d, &file));
	CHECK(!tally_make(&tally, &d, &query));
	report_table_make(&t, &d, &tally, &order);
	/* One sample of two in each context was taken in the module, and had the kernel above. */
	CHECK_STR(t.entry[0].text[0], "task");
	CHECK_STR(t.entry[0].text[1], "[kernel]");
	CHECK_INT(t.entry[0].self, 0);
	CHECK_INT(t.entry[0].children, 2);
	CHECK_STR(t.entry[1].text[0], "softirq");
	CHECK_STR(t.entry[1].text[1], "mod");
	CHECK_INT(t.entry[1].self, 1);
	CHECK_STR(t.entry[1].module, "");
	report_table_free(&t);
	tally_free(&tally);
	data_close(&d);
}

static void test_latency(void)
{
	const struct tally_query query = DATA_FOLD_DEFAULTS.query;
	struct report_latency *l;
	struct buf file = make();
	struct data d;

	CHECK(!data_parse(&d, &file));
	CHECK_INT(report_latencies(&(struct report_output){ .data = &d, .query = &query }, &l), 1);
	CHECK_STR(l[0].name, "a:b+0x4");
	CHECK_INT(l[0].calls, 2);
	CHECK_INT(l[0].total, 400);
	CHECK_INT(l[0].min, 100);
	CHECK_INT(l[0].p50, 100);
	CHECK_INT(l[0].p90, 300);
	CHECK_INT(l[0].max, 300);
	free(l);
	data_close(&d);
}

/* Read whatever it is, and use all that was read. */
static int use(struct buf *file, struct data *d)
{
	struct data_fold_options o = DATA_FOLD_DEFAULTS;
	struct tally tally;
	struct report_table t;
	struct report_latency *l;
	struct account a;

	if (data_parse(d, file))
		return -1;
	free(folded_text(d, &o));
	if (!tally_make(&tally, d, &o.query)) {
		report_table_make(&t, d, &tally, &by_sym);
		report_table_free(&t);
		tally_free(&tally);
	}
	report_latencies(&(struct report_output){ .data = d, .query = &o.query }, &l);
	free(l);
	if (account_of_data(&a, d))
		account_free(&a);
	return 0;
}

/* Cut anywhere, a recording is what was written until then, or says that it is none. */
static void test_cut(void)
{
	struct buf file = make(), part;
	uint64_t records = 0;
	struct data d;
	size_t len;

	for (len = 0; len < file.len; len++) {
		part = copy(&file, len);
		if (use(&part, &d)) {
			CHECK(len < sizeof(struct data_file_header));
			CHECK(*d.error);
		} else {
			CHECK(!d.whole);
			CHECK(d.good <= len);
			CHECK(d.nr_records >= records);
			records = d.nr_records;
		}
		data_close(&d);
	}
	CHECK_INT(records, 10);
	buf_free(&file);
}

/* The bytes that say nothing: reserved words of the header, padding of sections. */
static bool *silent_bytes(const struct buf *file)
{
	bool *silent = calloc(file->len, 1);
	size_t at = sizeof(struct data_file_header), end;

	memset(silent + offsetof(struct data_file_header, reserved), true,
	       sizeof(((struct data_file_header *)0)->reserved));
	while (at < file->len) {
		const struct data_section *s = (const void *)(file->data + at);

		end = at + sizeof(*s) + s->size;
		at = (end + 7) & ~7ull;
		memset(silent + end, true, at - end);
	}
	return silent;
}

/* Any byte that changes is noticed, be it only as a recording without an end. */
static void test_flip(void)
{
	struct buf file = make(), bad;
	bool *silent = silent_bytes(&file);
	struct data d;
	size_t at;

	for (at = 0; at < file.len; at++) {
		bad = copy(&file, file.len);
		bad.data[at] ^= 0x55;
		CHECK((!use(&bad, &d) && d.whole) == silent[at]);
		data_close(&d);
	}
	free(silent);
	buf_free(&file);
}

static uint64_t seed = 1;

static uint32_t rnd(uint32_t below)
{
	seed = seed * 6364136223846793005ull + 1442695040888963407ull;
	return (uint32_t)(seed >> 33) % below;
}

static void fix_checksums(struct buf *file)
{
	size_t at = sizeof(struct data_file_header);

	while (file->len - at >= sizeof(struct data_section)) {
		struct data_section *s = (void *)(file->data + at);
		uLong crc;

		if (s->size > file->len - at - sizeof(*s))
			return;
		s->crc = 0;
		crc = crc32_z(0, (void *)s, sizeof(*s));
		s->crc = s->size ? crc32_z(crc, (void *)(s + 1), s->size) : crc;
		at += sizeof(*s) + ((s->size + 7) & ~7ull);
		if (at > file->len)
			return;
	}
}

/* Damage that no checksum shows must not lead the reader out of bounds. */
static void test_mutations(void)
{
	static const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff };
	struct buf file = make(), bad;
	int round, nr, refused = 0;
	struct data d;

	for (round = 0; round < 20000; round++) {
		bad = copy(&file, file.len - (rnd(8) ? 0 : rnd(file.len)));
		for (nr = 1 + rnd(4); nr && bad.len; nr--)
			bad.data[rnd(bad.len)] = rnd(2) ? values[rnd(5)] : rnd(256);
		if (bad.len > sizeof(struct data_file_header))
			fix_checksums(&bad);
		if (use(&bad, &d)) {
			CHECK(*d.error);
			refused++;
		}
		data_close(&d);
	}
	CHECK(refused > 1000 && refused < 20000);
	buf_free(&file);
}

/* One section that is whole, with the right checksum, and nonsense. */
static void expect_refused(enum data_section_type type, const void *payload, size_t size,
			   const char *why)
{
	struct data_writer w;
	struct buf file = { 0 }, exact;
	int fd = memfd_create("recording", 0);
	struct data d;

	data_write_header(&w, fd);
	data_write(&w, type, 0, payload, size, false);
	lseek(fd, 0, SEEK_SET);
	CHECK(!buf_read_fd(&file, fd));
	close(fd);
	exact = copy(&file, file.len);
	CHECK(data_parse(&d, &exact));
	CHECK(strstr(d.error, why));
	data_close(&d);
	buf_free(&file);
}

/* What three counters have counted: in one section, over two of them, and with others between. */
static void test_counts(void)
{
	const struct kprof_along along[] = {
		{ .along = { 20, 3 }, .nr = 2, .info = CPU(0) | ALONG },
		{ .along = { 30, 4 }, .nr = 2, .info = CPU(0) | ALONG },
	};
	struct kprof_record rec[] = {
		record(1, 2, 2, CPU(0), 10), record(1, 2, 2, CPU(0), 15), { 0 },
		record(1, 2, 2, CPU(0), 15),
	};
	struct data_writer w;
	struct report_events events;
	struct report_table t;
	struct tally tally;
	struct buf file = { 0 };
	struct data d;
	int fd = memfd_create("recording", 0);

	memcpy(&rec[2], &along[0], sizeof(along[0]));
	data_write_header(&w, fd);
	data_write(&w, DATA_RING, CPU0, rec, sizeof(rec), false);
	data_write(&w, DATA_RING, CPU1, rec, sizeof(rec[0]), false);
	data_write(&w, DATA_RING, CPU0, &along[1], sizeof(along[1]), false);
	write_text(&w, DATA_SOURCES, "1 cycles,instructions,r11 counter\n");
	lseek(fd, 0, SEEK_SET);
	CHECK(!buf_read_fd(&file, fd));
	close(fd);
	CHECK(!data_parse(&d, &file));
	CHECK(!tally_make(&tally, &d, &DATA_FOLD_DEFAULTS.query));
	report_table_make(&t, &d, &tally, &by_comm);
	CHECK_INT(t.total, 4);
	/* The samples of which nothing else is known are in no total. */
	CHECK_INT(t.count[0], 30);
	CHECK_INT(t.count[1], 50);
	CHECK_INT(t.count[2], 7);
	report_events_of_source(&events, data_source_name(&d, 1));
	CHECK_INT(events.nr, 3);
	CHECK_STR(events.name[2], "r11");
	CHECK_INT(events.cycles, 0);
	CHECK_INT(events.instructions, 1);
	report_events_free(&events);
	report_table_free(&t);
	tally_free(&tally);
	data_close(&d);
}

/* A row is no event of its own: neither a sample, nor a call, nor a source. */
static void test_rows(void)
{
	const struct kprof_row row = { .row = 7, .info = CPU(0) | ROW };
	struct kprof_record rec[] = {
		record(1, 2, 2, CPU(0) | KPROF_INFO_MORE, 0),
		record(1, 2, 2, CPU(0) | CALL | KPROF_INFO_MORE, 500), { 0 },
	};
	struct data_writer w;
	struct tally tally;
	struct buf file = { 0 };
	struct data d;
	int fd = memfd_create("recording", 0);

	memcpy(&rec[2], &row, sizeof(row));
	data_write_header(&w, fd);
	data_write(&w, DATA_RING, CPU0, rec, sizeof(rec), false);
	write_text(&w, DATA_SOURCES, "1 vfs_read target\n");
	lseek(fd, 0, SEEK_SET);
	CHECK(!buf_read_fd(&file, fd));
	close(fd);
	CHECK(!data_parse(&d, &file));
	CHECK(!tally_make(&tally, &d, &DATA_FOLD_DEFAULTS.query));
	CHECK_INT(tally.nr, 1);
	CHECK_INT(tally.samples, 1);
	CHECK_INT(tally.ns, 500);
	tally_free(&tally);
	data_close(&d);
}

static void test_nonsense(void)
{
	const struct kprof_stack overlong = { .id = 2, .nr = 1 }, reserved = { .id = 1 };
	const struct kprof_stack twice[] = { { .id = 2 }, { .id = 2 } };
	const struct kprof_task far_task = { .id = 1u << KPROF_TASK_BITS };

	expect_refused(DATA_STACKS, &overlong, sizeof(overlong), "stack 2 is cut off");
	expect_refused(DATA_STACKS, &overlong, 4, "a stack is cut off");
	expect_refused(DATA_STACKS, &reserved, sizeof(reserved), "stack 1 is out of order");
	expect_refused(DATA_STACKS, twice, sizeof(twice), "stack 2 is out of order");
	expect_refused(DATA_TASKS, &far_task, sizeof(far_task), "is out of order");
	expect_refused(DATA_TASKS, &far_task, 12, "no whole number of tasks");
	expect_refused(DATA_RING, "0123456", 8, "no whole number of records");
	expect_refused(DATA_SOURCES, "1024 x timer\n", 13, "is no source");
	expect_refused(DATA_SOURCES, "1\n", 2, "is no source");
	expect_refused(DATA_CGROUPS, "x /some\n", 8, "cgroups are damaged");
	expect_refused(DATA_CGROUPS, "2 ", 2, "cgroups are damaged");
	expect_refused(DATA_CGROUPS, "2\n", 2, "cgroups are damaged");
	expect_refused(DATA_INLINED, "1 2 f\n", 6, "inlined functions of user code are damaged");
	expect_refused(DATA_SYMBOLS, "1 0 empty\n", 10, "symbols are damaged");
}

static void test_other_files(void)
{
	static const char *const texts[] = {
		"", "KPROFDAT", "not a recording, but longer than one"
	};
	struct buf file;
	struct data d;
	int i;

	for (i = 0; i < 3; i++) {
		file = (struct buf){ 0 };
		buf_add(&file, texts[i], strlen(texts[i]));
		CHECK(data_parse(&d, &file));
		CHECK(*d.error);
		data_close(&d);
	}
	CHECK(data_open(&d, "/nonexistent/kprof.data"));
	CHECK_STR(d.error, "cannot open it: No such file or directory");
	data_close(&d);
	/* It never ends. */
	CHECK(data_open(&d, "/dev/zero"));
	CHECK_STR(d.error, "not a recording: it does not begin with KPROFDAT");
	data_close(&d);
}

static const struct unit_test tests[] = {
	{ "a recording reads back as it was written", test_read },
	{ "fold: counts, times, filters, names in brackets", test_fold },
	{ "the account finds what was lost", test_account },
	{ "report: self and children of symbols, tasks", test_report },
	{ "report: several keys, modules, children first", test_report_keys },
	{ "report: latency of calls", test_latency },
	{ "counts of other counters belong to the sample before", test_counts },
	{ "a row of keys is no event of its own", test_rows },
	{ "a recording cut off anywhere is readable until there", test_cut },
	{ "a changed byte is noticed", test_flip },
	{ "damaged recordings are refused, never followed", test_mutations },
	{ "sections of nonsense are refused with the reason", test_nonsense },
	{ "what is no recording is named so", test_other_files },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
