/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pins.h - take over the files that the module holds, as samples were taken in them
 */
#ifndef KPROF_PINS_H
#define KPROF_PINS_H

#include "user/files.h"

/*
 * Have the module hold files for us from now on. Returns a descriptor to poll for POLLIN, or -1
 * where that is not to be had: another reader has it, or there is no such file. Then files are
 * opened by their paths alone.
 */
int pins_open(void);

/*
 * Open the files that are held now. *some: there were any. Returns 0, or EXIT_ERROR after a
 * message.
 */
int pins_take(int fd, struct user_files *files, bool *some);

/*
 * Announce a file before samples are taken in it; -1: the vDSO. Returns its number, or -1 with
 * errno: EINVAL: it is no program.
 */
int pins_expect(int fd, int file);

#endif /* KPROF_PINS_H */
