// SPDX-License-Identifier: GPL-2.0-only
/*
 * lat_probe.c - the reliability of a measurement: overhead of probes, and losses
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "data/account.h"
#include "lat/lat.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/opt.h"
#include "lib/plural.h"
#include "symbols/functions.h"

static const char *const kinds[LAT_NR_PROBES] = {
	"direct", "direct_long", "kretprobe", "kprobe", "span", "point",
};

static bool stat_number(const struct data *d, const char *kind, const char *what, uint64_t *value)
{
	struct buf name = { 0 }, text = { 0 };
	bool there;

	buf_printf(&name, "probe.%s.%s", kind, what);
	there = data_text_value(&d->text[DATA_STATS], name.data, &text);
	*value = there ? number_or_0(text.data) : 0;
	buf_free(&name);
	buf_free(&text);
	return there;
}

#define NAMES_SHOWN	4

/* Shorten a list that can have a name for each function that a pattern matches. */
static void shorten(const struct buf *targets, struct buf *few)
{
	const char *at = targets->data, *cut = NULL;
	size_t nr = 1;

	while ((at = strstr(at, ", "))) {
		if (nr++ == NAMES_SHOWN)
			cut = at;
		at += strlen(", ");
	}
	if (cut)
		buf_printf(few, "%.*s and %zu more", (int)(cut - targets->data), targets->data,
			   nr - NAMES_SHOWN);
	else
		buf_printf(few, "%s", targets->data);
}

/* The targets of the lines "NAME.probe: KIND". */
static void targets_of(const struct data *d, const char *kind, struct buf *targets)
{
	static const char mark[] = ".probe: ";
	const char *next = d->text[DATA_STATS].data, *line, *at;
	size_t len, target;

	while (buf_next_line(&next, &line, &len)) {
		at = memmem(line, len, mark, strlen(mark));
		if (!at)
			continue;
		target = at - line;
		at += strlen(mark);
		if ((size_t)(line + len - at) == strlen(kind) && !memcmp(at, kind, strlen(kind)))
			buf_printf(targets, "%s%.*s", targets->len ? ", " : "", (int)target, line);
	}
}

int lat_probes(const struct data *d, struct lat_probe probe[LAT_NR_PROBES])
{
	int i, nr = 0;

	for (i = 0; i < LAT_NR_PROBES; i++) {
		struct lat_probe p = { .kind = kinds[i] };

		targets_of(d, p.kind, &p.targets);
		if (!p.targets.len) {
			buf_free(&p.targets);	/* allocated if a target has an empty name */
			continue;
		}
		shorten(&p.targets, &p.few);
		p.calibrated = stat_number(d, p.kind, "cost_ns", &p.cost_ns) &&
			       stat_number(d, p.kind, "seen_ns", &p.seen_ns);
		p.varies = stat_number(d, p.kind, "high_ns", &p.high_ns) &&
			   p.high_ns >= p.seen_ns;
		probe[nr++] = p;
	}
	memset(probe + nr, 0, (LAT_NR_PROBES - nr) * sizeof(*probe));
	return nr;
}

void lat_probes_free(struct lat_probe probe[LAT_NR_PROBES])
{
	int i;

	for (i = 0; i < LAT_NR_PROBES; i++) {
		buf_free(&probe[i].targets);
		buf_free(&probe[i].few);
	}
}

/* Add a target to those of its reason. Returns how many reasons there are now. */
static int add_reason(struct lat_reason *reason, int nr, const char *text, size_t len,
		      const char *target, size_t target_len)
{
	int i;

	for (i = 0; i < nr; i++)
		if (reason[i].text.len == len && !memcmp(reason[i].text.data, text, len))
			break;
	if (i == LAT_REASONS)
		return nr;
	if (i == nr)
		buf_add(&reason[i].text, text, len);
	buf_printf(&reason[i].targets, "%s%.*s", i == nr ? "" : ", ", (int)target_len, target);
	return i == nr ? nr + 1 : nr;
}

