// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_locks.c - who takes a lock, and who lets go of one, from stacks
 */
#include <string.h>

#include "cmd/locks.h"
#include "unit.h"

static void check_caller(const char *stack, const char *expected)
{
	struct buf caller = { 0 };

	locks_caller(stack, &caller);
	CHECK_STR(caller.data, expected);
	buf_free(&caller);
}

static void test_caller(void)
{
	check_caller("ksys_read;ext4_file_read;down_read;rwsem_down_read_slowpath", "ext4_file_read");
	check_caller("do_work;down;__down", "do_work");
	check_caller("do_work;down_interruptible;__down_interruptible;__down_common", "do_work");
	check_caller("do_work;downgrade_write", "do_work");
	check_caller("do_work;mutex_lock;__mutex_lock", "do_work");
	check_caller("down_read;rwsem_down_read_slowpath", "down_read");
}

/* Names that begin as those of locks do. */
static void test_others(void)
{
	check_caller("worker;download_block;down_write", "download_block");
	check_caller("worker;downsample", "downsample");
	check_caller("worker;__downlink_enable;mutex_lock", "__downlink_enable");
	check_caller("worker;update_all;up", "update_all");
}

static void check_release(const char *stack, bool released, const char *expected,
			  const char *rest)
{
	struct buf release = { 0 };
	size_t whole;

	CHECK_INT(locks_release(stack, &release, &whole), released);
	CHECK_STR(release.data ? release.data : "", expected);
	CHECK_INT(whole, strlen(rest));
	buf_free(&release);
}

static void test_release(void)
{
	check_release("do_work;up_write;rwsem_wake;wake_up_q;try_to_wake_up", true, "do_work",
		      "do_work");
	check_release("worker;do_work;up;__up;wake_up_process;try_to_wake_up", true, "do_work",
		      "worker;do_work");
	check_release("worker;download_block;mutex_unlock;wake_up_q", true, "download_block",
		      "worker;download_block");
	check_release("worker;do_work;downgrade_write;rwsem_wake;wake_up_q", true, "do_work",
		      "worker;do_work");
	check_release("worker;send_signal;signal_wake_up;try_to_wake_up", false, "",
		      "worker;send_signal;signal_wake_up");
}

static const struct unit_test tests[] = {
	{ "who takes a lock", test_caller },
	{ "names that begin as those of locks do", test_others },
	{ "who lets go of one", test_release },
	{ NULL, NULL }
};

int main(void)
{
	return unit_run(tests);
}
