// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_calls.c - which functions of a program, or of its libraries, are watched all at once
 *
 * A watched call has its return address replaced. Three kinds of functions do not bear that: those
 * that return twice to one address, those that are no functions but choose one (IFUNC), and those
 * through which an exception passes, as whoever unwinds the stack finds an address of nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/exit.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/plural.h"
#include "record/kmod.h"
#include "record/user_calls.h"
#include "record/user_function.h"
#include "record/user_place.h"
#include "symbols/functions.h"
#include "user/elf.h"
#include "user/imports.h"

#define NAMED_MAX	8	/* names in a message */

enum reason {
	WATCHED, NOT_WANTED, NOT_FOUND, CHOSEN, TWICE, THROWS, ODD, ODD_PATH, TOO_MANY, NR_REASONS
};

static const char *const reasons[NR_REASONS] = {
	[NOT_FOUND] = "in no library that was found",
	[CHOSEN] = "chosen when a program starts (IFUNC)",
	[TWICE] = "returning twice, or never",
	[THROWS] = "through which exceptions may pass",
	[ODD] = "with names that are no names of targets",
	[ODD_PATH] = "in files whose paths cannot be in targets",
	[TOO_MANY] = "more than --max allows",
};

/* What was left out, by reason. */
struct left_out {
	size_t nr[NR_REASONS];
	struct buf names[NR_REASONS];
};

static bool is_among(const char *name, const char *const *list)
{
	for (; *list; list++)
		if (!strcmp(name, *list))
			return true;
	return false;
}

static enum reason judge_name(const char *name)
{
	static const char *const twice[] = {
		"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "savectx", "vfork", "__vfork",
		"getcontext", "swapcontext", "makecontext", "setcontext", "longjmp", "_longjmp",
		"siglongjmp", "__longjmp_chk", "__libc_start_main", "_start", "_init", "_fini",
		NULL
	};
	static const char *const throwing[] = { "pthread_exit", "backtrace", NULL };
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

	if (strspn(name, letters) != strlen(name) || strlen(name) > 100)
		return ODD;
	if (is_among(name, twice))
		return TWICE;
	if (!strncmp(name, "_Z", 2) || !strncmp(name, "_R", 2) || !strncmp(name, "__cxa_", 6) ||
	    !strncmp(name, "_Unwind_", 8) || is_among(name, throwing))
		return THROWS;
	return WATCHED;
}

static bool is_wanted(const char *name, const struct user_calls_choice *choice)
{
	int i;

	for (i = 0; i < choice->nr_patterns; i++)
		if (!fnmatch(choice->pattern[i], name, 0))
			return true;
	return !choice->nr_patterns;
}

static void leave_out(struct left_out *out, enum reason reason, const char *name)
{
	if (out->nr[reason]++ < NAMED_MAX)
		buf_printf(&out->names[reason], "%s%s", out->nr[reason] > 1 ? ", " : "", name);
}

/* Is it another name of a function that was taken? */
static bool is_taken(const struct user_calls *calls, const char *target)
{
	size_t i, len = strlen(target);

	for (i = 0; i < calls->nr; i++)
		if (!strncmp(calls->line[i], target, len))
			return true;
	return false;
}

/* @id: which file @path has led to */
static void consider(struct user_calls *calls, struct left_out *out, const char *path,
		     const char *id, uint64_t offset, const char *name, enum reason reason,
		     const struct user_calls_choice *choice)
{
	struct buf line = { 0 };

	if (!is_wanted(name, choice))
		return;
	if (reason == WATCHED)
		reason = user_place_is_path(path) ? judge_name(name) : ODD_PATH;
	if (reason == WATCHED && calls->nr == choice->max)
		reason = TOO_MANY;
	if (reason != WATCHED) {
		leave_out(out, reason, name);
		return;
	}
	buf_printf(&line, "%s:0x%" PRIx64 " ", path, offset);
	if (is_taken(calls, line.data)) {
		buf_free(&line);
		return;
	}
	buf_printf(&line, "as=%s file=%s", name, id);
	calls->line = mem_grow(calls->line, &calls->room, calls->nr + 1, sizeof(*calls->line));
	calls->line[calls->nr++] = arena_copy(&calls->texts, line.data, line.len);
	buf_free(&line);
}

