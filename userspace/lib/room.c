// SPDX-License-Identifier: GPL-2.0-only
/*
 * room.c - a limit to the memory that a library may take for what others have written
 */
#include <stdio.h>
#include <unistd.h>

#include "lib/number.h"
#include "lib/room.h"

uint64_t room_taken(void)
{
	FILE *in = fopen("/proc/self/statm", "re");
	char line[128];
	const char *at = line;
	uint64_t pages = 0;

	if (in && (!fgets(line, sizeof(line), in) || !number_take(&at, NUMBER_DECIMAL, &pages)))
		pages = 0;
	if (in)
		fclose(in);
	return pages * sysconf(_SC_PAGESIZE);
}

/* The address sanitizer has terabytes of addresses for itself. */
#if defined(__SANITIZE_ADDRESS__)
void room_measure(struct room *room, uint64_t bytes)
{
	(void)bytes;
	*room = (struct room){ .within = { .rlim_cur = 0 } };
}

void room_enter(const struct room *room)
{
	(void)room;
}

void room_leave(const struct room *room)
{
	(void)room;
}
#else
void room_measure(struct room *room, uint64_t bytes)
{
	uint64_t taken = room_taken();

	if (getrlimit(RLIMIT_AS, &room->beyond))
		room->beyond = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	room->within = room->beyond;
	if (taken && room->within.rlim_cur > taken + bytes)
		room->within.rlim_cur = taken + bytes;
}

void room_enter(const struct room *room)
{
	setrlimit(RLIMIT_AS, &room->within);
}

void room_leave(const struct room *room)
{
	setrlimit(RLIMIT_AS, &room->beyond);
}
#endif
