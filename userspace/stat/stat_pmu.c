// SPDX-License-Identifier: GPL-2.0-only
/*
 * stat_pmu.c - events of a PMU, as the files below /sys/bus/event_source/devices describe them
 *
 * PMU/format/TERM says which bits of perf_event_attr a term sets ("config:0-7,32-35"), and
 * PMU/events/NAME which terms an event consists of ("event=0x3c,umask=0x0,inv"). Drivers write
 * these files, so they are checked like any other input.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "stat/stat.h"

#define FILE_MAX	4096	/* sysfs has a page for each file */

struct pmu {
	const char *root, *name;
	struct stat_event *event;
};

/* The bits of a term, from its lowest. */
struct field {
	int word;		/* which config it belongs to */
	unsigned int nr;
	uint8_t bit[64];
};

/* Is this the name of a file in a directory, and of nothing elsewhere? */
static bool is_name(const char *text)
{
	const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";

	return *text && *text != '.' && strlen(text) < 64 && text[strspn(text, allowed)] == '\0';
}

/* Read PMU/@directory@name@suffix without its line feed. Returns false if there is no such file. */
static bool read_file(struct buf *text, const struct pmu *pmu, const char *directory,
		      const char *name, const char *suffix)
{
	struct buf path = { 0 };
	bool good = false;
	int fd;

	text->len = 0;
	buf_printf(&path, "%s/%s/%s%s%s", pmu->root, pmu->name, directory, name, suffix);
	fd = open(path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		good = !buf_read_max(text, fd, FILE_MAX);
		close(fd);
	}
	buf_free(&path);
	if (good && text->len && text->data[text->len - 1] == '\n')
		text->data[--text->len] = '\0';
	return good && strlen(text->data) == text->len;
}

static int broken(const struct pmu *pmu, const char *file, const char *content)
{
	return msg_error("--event: %s/%s/%s: '%s' is not what this file should have", pmu->root,
			 pmu->name, file, content);
}

/* --- formats --- */

/* Parse "0-7" or "21" at the start of @text; no bit may be there twice. */
static bool take_bits(const char **text, struct field *field, uint64_t *seen)
{
	uint64_t first, last;

	if (!number_take(text, NUMBER_DECIMAL, &first))
		return false;
	last = first;
	if (**text == '-' && ((*text)++, !number_take(text, NUMBER_DECIMAL, &last)))
		return false;
	if (last < first || last > 63)
		return false;
	for (; first <= last; first++) {
		if (*seen >> first & 1)
			return false;
		*seen |= 1ull << first;
		field->bit[field->nr++] = first;
	}
	return true;
}

/* Parse "config1:0-7,32-35". */
static bool parse_format(struct field *field, const char *text)
{
	uint64_t seen = 0;

	*field = (struct field){ 0 };
	if (strncmp(text, "config", 6))
		return false;
	text += 6;
	if (*text == '1' || *text == '2')
		field->word = *text++ - '0';
	if (*text != ':')
		return false;
	do {
		text++;
		if (!take_bits(&text, field, &seen))
			return false;
	} while (*text == ',');
	return !*text;
}

static int set_field(struct stat_event *event, const struct field *field, uint64_t value,
		     const char *term)
{
	uint64_t *word = &event->config[field->word];
	unsigned int i;

	if (field->nr < 64 && value >> field->nr)
		return msg_usage("--event: %s: %s=%#jx does not fit in its %u bits", event->name,
				 term, (uintmax_t)value, field->nr);
	for (i = 0; i < field->nr; i++) {
		*word &= ~(1ull << field->bit[i]);
		*word |= (value >> i & 1) << field->bit[i];
	}
	return EXIT_OK;
}

/* --- terms --- */

static bool parse_value(const char *text, uint64_t *value)
{
	if (!strncmp(text, "0x", 2) || !strncmp(text, "0X", 2))
		return number_parse(text + 2, NUMBER_HEX, value);
	return number_parse(text, NUMBER_DECIMAL, value);
}

/* The term that every PMU has: config, config1 or config2; -1 if it is another. */
static int whole_config(const char *term)
{
	static const char *const names[] = { "config", "config1", "config2" };
	int i;

	for (i = 0; i < 3; i++)
		if (!strcmp(term, names[i]))
			return i;
	return -1;
}

