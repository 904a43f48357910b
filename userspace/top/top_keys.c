// SPDX-License-Identifier: GPL-2.0-only
/*
 * top_keys.c - what keys do to the view
 */
#include <stdio.h>
#include <string.h>

#include "lib/number.h"
#include "top/top.h"

enum key {
	KEY_UP = 256, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END,
	KEY_OTHER,
};

/* What terminals send for the keys that are no characters, after ESC. */
static const struct {
	const char *text;
	enum key key;
} sequences[] = {
	{ "[A", KEY_UP }, { "OA", KEY_UP }, { "[B", KEY_DOWN }, { "OB", KEY_DOWN },
	{ "[C", KEY_RIGHT }, { "OC", KEY_RIGHT }, { "[D", KEY_LEFT }, { "OD", KEY_LEFT },
	{ "[5~", KEY_PAGE_UP }, { "[6~", KEY_PAGE_DOWN },
	{ "[H", KEY_HOME }, { "OH", KEY_HOME }, { "[1~", KEY_HOME },
	{ "[F", KEY_END }, { "OF", KEY_END }, { "[4~", KEY_END },
};

/* The length of the sequence after ESC: parameters, and a letter or '~'. */
static size_t sequence_length(const char *text, size_t len)
{
	size_t i = 1;

	if (!len || (*text != '[' && *text != 'O'))
		return 0;
	while (i < len && (unsigned char)text[i] >= ' ' && (unsigned char)text[i] < '@')
		i++;
	return i < len ? i + 1 : len;
}

/* Take a key off the text. A lone ESC is itself. */
static int take_key(const char **text, size_t *len)
{
	int key = (unsigned char)**text;
	size_t i, n;

	++*text;
	--*len;
	n = key == '\033' ? sequence_length(*text, *len) : 0;
	if (!n)
		return key;
	key = KEY_OTHER;
	for (i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		if (strlen(sequences[i].text) == n && !memcmp(sequences[i].text, *text, n))
			key = sequences[i].key;
	*text += n;
	*len -= n;
	return key;
}

/* --- a question and its answer --- */

static bool is_pid_list(const char *text)
{
	uint64_t pid;

	do {
		if (!number_take(&text, NUMBER_DECIMAL, &pid) || !pid || pid > INT32_MAX)
			return false;
	} while (*text++ == ',');
	return !text[-1];
}

static void take_answer(struct top_state *s)
{
	struct top_view *view = &s->view;

	if (s->prompt == TOP_ASK_PID && *s->typed && !is_pid_list(s->typed)) {
		snprintf(s->message, sizeof(s->message),
			 "'%s' is no list of processes such as 12,34", s->typed);
	} else if (s->prompt == TOP_ASK_PID) {
		memcpy(s->pid, s->typed, sizeof(s->pid));
		s->pid_changed = true;
	} else if (s->prompt == TOP_ASK_COMM) {
		memcpy(view->comm, s->typed, sizeof(view->comm));
	} else if (s->prompt == TOP_ASK_CGROUP) {
		snprintf(view->cgroup, sizeof(view->cgroup), "%s", s->typed);
		s->wants_cgroups |= *s->typed;
	} else {
		memcpy(view->text, s->typed, sizeof(view->text));
	}
	s->prompt = TOP_NO_PROMPT;
	s->selected = 0;
}

static void type(struct top_state *s, int key)
{
	size_t len = strlen(s->typed);

	if (key == '\r' || key == '\n')
		take_answer(s);
	else if (key == '\033')
		s->prompt = TOP_NO_PROMPT;
	else if ((key == '\b' || key == 0x7f) && len)
		s->typed[len - 1] = '\0';
	else if (key >= ' ' && key < 0x7f && len + 1 < sizeof(s->typed))
		snprintf(s->typed + len, sizeof(s->typed) - len, "%c", key);
}

static void ask(struct top_state *s, enum top_prompt prompt)
{
	s->prompt = prompt;
	memset(s->typed, 0, sizeof(s->typed));
}

/* --- keys --- */

/* Select the row @by further on; it stays among them. */
static void move(struct top_state *s, size_t nr_rows, long by)
{
	if (by < 0)
		s->selected = s->selected > (size_t)-by ? s->selected + by : 0;
	else if (nr_rows)
		s->selected = s->selected + by < nr_rows ? s->selected + by : nr_rows - 1;
}

static void enter(struct top_state *s, const struct top_rows *rows)
{
	if (s->selected >= rows->nr)
		return;
	if (!top_view_enter(&s->view, rows->row[s->selected].name))
		snprintf(s->message, sizeof(s->message), "callers go no further than %d levels",
			 TOP_DEPTH);
	else
		s->selected = 0;
}

/* Keys that select a row. */
static bool select_row(struct top_state *s, int key, const struct top_rows *rows)
{
	long page = s->page ? s->page : 1;

	switch (key) {
	case KEY_UP: case 'k':
		move(s, rows->nr, -1);
		return true;
	case KEY_DOWN: case 'j':
		move(s, rows->nr, 1);
		return true;
	case KEY_PAGE_UP:
		move(s, rows->nr, -page);
		return true;
	case KEY_PAGE_DOWN:
		move(s, rows->nr, page);
		return true;
	case KEY_HOME:
		s->selected = 0;
		return true;
	case KEY_END:
		s->selected = rows->nr ? rows->nr - 1 : 0;
		return true;
	}
	return false;
}

static void set_sort(struct top_state *s, enum top_sort sort)
{
	s->view.sort = sort;
	s->selected = 0;
}

/* From functions to cgroups, or back to the functions of all tasks. */
static void show_cgroups(struct top_state *s)
{
	bool by_cgroup = !s->view.by_cgroup;

	while (top_view_leave(&s->view))
		;
	s->view.by_cgroup = by_cgroup;
	s->wants_cgroups |= by_cgroup;
	s->selected = 0;
}

static void press(struct top_state *s, int key, const struct top_rows *rows)
{
	switch (key) {
	case 'q':
		s->quit = true;
		break;
	case 's':
		set_sort(s, TOP_SELF);
		break;
	case 't':
		set_sort(s, TOP_TOTAL);
		break;
	case 'n':
		set_sort(s, TOP_NAME);
		break;
	case '/':
		ask(s, TOP_ASK_TEXT);
		break;
	case 'c':
		ask(s, TOP_ASK_COMM);
		break;
	case 'g':
		show_cgroups(s);
		break;
	case 'G':
		ask(s, TOP_ASK_CGROUP);
		break;
	case 'p':
		ask(s, TOP_ASK_PID);
		break;
	case ' ':
		s->paused = !s->paused;
		break;
	case 'h': case '?':
		s->help = !s->help;
		break;
	case '\r': case '\n': case KEY_RIGHT:
		enter(s, rows);
		break;
	case '\b': case 0x7f: case '\033': case KEY_LEFT:
		if (top_view_leave(&s->view))
			s->selected = 0;
		break;
	default:
		select_row(s, key, rows);
	}
}

size_t top_key(struct top_state *s, const char *text, size_t len, const struct top_rows *rows)
{
	size_t left = len;
	int key = take_key(&text, &left);

	*s->message = '\0';
	if (s->prompt)
		type(s, key);
	else
		press(s, key, rows);
	return len - left;
}
