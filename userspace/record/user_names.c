// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_names.c - the places in programs that the module has, as functions
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/mem.h"
#include "lib/number.h"
#include "record/user_names.h"

#define SECOND		1000000000ull
#define PATIENCE	(3 * SECOND)	/* how long a table waits for names */
#define LIFE		(30 * SECOND)	/* of the process that looks for them */
#define MEMORY		(60 * SECOND)	/* then what had no name may have one, such as of a JIT */
#define RANGES_MAX	16384		/* beyond this, all is forgotten, and begins anew */
#define WANTED_MAX	8192		/* places at a time */
#define TOLD_MAX	(4u << 20)	/* bytes of names at a time */
#define REST		100		/* so many times as long as it took it rests */
#define REST_MAX	(30 * SECOND)

/* --- ranges --- */

static int by_start(const void *va, const void *vb)
{
	const struct user_name_range *a = va, *b = vb;

	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->size > b->size ? -1 : a->size < b->size;
}

static const struct user_name_range *find_range(const struct user_names *u, uint32_t path,
						uint64_t offset)
{
	size_t low = 0, high = u->nr_ranges;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct user_name_range *r = &u->range[mid];

		if (r->path < path || (r->path == path && r->start <= offset))
			low = mid + 1;
		else
			high = mid;
	}
	if (!low || u->range[low - 1].path != path ||
	    offset - u->range[low - 1].start >= u->range[low - 1].size)
		return NULL;
	return &u->range[low - 1];
}

static void add_range(struct user_names *u, struct user_name_range range)
{
	u->range = mem_grow(u->range, &u->range_room, u->nr_ranges + 1, sizeof(*u->range));
	u->range[u->nr_ranges++] = range;
}

static bool is_nameless(const struct user_names *u, const struct user_name_range *r)
{
	return r->name == u->base[r->path];
}

/* What had no name may have one now: it is in the range of a function. */
static void sort_ranges(struct user_names *u)
{
	const struct user_name_range *last = NULL;
	size_t i, nr = 0;

	if (u->nr_ranges)
		qsort(u->range, u->nr_ranges, sizeof(*u->range), by_start);
	for (i = 0; i < u->nr_ranges; i++) {
		const struct user_name_range r = u->range[i];

		if (last && is_nameless(u, &r) && last->path == r.path &&
		    r.start - last->start < last->size)
			continue;
		u->range[nr] = r;
		last = &u->range[nr++];
	}
	u->nr_ranges = nr;
}

/* What had no name is asked for again. */
static void forget_nameless(struct user_names *u, uint64_t now)
{
	size_t i, nr = 0;

	if (now - u->forgotten < MEMORY)
		return;
	u->forgotten = now;
	for (i = 0; i < u->nr_ranges; i++)
		if (!is_nameless(u, &u->range[i]))
			u->range[nr++] = u->range[i];
	u->nr_ranges = nr;
}

static void forget_all(struct user_names *u)
{
	strtab_free(&u->paths);
	strtab_free(&u->names);
	u->paths = (struct strtab){ 0 };
	u->names = (struct strtab){ 0 };
	u->nr_ranges = 0;
	u->nr_wanted = 0;
	u->nr_asked = 0;
}

/* --- names that are told --- */

/* "PATH START SIZE NAME" */
static void take_line(struct user_names *u, const char *line, size_t len)
{
	const char *at = line, *slash;
	struct buf name = { 0 };
	struct user_name_range r;
	uint64_t path;

	if (!number_take(&at, NUMBER_HEX, &path) || path >= u->paths.nr || *at++ != ' ' ||
	    !number_take(&at, NUMBER_HEX, &r.start) || *at++ != ' ' ||
	    !number_take(&at, NUMBER_HEX, &r.size) || *at++ != ' ')
		return;
	slash = strrchr(u->paths.name[path].text, '/');
	buf_add(&name, at, line + len - at);
	buf_printf(&name, slash ? " [%s]" : " %s", slash ? slash + 1 : u->paths.name[path].text);
	r.path = path;
	r.name = strtab_add(&u->names, name.data, name.len);
	add_range(u, r);
	buf_free(&name);
}

void user_names_take(struct user_names *u, const char *told)
{
	const char *line;
	size_t len, i, nr = 0;

	while (buf_next_line(&told, &line, &len))
		take_line(u, line, len);
	sort_ranges(u);
	for (i = 0; i < u->nr_asked; i++)
		if (!find_range(u, u->asked[i].path, u->asked[i].offset))
			u->asked[nr++] = u->asked[i];
	for (i = 0; i < nr; i++)
		add_range(u, (struct user_name_range){
			.path = u->asked[i].path, .start = u->asked[i].offset, .size = 1,
			.name = u->base[u->asked[i].path],
		});
	sort_ranges(u);
	u->nr_asked = 0;
}

