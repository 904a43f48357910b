// SPDX-License-Identifier: GPL-2.0-only
/*
 * error.c - reports what was wrong with a request of the user
 *
 * A report is one line that names the parameter, the value and what would be valid. It goes to
 * the kernel log, and to the debugfs file "error" until the next write that succeeds.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/printk.h>

#include "base/error.h"
#include "base/state.h"

#define MAX_VALUE	64	/* characters of a value that are quoted; then comes "..." */

static char text[512];

/**
 * kprof_refuse() - refuse a value
 * @err:	negative errno
 * @name:	name of the parameter
 * @value:	the value as it was given
 * @why:	what is wrong with it and what would be valid; a format
 *
 * Context: kprof_mutex is held. Return: @err.
 */
int kprof_refuse(int err, const char *name, const char *value, const char *why, ...)
{
	struct va_format reason;
	va_list args;

	lockdep_assert_held(&kprof_mutex);
	va_start(args, why);
	reason.fmt = why;
	reason.va = &args;
	/* Non-printing characters are shown as \n, \033: they must not end the line. */
	scnprintf(text, sizeof(text), "%s=%*pE%s: %pV", name,
		  (int)min_t(size_t, strlen(value), MAX_VALUE), value,
		  strlen(value) > MAX_VALUE ? "..." : "", &reason);
	va_end(args);
	pr_err("%s\n", text);
	return err;
}

/**
 * kprof_error_complete() - report an error, unless the reason was reported already
 * @err:	negative errno, or 0
 * @name:	the parameter, or file, for which it was tried
 *
 * Context: kprof_mutex is held. Return: @err.
 */
int kprof_error_complete(int err, const char *name)
{
	if (!err || *text)
		return err;
	if (err == -ENOMEM)
		return kprof_refuse(err, name, "", "no memory; try again, or with less");
	return kprof_refuse(err, name, "", "the kernel refused it with error %d", err);
}

/**
 * kprof_error_clear() - clear the last error
 *
 * Context: kprof_mutex is held.
 */
void kprof_error_clear(void)
{
	text[0] = '\0';
}

/**
 * kprof_error_text() - the last error
 *
 * Context: kprof_mutex is held. Return: a line without newline; may be empty.
 */
const char *kprof_error_text(void)
{
	return text;
}
