// SPDX-License-Identifier: GPL-2.0-only
/*
 * use_rows.c - compute the figures from the growth of counters
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/mem.h"
#include "use/use.h"

struct use {
	struct use_rows *rows;
	const struct use_counts *before, *after;
	double seconds;
	const char *resource;
};

/* @from: the source of the figure or, if it is not @known, the reason for that. */
static void add(struct use *u, enum use_what what, bool known, double value, const char *unit,
		const char *from)
{
	static const char *const unknown = "this kernel does not count it";
	struct use_rows *rows = u->rows;
	struct use_row *row;

	rows->row = mem_grow(rows->row, &rows->room, rows->nr + 1, sizeof(*rows->row));
	row = &rows->row[rows->nr++];
	*row = (struct use_row){ .what = what, .known = known };
	if (known)
		row->value = value;
	row->unit = known ? unit : "";
	row->from = known || *from != '/' ? from : unknown;
	snprintf(row->resource, sizeof(row->resource), "%s", u->resource);
}

/*
 * By how much a number has grown. Returns false if it is missing. A lower number was reset to 0,
 * but for those of a CPU's time: iowait and idle may fall a little, see proc(5).
 */
static bool growth(const struct use *u, enum use_file file, int key, const char *name, int nr,
		   double *by)
{
	uint64_t before, after;

	if (!use_field(&u->before->text[file], key, name, nr, &before) ||
	    !use_field(&u->after->text[file], key, name, nr, &after))
		return false;
	if (after >= before)
		*by = after - before;
	else
		*by = file == USE_STAT ? 0 : after;
	return true;
}

/* The field of a CPU in /proc/interrupts, whose header line names the CPUs that are online. */
static int interrupts_field(const struct use *u, const char *cpu)
{
	const char *at = u->after->text[USE_INTERRUPTS].data, *head;
	size_t len, i;
	int nr = 1;

	if (!buf_next_line(&at, &head, &len))
		return 0;
	for (i = 0; i < len; i++) {
		if (head[i] != 'C' || len - i < 3 + strlen(cpu))
			continue;
		nr++;
		if (!strncmp(head + i, "CPU", 3) && !strncmp(head + i + 3, cpu, strlen(cpu)) &&
		    !isdigit((unsigned char)head[i + 3 + strlen(cpu)]))
			return nr;
	}
	return 0;
}

static void add_cpu(struct use *u, const char *name)
{
	double part, all = 0, idle = 0, waited = 0, errors = 0;
	bool known;
	int i, field;

	u->resource = name;
	/* user nice system idle iowait irq softirq steal; user and nice include guest time */
	for (i = 2; i <= 9; i++) {
		if (!growth(u, USE_STAT, 1, name, i, &part))
			break;
		all += part;
		idle += i == 5 || i == 6 ? part : 0;
	}
	add(u, USE_UTILISATION, i > 5 && all > 0, 100 * (all - idle) / (all ? all : 1), "%",
	    "/proc/stat: all but idle and iowait");
	known = growth(u, USE_SCHEDSTAT, 1, name, 9, &waited);
	add(u, USE_SATURATION, known, waited / 1e9 / u->seconds, "tasks waiting",
	    "/proc/schedstat: time that tasks waited for it");
	field = interrupts_field(u, name + 3);
	known = field && growth(u, USE_INTERRUPTS, 1, "MCE:", field, &errors);
	add(u, USE_ERRORS, known, errors, "machine checks",
	    known ? "/proc/interrupts: MCE" : "this machine does not count them");
}

static void add_cpus(struct use *u)
{
	const char *at = u->after->text[USE_STAT].data, *line;
	char name[USE_NAME];
	size_t len;

	/* "cpu" without a number is the sum of all CPUs. */
	while (buf_next_line(&at, &line, &len))
		if (use_name(line, len, 1, name) && !strncmp(name, "cpu", 3) && name[3])
			add_cpu(u, name);
}