/* What it reads next is mostly its own code, and names are not worth a CPU. */
static void end_child(struct user_names *u)
{
	struct rusage used;
	uint64_t took;

	close(u->from);
	while (wait4(u->child, NULL, 0, &used) < 0 && errno == EINTR)
		;
	u->child = 0;
	took = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * SECOND +
	       (used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1000ull;
	u->cpu += took;
	u->rests_until = clock_ns(CLOCK_MONOTONIC) +
			 (took < REST_MAX / REST ? REST * took : REST_MAX);
}

/* If it was ended, it may have told a part of a line. */
static void cut_line(struct buf *told)
{
	const char *newline = told->len ? memrchr(told->data, '\n', told->len) : NULL;

	told->len = newline ? newline + 1 - told->data : 0;
	buf_add(told, "", 0);
}

/* Take what the process has told by now; wait for the rest until @end. */
static void collect(struct user_names *u, uint64_t end)
{
	struct pollfd wake = { .fd = u->from, .events = POLLIN };
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	ssize_t got = -1;

	while (u->child) {
		buf_reserve(&u->told, 65536);
		got = read(u->from, u->told.data + u->told.len, 65536);
		if (got > 0 && u->told.len + got <= TOLD_MAX) {
			u->told.len += got;
			continue;
		}
		if (got < 0 && (errno == EAGAIN || errno == EINTR) && now - u->started < LIFE) {
			if (now >= end)
				return;
			poll(&wake, 1, (end - now) / 1000000 + 1);
			now = clock_ns(CLOCK_MONOTONIC);
			continue;
		}
		kill(u->child, SIGKILL);
		end_child(u);
		cut_line(&u->told);
		user_names_take(u, u->told.data);
		buf_free(&u->told);
	}
}

/* --- places --- */

static uint32_t add_path(struct user_names *u, const char *text, size_t len)
{
	uint32_t nr = u->paths.nr, path = strtab_add(&u->paths, text, len);
	const char *slash = memrchr(text, '/', len);
	struct buf base = { 0 };

	if (path < nr)
		return path;
	u->base = mem_grow(u->base, &u->base_room, u->paths.nr, sizeof(*u->base));
	if (slash)
		buf_printf(&base, "[%.*s]", (int)(text + len - slash - 1), slash + 1);
	else
		buf_add(&base, text, len);
	u->base[path] = strtab_add(&u->names, base.data, base.len);
	buf_free(&base);
	return path;
}

/* "PATH+0xOFFSET" of a program, or of memory of no file: "[anon:12]+0x55aa". */
static bool is_place(const struct folded_frame *frame, size_t *path_len, uint64_t *offset)
{
	const char *end = frame->text + frame->len, *plus, *at;

	if (!frame->len || (*frame->text != '/' && *frame->text != '['))
		return false;
	plus = memrchr(frame->text, '+', frame->len);
	at = plus + 3;
	if (!plus || end - plus < 4 || memcmp(plus, "+0x", 3) ||
	    !number_take(&at, NUMBER_HEX, offset) || at != end)
		return false;
	*path_len = plus - frame->text;
	return true;
}

static int by_place(const void *va, const void *vb)
{
	const struct user_name_place *a = va, *b = vb;

	if (a->path != b->path)
		return a->path < b->path ? -1 : 1;
	return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static void drop_repeated(struct user_names *u)
{
	size_t i, nr = 0;

	if (u->nr_wanted)
		qsort(u->wanted, u->nr_wanted, sizeof(*u->wanted), by_place);
	for (i = 0; i < u->nr_wanted; i++)
		if (!nr || by_place(&u->wanted[nr - 1], &u->wanted[i]))
			u->wanted[nr++] = u->wanted[i];
	u->nr_wanted = nr;
}

static void want(struct user_names *u, uint32_t path, uint64_t offset)
{
	/* If little is repeated, to look again for each place that follows would take minutes. */
	if (u->nr_wanted == WANTED_MAX && !u->is_full) {
		drop_repeated(u);
		u->is_full = u->nr_wanted > WANTED_MAX / 2;
	}
	if (u->nr_wanted == WANTED_MAX)
		return;
	u->wanted = mem_grow(u->wanted, &u->wanted_room, u->nr_wanted + 1, sizeof(*u->wanted));
	u->wanted[u->nr_wanted++] = (struct user_name_place){ .path = path, .offset = offset };
}

/* The function of a place, or what stands for it; what is not known is noted. */
static void translate(struct user_names *u, struct folded_frame *frame)
{
	const struct user_name_range *range;
	uint32_t path, name;
	uint64_t offset;
	size_t len;

	/* Functions of programs are marked by their program, so the kernel's need no mark. */
	if (frame->len > 4 && !memcmp(frame->text + frame->len - 4, "_[k]", 4))
		frame->len -= 4;
	if (!is_place(frame, &len, &offset))
		return;
	path = add_path(u, frame->text, len);
	range = find_range(u, path, offset);
	if (!range)
		want(u, path, offset);
	name = range ? range->name : u->base[path];
	frame->text = u->names.name[name].text;
	frame->len = u->names.name[name].len;
}

/* --- lines --- */

/* What is done with each line. */
struct pass {
	struct user_names *u;
	size_t before;		/* so many frames are no functions */
	bool is_shown;		/* else what is not known is only noted */
};

/* The process that looks for names is kprof, too, which the module does not know. */
static bool is_own(const struct folded_frame *frame, size_t nr, size_t before)
{
	const struct folded_frame *task = nr >= before ? &frame[before - 1] : NULL;

	return task && task->len == 5 && !memcmp(task->text, "kprof", 5);
}

static bool take_stack(void *arg, struct folded_frame *frame, size_t nr)
{
	const struct pass *pass = arg;
	size_t i;

	if (!pass->u->with_own && is_own(frame, nr, pass->before))
		return false;
	for (i = pass->before; i < nr; i++)
		translate(pass->u, &frame[i]);
	return pass->is_shown;
}

/* Note what is not known; and if that @is_shown, add the stacks to @f. */
static void each_stack(struct user_names *u, const struct buf *text, size_t before,
		       struct folded *f, bool is_shown)
{
	struct pass pass = { .u = u, .before = before, .is_shown = is_shown };

	folded_parse_changed(f, text->data, text->len, "folded_ns", take_stack, &pass);
}

/* Let a process look for what is wanted, unless one is about it. */
static void ask(struct user_names *u, uint64_t now)
{
	drop_repeated(u);
	if (u->child || !u->nr_wanted || now < u->rests_until)
		return;
	free(u->asked);
	u->asked = u->wanted;
	u->nr_asked = u->nr_wanted;
	u->wanted = NULL;
	u->wanted_room = 0;
	u->nr_wanted = 0;
	u->started = now;
	if (!user_names_begin(u))
		user_names_take(u, "");	/* there are none, for some time */
}

void user_names_renew(struct user_names *u)
{
	collect(u, 0);
	if (u->nr_ranges > RANGES_MAX && !u->child)
		forget_all(u);
	forget_nameless(u, clock_ns(CLOCK_MONOTONIC));
	u->nr_wanted = 0;
	u->is_full = false;
}

void user_names_look(struct user_names *u, bool wait)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);

	ask(u, now);
	if (wait)
		collect(u, now + PATIENCE);
}

