/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expect.h - announce to the module the files that will run, before samples are taken in them
 *
 * Then their unwind rules can be made before sampling starts. Otherwise the stacks of a short
 * program end where its rules are not there yet.
 */
#ifndef KPROF_RECORD_EXPECT_H
#define KPROF_RECORD_EXPECT_H

#include "lib/opt.h"
#include "user/files.h"

/*
 * The files of a command: its program, that of its "#!" line, the interpreter and the libraries,
 * and the vDSO. @pins: see pins_open(). What cannot be found is left to the samples.
 */
void expect_command(int pins, struct user_files *files, const char *command);

/* The files that processes have mapped as code. */
void expect_processes(int pins, struct user_files *files, const struct opt_list *pids);

#endif /* KPROF_RECORD_EXPECT_H */