/* Lines "TARGET OPTIONS<tab># calls and latency, by kretprobe: REASON; a note on arguments". */
int lat_reasons(const struct data *d, struct lat_reason reason[LAT_REASONS])
{
	static const char mark[] = "\t# calls and latency, by kretprobe: ";
	const char *next = d->text[DATA_TARGETS].data, *line, *at, *end;
	size_t len;
	int nr = 0, i;

	memset(reason, 0, LAT_REASONS * sizeof(*reason));
	while (buf_next_line(&next, &line, &len)) {
		at = memmem(line, len, mark, strlen(mark));
		if (!at)
			continue;
		at += strlen(mark);
		end = memchr(at, ';', line + len - at);
		nr = add_reason(reason, nr, at, (end ? end : line + len) - at, line,
				strcspn(line, " \t"));
	}
	for (i = 0; i < nr; i++)
		shorten(&reason[i].targets, &reason[i].few);
	return nr;
}

void lat_reasons_free(struct lat_reason reason[LAT_REASONS])
{
	int i;

	for (i = 0; i < LAT_REASONS; i++) {
		buf_free(&reason[i].text);
		buf_free(&reason[i].targets);
		buf_free(&reason[i].few);
	}
}

bool lat_is_measurement(const struct data *d)
{
	return d->text[DATA_BUCKETS].len;
}

static uint64_t without_context(const struct lat_table *t)
{
	uint64_t calls = 0;
	size_t i;

	for (i = 0; i < t->nr; i++)
		if (!strcmp(t->row[i].context, "[row table full]"))
			calls += t->row[i].calls;
	return calls;
}

/* A compiler-made variant may lack arguments; then their registers have arbitrary values. */
static void warn_variants(const struct data *d, const char *where)
{
	const char *next = d->text[DATA_TARGETS].data, *line;
	size_t len;

	while (buf_next_line(&next, &line, &len)) {
		struct buf target = { 0 };

		buf_add(&target, line, len);
		if (strstr(target.data, "$arg")) {
			target.data[strcspn(target.data, " \t")] = '\0';
			if (function_is_variant(target.data))
				msg_warn("%s%s is a variant that the compiler made of %.*s: arguments "
					 "may be missing in it, or stand elsewhere, so that $arg1 to "
					 "$arg6 are not those of the source", where, target.data,
					 (int)strcspn(target.data, "."), target.data);
		}
		buf_free(&target);
	}
}

/* The module puts such a note after the target: "; $arg4 is none of its 3 arguments". */
static void warn_arguments(const struct data *d, const char *where)
{
	const char *next = d->text[DATA_TARGETS].data, *line;
	size_t len;

	while (buf_next_line(&next, &line, &len)) {
		struct buf target = { 0 };
		const char *said;

		buf_add(&target, line, len);
		said = strstr(target.data, "; $arg");
		if (said)
			msg_warn("%s%.*s: %s: its values are what happens to be in that register",
				 where, (int)strcspn(target.data, " \t"), target.data, said + 2);
		buf_free(&target);
	}
}

int lat_warn(const struct data *d, const struct lat_table *t, const char *where)
{
	uint64_t full = without_context(t), lost;
	struct buf causes = { 0 };
	int ret = EXIT_OK;

	if (full)
		msg_warn("%s%" PRIu64 " call%s found the table of rows full, and %s in the row "
			 "[row table full]: put numbers into buckets, by=log2(KEY) or "
			 "linear(KEY,STEP), take fewer keys, or make room by --max-rows",
			 where, full, plural(full), plural_are(full));
	warn_variants(d, where);
	warn_arguments(d, where);
	lost = account_dropped(&d->text[DATA_STATS_BEFORE], &d->text[DATA_STATS], &causes);
	if (lost) {
		msg_warn("%s%" PRIu64 " call%s %s lost: %s", where, lost, plural(lost),
			 plural_are(lost), causes.data);
		ret = EXIT_LOST;
	}
	buf_free(&causes);
	return ret;
}
