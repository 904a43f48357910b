/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * io.h - kprof io --each: a line for each request to a disk
 */
#ifndef KPROF_CMD_IO_H
#define KPROF_CMD_IO_H

#include <stdbool.h>

/**
 * struct io_each - options of kprof io --each; for the others see struct span_options
 * @disk:	pattern of the names of disks; NULL: all
 * @type:	pattern of types; NULL: all
 * @queued:	requests begin when they are queued, not when the device gets them
 * @start_time:	print when a request begins
 * @end_time:	print when it completes
 */
struct io_each {
	const char *disk, *type;
	bool queued, start_time, end_time;
};

/* Measure, and print a line for each request. @argv: nothing, or "--" and a command. */
int io_each_run(const struct io_each *options, char **argv);

#endif /* KPROF_CMD_IO_H */