/* Set the term @term to @text; NULL: to 1. */
static int set_term(const struct pmu *pmu, const char *term, const char *text)
{
	int word = whole_config(term), ret;
	struct buf format = { 0 };
	struct field field;
	uint64_t value = 1;

	if (text && !parse_value(text, &value))
		return msg_usage("--event: %s: '%s' of %s is not a number such as 60 or 0x3c",
				 pmu->event->name, text, term);
	if (word >= 0) {
		pmu->event->config[word] = value;
		return EXIT_OK;
	}
	if (!read_file(&format, pmu, "format/", term, ""))
		ret = msg_usage("--event: %s: %s has no event and no term '%s'; %s/%s/events and format list them",
				pmu->event->name, pmu->name, term, pmu->root, pmu->name);
	else if (!parse_format(&field, format.data))
		ret = broken(pmu, "format", format.data);
	else
		ret = set_field(pmu->event, &field, value, term);
	buf_free(&format);
	return ret;
}

/* The scale and the unit of an event with a name, if it has them. */
static int set_unit(const struct pmu *pmu, const char *name)
{
	struct stat_event *event = pmu->event;
	struct buf text = { 0 };
	int ret = EXIT_OK;

	if (read_file(&text, pmu, "events/", name, ".scale") &&
	    !number_real(text.data, &event->scale))
		ret = broken(pmu, "events/*.scale", text.data);
	if (!ret && read_file(&text, pmu, "events/", name, ".unit")) {
		if (!is_name(text.data) || text.len >= sizeof(event->unit))
			ret = broken(pmu, "events/*.unit", text.data);
		else
			memcpy(event->unit, text.data, text.len + 1);
	}
	buf_free(&text);
	return ret;
}

static int set_terms(const struct pmu *pmu, char *terms, bool names);

/* Set "TERM=VALUE" or "TERM" or, if @names, the terms of the event of that name. */
static int set_one(const struct pmu *pmu, char *term, bool names)
{
	char *value = strchr(term, '=');
	struct buf text = { 0 };
	int ret;

	if (value)
		*value++ = '\0';
	if (!is_name(term))
		return msg_usage("--event: %s: '%s' is no term; give TERM=VALUE or the name of an event",
				 pmu->event->name, term);
	if (value || !names || !read_file(&text, pmu, "events/", term, "")) {
		ret = set_term(pmu, term, value);
	} else {
		ret = set_terms(pmu, text.data, false);
		if (!ret)
			ret = set_unit(pmu, term);
	}
	buf_free(&text);
	return ret;
}

static int set_terms(const struct pmu *pmu, char *terms, bool names)
{
	char *term;
	int ret = EXIT_OK;

	while (!ret && (term = strsep(&terms, ",")))
		ret = set_one(pmu, term, names);
	return ret;
}

/* --- the PMU --- */

/* An uncore PMU has a "cpumask", that of some of the cores "cpus"; others have neither. */
static int set_cpus(const struct pmu *pmu)
{
	static const char *const files[] = { "cpumask", "cpus" };
	struct stat_event *event = pmu->event;
	struct buf text = { 0 };
	int i, ret = EXIT_OK;

	for (i = 0; i < 2 && !event->cpus && !ret; i++) {
		/* An empty one restricts nothing: the PMU of a virtual machine. */
		if (!read_file(&text, pmu, "", files[i], "") || !text.len)
			continue;
		event->cpus = mem_zalloc(1, sizeof(*event->cpus));
		if (!cpus_parse(event->cpus, text.data))
			ret = broken(pmu, files[i], text.data);
	}
	buf_free(&text);
	return ret;
}

int stat_pmu_event(struct stat_event *event, const char *root, const char *name, const char *terms)
{
	struct pmu pmu = { root, name, event };
	struct buf text = { 0 };
	char *copy;
	uint64_t type;
	int ret;

	if (!is_name(name) || !read_file(&text, &pmu, "type", "", ""))
		ret = msg_usage("--event: %s: this machine has no PMU '%s'; %s lists those it has",
				event->name, name, root);
	else if (!number_parse(text.data, NUMBER_DECIMAL, &type) || type > UINT32_MAX)
		ret = broken(&pmu, "type", text.data);
	else
		ret = EXIT_OK;
	buf_free(&text);
	if (ret)
		return ret;
	event->type = type;
	copy = mem_strdup(terms);
	ret = set_terms(&pmu, copy, true);
	free(copy);
	if (!ret)
		ret = set_cpus(&pmu);
	if (ret) {
		free(event->cpus);
		event->cpus = NULL;
	}
	return ret;
}
