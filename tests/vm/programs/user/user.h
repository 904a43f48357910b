/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user.h - what the parts of the program user share
 */
#ifndef USER_H
#define USER_H

#define NOINLINE __attribute__((noipa))

void user_spin(unsigned long n);

void user_absent(void);
void user_signal(unsigned long n);
void user_turns(unsigned long n);
void user_vfork(unsigned long n);

#endif /* USER_H */
