// SPDX-License-Identifier: GPL-2.0-only
/*
 * msg.c - messages to the user on standard error, prefixed with the verb
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/exit.h"
#include "lib/msg.h"

static const char *msg_verb;

void msg_set_verb(const char *verb)
{
	msg_verb = verb;
}

/*
 * A message may quote a line of a file, which may be of any length. Leave out the middle: the
 * beginning names the place, and the end what would be right.
 */
static void shorten(char *text)
{
	static const char gap[] = " [...] ";
	const size_t half = 1024;
	char *end = text + strlen(text), *head = text + half, *tail = end - half;

	if ((size_t)(end - text) <= 2 * half + strlen(gap))
		return;
	/* Characters of UTF-8 stay whole. */
	while (head > text && (*head & 0xc0) == 0x80)
		head--;
	while (tail < end && (*tail & 0xc0) == 0x80)
		tail++;
	memcpy(head, gap, strlen(gap));
	memmove(head + strlen(gap), tail, end - tail + 1);
}

static void print(const char *fmt, va_list ap)
{
	char *text;

	/* Keep the order of output and messages, also if both go to the same file. */
	fflush(stdout);
	if (msg_verb)
		fprintf(stderr, "kprof %s: ", msg_verb);
	else
		fputs("kprof: ", stderr);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	else
		shorten(text);
	escape_print(text ? text : fmt, stderr);
	fputc('\n', stderr);
	free(text);
}

void msg_warn(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
}

int msg_error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
	return EXIT_ERROR;
}

int msg_usage(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	print(fmt, ap);
	va_end(ap);
	if (msg_verb)
		fprintf(stderr, "Try 'kprof %s --help'.\n", msg_verb);
	else
		fputs("Try 'kprof --help'.\n", stderr);
	return EXIT_USAGE;
}

int msg_contradiction(const char *one, const char *other)
{
	return msg_usage("%s and %s contradict each other: give one of them", one, other);
}
