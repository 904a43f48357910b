/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expect.h - have the unwind rules of the files that will run before samples are taken in them
 *
 * Otherwise the stacks of a short program end where its rules are not there yet.
 */
#ifndef KPROF_RECORD_EXPECT_H
#define KPROF_RECORD_EXPECT_H

#include "lib/opt.h"
#include "record/rules.h"
#include "record/until.h"
#include "user/files.h"

/*
 * Announce to the module the files of a command (its program, that of its "#!" line, the
 * interpreter and the libraries) and those that processes have mapped as code, with the vDSO; and
 * make their rules. @pins: see pins_open(); @command: may be NULL. What is not done within 10 s, or
 * before @until is over, is left to the samples, and so are files that may need an answer of
 * others. Returns 0, or EXIT_ERROR after a message, also where a signal came before the command
 * could be started.
 */
int expect_files(struct rules *rules, int pins, struct user_files *files, const char *command,
		 const struct opt_list *pids, struct until *until);

#endif /* KPROF_RECORD_EXPECT_H */
