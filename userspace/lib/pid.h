/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pid.h - ids of threads as records have them: of the PID namespace that sampling was started in
 *
 * A thread that has no id there has one of the initial namespace, with KPROF_PID_OUTSIDE. It is
 * written "outside:ID".
 */
#ifndef KPROF_PID_H
#define KPROF_PID_H

#include <stdbool.h>
#include <stdint.h>

#define PID_TEXT	24

struct csv;
struct json;

/* The id as text, which goes into @room. Returns @room. */
const char *pid_text(uint32_t pid, char room[PID_TEXT]);
bool pid_parse(const char *text, uint32_t *pid);

void pid_csv(struct csv *c, uint32_t pid);
void pid_json(struct json *j, const char *name, uint32_t pid);	/* a number, or a text */

#endif /* KPROF_PID_H */
