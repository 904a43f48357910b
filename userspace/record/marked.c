// SPDX-License-Identifier: GPL-2.0-only
/*
 * marked.c - follows a command and its descendants, and tells of kprof_start() and kprof_stop()
 *
 * In each process that executes the program there is a breakpoint at each of its markers, and the
 * number that says that somebody watches is not 0. What is forked has both, too. A marker is an
 * instruction that does nothing, so a thread goes on behind it.
 */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/buf.h"
#include "lib/mem.h"
#include "lib/msg.h"
#include "lib/number.h"
#include "lib/process.h"
#include "record/marked.h"
#include "record/program.h"
#include "record/record_meta.h"
#include "record/user_marker.h"
#include "record/user_regions.h"

#define OPTIONS		(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | \
			 PTRACE_O_TRACEEXEC)
#define PATIENCE_NS	2000000000ull	/* a thread may not be able to stop */

/* --- the markers --- */

static void add_places(struct marked *m, const struct marker_places *places, bool is_start)
{
	size_t i;

	for (i = 0; i < places->nr; i++) {
		m->place = mem_realloc(m->place, m->nr_places + 1, sizeof(*m->place));
		m->place[m->nr_places++] = (struct marked_place){
			places->item[i]->offset, places->item[i]->counter, is_start,
		};
	}
}

static int find_markers(struct marked *m, const char *path)
{
	struct marker_places start = { .nr = 0 }, stop = { .nr = 0 };
	struct marker_files files = { .nr = 0 };
	const struct user_markers *markers;
	const char *real;
	int ret = user_marks_check(path);

	markers = ret ? NULL : user_markers_of(&files, path, &real);
	if (!markers || user_marker_find(markers, path, "kprof:start", &start) ||
	    user_marker_find(markers, path, "kprof:stop", &stop))
		ret = EXIT_ERROR;
	add_places(m, &start, true);
	add_places(m, &stop, false);
	user_marker_files_free(&files);
	return ret;
}

int marked_open(struct marked *m, const char *command)
{
	char *path = program_find(command);
	int ret = EXIT_OK;

	m->wake = -1;
	/* That it cannot be run is said when it is. */
	if (path && !stat(path, &m->program))
		ret = find_markers(m, path);
	free(path);
	return ret;
}

/* --- the memory of a process --- */

static void proc_path(char path[64], pid_t pid, const char *file)
{
	snprintf(path, 64, "/proc/%d/%s", pid, file);
}

/* Does the process execute the program? Then read what it has mapped, and where the program is. */
static bool read_maps(const struct marked *m, pid_t pid, struct buf *maps, struct buf *exe)
{
	char path[64], link[4096];
	struct stat st;
	ssize_t len;

	proc_path(path, pid, "exe");
	if (stat(path, &st) || st.st_dev != m->program.st_dev || st.st_ino != m->program.st_ino)
		return false;
	len = readlink(path, link, sizeof(link));
	if (len <= 0)
		return false;
	buf_add(exe, link, len);
	proc_path(path, pid, "maps");
	return !buf_read_file(maps, path);
}

/* A line of maps: "START-END rwxp OFFSET DEVICE INODE PATH". */
struct mapping {
	uint64_t start, end, offset;
	bool is_writable, is_executable;
	const char *path;
};

static bool take_mapping(const char *line, size_t len, struct mapping *map)
{
	const char *at = line, *slash = memchr(line, '/', len);

	if (!slash || !number_take(&at, NUMBER_HEX, &map->start) || *at++ != '-' ||
	    !number_take(&at, NUMBER_HEX, &map->end) || *at++ != ' ' || slash - at < 6)
		return false;
	map->is_writable = at[1] == 'w';
	map->is_executable = at[2] == 'x';
	map->path = slash;
	at += 5;
	return number_take(&at, NUMBER_HEX, &map->offset);
}

/* The next mapping of the program. */
static bool next_mapping(const char **at, const struct buf *exe, struct mapping *map)
{
	const char *line;
	size_t len;

	while (buf_next_line(at, &line, &len))
		if (take_mapping(line, len, map) && line + len - map->path == (ptrdiff_t)exe->len &&
		    !memcmp(map->path, exe->data, exe->len))
			return true;
	return false;
}

/* Where a place of the file is: code, or data that the program can change. 0: nowhere. */
static uint64_t address_of(const struct buf *maps, const struct buf *exe, uint64_t offset,
			   bool code)
{
	const char *at = maps->data;
	struct mapping map;

	while (next_mapping(&at, exe, &map))
		if ((code ? map.is_executable : map.is_writable) && offset >= map.offset &&
		    offset - map.offset < map.end - map.start)
			return map.start + (offset - map.offset);
	return 0;
}