/* A name may have what separates frames, such as that of a function of Rust. */
static void add_frame(const struct folded_frame *frame, struct buf *out)
{
	size_t i;

	for (i = 0; i < frame->len; i++)
		buf_add(out, frame->text[i] == ';' ? ":" : &frame->text[i], 1);
}

void user_names_add(struct user_names *u, const char *stack, size_t len, struct buf *out)
{
	const char *end = stack + len, *at;
	struct folded_frame frame;

	for (; stack < end; stack = at + 1) {
		at = memchr(stack, ';', end - stack);
		at = at ? at : end;
		frame = (struct folded_frame){ .text = stack, .len = at - stack };
		translate(u, &frame);
		add_frame(&frame, out);
		if (at < end)
			buf_add(out, ";", 1);
	}
}

void user_names_fold(struct user_names *u, const struct buf *text, size_t before, struct folded *f)
{
	user_names_renew(u);
	each_stack(u, text, before, f, !u->patient);
	user_names_look(u, u->patient);
	if (u->patient)
		each_stack(u, text, before, f, true);
}

uint64_t user_names_cpu(struct user_names *u)
{
	uint64_t cpu = u->cpu;

	u->cpu = 0;
	return cpu;
}

void user_names_free(struct user_names *u)
{
	if (u->child) {
		kill(u->child, SIGKILL);
		end_child(u);
	}
	forget_all(u);
	free(u->base);
	free(u->range);
	free(u->wanted);
	free(u->asked);
	buf_free(&u->told);
	buf_free(&u->table);
}