static int find_imports(struct user_calls *calls, struct left_out *out, const char *path,
			const struct user_calls_choice *choice)
{
	struct user_imports imports = { .nr = 0 };
	bool is_elf = user_imports_read(&imports, path);
	size_t i;

	for (i = 0; i < imports.nr; i++) {
		const struct user_import *one = &imports.item[i];

		consider(calls, out, one->path, one->id, one->offset, one->name,
			 !one->path ? NOT_FOUND : one->is_chosen ? CHOSEN : WATCHED, choice);
	}
	user_imports_free(&imports);
	return is_elf ? EXIT_OK : msg_error("'%s' is no program of this machine: give the "
					    "interpreter of a script", path);
}

static int find_own(struct user_calls *calls, struct left_out *out, const char *path,
		    const struct user_calls_choice *choice)
{
	struct user_code code = { .path = { 0 } };
	int ret = user_code_load(&code, path);
	size_t i;

	if (!ret && !code.functions.nr)
		ret = user_code_nameless(&code);
	for (i = 0; i < code.functions.nr && !ret; i++) {
		const struct user_function *one = &code.functions.item[i];

		/* Without a size it is a label. */
		if (one->size && !function_is_cold_part(one->name))
			consider(calls, out, code.path.data, code.id.data, one->start,
				 one->name, one->is_chosen ? CHOSEN : WATCHED, choice);
	}
	user_code_free(&code);
	return ret;
}

static void tell(const struct left_out *out)
{
	int i;

	for (i = 0; i < NR_REASONS; i++)
		if (out->nr[i])
			msg_warn("left out: %zu function%s %s: %s%s", out->nr[i],
				 plural(out->nr[i]), reasons[i], out->names[i].data,
				 out->nr[i] > NAMED_MAX ? ", ..." : "");
}

int user_calls_find(struct user_calls *calls, const char *path,
		    const struct user_calls_choice *choice)
{
	struct left_out out = { .nr = { 0 } };
	int ret, i;

	if (!user_elf_is_possible())
		return msg_error("this kprof was built without libdw, and cannot read programs");
	ret = (choice->of_program ? find_own : find_imports)(calls, &out, path, choice);
	if (!ret)
		tell(&out);
	if (!ret && !calls->nr)
		ret = msg_error("'%s' %s no function that can be watched%s", path,
				choice->of_program ? "has" : "imports",
				choice->nr_patterns ? " and that --function asks for" : "");
	for (i = 0; i < NR_REASONS; i++)
		buf_free(&out.names[i]);
	return ret;
}

int user_calls_watch(const struct user_calls *calls, struct setup *c)
{
	struct buf first = { 0 };
	size_t i, refused = 0;
	int ret = setup_set_targets(c, NULL, 0, false);

	for (i = 0; i < calls->nr && !ret; i++) {
		struct buf why = { 0 };

		if (kmod_try_write("targets", calls->line[i], O_APPEND, &why) && !refused++)
			buf_printf(&first, "%s", why.data);
		buf_free(&why);
	}
	if (refused && refused == calls->nr)
		ret = msg_error("none of %zu function%s can be watched; the first: %s", refused,
				plural(refused), first.data);
	else if (refused)
		msg_warn("left out, since they cannot be watched: %zu of %zu function%s; the first: %s",
			 refused, calls->nr, plural(calls->nr), first.data);
	buf_free(&first);
	return ret;
}

void user_calls_free(struct user_calls *calls)
{
	free(calls->line);
	arena_free(&calls->texts);
	*calls = (struct user_calls){ 0 };
}
