// SPDX-License-Identifier: GPL-2.0-only
/*
 * measurement.c - run the module for a command or for processes, then restore it
 */
#include "lib/buf.h"
#include "lib/cpus.h"
#include "record/measurement.h"

int measurement_check(const struct opt_list *pids, bool all, const char *cpus)
{
	int ret = until_check_pids(pids, all);

	return ret ? ret : cpus_check(cpus, "possible");
}

int measurement_begin(struct measurement *s, const char *module, char **command,
		      const struct opt_list *pids)
{
	*s = (struct measurement){ .name = *command };
	if (until_begin(&s->until) || setup_begin(&s->setup, module, "enable=0"))
		return EXIT_ERROR;
	if (!*command)
		return until_processes(&s->until, pids);
	if (command_start(&s->command, command, &s->until.old_signals))
		return EXIT_ERROR;
	return until_process(&s->until, s->command.pid);
}

static int filter_pids(struct measurement *s, const struct opt_list *pids, bool all)
{
	struct buf list = { 0 };
	int i, ret;

	buf_add(&list, "", 0);
	for (i = 0; i < pids->nr; i++)
		buf_printf(&list, "%s%s", list.len ? "," : "", pids->item[i]);
	if (s->command.pid && !all)
		buf_printf(&list, "%s%d", list.len ? "," : "", s->command.pid);
	ret = setup_set(&s->setup, "pid", list.data);
	buf_free(&list);
	return ret;
}

int measurement_filter(struct measurement *s, const struct opt_list *pids, bool all,
		       const char *comm, const char *cpus, bool own)
{
	if (filter_pids(s, pids, all) || setup_set(&s->setup, "comm", comm ? comm : ""))
		return EXIT_ERROR;
	if (setup_set(&s->setup, "cpus", cpus ? cpus : "all"))
		return EXIT_ERROR;
	return setup_set(&s->setup, "own", own ? "0" : "self");
}

int measurement_start(struct measurement *s, double seconds)
{
	if (setup_set(&s->setup, "enable", "1"))
		return EXIT_ERROR;
	until_say(&s->until, s->command.pid, seconds, "measuring");
	return s->command.pid ? command_go(&s->command, s->name) : EXIT_OK;
}

int measurement_end(struct measurement *s)
{
	int ret;

	s->status = command_end(&s->command, s->name, &s->until);
	ret = setup_end(&s->setup);
	until_end(&s->until);
	return ret;
}