static void add_memory(struct use *u)
{
	const struct buf *meminfo = &u->after->text[USE_MEMINFO];
	double kswapd = 0, direct = 0, killed = 0;
	uint64_t total = 0, available = 0;
	bool known;

	u->resource = "memory";
	known = use_field(meminfo, 1, "MemTotal:", 2, &total) && total &&
		use_field(meminfo, 1, "MemAvailable:", 2, &available);
	add(u, USE_UTILISATION, known, known ? 100 - 100.0 * available / total : 0, "%",
	    "/proc/meminfo: all but MemAvailable");
	known = growth(u, USE_VMSTAT, 1, "pgscan_kswapd", 2, &kswapd) &&
		growth(u, USE_VMSTAT, 1, "pgscan_direct", 2, &direct);
	add(u, USE_SATURATION, known, (kswapd + direct) / u->seconds, "pages a second",
	    "/proc/vmstat: pgscan, searched for something to give up");
	known = growth(u, USE_VMSTAT, 1, "oom_kill", 2, &killed);
	add(u, USE_ERRORS, known, killed, "processes killed", "/proc/vmstat: oom_kill");
}

static bool was_used(const struct use *u, const char *name)
{
	uint64_t reads = 0, writes = 0;

	use_field(&u->after->text[USE_DISKSTATS], 3, name, 4, &reads);
	use_field(&u->after->text[USE_DISKSTATS], 3, name, 8, &writes);
	return reads || writes;
}

static void add_disk(struct use *u, const char *name)
{
	double busy = 0, queued = 0;
	uint64_t before, after = 0;
	char resource[64];
	bool known;

	snprintf(resource, sizeof(resource), "disk %.58s", name);
	u->resource = resource;
	known = growth(u, USE_DISKSTATS, 3, name, 13, &busy);
	add(u, USE_UTILISATION, known, busy / 10 / u->seconds, "%",
	    "/proc/diskstats: time with a request under way");
	known = growth(u, USE_DISKSTATS, 3, name, 14, &queued);
	add(u, USE_SATURATION, known, queued / 1e3 / u->seconds, "requests",
	    "/proc/diskstats: time of all requests, queued or under way");
	known = use_field(&u->before->disk_errors, 1, name, 2, &before) &&
		use_field(&u->after->disk_errors, 1, name, 2, &after);
	add(u, USE_ERRORS, known, known && after >= before ? after - before : after, "requests",
	    known ? "/sys/block: ioerr_cnt" : "its driver does not count them");
}

/* Add disks that were ever used: there may be disks without a medium. */
static void add_disks(struct use *u, const char *root)
{
	const char *at = u->after->text[USE_DISKSTATS].data, *line;
	char name[USE_NAME];
	size_t len;

	while (buf_next_line(&at, &line, &len))
		if (use_name(line, len, 3, name) && was_used(u, name) &&
		    use_is_disk(root, name))
			add_disk(u, name);
}

static void add_locks(struct use *u, uint64_t lock_ns)
{
	u->resource = "locks";
	add(u, USE_UTILISATION, false, 0, "", "nothing counts how long locks are held");
	add(u, USE_SATURATION, true, lock_ns / 1e9 / u->seconds, "tasks waiting",
	    "kprof.ko: @locks; kprof locks says where");
	add(u, USE_ERRORS, false, 0, "", "a kernel with lockdep has them in its log");
}

void use_rows(struct use_rows *rows, const struct use_counts *before,
	      const struct use_counts *after, const char *root, uint64_t lock_ns)
{
	struct use u = { .rows = rows, .before = before, .after = after };

	u.seconds = (after->ns - before->ns) / 1e9;
	if (u.seconds <= 0)
		u.seconds = 0.001;
	add_cpus(&u);
	add_memory(&u);
	add_disks(&u, root);
	add_locks(&u, lock_ns);
}

void use_rows_free(struct use_rows *rows)
{
	free(rows->row);
	*rows = (struct use_rows){ 0 };
}