#if defined(__x86_64__)
static const unsigned char breakpoint[] = { 0xcc }, nothing[] = { 0x90 };
#elif defined(__aarch64__)
static const unsigned char breakpoint[] = { 0x00, 0x00, 0x20, 0xd4 };
static const unsigned char nothing[] = { 0x1f, 0x20, 0x03, 0xd5 };
#endif

/* Watch the markers of a process, or do not any more. */
static void watch(const struct marked *m, pid_t pid, bool on)
{
	struct buf maps = { 0 }, exe = { 0 };
	const unsigned short count = on;
	char path[64];
	size_t i;
	int fd;

	proc_path(path, pid, "mem");
	fd = read_maps(m, pid, &maps, &exe) ? open(path, O_RDWR | O_CLOEXEC) : -1;
	for (i = 0; fd >= 0 && i < m->nr_places; i++) {
		uint64_t code = address_of(&maps, &exe, m->place[i].offset, true);
		uint64_t counter = address_of(&maps, &exe, m->place[i].counter, false);

		/* If it cannot be written, the process is about to end. */
		if (code && counter &&
		    pwrite(fd, on ? breakpoint : nothing, sizeof(nothing), code) > 0 &&
		    pwrite(fd, &count, sizeof(count), counter) < 0)
			break;
	}
	if (fd >= 0)
		close(fd);
	buf_free(&maps);
	buf_free(&exe);
}

/* --- registers --- */

static bool get_registers(pid_t tid, struct user_regs_struct *regs)
{
	struct iovec io = { .iov_base = regs, .iov_len = sizeof(*regs) };

	return !ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &io);
}

#if defined(__x86_64__)
/* Where the breakpoint is that a thread has come to. It goes on behind that by itself. */
static uint64_t address_in(const struct user_regs_struct *regs)
{
	return regs->rip - sizeof(breakpoint);
}

static bool go_behind(pid_t tid, const struct user_regs_struct *regs)
{
	(void)tid;
	(void)regs;
	return true;
}
#elif defined(__aarch64__)
static uint64_t address_in(const struct user_regs_struct *regs)
{
	return regs->pc;
}

static bool go_behind(pid_t tid, const struct user_regs_struct *regs)
{
	struct user_regs_struct next = *regs;
	struct iovec io = { .iov_base = &next, .iov_len = sizeof(next) };

	next.pc += sizeof(breakpoint);
	return !ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &io);
}
#endif

/* --- the threads --- */

static struct marked_thread *find(const struct marked *m, pid_t tid)
{
	size_t i;

	for (i = 0; i < m->nr_threads; i++)
		if (m->thread[i].tid == tid)
			return &m->thread[i];
	return NULL;
}

static void forget(struct marked *m, pid_t tid)
{
	struct marked_thread *thread = find(m, tid);

	if (thread)
		*thread = m->thread[--m->nr_threads];
}

static struct marked_thread *remember(struct marked *m, pid_t tid)
{
	struct marked_thread *thread = find(m, tid);

	if (thread)
		return thread;
	m->thread = mem_grow(m->thread, &m->thread_room, m->nr_threads + 1, sizeof(*m->thread));
	thread = &m->thread[m->nr_threads++];
	*thread = (struct marked_thread){ .tid = tid };
	return thread;
}

/* The same program at the same addresses. */
static void remember_child(struct marked *m, pid_t parent, pid_t child)
{
	const uint64_t shift = remember(m, parent)->shift;

	remember(m, child)->shift = shift;
}

/* The marker at an address; @shift: of the thread. */
static const struct marked_place *place_at(const struct marked *m, uint64_t addr, uint64_t shift)
{
	size_t i;

	for (i = 0; shift && i < m->nr_places; i++)
		if (m->place[i].offset + shift == addr)
			return &m->place[i];
	return NULL;
}

/*
 * The marker at which it stands, or NULL. A program is where it is until the next exec, and there
 * may be thousands of mappings to read.
 */
static const struct marked_place *place_of(struct marked *m, pid_t tid,
					   const struct user_regs_struct *regs)
{
	struct marked_thread *thread = remember(m, tid);
	const uint64_t addr = address_in(regs);
	const struct marked_place *place = place_at(m, addr, thread->shift);
	struct buf maps = { 0 }, exe = { 0 };
	size_t i;

	if (!place && read_maps(m, tid, &maps, &exe))
		for (i = 0; i < m->nr_places && !place; i++)
			if (address_of(&maps, &exe, m->place[i].offset, true) == addr) {
				place = &m->place[i];
				thread->shift = addr - place->offset;
			}
	buf_free(&maps);
	buf_free(&exe);
	return place;
}

/* --- a thread that has stopped --- */

/* That it fails means that the thread was killed meanwhile, which waitid() will say. */
static void run_on(struct marked *m, pid_t tid, int signal)
{
	if (!m->is_leaving) {
		ptrace(PTRACE_CONT, tid, 0, signal);
		return;
	}
	watch(m, tid, false);
	if (!ptrace(PTRACE_DETACH, tid, 0, signal))
		forget(m, tid);
}

