// SPDX-License-Identifier: GPL-2.0-only
/*
 * pid.c - ids of threads as records have them: of the PID namespace that sampling was started in
 */
#include <stdio.h>
#include <string.h>

#include "lib/pid.h"
#include "kprof.h"
#include "lib/csv.h"
#include "lib/json.h"
#include "lib/number.h"

#define OUTSIDE	"outside:"

const char *pid_text(uint32_t pid, char room[PID_TEXT])
{
	snprintf(room, PID_TEXT, "%s%u", pid & KPROF_PID_OUTSIDE ? OUTSIDE : "",
		 pid & ~KPROF_PID_OUTSIDE);
	return room;
}

bool pid_parse(const char *text, uint32_t *pid)
{
	bool outside = !strncmp(text, OUTSIDE, strlen(OUTSIDE));
	int64_t id = number_up_to(outside ? text + strlen(OUTSIDE) : text, INT32_MAX);

	*pid = (uint32_t)id | (outside ? KPROF_PID_OUTSIDE : 0);
	return id >= 0;
}

void pid_csv(struct csv *c, uint32_t pid)
{
	char room[PID_TEXT];

	csv_text(c, pid_text(pid, room));
}

void pid_json(struct json *j, const char *name, uint32_t pid)
{
	char room[PID_TEXT];

	if (pid & KPROF_PID_OUTSIDE)
		json_text(j, name, pid_text(pid, room));
	else
		json_u64(j, name, pid);
}
