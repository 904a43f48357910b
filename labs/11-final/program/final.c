// SPDX-License-Identifier: GPL-2.0-only
/*
 * final.c - three processes, of which one may do what one of the labs 1 to 6 is about
 *
 *	final FILE
 *
 * FILE is made when the memory that is to be in use is. Another of the processes writes to the
 * disk now and then, and all of them work a little.
 */
#include <elf.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "11-final/params.h"
#include "lib/program.h"

#define DISK		"/dev/lab"
#define BLOCK		16384
#define BUFFER		(1u << 20)	/* bytes of memory that are new each time */
#define RESIDENT	(8u << 20)	/* that a new process gets a copy of */
#define PERIOD_MS	37		/* no whole number of jiffies: see the module */
#define ELF_MS		41
#define SELDOM_MS	331		/* between turns of a process that is not to blame */

static struct final_params params;
static char *data;
static int disk, bad_elf;

static void nap_ns(u64 ns)
{
	struct timespec time = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	nanosleep(&time, NULL);
}

/* Memory in which each page is there; processes that are made have it if it is @inherited. */
static char *take_memory(size_t size, bool inherited)
{
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED || madvise(memory, size, MADV_NOHUGEPAGE) ||
	    (!inherited && madvise(memory, size, MADV_DONTFORK)))
		die("mmap");
	for (size_t at = 0; at < size; at += 4096)
		memory[at] = 1;
	return memory;
}

/* A file that the kernel can make no process of: more bytes of a segment than it has memory. */
static void make_bad_elf(void)
{
	static struct {
		Elf64_Ehdr head;
		Elf64_Phdr text;
		char rest[4096 - sizeof(Elf64_Ehdr) - sizeof(Elf64_Phdr)];
	} image = {
		.head = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
				     EV_CURRENT },
#ifdef __aarch64__
			.e_type = ET_EXEC, .e_machine = EM_AARCH64, .e_version = EV_CURRENT,
#else
			.e_type = ET_EXEC, .e_machine = EM_X86_64, .e_version = EV_CURRENT,
#endif
			.e_entry = 0x400000, .e_phoff = sizeof(Elf64_Ehdr),
			.e_ehsize = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
		},
		.text = {
			.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = 0x400000,
			.p_filesz = 4096, .p_memsz = 4080, .p_align = 4096,
		},
	};

	bad_elf = memfd_create("lab", 0);
	if (bad_elf < 0 || write(bad_elf, &image, sizeof(image)) != sizeof(image))
		die("memfd_create");
}

static void make_process(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	if (child < 0 || waitpid(child, NULL, 0) != child)
		die("fork");
}

static void run_bad_elf(void)
{
	static char *const args[] = { "lab", NULL }, *const environment[] = { NULL };
	pid_t child = fork();

	if (!child) {
		fexecve(bad_elf, args, environment);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		die("fork");
}

static void copy_to_new_memory(void)
{
	munmap(take_memory(BUFFER, true), BUFFER);
}

/* Between writes of a process that is not to blame: its requests take a part of the disk's time. */
static u64 seldom_ns(void)
{
	return (u64)params.service_ms * 1000000 * (100 - params.little) / params.little;
}

static void write_block(void)
{
	static u32 turn;

	if (pwrite(disk, data, BLOCK, (off_t)(turn++ % 64) * BLOCK) != BLOCK)
		die(DISK);
}

/* For its share of each period. */
static void keep_cpu_busy(void (*work)(void))
{
	const u64 period = PERIOD_MS * 1000000;
	u64 begin, now;

	for (;;) {
		begin = now_ns();
		do {
			work();
			now = now_ns();
		} while (now - begin < period / 100 * params.percent);
		if (now - begin < period)
			nap_ns(period - (now - begin));
	}
}

static void keep_disk_busy(void)
{
	for (;;) {
		write_block();
		nap_ns((u64)params.service_ms * params.pause * 10000);
	}
}

/* What all do that are not to blame. */
static void work_a_little(bool writes)
{
	for (;;) {
		for (u32 turns = 0; turns < 100000; turns++)
			__asm__ volatile("");
		if (writes)
			write_block();
		nap_ns(writes ? seldom_ns() : SELDOM_MS * 1000000);
	}
}

static void run(u32 name, sigset_t ends)
{
	static const char *const names[FINAL_NAMES] = { "amber", "birch", "cedar" };
	bool writes = name == (params.culprit + 1 + params.turn) % FINAL_NAMES;

	sigprocmask(SIG_UNBLOCK, &ends, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, names[name]);
	switch (name == params.culprit ? params.cause : FINAL_NR) {
	case FINAL_HUNDRED:
		keep_cpu_busy(make_process);
		break;
	case FINAL_COPY:
		keep_cpu_busy(copy_to_new_memory);
		break;
	case FINAL_WRITES:
		keep_disk_busy();
		break;
	case FINAL_ELF:
		for (;; nap_ns(ELF_MS * 1000000))
			run_bad_elf();
	default:
		work_a_little(writes);
	}
}

/* Until this process is to end, or one of the others has. */
static int wait_for_end(const pid_t *children, const sigset_t *ends)
{
	int signal, ret;

	sigwait(ends, &signal);
	ret = signal != SIGTERM;
	for (u32 i = 0; i < FINAL_NAMES; i++)
		kill(children[i], SIGKILL);
	while (wait(NULL) > 0)
		;
	return ret;
}

int main(int argc, char **argv)
{
	const u64 token = token_read();
	pid_t children[FINAL_NAMES];
	sigset_t ends;

	if (argc != 2)
		return die("expected FILE");
	final_params(&params, token);
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	take_memory((size_t)params.mib << 20, false);
	data = take_memory(RESIDENT, true);
	make_bad_elf();
	disk = open(DISK, O_WRONLY | O_DIRECT);
	if (disk < 0)
		die(DISK);
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	for (u32 name = 0; name < FINAL_NAMES; name++) {
		children[name] = fork();
		if (children[name] < 0)
			die("fork");
		if (!children[name])
			run(name, ends);
	}
	close(disk);
	if (creat(argv[1], 0600) < 0)
		die(argv[1]);
	return wait_for_end(children, &ends);
}