static void on_signal(struct marked *m, pid_t tid, int signal)
{
	const struct marked_place *place = NULL;
	struct user_regs_struct regs;

	if (signal == SIGTRAP && get_registers(tid, &regs))
		place = place_of(m, tid, &regs);
	if (place && go_behind(tid, &regs)) {
		m->starts += place->is_start;
		if (!m->is_leaving)
			m->tell(m->argument, place->is_start);
		signal = 0;
	}
	run_on(m, tid, signal);
}

static bool stops_a_process(int signal)
{
	return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

static void on_stop(struct marked *m, pid_t tid, int status)
{
	unsigned long other = 0;
	int signal = WSTOPSIG(status);

	switch (status >> 16) {
	case PTRACE_EVENT_EXEC:
		/* The thread has the number of its process now. */
		if (!ptrace(PTRACE_GETEVENTMSG, tid, 0, &other))
			forget(m, other);
		remember(m, tid)->shift = 0;
		watch(m, tid, true);
		run_on(m, tid, 0);
		break;
	case PTRACE_EVENT_STOP:
		remember(m, tid);
		if (stops_a_process(signal) && !m->is_leaving)
			ptrace(PTRACE_LISTEN, tid, 0, 0);
		else
			run_on(m, tid, stops_a_process(signal) ? signal : 0);
		break;
	case 0:
		on_signal(m, tid, signal);
		break;
	default:	/* fork and the like: the new one stops by itself */
		if (!ptrace(PTRACE_GETEVENTMSG, tid, 0, &other))
			remember_child(m, tid, other);
		run_on(m, tid, 0);
	}
}

static void serve_one(struct marked *m, pid_t tid)
{
	pid_t who;
	int status;

	who = waitpid(tid, &status, __WALL | WNOHANG);
	if (who > 0 && WIFSTOPPED(status))
		on_stop(m, tid, status);
	else if (who)		/* it has ended, or had already */
		forget(m, tid);
}

/* The command has ended, which hides the others from who waits for any. */
static void serve_rest(struct marked *m)
{
	size_t i;

	for (i = m->nr_threads; i-- > 0;)
		if (i < m->nr_threads)
			serve_one(m, m->thread[i].tid);
}

/* Serve who has stopped. The end of the command is left for who waits for that. */
static void serve(struct marked *m)
{
	siginfo_t info = { .si_pid = 0 };

	while (!waitid(P_ALL, 0, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT | __WALL) &&
	       info.si_pid) {
		if (info.si_pid == m->command && info.si_code != CLD_TRAPPED &&
		    info.si_code != CLD_STOPPED) {
			forget(m, m->command);
			serve_rest(m);
			return;
		}
		serve_one(m, info.si_pid);
		info.si_pid = 0;
	}
}

/* --- all of it --- */

int marked_begin(struct marked *m, pid_t command)
{
	sigset_t set;

	/* Where the program is in its memory is read there. */
	if (process_check_proc())
		return EXIT_ERROR;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
	m->wake = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	m->command = command;
	m->is_leaving = false;
	if (m->wake < 0)
		return msg_error("cannot wait for signals: %s", strerror(errno));
	if (ptrace(PTRACE_SEIZE, command, 0, OPTIONS))
		return msg_error("cannot follow the command, which --marked takes: %s",
				 strerror(errno));
	remember(m, command);
	return EXIT_OK;
}

int marked_sleep(struct marked *m, struct until *u, uint64_t ns)
{
	struct signalfd_siginfo info;
	struct until both = *u;
	int ret, i;

	both.wake = mem_zalloc(u->nr_wake + 1, sizeof(*both.wake));
	memcpy(both.wake, u->wake, u->nr_wake * sizeof(*both.wake));
	both.wake[both.nr_wake++] = (struct pollfd){ .fd = m->wake, .events = POLLIN };
	ret = until_sleep(&both, ns);
	for (i = 0; i < u->nr_wake; i++)
		u->wake[i].revents = both.wake[i].revents;
	free(both.wake);
	while (read(m->wake, &info, sizeof(info)) > 0)
		;
	serve(m);
	return ret;
}

void marked_end(struct marked *m)
{
	uint64_t end = record_now_ns() + PATIENCE_NS;
	size_t i;

	if (m->wake < 0)
		return;
	m->is_leaving = true;
	for (i = 0; i < m->nr_threads; i++)
		ptrace(PTRACE_INTERRUPT, m->thread[i].tid, 0, 0);
	serve(m);
	while (m->nr_threads && record_now_ns() < end) {
		usleep(1000);
		serve(m);
	}
	close(m->wake);
	m->wake = -1;
}

void marked_close(struct marked *m)
{
	marked_end(m);
	free(m->place);
	free(m->thread);
}
