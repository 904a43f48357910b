// SPDX-License-Identifier: GPL-2.0-only
/*
 * op_watched.c - modules that have targets come, work, and go, watched or not
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "torture.h"

#define MAX_TRIGGERS	12

/* What is written to a parameter, and to which. */
struct trigger {
	const char *name;
	const char *amount;
};

static const struct trigger known[MAX_TRIGGERS] = {
	{ "call", "1" }, { "call", "1000" }, { "call", "20000" }, { "recurse", "3" },
	{ "recurse", "60" }, { "stacks", "64" }, { "sleep", "30" }, { "spin", "100" },
	{ "irq_off", "5" },
};

static const struct trigger spans[MAX_TRIGGERS] = {
	{ "pass", "1000" }, { "begin", "1,50" }, { "begin", "40,3000" }, { "end", "1,50" },
	{ "end", "20,3000" }, { "across", "100" }, { "leak", "300,100" }, { "free", "200" },
	{ "hold", "30" },
};

static const struct trigger inlined[MAX_TRIGGERS] = {
	{ "run", "1" }, { "run", "10" }, { "run", "300" },
};

static void pull(const char *module, const struct trigger *triggers)
{
	const struct trigger *one;
	size_t nr = 0;
	char path[128];

	while (nr < MAX_TRIGGERS && triggers[nr].name)
		nr++;
	one = &triggers[random_below(nr)];
	snprintf(path, sizeof(path), "/sys/module/%s/parameters/%s", module, one->name);
	doing("%s %s of %s", one->name, one->amount, module);
	write_text(path, one->amount);
}

/* A module is not made ready for ftrace while that is off. */
static void come_and_go(const char *module, const struct trigger *triggers)
{
	int turns = random_below(6), fd;
	char path[128];
	bool loaded;

	snprintf(path, sizeof(path), "/kprof/modules/%s.ko", module);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	doing("insmod %s.ko", module);
	loaded = !syscall(SYS_finit_module, fd, "", 0);
	close(fd);
	if (!loaded) {
		if (errno != EBUSY)
			wrong("insmod %s.ko: %s", module, strerror(errno));
		random_pause(500);
		return;
	}
	while (turns--)
		pull(module, triggers);
	random_pause(500);
	module_unload(module);
}

void torture_known(void)
{
	come_and_go("kprof_known", known);
}

void torture_spans(void)
{
	come_and_go("kprof_spans", spans);
}

void torture_inlined(void)
{
	come_and_go("kprof_inlined", inlined);
}
